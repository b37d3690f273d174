package repository_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
)

// stage stages the given blocks of a file, or all of its changes if no blocks are given. If staged is false, it
// unstages them.
func (f *fixture) stage(name string, staged bool, blocks ...[4]int) {
	f.Helper()
	if err := f.m.Stage(f.Context(), "chat", name, "", blocks, staged); err != nil {
		f.Fatalf("stage %s %v: %v", name, blocks, err)
	}
}

// index returns the mode and the content of a file in the index, or "" if the index doesn't contain it.
func (f *fixture) index(name string) string {
	f.Helper()
	entry := f.git("ls-files", "--stage", "--", name)
	if entry == "" {
		return ""
	}
	return fmt.Sprintf("%s %q", strings.Fields(entry)[0], f.git("cat-file", "blob", ":"+name))
}

func TestStage_WholeFiles(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n", "gone": "1\n", "mode": "1\n"})
	f.write("a", "2\n")
	f.write("new [x]", "1\n")
	f.write("intended", "1\n")
	f.git("add", "--intent-to-add", "intended")
	f.noErr(os.Remove(f.path("gone")))
	f.noErr(os.Chmod(f.path("mode"), 0o700)) //nolint:gosec // the mode is the change
	f.noErr(os.Symlink("a", f.path("link")))
	want := f.status()
	for _, name := range []string{"a", "new [x]", "intended", "gone", "mode", "link"} {
		f.stage(name, true)
		f.stage(name, true) // no error if it is already staged
	}
	f.equal(f.status(), "M  a\nD  gone\nA  intended\nA  link\nM  mode\nA  \"new [x]\"")
	for _, name := range []string{"a", "new [x]", "gone", "mode", "link", "intended"} {
		f.stage(name, false)
	}
	f.equal(strings.ReplaceAll(f.status(), "?? intended\n", ""), strings.ReplaceAll(want, " A intended\n", ""))
	f.equal(f.git("diff-files", "--name-only"), "a\ngone\nmode") // git needn't read the contents of the other files
}

func TestStage_BlocksAndLines(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n2\n3\n4\n5\n6\n"})
	f.write("a", "one\nuno\n2\n3\n5\n6\nend\n") // blocks: 1 → one, uno; 4 removed; end added
	all := [][4]int{{0, 1, 0, 2}, {3, 1, 4, 0}, {6, 0, 6, 1}}
	f.stage("a", true, all[1])
	f.equal(f.index("a"), `100644 "1\n2\n3\n5\n6"`)
	f.stage("a", true, all[1])
	f.equal(f.index("a"), `100644 "1\n2\n3\n5\n6"`)
	f.stage("a", true, [4]int{0, 0, 1, 1}) // only the second new line of the first block
	f.equal(f.index("a"), `100644 "1\nuno\n2\n3\n5\n6"`)
	f.stage("a", true, [4]int{0, 1, 0, 0}, all[2])
	f.equal(f.index("a"), `100644 "uno\n2\n3\n5\n6\nend"`)
	f.stage("a", false, all[1])
	f.equal(f.index("a"), `100644 "uno\n2\n3\n4\n5\n6\nend"`)
	f.stage("a", true, all...)
	f.equal(f.status(), "M  a")
	f.stage("a", false, all...)
	f.equal(f.status(), " M a")
	f.equal(read(t, f.path("a")), "one\nuno\n2\n3\n5\n6\nend")
}

func TestStage_LinesOfNewAndRemovedFiles(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"gone": "1\n2\n", "end": "1"})
	f.write("new", "1\n2\n")
	f.noErr(os.Chmod(f.path("new"), 0o700)) //nolint:gosec // must be executable
	f.noErr(os.Remove(f.path("gone")))
	f.write("end", "1\n2\n")
	f.stage("new", true, [4]int{0, 0, 1, 1})
	f.equal(f.index("new"), `100755 "2"`)
	f.stage("new", false, [4]int{0, 0, 1, 1})
	f.equal(f.index("new"), "")
	f.stage("gone", true, [4]int{0, 1, 0, 0})
	f.equal(f.index("gone"), `100644 "2"`)
	f.stage("gone", true, [4]int{0, 2, 0, 0})
	f.equal(f.index("gone"), "")
	f.stage("gone", false, [4]int{0, 1, 0, 0})
	f.equal(f.index("gone"), `100644 "1"`)
	f.stage("end", true, [4]int{1, 0, 1, 1})
	f.equal(f.index("end"), `100644 "1\n2"`)
}

// TestStage_LinesWithCRLF checks that lines are staged in the form in which git stores them, that is, with LF even
// though the file has CR LF.
func TestStage_LinesWithCRLF(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.git("config", "core.autocrlf", "true")
	f.git("config", "core.safecrlf", "false")
	f.commitFiles("first", map[string]string{"a": "1\r\n2\r\n3\r\n"})
	f.write("a", "one\r\n2\r\nthree\r\n")
	f.stage("a", true, [4]int{2, 1, 2, 1})
	f.equal(f.index("a"), `100644 "1\n2\nthree"`)
	f.stage("a", true, [4]int{0, 1, 0, 1})
	f.equal(f.status(), "M  a")
}

