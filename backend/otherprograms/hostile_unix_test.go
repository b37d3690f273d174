//go:build unix

package otherprograms_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
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
