package changes_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/changes"
)

// diffBody returns the diff without the file header and the hunk headers.
func diffBody(diff string) (out string) {
	for i, line := range strings.SplitAfter(diff, "\n") {
		if i > 1 && !strings.HasPrefix(line, "@@") {
			out += line
		}
	}
	return out
}

func TestNet_TransformsOldFileToCurrent(t *testing.T) {
	many := func(n int, change func(int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(change(i) + "\n")
		}
		return b.String()
	}
	plain := func(i int) string { return fmt.Sprint("line ", i) }
	for _, c := range []struct {
		name           string
		before         string // "" means no file
		edit           func(p *editHistory)
		want           string
		added, removed int
	}{
		{
			"edits of one another", "a\nb\nc\n",
			func(p *editHistory) { p.edit("f", "a\nB\nc\n"); p.edit("f", "a\nBB\nc\nd\n") },
			" a\n-b\n+BB\n c\n+d\n", 2, 1,
		},
		{"an edit that was taken back", "a\nb\n", func(p *editHistory) { p.edit("f", "x\n"); p.edit("f", "a\nb\n") }, "", 0, 0},
		{"a new file", "", func(p *editHistory) { p.edit("f", "a\n"); p.edit("f", "a\nb\n") }, "+a\n+b\n", 2, 0},
		{"no newline at the end", "a\nb", func(p *editHistory) { p.edit("f", "a\nc") }, " a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n", 1, 1},
		{"a newline at the end", "a", func(p *editHistory) { p.edit("f", "a\n") }, "-a\n\\ No newline at end of file\n+a\n", 1, 1},
		{
			"a diff that does not say how the file ends", "a\nb",
			func(p *editHistory) {
				p.addDiff("f", "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n")
				p.files["f"] = "a\nc"
			},
			" a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n", 1, 1,
		},
		{"line ends of Windows", "a\r\nb\r\n", func(p *editHistory) { p.edit("f", "a\r\nB\r\n") }, " a\r\n-b\r\n+B\r\n", 1, 1},
		{"a piece within a line", "x := one(1)\ny\n", func(p *editHistory) { p.addSnippetEdit("f", "one", "two") }, "-x := one(1)\n+x := two(1)\n y\n", 1, 1},
		{
			"a piece that stands elsewhere than its diff says", many(20, plain),
			func(p *editHistory) { p.addSnippetEdit("f", "line 11\nline 12\n", "lines\n") },
			" line 8\n line 9\n line 10\n-line 11\n-line 12\n+lines\n line 13\n line 14\n line 15\n", 1, 2,
		},
		{
			"an empty line of context without its space", "a\n\nb\n",
			func(p *editHistory) {
				p.addDiff("f", "--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n")
				p.files["f"] = "a\n\nc\n"
			},
			" a\n \n-b\n+c\n", 1, 1,
		},
		{"all of it is taken away", "a\n", func(p *editHistory) { p.edit("f", "") }, "-a\n", 0, 1},
		{
			"100,000 lines", many(100_000, plain),
			func(p *editHistory) {
				p.edit("f", many(100_000, func(i int) string { return plain(i) + strings.Repeat("!", min(1, i%50_000/49_999)) }))
			},
			" line 49996\n line 49997\n line 49998\n-line 49999\n+line 49999!\n line 50000\n line 50001\n line 50002\n" +
				" line 99996\n line 99997\n line 99998\n-line 99999\n+line 99999!\n", 2, 2,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newEditHistory(t)
			if c.before != "" {
				p.files["f"] = c.before
			}
			c.edit(p)
			d := p.diff("f")
			if !d.Net || !d.Message.IsZero() || d.Binary || d.Cut || d.Name != "f" || d.Size != int64(len(d.Diff)) {
				t.Errorf("%+v", d)
			}
			if got := diffBody(d.Diff); got != c.want || d.Added != c.added || d.Removed != c.removed {
				t.Errorf("+%d -%d\n%s\nwant +%d -%d\n%s", d.Added, d.Removed, got, c.added, c.removed, c.want)
			}
		})
	}
}

