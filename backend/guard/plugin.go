package guard

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The files of a plugin folder. The Copilot CLI defines the first two; the hook program reads the third.
const (
	manifestFile = "plugin.json"
	hooksFile    = "hooks/hooks.json"
	keyFileName  = "key.json"
)

// hookTimeout is the time in seconds after which the CLI ends a hook and runs the tool. It is a day, because the
// user may take a long time to answer. The hook denies the call earlier, after waitTime.
const hookTimeout = 24 * 60 * 60

// manifest is the content of a plugin's plugin.json.
type manifest struct {
	Name        string `json:"name"`
	Version     string `json:"version"`
	Description string `json:"description"`
	Hooks       string `json:"hooks"`
}

// hooks is the content of a plugin's hooks.json.
type hooks struct {
	Version int              `json:"version"`
	Hooks   map[Event][]hook `json:"hooks"`
}

// hook is a command that the CLI runs for an event.
type hook struct {
	Type       string `json:"type"`
	Bash       string `json:"bash"`
	PowerShell string `json:"powershell"` // on Windows; not tested there
	TimeoutSec int    `json:"timeoutSec"`
}

// writePlugin writes a plugin folder whose hooks run the given program. Only the user can read the folder.
func writePlugin(folder, program string, key keyFile) error {
	if err := os.RemoveAll(folder); err != nil { // of an earlier run of the app
		return err
	}
	if err := os.MkdirAll(filepath.Join(folder, filepath.Dir(hooksFile)), 0o700); err != nil {
		return err
	}
	keyPath := filepath.Join(folder, keyFileName)
	all := hooks{Version: 1, Hooks: map[Event][]hook{}}
	for _, event := range events {
		command := []string{program, hookArg, string(event), keyPath}
		all.Hooks[event] = []hook{{
			Type: "command", Bash: "exec " + quoteAll(command, quoteBash), PowerShell: powerShellLine(command),
			TimeoutSec: hookTimeout,
		}}
	}
	for name, content := range map[string]any{
		manifestFile: manifest{Name: "voxpilot-guard", Version: "1.0.0", Description: "Asks VoxPilot before each tool call.", Hooks: hooksFile},
		hooksFile:    all,
		keyFileName:  key,
	} {
		data, err := json.MarshalIndent(content, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, filepath.FromSlash(name)), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// pluginDirArg is the CLI's option for a plugin folder. It can be repeated. The CLI runs the hooks of these plugins
// after all other hooks, in the order of the options. Each hook can override the decisions of earlier hooks, except
// denials.
const pluginDirArg = "--plugin-dir"

// pluginAfter returns the last plugin folder that follows the guard's own folder in args, the CLI's command line. It
// returns "" if no plugin folder follows.
func pluginAfter(folder string, args []string) (after string) {
	found := false
	for i, arg := range args {
		dir, ok := strings.CutPrefix(arg, pluginDirArg+"=")
		if arg == pluginDirArg && i+1 < len(args) {
			dir, ok = args[i+1], true
		}
		switch {
		case !ok:
		case dir == folder:
			found = true
		case found:
			after = dir
		}
	}
	return after
}

func quoteAll(words []string, quote func(string) string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quote(word)
	}
	return strings.Join(quoted, " ")
}

func quoteBash(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// powerShellLine returns a PowerShell line that runs a command and exits with the command's exit code or, if the
// command couldn't be started, with exitDenied.
func powerShellLine(command []string) string {
	return fmt.Sprintf("$global:LASTEXITCODE = %d; try { & %s } catch { exit %[1]d }; exit $LASTEXITCODE", exitDenied, quoteAll(command, quotePowerShell))
}

func quotePowerShell(word string) string { return "'" + strings.ReplaceAll(word, "'", "''") + "'" }
