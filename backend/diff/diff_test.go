package diff

import (
	"strconv"
	"strings"
	"testing"
)

func TestDiff_TransformsOldToNew(t *testing.T) {
	for name, c := range map[string]struct {
		before, after  string
		added, removed int
	}{
		"a line":           {"a\nb\nc\n", "a\nB\nc\n", 1, 1},
		"a new file":       {"", "a\nb\n", 2, 0},
		"an emptied file":  {"a\nb\n", "", 0, 2},
		"no last newline":  {"a\nb", "a\nc", 1, 1},
		"a fragment":       {"two", "three", 1, 1},
		"lines like heads": {"--- a\n+++ b\n", "+++ b\n", 0, 1},
		"far apart":        {"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "1\nX\n3\n4\n5\n6\n7\n8\n9\n10\nY\n12\n", 2, 2},
	} {
		t.Run(name, func(t *testing.T) {
			for how, d := range map[string]Diff{
				"compared": Of("/f", c.before, c.after),
				"replaced": Replaced("/f", "/f", "/f", c.before, c.after),
			} {
				if how == "compared" && (d.added != c.added || d.Removed != c.removed) {
					t.Errorf("+%d -%d, want +%d -%d:\n%s", d.added, d.Removed, c.added, c.removed, d.Body)
				}
				if got := apply(t, string(d.Body), c.before); got != c.after {
					t.Errorf("%s: %q:\n%s", how, got, d.Body)
				}
			}
		})
	}
}

// apply applies a unified diff.
func apply(t *testing.T, diff, before string) string {
	t.Helper()
	old := strings.SplitAfter(before, "\n")
	var out strings.Builder
	at := 0
	for _, hunk := range strings.Split(diff, "\n@@ -")[1:] {
		head, lines, _ := strings.Cut(hunk, "\n")
		first, err := strconv.Atoi(head[:strings.IndexAny(head, ", ")])
		if err != nil {
			t.Fatal(err)
		}
		for ; at < first-1; at++ {
			out.WriteString(old[at])
		}
		last := ""
		for line := range strings.Lines(lines + "\n") {
			text := line[1:]
			switch line[0] {
			case ' ', '-':
				if strings.TrimSuffix(old[at], "\n") != strings.TrimSuffix(text, "\n") {
					t.Fatalf("line %d is %q, not %q", at+1, old[at], text)
				}
				if line[0] == ' ' {
					out.WriteString(old[at])
				}
				at++
			case '+':
				out.WriteString(text)
			case '\\':
				if last == "+" {
					s := out.String()
					out.Reset()
					out.WriteString(strings.TrimSuffix(s, "\n"))
				}
			}
			last = line[:1]
		}
	}
	for ; at < len(old); at++ {
		out.WriteString(old[at])
	}
	return out.String()
}

func TestDiff_HugeTextReplacesWhole(t *testing.T) {
	before := strings.Repeat("0123456789abcde\n", maxDiffed/16)
	d := Of("/f", before, "x\n")
	if d.Removed != maxDiffed/16 || d.added != 1 {
		t.Errorf("+%d -%d", d.added, d.Removed)
	}
}

func TestParse_AllCLIDiffFormats(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"an edit": {
			"\ndiff --git a/w/a.txt b/w/a.txt\nindex 0000000..0000000 100644\n--- a/w/a.txt\n+++ b/w/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+three\n \n",
			"--- /w/a.txt\n+++ /w/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n",
		},
		"a new file": {
			"\ndiff --git a/w/a.txt b/w/a.txt\ncreate file mode 100644\nindex 0000000..0000000\n--- a/dev/null\n+++ b/w/a.txt\n@@ -1,0 +1,2 @@\n+one\n+two\n",
			"--- /dev/null\n+++ /w/a.txt\n@@ -1,0 +1,2 @@\n+one\n+two\n",
		},
		"two hunks": {
			"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n+b\n x\n@@ -9,3 +9,3 @@ func\n y\n-c\n+d\n \n",
			"--- /w/a.txt\n+++ /w/a.txt\n@@ -1,2 +1,2 @@\n-a\n+b\n x\n@@ -9,2 +9,2 @@ func\n y\n-c\n+d\n",
		},
		"a view, which changes nothing": {"\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n \n", ""},
		"no diff":                       {"Path does not exist", ""},
		"two files":                     {"diff --git a/f b/f\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/g b/g\n@@ -1 +1 @@\n-a\n+b\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d, ok := OfGit("/w/a.txt", c.in)
			if ok != (c.want != "") || ok && string(d.Body) != c.want {
				t.Errorf("got %q, %v", d.Body, ok)
			}
		})
	}
}

