package review_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// wantStaged checks which lines of a file are staged in the source "working".
func (e *env) wantStaged(path string, staged backend.ReviewStaged, want string) {
	e.T.Helper()
	l := e.list("working")
	d := e.diff("working", path)
	for _, f := range l.Files {
		if f.Path != path {
			continue
		}
		got := "none"
		if d.Staged != nil {
			got = fmt.Sprint(d.Staged.Old, d.Staged.New)
		}
		if f.Staged != staged || got != want || d.Index != f.Index || (f.Index == "") != (staged == "") {
			e.T.Errorf("of %s, %q is staged: %s (%q, %q); want %q: %s", path, f.Staged, got, f.Index, d.Index, staged, want)
		}
		return
	}
	e.T.Errorf("%s isn't in %+v", path, l.Files)
}

// indexed stages a file with the given content. It then overwrites the file on disk with another text.
func (e *env) indexed(path, content, disk string) {
	e.T.Helper()
	e.write(path, content)
	e.git("add", path)
	e.write(path, disk)
}

func TestDiff_StagedLines(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": tenLines})
	disk := "1\n2\nthree\n4\n5\n6\n7\n9\n10\n11\n" // blocks: 3, without 8, 11
	e.write("a.txt", disk)
	if d := e.diff("working", "a.txt"); fmt.Sprint(d.Blocks) != "[[2 1 2 1] [7 1 7 0] [10 0 9 1]]" {
		t.Fatalf("the blocks are %v", d.Blocks)
	}
	e.wantStaged("a.txt", "", "none")
	e.indexed("a.txt", "1\n2\nthree\n4\n5\n6\n7\n8\n9\n10\n", disk)
	e.wantStaged("a.txt", backend.StagedPart, "[[2 1]] [[2 1]]")
	first := e.list("working").Version
	e.indexed("a.txt", "1\n2\n4\n5\n6\n7\n9\n10\n", disk)
	e.wantStaged("a.txt", backend.StagedPart, "[[2 1] [7 1]] []")
	if e.list("working").Version == first {
		t.Error("the list has the same version with other staged lines")
	}
	e.indexed("a.txt", "1\n2\n3\nthree\n4\n5\n6\n7\n8\n9\n10\n11\n", disk)
	e.wantStaged("a.txt", backend.StagedPart, "[] [[2 1] [9 1]]")
	e.indexed("a.txt", "1\n2\nIII\n4\n5\n6\n7\n8\n9\n10\n", disk) // changed again after it was staged
	e.wantStaged("a.txt", backend.StagedPart, "[[2 1]] []")
	e.indexed("a.txt", disk, disk)
	e.wantStaged("a.txt", backend.StagedAll, "[[2 1] [7 1]] [[2 1] [9 1]]")
	e.git("rm", "-q", "--cached", "a.txt")
	e.wantStaged("a.txt", backend.StagedPart, "[[2 1] [7 1]] []")

	e.indexed("new.txt", "b\n", "a\nb\nc\n")
	e.wantStaged("new.txt", backend.StagedPart, "[] [[1 1]]")
	e.git("checkout", "-q", "HEAD", "--", "a.txt")
	e.git("rm", "-q", "--cached", "a.txt")
	if err := os.Remove(e.path("a.txt")); err != nil {
		t.Fatal(err)
	}
	e.wantStaged("a.txt", backend.StagedAll, "[[0 10]] []")
}

// TestDiff_StagedLinesWithOtherLineEndings checks that staged lines are found if the line endings are LF in the index
// but CR LF in the files.
func TestDiff_StagedLinesWithOtherLineEndings(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": tenLines})
	e.git("config", "core.autocrlf", "true")
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	staged := strings.Replace(tenLines, "2\n", "two\n", 1)
	disk := crlf(strings.Replace(staged, "9\n", "nine\n", 1))
	e.indexed("a.txt", crlf(staged), disk)
	e.wantStaged("a.txt", backend.StagedPart, "[[1 1]] [[1 1]]")
	e.indexed("new.txt", crlf("1\n"), crlf("1\n2\n"))
	e.wantStaged("new.txt", backend.StagedPart, "[] [[0 1]]")
}

func TestDiff_AsTheUserStages(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": tenLines})
	disk := "1\n2\nthree\n4\n5\n6\n7\n9\n10\n11\n"
	e.write("a.txt", disk)
	stage := func(staged bool, blocks ...[4]int) {
		t.Helper()
		if err := e.Engine().Repository.Stage(t.Context(), e.chat.ID, "a.txt", e.diff("working", "a.txt").Version, blocks, staged); err != nil {
			t.Fatal(err)
		}
	}
	stage(true, [4]int{2, 1, 2, 1})
	e.wantStaged("a.txt", backend.StagedPart, "[[2 1]] [[2 1]]")
	stage(true, [4]int{7, 1, 7, 0})
	e.wantStaged("a.txt", backend.StagedPart, "[[2 1] [7 1]] [[2 1]]")
	stage(false, [4]int{3, 0, 2, 1}) // only the added line of the first block
	e.wantStaged("a.txt", backend.StagedPart, "[[2 1] [7 1]] []")
	stage(false, [4]int{2, 1, 2, 1}, [4]int{7, 1, 7, 0})
	e.wantStaged("a.txt", "", "none")
	stage(true)
	e.wantStaged("a.txt", backend.StagedAll, "[[2 1] [7 1]] [[2 1] [9 1]]")
	stage(false, [4]int{10, 0, 9, 1})
	e.wantStaged("a.txt", backend.StagedPart, "[[2 1] [7 1]] [[2 1]]")
	if got := e.text("a.txt"); got != disk {
		t.Errorf("the file on disk is %q", got)
	}
}

