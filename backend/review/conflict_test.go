package review_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// merge creates conflicts in a.txt by merging two branches that both changed the file. The parameter theirs is its
// content in the merged branch, and ours its content in the main branch. merge returns the diff of a.txt with the
// conflicts.
func (e *env) merge(ours, theirs string, options ...string) backend.ReviewDiff {
	e.T.Helper()
	e.git("switch", "-q", "-c", "topic")
	e.write("a.txt", theirs)
	e.commit("theirs")
	e.git("switch", "-q", "main")
	e.write("a.txt", ours)
	e.commit("ours")
	cmd := exec.CommandContext(e.T.Context(), "git", append(options, "-c", "user.name=Test", "-c", "user.email=test@example.org", "merge", "topic")...) //nolint:gosec // a test
	cmd.Dir = e.chat.Folder
	var exit *exec.ExitError
	if out, err := cmd.CombinedOutput(); !errors.As(err, &exit) || !strings.Contains(string(out), "CONFLICT") {
		e.T.Fatalf("the merge: %v\n%s", err, out)
	}
	return e.diff("working", "a.txt")
}

func (e *env) resolve(d backend.ReviewDiff, n int, use backend.ConflictSide) backend.ReviewPutBackResult {
	e.T.Helper()
	r := backend.ReviewResolution{Source: "working", Path: d.Path, Version: d.Version, Start: d.Conflicts[n].Start, Use: use}
	res, err := e.Engine().Review.Resolve(e.T.Context(), e.chat.ID, r)
	if err != nil || res.ID == "" || res.Diff != "" || res.Merged {
		e.T.Fatalf("using %s for conflict %d: %+v, %v", use, n, res, err)
	}
	return res
}

func TestResolve_SidesOfMerge(t *testing.T) {
	for name, options := range map[string][]string{"merge": nil, "diff3": {"-c", "merge.conflictStyle=diff3"}} {
		t.Run(name, func(t *testing.T) {
			e := newRepository(t, map[string]string{"a.txt": tenLines})
			ours := strings.Replace(strings.Replace(tenLines, "2\n", "ours 2\n", 1), "9\n", "ours 9\nmore\n", 1)
			theirs := strings.Replace(strings.Replace(tenLines, "2\n", "theirs 2\n", 1), "9\n", "", 1)
			d := e.merge(ours, theirs, options...)
			marked := e.text("a.txt")
			if len(d.Conflicts) != 2 {
				t.Fatalf("the conflicts are %+v in\n%s", d.Conflicts, marked)
			}
			for _, c := range d.Conflicts {
				if c.Ours != "main" || c.Theirs != "topic" || (c.Base >= 0) != (options != nil) {
					t.Errorf("got %+v", c)
				}
			}
			if files := e.list("working").Files; len(files) != 1 || files[0].Conflict != 2 || !files[0].Unmerged || files[0].Staged != "" {
				t.Errorf("the files are %+v", files)
			}
			want := strings.Replace(tenLines, "2\n", "ours 2\ntheirs 2\n", 1)
			res := e.resolve(d, 0, backend.ConflictBoth)
			if got := e.text("a.txt"); !strings.HasPrefix(got, want[:strings.Index(want, "9\n")]) || strings.Count(got, "<<<<<<<") != 1 {
				t.Errorf("with both sides, the file is\n%s", got)
			}
			d = e.diff("working", "a.txt")
			if len(d.Conflicts) != 1 {
				t.Fatalf("the other conflict is %+v", d.Conflicts)
			}
			e.resolve(d, 0, backend.ConflictTheirs)
			if got := e.text("a.txt"); got != strings.Replace(want, "9\n", "", 1) {
				t.Errorf("without conflicts, the file is\n%s", got)
			}
			if d := e.diff("working", "a.txt"); len(d.Conflicts) != 0 {
				t.Errorf("a resolved file has conflicts: %+v", d.Conflicts)
			}
			if files := e.list("working"); len(files.Files) != 1 || files.Files[0].Conflict != 0 || !files.Files[0].Unmerged {
				t.Errorf("without markers, the files are %+v", files)
			} else if e.git("add", "a.txt"); e.list("working").Version == files.Version || e.list("working").Files[0].Unmerged {
				t.Errorf("added, the files are %+v", e.list("working"))
			}

			// The first conflict comes back; the second one stays resolved.
			e.redo(res.ID)
			d = e.diff("working", "a.txt")
			if len(d.Conflicts) != 1 || strings.Contains(e.text("a.txt"), "\n9\n") {
				t.Fatalf("after Undo, the file is\n%s", e.text("a.txt"))
			}
			e.resolve(d, 0, backend.ConflictOurs)
			if got := e.text("a.txt"); got != strings.Replace(strings.Replace(tenLines, "2\n", "ours 2\n", 1), "9\n", "", 1) {
				t.Errorf("with our side, the file is\n%s", got)
			}
		})
	}
}

