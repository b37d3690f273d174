package undo_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/undo"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// TestEdits_OldOnesAreRemoved has an edit that is older than recordings are kept, one that was cut by the end of
// the app, and a new one.
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