func TestStage_Refuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.git("config", "filter.join.clean", "tr '\\n' ' '")
	f.commitFiles("first", map[string]string{".gitattributes": "*.j filter=join\n", "a": "1\n", "b": "\x00\n", "c.j": "1\n"})
	f.write("a", "2\n")
	f.write("b", "\x00\x00\n")
	f.write("c.j", "1\n2\n")
	before := f.state()
	for name, c := range map[string]struct {
		blocks [][4]int
		code   backend.Code
	}{
		"b": {[][4]int{{0, 1, 0, 1}}, backend.CodeInvalid}, "c.j": {[][4]int{{0, 1, 0, 2}}, backend.CodeInvalid},
		"a": {[][4]int{{0, 2, 0, 1}}, backend.CodeStale}, "../a": {nil, backend.CodeInvalid}, "none": {[][4]int{{0, 1, 0, 0}}, backend.CodeStale},
	} {
		if err := f.m.Stage(t.Context(), "chat", name, "", c.blocks, true); backend.CodeOf(err) != c.code {
			t.Errorf("%s: got %v", name, err)
		}
	}
	f.open(func(_ context.Context, _, _, version string, blocks [][4]int) (now [][4]int, from string, err error) {
		if version != "new" {
			err = &backend.Error{Code: backend.CodeStale}
		}
		return blocks, "", err
	})
	if err := f.m.Stage(t.Context(), "chat", "a", "old", nil, true); backend.CodeOf(err) != backend.CodeStale {
		t.Errorf("an old version: got %v", err)
	}
	f.unchanged(before)
	f.write(".git/index.lock", "")
	for _, blocks := range [][][4]int{nil, {{0, 1, 0, 1}}} {
		if err := f.m.Stage(t.Context(), "chat", "a", "new", blocks, true); err == nil || !strings.Contains(err.Error(), "Another Git command") {
			t.Errorf("locked: got %v", err)
		}
	}
	f.noErr(os.Remove(f.path(".git/index.lock")))
	f.unchanged(before)
}

// TestStage_RandomLines checks that after random lines have been staged and unstaged, the index contains, in order,
// each line of HEAD whose removal isn't staged, and each new line that is staged.
func TestStage_RandomLines(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	random := rand.New(rand.NewPCG(21, 1)) //nolint:gosec // repeatable
	var old, now []string
	for i := range 60 {
		old = append(old, fmt.Sprintf("old %d\n", i))
	}
	for _, line := range old {
		switch random.IntN(4) {
		case 0:
		case 1:
			now = append(now, fmt.Sprintf("new %d\n", len(now)), line)
		default:
			now = append(now, line)
		}
	}
	f.commitFiles("first", map[string]string{"a": strings.Join(old, "")})
	f.write("a", strings.Join(now, ""))
	from := diff.MatchLines(old, now)
	removed, added := map[int]bool{}, map[int]bool{} // staged lines
	for range 40 {
		staged := random.IntN(2) == 0
		var blocks [][4]int
		i := 0
		for j, at := range from {
			for ; at >= 0 && i < at; i++ {
				if random.IntN(3) == 0 {
					blocks = append(blocks, [4]int{i, 1, j, 0})
					removed[i] = staged
				}
			}
			if at < 0 && random.IntN(3) == 0 {
				blocks = append(blocks, [4]int{i, 0, j, 1})
				added[j] = staged
			} else if at >= 0 {
				i = at + 1
			}
		}
		if len(blocks) == 0 {
			continue
		}
		f.stage("a", staged, blocks...)
		var want, fresh []string // fresh holds the added lines of the change, which come after the removed ones
		i = 0
		for j, at := range from {
			for ; at >= 0 && i < at; i++ {
				if !removed[i] {
					want = append(want, old[i])
				}
			}
			switch {
			case at >= 0:
				want, fresh = append(append(want, fresh...), now[j]), nil
				i = at + 1
			case added[j]:
				fresh = append(fresh, now[j])
			}
		}
		for ; i < len(old); i++ {
			want = append(want, old[i])
		}
		want = append(want, fresh...)
		if got := f.git("cat-file", "blob", ":a") + "\n"; got != strings.Join(want, "") {
			t.Fatalf("%v %t: got\n%s\nwant\n%s", blocks, staged, got, strings.Join(want, ""))
		}
	}
	if slices.Equal(old, now) {
		t.Error("nothing was tried")
	}
}

// TestStage_KeepsOtherLinesOfIndex checks that lines that are only in the index stay there.
func TestStage_KeepsOtherLinesOfIndex(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n2\n3\n4\n"})
	f.write("a", "1\nindex\n2\n3\n4\n")
	f.git("add", "a")
	f.write("a", "1\n2\nthree\n4\n")
	f.stage("a", true, [4]int{2, 1, 2, 1})
	f.equal(f.index("a"), `100644 "1\nindex\n2\nthree\n4"`)
	f.stage("a", false, [4]int{2, 1, 2, 1})
	f.equal(f.index("a"), `100644 "1\nindex\n2\n3\n4"`)
}

// TestStage_MovedFile checks that staging a moved file also stages the removal of its old path, and that unstaging the
// file unstages the removal.
func TestStage_MovedFile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n2\n3\n"})
	f.noErr(os.Rename(f.path("a"), f.path("b")))
	f.open(func(_ context.Context, _, _, _ string, blocks [][4]int) (now [][4]int, from string, err error) {
		return blocks, "a", nil
	})
	f.noErr(f.m.Stage(t.Context(), "chat", "b", "v", nil, true))
	f.equal(f.git("diff", "--cached", "--name-status", "-M"), "R100\ta\tb")
	f.noErr(f.m.Stage(t.Context(), "chat", "b", "v", nil, false))
	f.equal(f.git("diff", "--cached", "--name-status"), "")
	f.equal(f.git("status", "--porcelain"), " D a\n?? b")
}