func TestParse_SplitsFiles(t *testing.T) {
	const change = "@@ -1 +1 @@\n-1\n+2\n"
	for name, c := range map[string]struct {
		in   string
		want string // "old>now: lines; …" of each file; "?" if they can't be separated
	}{
		"none":                            {"Path does not exist", ""},
		"hunks alone":                     {change, ""},
		"one":                             {"--- a/f\n+++ b/f\n" + change, "f: -1+2"},
		"two":                             {"--- a/f\n+++ b/f\n" + change + "--- a/g\n+++ b/g\n" + change, "f: -1+2; g: -1+2"},
		"two without signs before names":  {"--- f\n+++ f\n" + change + "--- g\n+++ g\n" + change, "f: -1+2; g: -1+2"},
		"in folders that are a and b":     {"--- a/f\n+++ a/f\n" + change + "--- b/f\n+++ b/f\n" + change, "a/f: -1+2; b/f: -1+2"},
		"whole paths":                     {"--- /w/f\n+++ /w/f\n" + change + "--- /w/g\n+++ /w/g\n" + change, "/w/f: -1+2; /w/g: -1+2"},
		"another name":                    {"--- f.orig\n+++ f\n" + change, "f.orig>f: -1+2"},
		"a new one and one that goes":     {"--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+n\n--- a/g\n+++ /dev/null\n@@ -1 +0,0 @@\n-o\n", "f: +n; g: -o"},
		"times behind tabs":               {"--- a/f g\t2026-01-02 10:00:00.000000000 +0100\n+++ b/f g\tFri Jan  2 10:00:01 2026\n" + change, "f g: -1+2"},
		"times behind spaces":             {"--- a/f 2026-01-02 10:00:00.000000000 +0100\n+++ b/f Fri Jan  2 10:00:01 2026\n" + change, "f: -1+2"},
		"a tab alone":                     {"--- a/f\t\n+++ b/f\t\n" + change, "f: -1+2"},
		"names behind tabs":               {"---\ta/f\n+++\tb/f\n" + change + "---\ta/g\n+++\tb/g\n" + change, "f: -1+2; g: -1+2"},
		"names in quotes":                 {"--- \"a/\\303\\244\"\n+++ \"b/\\303\\244\"\n" + change, "ä: -1+2"},
		"lines of Windows":                {strings.ReplaceAll("--- a/f\n+++ b/f\n"+change+"--- a/g\n+++ b/g\n"+change, "\n", "\r\n"), "f: -1+2; g: -1+2"},
		"no newline at the end":           {"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n\\ No newline at end of file\n+2\n\\ No newline at end of file\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-1\n+2", "f: -1+2; g: -1+2"},
		"lines that look like names":      {"--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n--- a/x\n+++ b/x\n y\n", "f: --- a/x+++ b/x y"},
		"the last lines look like names":  {"--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n y\n--- a/x\n+++ b/x\n--- a/g\n+++ b/g\n" + change, "f:  y--- a/x+++ b/x; g: -1+2"},
		"a removed line like a name":      {"--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n--- a/x\n y\n--- a/g\n+++ b/g\n" + change, "f: --- a/x y; g: -1+2"},
		"an added line like a name":       {"--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n y\n+++ b/x\n--- a/g\n+++ b/g\n" + change, "f:  y+++ b/x; g: -1+2"},
		"a diff within a diff":            {"--- a/f\n+++ b/f\n@@ -0,0 +1,5 @@\n+--- a/x\n++++ b/x\n+@@ -1 +1 @@\n+-1\n++2\n--- a/g\n+++ b/g\n" + change, "f: +--- a/x++++ b/x+@@ -1 +1 @@+-1++2; g: -1+2"},
		"a diff in what stays":            {"--- a/f\n+++ b/f\n@@ -1,4 +1,3 @@\n --- a/x\n +++ b/x\n @@ -1 +1 @@\n-1\n", "f:  --- a/x +++ b/x @@ -1 +1 @@-1"},
		"names before more of its hunks":  {"--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-1\n+2\n--- x\n+++ y\n@@ -9 +9 @@\n-1\n+2\n", "?"},
		"a hunk with fewer lines":         {"--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n-1\n+2\n--- a/g\n+++ b/g\n" + change, "?"},
		"a hunk with more lines":          {"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n+2\n-3\n--- a/g\n+++ b/g\n" + change, "?"},
		"more lines at the end":           {"--- a/f\n+++ b/f\n" + change + "-3\n+4\n", "?"},
		"heads without numbers":           {"--- a/f\n+++ b/f\n@@ ... @@\n-1\n+2\n", "?"},
		"a head of nothing else":          {"--- a/f\n+++ b/f\n@@\n-1\n+2\n", "?"},
		"a number that is none":           {"--- a/f\n+++ b/f\n@@ -1,99999999999999999999 +1 @@\n-1\n+2\n", "?"},
		"a line of no hunk within one":    {"--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\nfoo\n@@ -9 +9 @@\n-1\n+2\n", "?"},
		"the end of a mail":               {"--- a/f\n+++ b/f\n" + change + "-- \n2.43.0\n\n", "f: -1+2"},
		"a hunk behind the end of a mail": {"--- a/f\n+++ b/f\n" + change + "-- \n2.43.0\n" + change, "?"},
		"names and an empty line":         {"--- a/f\n+++ b/f\n" + change + "--- a/../x\n+++ b/../x\n\n" + change, "?"},
		"names with a line between":       {"--- a/f\n+++ b/f\n" + change + "--- a/../x\nfoo\n+++ b/../x\n" + change, "?"},
		"a name of another tool":          {"--- a/f\n+++ b/f\n" + change + "Index: ../x\n" + change, "?"},
		"a name in stars":                 {"--- a/f\n+++ b/f\n" + change + "*** ../x\n" + change, "?"},
		"a form that is not read":         {"--- a/f\n+++ b/f\n" + change + "Index: ../x\n1d0\n< a\n", "?"},
		"a rename behind hunks":           {"diff --git a/f b/f\n" + change + "rename from f\nrename to ../x\n" + change, "?"},
		"a copy":                          {"diff --git a/f b/f\ncopy from f\ncopy to \"../\\303\\244\"\n" + change, "f>../ä: -1+2"},
		"a rename":                        {"diff --git a/f b/f\nrename from \"a/\\303\\244\"\nrename to b/f\n" + change, "a/ä>b/f: -1+2"},
		"a folder like a time":            {"--- f 2026-01-02 10:00/../../x\n+++ f 2026-01-02 10:00/../../x\n" + change, "f 2026-01-02 10:00/../../x: -1+2"},
		"two hunks each":                  {"--- a/f\n+++ b/f\n" + change + "@@ -9 +9 @@\n-3\n+4\n--- a/g\n+++ b/g\n" + change, "f: -1+2@@ -9 +9 @@-3+4; g: -1+2"},
		"words between":                   {"Index: f\n=====\n--- f\n+++ f\n" + change + "\nIndex: g\n=====\n--- g\n+++ g\n" + change, "f: -1+2; g: -1+2"},
		"a list in a message":             {"---\n+++ 2 files\n\n--- a/f\n+++ b/f\n" + change, "?"},
		"one in git's form and one not":   {"diff --git a/f b/f\n--- a/f\n+++ b/f\n" + change + "--- a/g\n+++ b/g\n" + change, "f: -1+2; g: -1+2"},
		"one not in git's form and one":   {"--- a/g\n+++ b/g\n" + change + "diff --git a/f b/f\n--- a/f\n+++ b/f\n" + change, "g: -1+2; f: -1+2"},
		"hunks of no file, and one":       {change + "--- a/f\n+++ b/f\n" + change, "?"},
		"one that stands further in":      {"--- a/f\n+++ b/f\n" + change + "  --- a/g\n  +++ b/g\n  @@ -1 +1 @@\n", "?"},
		"names without lines":             {"--- a/f\n+++ b/f\n", ""},
		"names without lines, in between": {"--- a/f\n+++ b/f\n" + change + "--- a/g\n+++ b/g\n", "?"},
	} {
		t.Run(name, func(t *testing.T) {
			parts, split := Parts(c.in)
			var got []string
			for _, part := range parts {
				old, now := part.Names()
				name := old + now
				if old != "" && now != "" {
					name = old + ">" + now
				}
				_, lines, _ := strings.Cut(part.hunks, "\n")
				got = append(got, name+": "+strings.NewReplacer("\\ No newline at end of file", "", "\n", "").Replace(lines))
			}
			if said := strings.Join(got, "; "); split && said != c.want || !split && c.want != "?" {
				t.Errorf("got %q, %v; want %q", said, split, c.want)
			}
		})
	}
}