// TestCommit_ChecksListedVersions checks that a commit is refused if the version of a file is no longer the one in the
// list, and that otherwise all files are committed.
func TestCommit_ChecksListedVersions(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "1\n", "gone.txt": "1\n", "old.txt": tenLines})
	e.git("config", "user.name", "Test")
	e.git("config", "user.email", "test@example.org")
	e.write("a.txt", "2\n")
	e.git("rm", "-q", "--cached", "gone.txt", "old.txt")
	for _, name := range []string{"gone.txt", "old.txt"} {
		if err := os.Remove(filepath.Join(e.chat.Folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	e.write("new.txt", tenLines)
	q := backend.ReviewCommitRequest{Message: "m", Files: backend.CommitChosen, Versions: map[string]string{}}
	for _, f := range e.list("working").Files {
		q.Versions[f.Path] = f.Version
		q.Paths = append(q.Paths, f.Path)
		if f.From != "" {
			q.Paths = append(q.Paths, f.From)
		}
	}
	if strings.Join(q.Paths, " ") != "a.txt gone.txt new.txt old.txt" {
		t.Fatalf("the files are %v", q.Paths)
	}
	e.write("a.txt", "3\n")
	if _, err := e.Engine().Repository.Commit(t.Context(), e.chat.ID, q); backend.CodeOf(err) != backend.CodeStale || !strings.HasPrefix(err.Error(), "a.txt ") {
		t.Errorf("a changed file: %v", err)
	}
	e.write("a.txt", "2\n")
	id, err := e.Engine().Repository.Commit(t.Context(), e.chat.ID, q)
	if err != nil {
		t.Fatal(err)
	}
	job := e.WaitFor("the commit", func(ev backend.Event) bool {
		return ev.ReviewJob != nil && ev.ReviewJob.ID == id && ev.ReviewJob.State != backend.JobRunning
	}).ReviewJob
	if left := e.git("status", "--porcelain"); job.State != backend.JobDone || left != "" {
		t.Errorf("got %+v, left %q", job, left)
	}
}

// TestCommit_NameThatIsNotUTF8 checks that a file whose name isn't valid UTF-8 can be read, staged and committed, and
// that reverting it is refused.
func TestCommit_NameThatIsNotUTF8(t *testing.T) {
	const name = "gr\xfc\xdfe.txt"
	e := newRepository(t, map[string]string{"a.txt": "a\n"})
	if err := os.WriteFile(e.path(name), []byte("x\n"), 0o600); err != nil {
		t.Skip("the disk takes only names in UTF-8:", err)
	}
	e.git("config", "user.name", "Test")
	e.git("config", "user.email", "test@example.org")
	e.write("a.txt", "b\n")
	q := backend.ReviewCommitRequest{Message: "all", Files: backend.CommitAll, Versions: map[string]string{}}
	shown := ""
	for _, f := range e.list("working").Files { // through JSON, like the page
		if q.Versions[f.Path] = f.Version; f.Path != "a.txt" {
			shown = f.Path
		}
	}
	d := e.diff("working", shown)
	if lines := e.lines("working", d, backend.NewSide); len(lines) != 1 || lines[0] != "x" {
		t.Errorf("the lines are %q", lines)
	}
	e.wantRefused(d, "")
	if err := e.Engine().Review.SetViewed(t.Context(), e.chat.ID, "working", shown, d.Version, true); err != nil {
		t.Fatal(err)
	}
	if l := e.list("working"); l.Viewed != 1 {
		t.Errorf("the files are %s", summary(l))
	}
	if err := e.Engine().Repository.Stage(t.Context(), e.chat.ID, shown, d.Version, nil, true); err != nil {
		t.Fatal(err)
	}
	if got := e.git("-c", "core.quotePath=false", "diff", "--cached", "--name-only", "-z"); got != name+"\x00" {
		t.Errorf("staged is %q", got)
	}
	e.git("reset", "-q")
	commit := func(q backend.ReviewCommitRequest, left string) {
		t.Helper()
		id, err := e.Engine().Repository.Commit(t.Context(), e.chat.ID, q)
		if err != nil {
			t.Fatal(err)
		}
		job := e.WaitFor("the commit", func(ev backend.Event) bool {
			return ev.ReviewJob != nil && ev.ReviewJob.ID == id && ev.ReviewJob.State != backend.JobRunning
		}).ReviewJob
		if got := e.git("status", "--porcelain"); job.State != backend.JobDone || got != left {
			t.Errorf("got %+v, left %q", job, got)
		}
	}
	chosen := q
	chosen.Files, chosen.Paths = backend.CommitChosen, []string{shown}
	commit(chosen, "M a.txt")
	e.write("a.txt", "a\n")
	e.write(name, "new\n")
	q.Versions = map[string]string{}
	for _, f := range e.list("working").Files {
		q.Versions[f.Path] = f.Version
	}
	commit(q, "")
}
