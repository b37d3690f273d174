package branch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
)

// TestGoBack_KeepsMoved checks that if the agent renames a file after the user wrote or changed it, the file stays
// under its new name, because it isn't restored under the old one. A file that only the agent wrote is removed.
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

// TestGoBack_KeepsMovedAndEdited checks that if the agent renames and edits a file in the same turn after the user
// changed it, the file stays under its new name. A file with less than half of the user's content is removed, and so is
// a copy of a file that stays.
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

// TestGoBack_KeepsMovedAfterReturn checks that the user's file stays under the name that the agent gave it, even if the
// renaming was earlier set aside and brought back.
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

// TestGoBack_KeepsMovedThatReturned checks that if the agent renames the user's file and later removes it, going back
// first over the removal and then over the renaming keeps the file.
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

// TestGoBack_KeepsMovedThatWasOverwritten checks that if the agent renames the user's file, replaces it with another
// file and removes that file, going back first over the replacement and then over the renaming keeps the user's file.
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

// TestGoBack_KeepsMovedWithCopy checks that if the agent renames the user's file and later copies it back to its old
// name, and the user then replaces the copy, the renamed file stays.
func TestGoBack_KeepsMovedWithCopy(t *testing.T) {
	e := newEnv(t, write("mv own moved"), write("cp -p moved own"))
	e.write("own", "mine\n")
	first := e.say(e.chat, "first")
	e.say(e.chat, "second")
	e.write("own", "new\n")
	e.goBack(first, backend.BackBoth)
	e.wantFiles("after going back", map[string]string{"moved": "mine\n", "own": "new\n"})
}

// TestGoBack_KeepsParts checks that if the agent splits a file that the user changed, all parts stay, even if each of
// them has less than half of the lines. A file also stays if lines were moved to it from a file that kept most of its
// lines. A file with unrelated lines is removed.
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