func TestParse_FileNameIsNotHunk(t *testing.T) {
	const path = "/w/f\n@@ -0,0 +1,2 @@\n+x"
	part, _ := Parts("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n+2\n")
	read, _ := part[0].Diff(path)
	for how, d := range map[string]Diff{
		"compared": Of(path, "1\n", "2\n"), "replaced": Replaced(path, path, path, "1\n", "2\n"), "read": read,
	} {
		if got := strings.Count("\n"+string(d.Body), "\n@@"); got != 1 || d.added != 1 || d.Removed != 1 {
			t.Errorf("%s: %d hunks, +%d -%d:\n%s", how, got, d.added, d.Removed, d.Body)
		}
	}
}

func TestParse_TrailingEmptyLineKeepsContent(t *testing.T) {
	d, ok := OfGit("/f", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-1\n+2\n \n")
	if want := "--- /f\n+++ /f\n@@ -1,1 +1,1 @@\n-1\n+2\n"; !ok || string(d.Body) != want {
		t.Errorf("got %q, %v", d.Body, ok)
	}
}

func TestAnd_KeepsDeletion(t *testing.T) {
	change, deletion := Of("/f", "1\n", "2\n"), Diff{Path: "/f", Deletes: true}
	if !change.And(deletion).Deletes || !deletion.And(change).Deletes || change.And(change).Deletes {
		t.Error("the deletion is lost, or made up")
	}
}
