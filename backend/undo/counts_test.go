package undo_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/undo"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// TestUndo_PreviewShowsWhatWillHappen checks the counts of the previews of an undo and of its redo, and that files that
// will be removed come first.
func TestUndo_PreviewShowsWhatWillHappen(t *testing.T) {
	e := newEnv(t, map[string]string{"a.txt": "1\n2\n3\n", "old.txt": "x\ny\n"}, fakeagent.Turn{
		fakeagent.Run("printf '1\\nb\\n3\\n4\\n' > a.txt && printf 'n\\nn\\nn\\n' > new.txt && unlink old.txt"), fakeagent.Say("done"),
	})
	turn := e.run(e.chat, "change it").TurnID
	list := func() (lines []string) {
		for _, f := range e.preview(turn).Files {
			lines = append(lines, strings.Join([]string{f.Path, string(f.Effect), strings.Repeat("+", f.Added) + strings.Repeat("-", f.Removed)}, " "))
		}
		return lines
	}
	want := []string{"new.txt removes ---", "a.txt restores +--", "old.txt returns ++"}
	if diff := cmp.Diff(want, list()); diff != "" {
		t.Errorf("undo (-want +got):\n%s", diff)
	}
	if err := e.undo(turn, map[string]backend.UndoChoice{}); err != nil {
		t.Fatal(err)
	}
	want = []string{"old.txt removes --", "a.txt restores ++-", "new.txt returns +++"}
	if diff := cmp.Diff(want, list()); diff != "" {
		t.Errorf("redo (-want +got):\n%s", diff)
	}
}

// TestUndo_CountsChangedLinesOfLargeFile checks the counts of a turn that changes a few lines of a file of 2 MB.
func TestUndo_CountsChangedLinesOfLargeFile(t *testing.T) {
	f := newSlowFolder(t, func(*undo.Config) {})
	rows := func(changed string) string {
		var b strings.Builder
		for i := range 60_000 {
			if i%1000 == 0 {
				b.WriteString(changed)
			}
			fmt.Fprintf(&b, "row %d of a file with many rows\n", i)
		}
		return b.String()
	}
	f.write("rows.txt", rows("old\n"))
	f.write("a", "1")
	id := f.turn("1", func() { f.write("rows.txt", rows("new\nnew\n")) })
	if u := f.rows[id]; u.Files != 1 || u.Added != 120 || u.Removed != 60 {
		t.Errorf("the turn is %+v", u)
	}
}
