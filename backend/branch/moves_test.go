package branch_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
)

// TestGoBack_KeepsMoved checks that a file that the user wrote or changed, and that the agent then renamed, stays under
// its new name, because it isn't restored under the old one. A file that only the agent wrote is removed.
func TestGoBack_KeepsMoved(t *testing.T) {
	e := newEnv(t, write("echo 1 > a; echo 1 > other"), write("mv a b; mv own moved"), write("mv b c; echo 2 >> moved"))
	e.write("a", "mine\n")
	first := e.say(e.chat, "first")
	e.write("a", "1\nmine too\n")
	e.write("own", "mine as well\n")
	e.say(e.chat, "second")
	e.say(e.chat, "third")
	var got []string
	for _, f := range e.preview(first).Files {
		got = append(got, f.Path+" "+string(f.Choice)+" "+f.Reason.String())
	}
	want := []string{
		"a keep You or another program also changed it between these messages.", "c keep Its content came from a, which stays as it is.",
		"moved keep Its content came from own, which stays as it is.", "other take ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
	e.goBack(first, backend.BackBoth)
	e.wantFiles("after going back", map[string]string{"c": "1\nmine too\n", "moved": "mine as well\n2\n"})
	e.bringBack(e.branches().WentBack.AsideID, true)
	e.wantFiles("after bringing back", map[string]string{"c": "1\nmine too\n", "moved": "mine as well\n2\n", "other": "1\n"})
}

// TestUndo_KeepsMoved checks that an undo keeps both files if the user wrote a new file in place of one that the turn
// renamed.
func TestUndo_KeepsMoved(t *testing.T) {
	e := newEnv(t, write("mv a b; echo 1 > other"))
	e.write("a", "mine\n")
	turn := e.say(e.chat, "first")
	e.write("a", "new\n")
	if err := e.Engine().Undo.Undo(t.Context(), turn, nil); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the undo", map[string]string{"a": "new\n", "b": "mine\n"})
	if err := e.Engine().Undo.Redo(t.Context(), turn, nil); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the redo", map[string]string{"a": "new\n", "b": "mine\n", "other": "1\n"})
}
