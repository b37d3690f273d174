package undo_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/backend/undo"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// TestEdits_OldOnesAreRemoved checks that a restart removes recorded edits that are older than the maximum age of
// snapshots or that were truncated when the app exited, and that it keeps a new edit.
func TestEdits_OldOnesAreRemoved(t *testing.T) {
	e := newEnv(t, map[string]string{"a.txt": "1\n"}, fakeagent.Turn{fakeagent.Run("echo 2 > a.txt")})
	e.run(e.chat, "go")
	file := filepath.Join(e.App.Dir, "snapshots", e.chat.ID, "edits.jsonl")
	month := backend.Millis(31 * 24 * time.Hour / time.Millisecond)
	now := backend.Now()
	line := `{"turn":"t","path":"a.txt","at":%d,"before":"1","after":"2"}` + "\n"
	text := fmt.Sprintf(line, now-month) + `{"turn":"t","pa` + "\n" + fmt.Sprintf(line, now)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e.reopen(func(*backend.TurnUndo) {}, "")
	want := fmt.Sprintf(line, now)
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for deadline := time.Now().Add(30 * time.Second); ; <-look.C {
		got, err := os.ReadFile(file)
		if err == nil && string(got) == want {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the edits are %q (%v), want %q", got, err, want)
		}
	}
	if diff := cmp.Diff([]undo.Edit{{TurnID: "t", Path: "a.txt", At: now, Before: "1", After: "2"}}, e.Engine().Undo.Edits(e.chat.ID)); diff != "" {
		t.Errorf("the edits differ (-want +got):\n%s", diff)
	}
}

// TestEdits_OnlyOwnerReads checks the modes of everything that is recorded for a chat, including edits and ignored
// files.
func TestEdits_OnlyOwnerReads(t *testing.T) {
	f := newSweptFolder(t)
	f.write(".gitignore", ".env\n")
	f.write(".env", "KEY=1\n")
	f.turn("1", func() {
		f.undo.BeforeTool(t.Context(), f.chat.ID, guard.Call{Event: guard.ToolCall, SessionID: "x", Tool: "edit", Args: []byte(`{"path":".env","old_str":"1","new_str":"2"}`)})
		f.write(".env", "KEY=2\n")
	})
	if err := f.undo.Remembers(f.chat.ID, "last", "now", false); err != nil {
		t.Fatal(err)
	}
	chat := filepath.Dir(f.marks(f.chat.ID))
	var found []string
	err := filepath.WalkDir(chat, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[e.IsDir()]; err == nil && info.Mode().Perm() != want && runtime.GOOS != "windows" {
			t.Errorf("%s has mode %v, want %v", path, info.Mode(), want)
		}
		found = append(found, filepath.Base(path))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kept", "edits.jsonl", "seen.json", "00000001.seg"} {
		if !slices.Contains(found, name) {
			t.Errorf("%s isn't in %v", name, found)
		}
	}
}

func TestUndo_RecordingsAreNotExported(t *testing.T) {
	const inFolder = "4f7d1c-only-in-a-recorded-file"
	e := newEnv(t, map[string]string{"a.txt": inFolder + "\n", ".env": "KEY=" + inFolder + "\n"},
		fakeagent.Turn{fakeagent.Run("printf 2 > a.txt; printf 2 > .env")})
	u := e.run(e.chat, "go")
	if u.Files != 2 {
		t.Fatalf("the recording is %+v, want one that has both files", u)
	}
	for _, undone := range []bool{false, true} {
		if undone {
			if err := e.undo(u.TurnID, nil); err != nil {
				t.Fatal(err)
			}
		}
		for _, format := range []string{"markdown", "html", "json"} {
			if text := e.export(format); !strings.Contains(text, "go") || strings.Contains(text, inFolder) {
				t.Errorf("undone %v: the chat as %s has a file of the recording, or no message:\n%s", undone, format, text)
			}
		}
	}
}

// export exports the chat and returns the text.
func (e *env) export(format string) string {
	e.T.Helper()
	path := filepath.Join(e.T.TempDir(), "out")
	e.OnSaveFile(func(string) (string, error) { return path, nil })
	from, n := len(e.Events()), 0
	if err := e.App.ExportChat(e.chat.ID, format); err != nil {
		e.T.Fatal(err)
	}
	e.WaitFor("the export", func(ev backend.Event) bool {
		n++
		return n > from && ev.DialogResult != nil && !ev.DialogResult.Writing
	})
	text, err := os.ReadFile(path)
	if err != nil {
		e.T.Fatal(err)
	}
	return string(text)
}