func TestNet_HeaderShowsMissingFiles(t *testing.T) {
	p := newEditHistory(t)
	p.edit("new", "a\n")
	p.files["gone"] = "a\n"
	p.addDiff("gone", "--- "+p.path("gone")+"\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")
	delete(p.files, "gone")
	p.files["from"] = "a\nb\n"
	p.edit("from", "a\nc\n")
	p.addStep(changes.Edit{Kind: backend.ToolMove, Path: p.path("from"), To: p.path("to")})
	p.files["to"] = p.files["from"]
	delete(p.files, "from")
	for name, want := range map[string][2]string{
		"new": {"/dev/null", p.path("new")}, "gone": {p.path("gone"), "/dev/null"}, "to": {p.path("from"), p.path("to")},
	} {
		d := p.diff(name)
		if !d.Net || !strings.HasPrefix(d.Diff, "--- "+want[0]+"\n+++ "+want[1]+"\n") {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

func TestNet_UnmergeableDiffsConcatenated(t *testing.T) {
	for _, c := range []struct {
		name    string
		edit    func(p *editHistory)
		message string
		shown   string // parts of the diff, in this order
	}{
		{"someone else changed it", func(p *editHistory) { p.files["f"] = "theirs\n" }, "also changed outside Copilot", "+one\n|+two\n"},
		{"a piece is there twice", func(p *editHistory) { p.addSnippetEdit("f", "two", "both"); p.files["f"] = "x\nboth\nboth\n" }, "also changed outside Copilot", "+one\n|+two\n|+both\n"},
		{"it no longer exists", func(p *editHistory) { delete(p.files, "f") }, "no longer exists", "+one\n|+two\n"},
		{
			"it was removed and nobody said what was in it",
			func(p *editHistory) {
				p.addStep(changes.Edit{Kind: backend.ToolDelete, Path: p.path("f")})
				delete(p.files, "f")
			}, "no longer exists", "+one\n|+two\n",
		},
		{"an edit was not shown", func(p *editHistory) { p.addStep(changes.Edit{Kind: backend.ToolEdit, Path: p.path("f")}) }, "didn't report", "+one\n|+two\n"},
		{"it was moved away", func(p *editHistory) {
			p.addStep(changes.Edit{Kind: backend.ToolMove, Path: p.path("f"), To: p.path("g")})
			p.files["g"] = p.files["f"]
			delete(p.files, "f")
		}, "moved to g", "+one\n|+two\n"},
		{"invalid UTF-8 where it was changed", func(p *editHistory) {
			p.edit("f", "one\nt\uFFFDo\n")
			p.files["f"] = "one\nt\xffo\n"
		}, "also changed outside Copilot", "+one\n|+two\n|+t\uFFFDo\n"},
		{"it is too large", func(p *editHistory) { p.files["f"] += strings.Repeat("x", changes.MaxFile) }, "too large", "+one\n|+two\n"},
		{"it is no diff", func(p *editHistory) { p.addDiff("f", "--- f\n+++ f\n@@ -1,9 +1,9 @@\n-a\n+b\n") }, "also changed outside Copilot", "+one\n|+two\n|-a\n+b\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newEditHistory(t)
			p.edit("f", "one\n")
			p.edit("f", "one\ntwo\n")
			c.edit(p)
			d := p.diff("f")
			if d.Net || !strings.Contains(d.Message.String(), c.message) || d.Added < 2 {
				t.Errorf("%+v", d)
			}
			rest := d.Diff
			for piece := range strings.SplitSeq(c.shown, "|") {
				_, after, ok := strings.Cut(rest, piece)
				if !ok {
					t.Errorf("%q is missing in\n%s", piece, rest)
				}
				rest = after
			}
		})
	}
}

// manyHunks returns a diff with n one-line hunks whose line numbers are too high by the
// given amount, and the resulting file.
func manyHunks(n, by int) (diff, file string) {
	var d, f strings.Builder
	d.WriteString("--- f\n+++ f\n")
	for i := range n {
		fmt.Fprintf(&d, "@@ -%d +%d @@\n-old %d\n+new %d\n", 2*i+1, 2*i+1+by, i, i)
		fmt.Fprintf(&f, "new %d\n%060d\n", i, i)
	}
	return d.String(), f.String()
}

func TestNet_HugeDiffUndoneOrAbandoned(t *testing.T) {
	const n = 100_000
	p := newEditHistory(t)
	diff, file := manyHunks(n, 0)
	p.addDiff("f", diff)
	p.files["f"] = file
	if d := p.diff("f"); !d.Net || d.Added < n || d.Removed < n {
		t.Errorf("where each is where it says: net %v, +%d -%d, %s", d.Net, d.Added, d.Removed, d.Message)
	}
	p = newEditHistory(t)
	diff, file = manyHunks(n, 1)
	p.addDiff("f", diff)
	p.files["f"] = file
	if d := p.diff("f"); d.Net || !strings.Contains(d.Message.String(), "too large") || !strings.Contains(d.Diff, "+new 0\n") {
		t.Errorf("where each is looked for: net %v, %s", d.Net, d.Message)
	}
	p = newEditHistory(t)
	diff, file = manyHunks(100, 1)
	p.addDiff("f", diff)
	p.files["f"] = file
	if d := p.diff("f"); !d.Net || d.Added < 100 {
		t.Errorf("a hundred that are looked for: net %v, +%d, %s", d.Net, d.Added, d.Message)
	}
}

func TestNet_InvalidUTF8OutsideChange(t *testing.T) {
	p := newEditHistory(t)
	p.files["f"] = "a\n1\n2\n3\n4\n5\nt\xffo\n"
	p.addDiff("f", "--- f\n+++ f\n@@ -1,3 +1,3 @@\n-a\n+b\n 1\n 2\n")
	p.files["f"] = "b" + p.files["f"][1:]
	if d := p.diff("f"); !d.Net || diffBody(d.Diff) != "-a\n+b\n 1\n 2\n 3\n" {
		t.Errorf("%+v", d)
	}
}

func TestNet_BinaryFileNotCompared(t *testing.T) {
	p := newEditHistory(t)
	p.edit("f", "a\n")
	p.files["f"] = "a\x00b"
	if d := p.diff("f"); !d.Binary || d.Diff != "" || d.Message.IsZero() {
		t.Errorf("%+v", d)
	}
}

func TestNet_LongDiffTruncatedAtLine(t *testing.T) {
	p := newEditHistory(t)
	p.edit("f", strings.Repeat("0123456789ä\n", 400_000))
	d := p.diff("f")
	if !d.Net || !d.Cut || len(d.Diff) > changes.MaxDiff || !strings.HasSuffix(d.Diff, "ä\n") || d.Size < 400_000*13 || d.Added != 400_000 {
		t.Errorf("net %v, cut %v, %d bytes of %d, +%d", d.Net, d.Cut, len(d.Diff), d.Size, d.Added)
	}
	p = newEditHistory(t)
	p.edit("f", strings.Repeat("ä", changes.MaxDiff))
	if d := p.diff("f"); !d.Cut || len(d.Diff) > changes.MaxDiff || len(d.Diff) < changes.MaxDiff-3 {
		t.Errorf("of one line: %d bytes", len(d.Diff))
	}
}

func TestNet_UnchangedFileHasNoDiff(t *testing.T) {
	p := newEditHistory(t)
	p.edit("f", "a\n")
	for _, path := range []string{p.path("other"), "/etc/passwd", p.path("../" + filepath.Base(p.folder) + "x/f"), ""} {
		if d, err := p.netDiff(path); backend.CodeOf(err) != backend.CodeNotFound {
			t.Errorf("%q: %+v, %v", path, d, err)
		}
	}
	if _, err := p.netDiff(p.path("x/../f")); err != nil {
		t.Errorf("the same file by another name: %v", err)
	}
}

// FuzzUndo checks that arbitrary text passed as a diff causes no error, that the
// returned diff is valid UTF-8, and that a file with NUL bytes never has a net diff.
func FuzzUndo(f *testing.F) {
	f.Add("a\nb\n", "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-c\n+b\n")
	f.Add("a", "@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n")
	f.Add("", "@@ -1 +0,0 @@\n-a\n")
	f.Add("x", "@@ -1,99999999999999999999 +1 @@\n")
	f.Fuzz(func(t *testing.T, now, diff string) {
		d, err := changes.Of(context.Background(), []changes.Edit{{Path: "/f", ContentID: "c", Size: int64(len(diff))}}, "/", "/f",
			func() changes.Current { return changes.Current{Text: []byte(now)} },
			func(string) ([]byte, error) { return []byte(diff), nil })
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.ValidString(d.Diff) || d.Net && bytes.IndexByte([]byte(now), 0) >= 0 {
			t.Errorf("%+v", d)
		}
	})
}
