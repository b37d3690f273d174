package review_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func (e *env) putBack(source string, d backend.ReviewDiff, blocks ...[4]int) backend.ReviewPutBackResult {
	e.T.Helper()
	res, err := e.Engine().Review.PutBack(e.T.Context(), e.chat.ID, backend.ReviewPart{Source: source, Path: d.Path, Version: d.Version, Blocks: blocks})
	if err != nil {
		e.T.Fatalf("putting back %v of %s: %v", blocks, d.Path, err)
	}
	return res
}

func (e *env) redo(id string) {
	e.T.Helper()
	if res, err := e.Engine().Review.Redo(e.T.Context(), e.chat.ID, id); err != nil || res.Diff != "" {
		e.T.Fatalf("the redo: %+v, %v", res, err)
	}
}

func TestPutBack_LinesBlocksAndFiles(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": tenLines, "gone/x.txt": "x\ny\n", "old.txt": tenLines, "run.sh": "echo\n", "bin": "a\x00", "end.txt": "a\nb"})
	changed := strings.Replace(strings.Replace(tenLines, "2\n3\n", "two\nthree\n", 1), "9\n", "9\n9b\n", 1)
	e.write("a.txt", changed)
	d := e.diff("working", "a.txt")
	if fmt.Sprint(d.Blocks) != "[[1 2 1 2] [9 0 9 1]]" {
		t.Fatalf("the blocks are %v", d.Blocks)
	}
	res := e.putBack("working", d, [4]int{2, 1, 2, 1}) // one line of a block
	if got := e.text("a.txt"); got != strings.Replace(changed, "three", "3", 1) || res.ID == "" || res.Merged {
		t.Errorf("without a line, the file is %q; %+v", got, res)
	}
	e.redo(res.ID)
	if got := e.text("a.txt"); got != changed {
		t.Errorf("after the redo, the file is %q", got)
	}
	d = e.diff("working", "a.txt")
	e.putBack("working", d, d.Blocks[1])
	if got := e.text("a.txt"); got != strings.Replace(changed, "9b\n", "", 1) {
		t.Errorf("without a block, the file is %q", got)
	}
	e.putBack("working", e.diff("working", "a.txt"))
	if got := e.text("a.txt"); got != tenLines {
		t.Errorf("put back as a whole, the file is %q", got)
	}

	// Whole files: created, removed, moved, changed mode, binary, without a newline at the end.
	e.write("new/new.txt", "new\n")
	e.write("bin", "b\x00")
	e.write("end.txt", "a\nc\n")
	e.write("moved.txt", tenLines+"11\n")
	for _, name := range []string{"gone/x.txt", "gone", "old.txt"} {
		if err := os.Remove(e.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(e.path("run.sh"), 0o700); err != nil { //nolint:gosec // a script
		t.Fatal(err)
	}
	var ids []string
	after := map[string]string{}
	for _, f := range e.list("working").Files {
		after[f.Path], after[f.From] = e.text(f.Path), "(none)"
		ids = append(ids, e.putBack("working", backend.ReviewDiff{Path: f.Path, Version: f.Version}).ID)
	}
	if out := e.git("status", "--porcelain"); out != "" || len(ids) != 6 {
		t.Errorf("after putting back %d files, git reports\n%s", len(ids), out)
	}
	for _, id := range ids {
		e.redo(id)
	}
	e.want("working", `edited bin +0 -0 binary
	edited end.txt +1 -1
	removed gone/x.txt +0 -2
	moved moved.txt +1 -0 from old.txt
	added new/new.txt +1 -0
	mode run.sh +0 -0 mode [100644 100755]
	`)
	if got := e.text("end.txt"); got != "a\nc\n" {
		t.Errorf("after the redo, end.txt is %q", got)
	}
}

func TestPutBack_MergesOrShowsBothSides(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": tenLines})
	e.write("a.txt", strings.Replace(tenLines, "3", "three", 1))
	d := e.diff("working", "a.txt")
	e.write("a.txt", strings.Replace(strings.Replace(tenLines, "3", "three", 1), "8", "mine", 1))
	if res := e.putBack("working", d, d.Blocks...); !res.Merged || res.Diff != "" {
		t.Errorf("with a later change elsewhere: %+v", res)
	}
	want := strings.Replace(tenLines, "8", "mine", 1)
	if got := e.text("a.txt"); got != want {
		t.Errorf("after the merge, the file is %q", got)
	}
	mine := strings.Replace(tenLines, "3", "my own", 1)
	e.write("a.txt", mine)
	if res := e.putBack("working", d, d.Blocks...); res.ID != "" || !strings.Contains(res.Diff, "-my own\n+3\n") {
		t.Errorf("with a later change of the same line: %+v", res)
	}
	if got := e.text("a.txt"); got != mine {
		t.Errorf("nothing may be written, but the file is %q", got)
	}
	part := backend.ReviewPart{Source: "working", Path: "a.txt", Version: "unknown"}
	if _, err := e.Engine().Review.PutBack(t.Context(), e.chat.ID, part); backend.CodeOf(err) != backend.CodeStale {
		t.Errorf("another version: %v", err)
	}
	part.Version, part.Blocks = d.Version, [][4]int{{0, 1, 90, 1}}
	if _, err := e.Engine().Review.PutBack(t.Context(), e.chat.ID, part); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("lines that don't exist: %v", err)
	}
	if raw, _ := json.Marshal(d); !strings.Contains(string(raw), `"blocks":[[2,1,2,1]]`) {
		t.Errorf("the page gets %s", raw)
	}
}

func TestPutBack_Turn(t *testing.T) {
	e := newEnv(t, fakeagent.Turn{fakeagent.Run("sed -i s/3/three/ a.txt; rm b.txt; printf 'c' > c.txt")})
	e.write("a.txt", tenLines)
	e.write("b.txt", "b\n")
	source := "turn:" + e.run("go")
	e.write("a.txt", strings.Replace(e.text("a.txt"), "8", "mine", 1))
	for _, path := range []string{"a.txt", "b.txt", "c.txt"} {
		e.putBack(source, e.diff(source, path))
	}
	if a, b, c := e.text("a.txt"), e.text("b.txt"), e.text("c.txt"); a != strings.Replace(tenLines, "8", "mine", 1) || b != "b\n" || c != "(none)" {
		t.Errorf("the files are %q, %q and %q", a, b, c)
	}
	d := e.diff(source, "a.txt")
	_, err := e.Engine().Review.PutBack(t.Context(), e.chat.ID, backend.ReviewPart{Source: source, Path: "a.txt", Version: d.Version})
	if backend.CodeOf(err) != backend.CodeUnavailable || !strings.Contains(err.Error(), "already") {
		t.Errorf("putting it back again: %v", err)
	}
	if parts, err := e.Engine().Undo.Parts(e.chat.ID); err != nil || len(parts) != 3 {
		t.Errorf("the parts are %+v, %v", parts, err)
	}
}

// TestChaosPutBack_UserLinesStay checks that no line that the user wrote is lost, whatever is reverted between the
// user's edits. It also checks that every block without edits by the user can be reverted.
func TestChaosPutBack_UserLinesStay(t *testing.T) {
	result := chaos.Row(t, "parts put back between the user's edits", chaos.Runs(3, 500))
	seed := chaos.Seed(t)
	e := newEnv(t)
	e.git("init", "-q")
	back, refused := 0, 0
	for run := range chaos.Rounds(3, 500) {
		r := chaos.Rand(t, seed, run)
		name := fmt.Sprint("f", run, ".txt")
		var base, agent []string
		for i := range 40 + r.IntN(40) {
			base = append(base, fmt.Sprintf("base %d\n", i))
			switch r.IntN(12) {
			case 0:
				agent = append(agent, fmt.Sprintf("agent %d\n", i))
			case 1:
				agent = append(agent, base[i], fmt.Sprintf("new %d\n", i))
			case 2: // removed
			default:
				agent = append(agent, base[i])
			}
		}
		e.write(name, strings.Join(base, ""))
		e.commit("base")
		e.write(name, strings.Join(agent, ""))
		d := e.diff("working", name)
		now := append([]string{}, agent...)
		for step := 0; len(d.Blocks) > 0; step++ {
			i := r.IntN(len(now) + 1)
			mine := fmt.Sprintf("mine %d\n", step)
			if r.IntN(3) == 0 && i < len(now) && strings.HasPrefix(now[i], "base") {
				now[i] = mine
			} else {
				now = slices.Insert(now, i, mine)
			}
			e.write(name, strings.Join(now, ""))
			n := r.IntN(len(d.Blocks))
			b := d.Blocks[n]
			d.Blocks = slices.Delete(d.Blocks, n, n+1)
			around := agent[max(0, b[2]-1):min(len(agent), b[2]+b[3]+1)]
			at := indexOf(now, around)
			if b[2] == 0 && at != 0 || b[2]+b[3] == len(agent) && at+len(around) != len(now) {
				at = -1 // the user has written before the first or after the last line
			}
			res, err := e.Engine().Review.PutBack(t.Context(), e.chat.ID, backend.ReviewPart{Source: "working", Path: name, Version: d.Version, Blocks: [][4]int{b}})
			got := diff.Lines(e.text(name))
			if at < 0 {
				if (err != nil || res.ID == "") && !slices.Equal(got, now) {
					t.Fatalf("run %d: the file has changed although %v, %+v", run, err, res)
				}
				for _, line := range now {
					if strings.HasPrefix(line, "mine") && !slices.Contains(got, line) {
						t.Fatalf("run %d: %q is lost", run, line)
					}
				}
				now, refused = got, refused+1
				continue
			}
			if b[2] > 0 {
				at++
			}
			now = slices.Replace(now, at, at+b[3], base[b[0]:b[0]+b[1]]...)
			if err != nil || res.ID == "" || !slices.Equal(got, now) {
				t.Fatalf("run %d: after putting back %v: %v, %+v\n%q\nwant\n%q", run, b, err, res, got, now)
			}
			back++
		}
	}
	result("%d parts put back; %d were touched by the user", back, refused)
	if back == 0 {
		t.Error("nothing was put back")
	}
}

// indexOf returns the index at which consecutive lines start in a text, or -1 if the text doesn't contain them.
func indexOf(text, lines []string) int {
	for i := range len(text) - len(lines) + 1 {
		if slices.Equal(text[i:i+len(lines)], lines) {
			return i
		}
	}
	return -1
}