func TestResolve_LineEndsStay(t *testing.T) {
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	e := newRepository(t, map[string]string{"a.txt": crlf("1\n2\n3\n")})
	d := e.merge(crlf("1\nours\n3\n"), crlf("1\ntheirs\n3\n"))
	res := e.resolve(d, 0, backend.ConflictBoth)
	if got := e.text("a.txt"); got != crlf("1\nours\ntheirs\n3\n") {
		t.Errorf("with CR LF, the file is %q", got)
	}
	e.redo(res.ID)
	// The end of the marker may be the end of the file.
	e.write("a.txt", strings.TrimSuffix(strings.TrimSuffix(e.text("a.txt"), "3\r\n"), "\r\n"))
	d = e.diff("working", "a.txt")
	e.resolve(d, 0, backend.ConflictTheirs)
	if got := e.text("a.txt"); got != crlf("1\ntheirs\n") {
		t.Errorf("at the end, the file is %q", got)
	}
}

func TestResolve_NoNewlineAtEnd(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "1\n2"})
	d := e.merge("1\nours", "1\ntheirs")
	if len(d.Conflicts) != 1 {
		t.Fatalf("the conflicts are %+v in %q", d.Conflicts, e.text("a.txt"))
	}
	e.resolve(d, 0, backend.ConflictBoth)
	if got := strings.TrimSuffix(e.text("a.txt"), "\n"); got != "1\nours\ntheirs" {
		t.Errorf("the file is %q", got)
	}
}

func TestResolve_RefusesOtherVersions(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": tenLines})
	d := e.merge(strings.Replace(tenLines, "5", "ours", 1), strings.Replace(tenLines, "5", "theirs", 1))
	marked := e.text("a.txt")
	r := backend.ReviewResolution{Source: "working", Path: "a.txt", Version: d.Version, Start: d.Conflicts[0].Start, Use: backend.ConflictOurs}
	refused := func(what string, code backend.Code) {
		t.Helper()
		before := e.text("a.txt")
		if res, err := e.Engine().Review.Resolve(t.Context(), e.chat.ID, r); backend.CodeOf(err) != code || res.ID != "" {
			t.Errorf("%s: %+v, %v, want %s", what, res, err, code)
		}
		if got := e.text("a.txt"); got != before {
			t.Errorf("%s: the file has changed to\n%s", what, got)
		}
	}
	e.write("a.txt", "mine\n"+marked)
	refused("a file that has changed since", backend.CodeStale)
	e.write("a.txt", marked)
	r.Start++
	refused("another line", backend.CodeInvalid)
	r.Start--
	r.Use = "none"
	refused("another side", backend.CodeInvalid)
	r.Use, r.Path = backend.ConflictOurs, "../a.txt"
	refused("a file outside", backend.CodeStale)
}

