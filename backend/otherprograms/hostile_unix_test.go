//go:build unix

package otherprograms_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/otherprograms"
)

// dirOf returns the folder of a program's test conversation, the file's name and a minimal conversation.
func dirOf(home string, p backend.OtherProgram) (dir, name, content string) {
	switch p {
	case backend.ProgramClaudeCode:
		return filepath.Join(home, ".claude", "projects", "p"), "s.jsonl", `{"type":"user","message":{"content":"hello"}}` + "\n"
	case backend.ProgramCodex:
		return filepath.Join(home, ".codex", "sessions", "2025", "01", "02"), "rollout-s.jsonl", `{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}` + "\n"
	case backend.ProgramOpencode:
		return filepath.Join(home, ".local", "share", "opencode", "storage", "session", "p"), "s.json", `{"id":"s","title":"hello","time":{"created":1,"updated":2}}`
	}
	return filepath.Join(vscodeUser(home), "workspaceStorage", "h", "chatSessions"), "s.json", `{"requests":[{"message":{"text":"hello"}}]}`
}

var all = []backend.OtherProgram{backend.ProgramClaudeCode, backend.ProgramCodex, backend.ProgramOpencode, backend.ProgramVSCode}

// TestHostile_LinksAndPipesAreIgnored checks that pipes, and links out of a program's folder, aren't read and don't
// block.
func TestHostile_LinksAndPipesAreIgnored(t *testing.T) {
	for _, p := range all {
		t.Run(string(p), func(t *testing.T) {
			home, outside := t.TempDir(), t.TempDir()
			dir, name, content := dirOf(home, p)
			noErr(t, os.MkdirAll(dir, 0o700))
			noErr(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
			noErr(t, os.WriteFile(filepath.Join(outside, name), []byte(content), 0o600))
			noErr(t, os.Symlink(filepath.Join(outside, name), filepath.Join(dir, "link-"+name)))
			noErr(t, os.Symlink(filepath.Join(outside, name), filepath.Join(dir, strings.Replace(name, "s.", "linked.", 1))))
			noErr(t, os.Symlink(outside, filepath.Join(filepath.Dir(dir), "linked")))
			noErr(t, syscall.Mkfifo(filepath.Join(dir, strings.Replace(name, "s.", "pipe.", 1)), 0o600))
			if got := list(t, home, p); len(got) != 1 || got[0].Title != "hello" {
				t.Errorf("the list is %+v", got)
			}
			c := list(t, home, p)[0]
			noErr(t, os.Remove(filepath.Join(dir, name)))
			noErr(t, syscall.Mkfifo(filepath.Join(dir, name), 0o600)) // after it was listed
			if err := programs(home)[p].Read(t.Context(), c, &recorder{}); err == nil {
				t.Error("a pipe was read")
			}
		})
	}
}

// TestHostile_OpencodeDatabaseLink checks that a link to a database isn't opened.
func TestHostile_OpencodeDatabaseLink(t *testing.T) {
	home, other := t.TempDir(), newHome(t)
	dir := filepath.Join(home, ".local", "share", "opencode")
	noErr(t, os.MkdirAll(dir, 0o700))
	noErr(t, os.Symlink(filepath.Join(other, ".local", "share", "opencode", "opencode.db"), filepath.Join(dir, "opencode.db")))
	if got, err := programs(home)[backend.ProgramOpencode].List(t.Context()); len(got) > 0 || err == nil {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestHostile_LargeLists checks that reading a list with a very large number of elements takes little more memory and
// time than the record that contains it.
func TestHostile_LargeLists(t *testing.T) {
	const size = 8 << 20
	many := func(element string) string {
		return "[" + strings.Repeat(element+",", size/(len(element)+1)) + element + "]"
	}
	claude := func(record string) string {
		return `{"type":"user","message":{"content":"hello"}}` + "\n" + record + "\n"
	}
	use := func(name, input string) string {
		return claude(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":"` + name + `","input":` + input + `}]}}`)
	}
	codex := `{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}` + "\n"
	for name, c := range map[string]struct {
		program backend.OtherProgram
		text    string
	}{
		"parts of a message": {backend.ProgramClaudeCode, claude(`{"type":"user","message":{"content":` + many("0") + `}}`)},
		"parts of an answer": {backend.ProgramClaudeCode, claude(`{"type":"assistant","message":{"content":` + many("0") + `}}`)},
		"a plan":             {backend.ProgramClaudeCode, use("TodoWrite", `{"todos":`+many("0")+`}`)},
		"edits":              {backend.ProgramClaudeCode, use("MultiEdit", `{"file_path":"/a","edits":`+many(`{"old_string":"a","new_string":"b"}`)+`}`)},
		"a patch":            {backend.ProgramCodex, codex + `{"type":"custom_tool_call","call_id":"1","name":"apply_patch","input":"*** Begin Patch\n*** Update File: a\n` + strings.Repeat(`+a\n`, size/4) + `"}`},
		"words":              {backend.ProgramCodex, codex + `{"type":"local_shell_call","call_id":"1","action":{"command":` + many(`"a"`) + `}}`},
		"requests":           {backend.ProgramVSCode, `{"requests":[{"message":{"text":"hello"}},{"response":` + many("0") + `}]}`},
		"bytes of an image":  {backend.ProgramVSCode, `{"requests":[{"message":{"text":"hello"},"variableData":{"variables":[{"kind":"image","mimeType":"image/png","value":{` + strings.Repeat(`"0":1,`, size/6) + `"1":1}}]}}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			dir, file, _ := dirOf(home, c.program)
			noErr(t, os.MkdirAll(dir, 0o700))
			noErr(t, os.WriteFile(filepath.Join(dir, file), []byte(c.text), 0o600))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			all := list(t, home, c.program)
			err := programs(home)[c.program].Read(t.Context(), all[0], sinkFunc(func(otherprograms.Entry) error { return nil }))
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; err != nil && backend.CodeOf(err) != backend.CodeTooLarge || n > 900<<20 {
				t.Errorf("a record of %d MB took %d MB, %v", size>>20, n>>20, err)
			}
		})
	}
}
