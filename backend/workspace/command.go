package workspace

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Program is where a program is on path, the user's PATH; "" where it is not. A
// program in the chat's folder does not count: what an agent or a repository put
// there is not the user's.
func Program(folder, path, name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, name)
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0 {
			continue
		}
		if place, err := Locate(folder, file); err == nil && !place.Inside {
			return file
		}
	}
	return ""
}

// keptVariables are the variables that programs get: what they need to run and to find
// the user's own configuration, and no secret.
var keptVariables = []string{
	"HOME", "USER", "LOGNAME", "TMPDIR", "XDG_CONFIG_HOME",
	"USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "SYSTEMROOT", "SYSTEMDRIVE", "TEMP", "TMP", "PATHEXT",
	"NODEFAULTCURRENTDIRECTORYINEXEPATH",
}

// Environment is what programs run with that look at a chat's folder.
func Environment(path string, more ...string) []string {
	env := []string{"PATH=" + path, "LC_ALL=C"}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		if slices.Contains(keptVariables, name) {
			env = append(env, v)
		}
	}
	return append(env, more...)
}

// GitEnvironment is Environment for git that only reads.
func GitEnvironment(path string) []string {
	return Environment(path, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
}

// GitOptions are the options of every command of git that looks at a chat's
// folder. A repository's own configuration can name programs, and none of them is
// run: the user trusts the folder to be worked in, and not what somebody wrote
// into its .git. Commands that show differences need more.
func GitOptions() []string {
	return []string{
		"--no-pager", "--literal-pathspecs",
		"-c", "core.fsmonitor=false",
		"-c", "core.hooksPath=" + os.DevNull,
		"-c", "core.quotePath=false",
		"-c", "core.pager=cat",
		"-c", "log.showSignature=false",
		"-c", "color.ui=false",
		"-c", "diff.noprefix=false",
		"-c", "diff.mnemonicPrefix=false",
		"-c", "safe.bareRepository=explicit",
	}
}

// Command is a program that is run in a folder and shows no window. It ends with
// ctx.
func Command(ctx context.Context, folder, program string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = folder
	cmd.Env = env
	cmd.WaitDelay = time.Second
	hide(cmd)
	return cmd
}

// FiltersOff are the options of git that keep the filters from running which the
// repository's own configuration names for what goes into it. Those of the user's,
// such as Git LFS, stay. It needs git 2.26.
func FiltersOff(ctx context.Context, folder, program string, env []string) ([]string, error) {
	args := append(GitOptions(), "config", "--null", "--show-scope", "--name-only", "--list")
	out, err := Command(ctx, folder, program, env, args...).Output()
	if err != nil {
		return nil, errors.Join(ctx.Err(), err)
	}
	var options []string
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		scope, name := fields[i], fields[i+1]
		filter, is := strings.CutPrefix(name, "filter.")
		dot := strings.LastIndexByte(filter, '.')
		if !is || dot < 0 || scope == "system" || scope == "global" || scope == "command" {
			continue
		}
		if strings.ContainsRune(name, '=') {
			return nil, FilterError{Name: filter[:dot]}
		}
		for _, what := range []string{"clean", "smudge", "process", "required"} {
			if option := "filter." + filter[:dot] + "." + what + "="; !slices.Contains(options, option) {
				options = append(options, "-c", option)
			}
		}
	}
	return options, nil
}

// FilterError is a filter that no option can switch off.
type FilterError struct{ Name string }

func (e FilterError) Error() string {
	return "filter: " + e.Name
}