// TestList_KeepsResolvedConflicts checks that files whose conflicts were resolved with the text of HEAD stay in the list
// until the merge is committed.
func TestList_KeepsResolvedConflicts(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": tenLines, "gone.txt": "1\n"})
	e.git("switch", "-q", "-c", "topic")
	e.write("a.txt", strings.Replace(tenLines, "2\n", "theirs\n", 1))
	e.write("gone.txt", "2\n")
	e.commit("theirs")
	e.git("switch", "-q", "main")
	ours := strings.Replace(tenLines, "2\n", "ours\n", 1)
	e.write("a.txt", ours)
	e.git("rm", "-q", "gone.txt")
	e.commit("ours")
	cmd := exec.CommandContext(t.Context(), "git", "-c", "user.name=Test", "-c", "user.email=test@example.org", "merge", "topic")
	cmd.Dir = e.chat.Folder
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Fatalf("the merge has no conflicts: %s", out)
	}
	listed := func(want ...string) {
		t.Helper()
		var got []string
		for _, f := range e.list("working").Files {
			got = append(got, fmt.Sprintf("%s %s resolved %t unmerged %t staged %q +%d -%d", f.Path, f.Kind, f.Resolved, f.Unmerged, f.Staged, f.Added, f.Removed))
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	expectMessage := func(path, want string) {
		t.Helper()
		if d := e.diff("working", path); d.Message.String() != want || len(d.Blocks) > 0 {
			t.Errorf("got %+v, want %q", d, want)
		}
	}
	const unmerged = "The conflicts have been resolved with the text from the last commit. Stage the file to mark it as resolved."
	listed(`a.txt edited resolved false unmerged true staged "" +4 -0`, `gone.txt added resolved false unmerged true staged "" +1 -0`)
	e.resolve(e.diff("working", "a.txt"), 0, backend.ConflictOurs)
	if err := os.Remove(e.path("gone.txt")); err != nil {
		t.Fatal(err)
	}
	listed(`a.txt edited resolved true unmerged true staged "" +0 -0`, `gone.txt removed resolved true unmerged true staged "" +0 -0`)
	expectMessage("a.txt", unmerged)
	expectMessage("gone.txt", unmerged)
	e.git("add", "--all")
	listed(`a.txt edited resolved true unmerged false staged "" +0 -0`, `gone.txt removed resolved true unmerged false staged "" +0 -0`)
	expectMessage("a.txt", "The conflicts were resolved with the text from the last commit.")
	e.write("a.txt", ours+"more\n")
	listed(`a.txt edited resolved false unmerged false staged "" +1 -0`, `gone.txt removed resolved true unmerged false staged "" +0 -0`)
	e.write("a.txt", ours)
	e.git("-c", "user.name=Test", "-c", "user.email=test@example.org", "commit", "-q", "-m", "merged")
	listed()
}

func TestConflicts_OnlyWellFormedOnDisk(t *testing.T) {
	const good = "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n"
	e := newRepository(t, map[string]string{"a.txt": "start\n"})
	for _, c := range []struct {
		name, text string
		want       string // the first lines of the conflicts
	}{
		{"two", good + "x\n" + good, "[0 6]"},
		{"without labels", "<<<<<<<\n=======\n>>>>>>>\n", "[0]"},
		{"an underlined title before", "Title\n=======\n" + good, "[2]"},
		{"nested", "<<<<<<< a\n" + good + "=======\n2\n>>>>>>> b\n" + good, "[9]"},
		{"two middles", "<<<<<<< a\n1\n=======\n2\n=======\n3\n>>>>>>> b\n", "[]"},
		{"no middle", "<<<<<<< a\n1\n>>>>>>> b\n", "[]"},
		{"the ancestor after the middle", "<<<<<<< a\n=======\n||||||| c\n>>>>>>> b\n", "[]"},
		{"no end", "<<<<<<< a\n1\n=======\n2\n", "[]"},
		{"an end only", ">>>>>>> b\n" + good, "[1]"},
		{"markers of another size", "<<<<<<<< a\n1\n========\n2\n>>>>>>>> b\n", "[]"},
		{"markers within lines", " <<<<<<< a\n1\n=======\n2\n>>>>>>> b\n", "[]"},
	} {
		e.write("a.txt", "start\n"+c.text)
		var starts []int
		for _, conflict := range e.diff("working", "a.txt").Conflicts {
			starts = append(starts, conflict.Start-1)
		}
		if got := fmt.Sprint(starts); got != c.want {
			t.Errorf("%s: the conflicts start at %s, want %s", c.name, got, c.want)
		}
	}
	e.write("a.txt", "start\n"+good)
	commit := "commit:" + e.commit("markers")
	if d := e.diff(commit, "a.txt"); len(d.Conflicts) != 0 || len(d.Blocks) == 0 {
		t.Errorf("a commit has conflicts to resolve: %+v", d)
	}
}
