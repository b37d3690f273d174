package otherprograms

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// vscode reads the conversations of Copilot Chat in Visual Studio Code: chatSessions/<session>.json or .jsonl in the
// folder of each workspace.
type vscode struct {
	dirs  []string // the folders "User" of the editions of VS Code
	heads heads
}

// vscodeDirs returns the folders in which the editions of VS Code store the user's data.
func vscodeDirs(home string, getenv func(string) string) (dirs []string) {
	base := cmp.Or(getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	switch runtime.GOOS {
	case "darwin":
		base = filepath.Join(home, "Library", "Application Support")
	case "windows":
		base = cmp.Or(getenv("APPDATA"), filepath.Join(home, "AppData", "Roaming"))
	}
	for _, edition := range []string{"Code", "Code - Insiders", "VSCodium"} {
		dirs = append(dirs, filepath.Join(base, edition, "User"))
	}
	// On a computer that is used with Remote Development, the data is in the home directory.
	return append(dirs, filepath.Join(home, ".vscode-server", "data", "User"), filepath.Join(home, ".vscode-server-insiders", "data", "User"))
}

func (p *vscode) List(ctx context.Context) (list []Conversation, failed error) {
	known := map[string]bool{}
	for _, dir := range p.dirs {
		root, err := openRoot(dir)
		if root == nil {
			failed = cmp.Or(failed, err)
			continue
		}
		workspaces, err := folders(root, "workspaceStorage")
		if err != nil && !isMissing(err) {
			failed = cmp.Or(failed, err)
		}
		for i := range workspaces {
			workspaces[i] = path.Join(workspaces[i], "chatSessions")
		}
		for _, sessions := range append(workspaces, "globalStorage/emptyWindowChatSessions") {
			folder := ""
			if data, err := readSmall(root, path.Join(path.Dir(sessions), "workspace.json"), maxSmall); err == nil {
				folder = workspaceOf(data)
			}
			err := files(ctx, root, sessions, func(info fs.FileInfo, name string) {
				if ext := path.Ext(name); ext != ".json" && ext != ".jsonl" {
					return
				}
				if c, is := p.heads.of(root, dir, name, info, describeVSCode); is && !known[c.ID] {
					c.Folder = folder
					known[c.ID] = true
					list = append(list, c)
				}
			})
			if err != nil && !isMissing(err) {
				failed = cmp.Or(failed, err)
			}
		}
		_ = root.Close()
	}
	return list, failed
}

func isMissing(err error) bool { return os.IsNotExist(err) }

// workspaceOf returns the folder of a workspace from its workspace.json. For a workspace with several folders, it is
// the folder of the workspace file.
func workspaceOf(data []byte) string {
	if folder := pathOf(gjson.GetBytes(data, "folder").String()); folder != "" {
		return folder
	}
	if file := pathOf(gjson.GetBytes(data, "workspace").String()); file != "" {
		return filepath.Dir(file)
	}
	return ""
}

// vscodeTitle matches the title that the user or VS Code gave to a conversation.
var vscodeTitle = regexp.MustCompile(`"customTitle"\s*:\s*("(?:[^"\\]|\\.)*")|"k":\["customTitle"\],"v":("(?:[^"\\]|\\.)*")`)

// describeVSCode reads the description of a conversation from the start and the end of its file. It returns false if
// the file contains no conversation.
func describeVSCode(file *os.File, c *Conversation) bool {
	c.Program, c.ID = backend.ProgramVSCode, strings.TrimSuffix(strings.TrimSuffix(path.Base(c.file), ".jsonl"), ".json")
	start, err := io.ReadAll(io.LimitReader(file, maxHead))
	if err != nil {
		return false
	}
	prompt := ""
	see := func(state gjson.Result) { // the JSON may be cut off
		c.CreatedAt = cmp.Or(c.CreatedAt, timeOf(state.Get("creationDate")))
		prompt = cmp.Or(prompt, vscodePrompt(state.Get("requests.0")))
	}
	if path.Ext(c.file) == ".json" {
		see(gjson.ParseBytes(start))
	} else {
		for line := range bytes.Lines(start) {
			switch r := gjson.ParseBytes(line); {
			case r.Get("kind").Int() == logInitial:
				see(r.Get("v"))
			case r.Get("kind").Int() == logPush && r.Get("k.0").String() == "requests" && r.Get("k.#").Int() == 1:
				prompt = cmp.Or(prompt, vscodePrompt(r.Get("v.0")))
			}
		}
	}
	end := make([]byte, min(c.Size, 16<<10))
	if n, err := file.ReadAt(end, c.Size-int64(len(end))); err == nil || n == len(end) {
		start = append(start, end...)
	}
	if all := vscodeTitle.FindAllSubmatch(start, -1); len(all) > 0 {
		last := all[len(all)-1]
		c.Title = titleOf(gjson.ParseBytes(append(last[1], last[2]...)).String())
	}
	c.Title = cmp.Or(c.Title, titleOf(prompt))
	return prompt != ""
}

// vscodePrompt returns the text of the user's message in a request.
func vscodePrompt(request gjson.Result) string {
	message := request.Get("message")
	if message.Type == gjson.String {
		return message.String()
	}
	if text := message.Get("text"); text.Exists() {
		return text.String()
	}
	var texts []string
	for part := range each(message.Get("parts")) {
		texts = append(texts, part.Get("text").String())
	}
	return strings.Join(texts, "")
}

func (p *vscode) Read(ctx context.Context, c Conversation, to Sink) error {
	s, err := readState(ctx, c, to)
	if err != nil {
		return err
	}
	for _, request := range s.requests {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := &vscodeReader{to: to, folder: c.Folder}
		if err := r.request(request); err != nil {
			return err
		}
	}
	return nil
}
