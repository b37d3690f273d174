package review_test

import (
	"os"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/review"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// pending returns the paths of the pending files in a list.
func pending(l backend.ReviewFiles) string {
	var paths []string
	for _, f := range l.Files {
		if f.Pending {
			paths = append(paths, f.Path)
		}
	}
	return strings.Join(paths, " ")
}

func (e *env) first(source, count string) backend.ReviewFiles {
	e.T.Helper()
	return get[backend.ReviewFiles](e, "review-files", "source", source, "first", count)
}

// TestFiles_FirstOnesBeforeTheOthers checks that the first files of a long list are complete at once, have the same
// versions as in the full list, and can be read.
func TestFiles_FirstOnesBeforeTheOthers(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", "d.bin": "d\n", "e.txt": "e\n", ".gitattributes": "*.bin -diff\n"},
		fakeagent.Turn{fakeagent.Run("for f in a.txt b.txt c.txt d.bin; do echo new >> $f; done; printf 'x\\ny\\n' > e.txt")})
	e.run("change them")
	l := e.first("chat", "2")
	if got := pending(l); got != "c.txt d.bin e.txt" || !l.Partial || l.Added != 2 {
		t.Errorf("pending are %q of\n%s", got, summary(l))
	}
	if err := e.Engine().Review.SetViewed(t.Context(), e.chat.ID, "chat", "a.txt", l.Files[0].Version, true); err != nil {
		t.Fatal(err)
	}
	if l := e.first("chat", "2"); pending(l) != "d.bin e.txt" || l.Viewed != 1 {
		t.Errorf("with a viewed file, pending are %q of\n%s", pending(l), summary(l))
	}
	if d := e.diff("chat", "d.bin"); !d.Binary || d.Version != l.Files[3].Version {
		t.Errorf("the diff of a pending binary file is %+v", d)
	}
	d := e.diff("chat", "e.txt")
	if now := e.lines("chat", d, backend.NewSide); len(d.Blocks) != 1 || strings.Join(now, " ") != "x y" {
		t.Errorf("the diff of a pending file is %+v with the lines %q", d, now)
	}
	full := e.want("chat", "edited a.txt +1 -0 viewed\nedited b.txt +1 -0\nedited c.txt +1 -0\nedited d.bin +0 -0 binary\nedited e.txt +2 -1\n")
	if full.Version != l.Version || full.Partial || pending(full) != "" {
		t.Errorf("the full list is %+v, the first one was %+v", full, l)
	}
	for i, f := range full.Files {
		if f.Version != l.Files[i].Version || f.Size != l.Files[i].Size {
			t.Errorf("%s was %+v and is %+v", f.Path, l.Files[i], f)
		}
	}
	if l := e.first("chat", "1"); l.Partial {
		t.Errorf("with all results stored, pending are %q", pending(l))
	}
}

// TestFiles_WithoutTimeToCount checks that files are pending if VoxPilot has no time to compare them, and that the
// list's message states their number.
func TestFiles_WithoutTimeToCount(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	e.write("a.txt", "A\n")
	e.write("b.txt", "B\n")
	t.Run("no time", func(t *testing.T) {
		review.SetMeasureTime(t, 0)
		l := e.list("working")
		if got := pending(l); got != "a.txt b.txt" || !l.Partial || l.Message.String() != "VoxPilot ran out of time while counting the lines of 2 files." {
			t.Errorf("pending are %q, partial %v: %s", got, l.Partial, l.Message)
		}
	})
	if l := e.want("working", "edited a.txt +1 -1\nedited b.txt +1 -1\n"); pending(l) != "" || l.Partial || !l.Message.IsZero() {
		t.Errorf("later, the list is %+v", l)
	}
}

// TestFiles_NoPendingOnesIfContentsMatter checks that no file is pending if the list depends on the contents of files:
// these must be compared first.
func TestFiles_NoPendingOnesIfContentsMatter(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": tenLines, "b.txt": "b\n", "c.txt": "c\n"},
		fakeagent.Turn{fakeagent.Run("mkdir new; mv a.txt new/a.txt; echo 11 >> new/a.txt; echo x > b.txt; echo x > c.txt")})
	turn := e.run("move it")
	for _, source := range []string{"chat", "turn:" + turn, "working"} {
		l := e.first(source, "1")
		if got := summary(l); l.Partial || got != "edited b.txt +1 -1\nedited c.txt +1 -1\nmoved new/a.txt +1 -0 from a.txt\n" {
			t.Errorf("%s lists\n%s", source, got)
		}
	}
	if err := os.Remove(e.path("c.txt")); err != nil {
		t.Fatal(err)
	}
	e.write("c.txt", "c\n")
	if got := summary(e.first("working", "1")); strings.Contains(got, "c.txt") {
		t.Errorf("a file that is as in the commit is listed:\n%s", got)
	}
}
