package branch_test

import (
	"os"
	"path/filepath"
	"strings"
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
		"a keep You or another program also changed this file between these messages.", "c keep The content of this file came from a, which stays as it is.",
		"moved keep The content of this file came from own, which stays as it is.", "other take ",
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

// TestGoBack_KeepsMovedAndEdited checks that a file that the user changed, and that the agent then renamed and edited in
// the same turn, stays under its new name. A file with less than half of it, and one with a copy of a file that keeps
// exists, are removed.
func TestGoBack_KeepsMovedAndEdited(t *testing.T) {
	e := newEnv(t, write("echo 1 > a; echo 2 > b; sed -i 's/^first/1st/' lines"),
		write("sed 's/^one/uno/' a > moved; rm a; mkdir d; (echo before; cat b) > d/b; echo 3 > b; head -1 moved > part; cp copied copy; echo 4 >> copied; echo 5 >> copy; (cat own; echo 6) > lines; rm own"),
		write("(cat moved; echo more) > again; rm moved"))
	e.write("lines", "first\n2\n3\n4\nlast\n")
	first := e.say(e.chat, "first")
	e.write("lines", "1st\n2\n3\n4\nlast line\n")
	e.write("own", "the user's file\n")
	e.write("a", "one\r\nmine\r\nas well\r\n")
	e.write("b", "mine too\n")
	e.write("copied", "the user's lines\n")
	e.say(e.chat, "second")
	e.say(e.chat, "third")
	var got []string
	for _, f := range e.preview(first).Files {
		got = append(got, f.Path+" "+string(f.Choice)+" "+f.Reason.String())
		if f.Merge != (f.Path == "copied") { // merging lines would remove the content of another file
			t.Errorf("%s can be merged: %t", f.Path, f.Merge)
		}
	}
	between := " keep You or another program also changed this file between these messages."
	want := []string{
		"again keep The content of this file came from a, which stays as it is.", "b" + between, "copied" + between,
		"d/b keep The content of this file came from b, which stays as it is.", "lines" + between, "copy take ", "part take ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
	e.goBack(first, backend.BackBoth)
	e.wantFiles("after going back", map[string]string{
		"lines": "the user's file\n6\n",
		"again": "uno\r\nmine\r\nas well\r\nmore\n", "b": "3\n", "d/b": "before\nmine too\n", "copied": "the user's lines\n4\n",
	})
}

// TestGoBack_KeepsMovedAfterReturn checks that a file of the user that the agent renamed stays even if the user has
// earlier gone back over that turn and brought it back.
func TestGoBack_KeepsMovedAfterReturn(t *testing.T) {
	e := newEnv(t, write("echo 1 > other"), write("mv own moved"))
	first := e.say(e.chat, "first")
	e.write("own", "mine\n")
	second := e.say(e.chat, "second")
	e.goBack(second, backend.BackBoth)
	e.bringBack(e.branches().WentBack.AsideID, true)
	e.goBack(first, backend.BackBoth)
	e.wantFiles("after going back", map[string]string{"moved": "mine\n"})
}

// TestGoBack_KeepsMovedThatReturned checks that a file of the user that the agent renamed stays if the agent later
// removed it and the user went back over that.
func TestGoBack_KeepsMovedThatReturned(t *testing.T) {
	e := newEnv(t, write("echo 1 > other"), write("(cat own; echo 2) > moved; rm own"), write("rm moved"))
	first := e.say(e.chat, "first")
	e.write("own", "mine\n")
	e.say(e.chat, "second")
	e.write("new", "mine too\n")
	e.goBack(e.say(e.chat, "third"), backend.BackBoth)
	e.goBack(first, backend.BackBoth)
	e.wantFiles("after going back", map[string]string{"moved": "mine\n2\n", "new": "mine too\n"})
}

// TestGoBack_KeepsMovedThatWasOverwritten checks that a file of the user that the agent renamed stays if the agent later
// moved another file to its place and removed that one, and the user went back over that.
func TestGoBack_KeepsMovedThatWasOverwritten(t *testing.T) {
	e := newEnv(t, write("(cat own; echo 2) > moved; rm own"), write("mv other moved"), write("rm moved"), write("echo 3 >> own"))
	for _, name := range []string{"own", "moved", "other"} {
		e.write(name, "the user's "+name+"\n")
	}
	first := e.say(e.chat, "first")
	e.write("more", "the user's, too\n")
	second := e.say(e.chat, "second")
	e.say(e.chat, "third")
	e.goBack(second, backend.BackBoth)
	e.write("own", "new\n")
	e.say(e.chat, "fourth")
	if err := os.Remove(filepath.Join(e.chat.Folder, "own")); err != nil {
		t.Fatal(err)
	}
	e.goBack(first, backend.BackBoth)
	e.wantFiles("after going back", map[string]string{"moved": "the user's own\n2\n", "other": "the user's other\n", "more": "the user's, too\n"})
}

// TestGoBack_KeepsMovedWithCopy checks that a file of the user that the agent renamed stays if the agent also wrote it
// back under its old name, and the user then replaced that copy.
func TestGoBack_KeepsMovedWithCopy(t *testing.T) {
	e := newEnv(t, write("mv own moved"), write("cp -p moved own"))
	e.write("own", "mine\n")
	first := e.say(e.chat, "first")
	e.say(e.chat, "second")
	e.write("own", "new\n")
	e.goBack(first, backend.BackBoth)
	e.wantFiles("after going back", map[string]string{"moved": "mine\n", "own": "new\n"})
}

// TestGoBack_KeepsParts checks that the parts of a file stay that the user changed and that the agent then split, even
// if each part has less than half of it. It also checks that a file stays if lines moved to it from a file that keeps
// most of its lines. A file with other lines is removed.
func TestGoBack_KeepsParts(t *testing.T) {
	e := newEnv(t, write("echo 1 >> a; echo 1 >> rest"),
		write("sed -n 1,2p a > a1; sed -n 3,4p a > a2; sed -n 5,6p a > a3; rm a; sed -n 6p rest > tail; sed -i 6d rest; (head -1 rest; echo unrelated lines in a longer file) > other"))
	lines := "the first line\nthe second line\nthe third line\nthe fourth line\nthe fifth line\nthe user's line\n"
	e.write("a", "the first line\n")
	e.write("rest", "the first line\n")
	first := e.say(e.chat, "first")
	e.write("a", lines)
	e.write("rest", strings.ReplaceAll(lines, "the ", "another "))
	e.say(e.chat, "second")
	var got []string
	for _, f := range e.preview(first).Files {
		got = append(got, f.Path+" "+string(f.Choice))
	}
	want := []string{"a keep", "a1 keep", "a2 keep", "a3 keep", "rest keep", "tail keep", "other take"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
}
