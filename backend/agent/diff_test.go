package agent

import (
	"strconv"
	"strings"
	"testing"
)

func TestADiffTurnsTheOneTextIntoTheOther(t *testing.T) {
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
			for how, d := range map[string]diff{
				"compared": diffOf("/f", c.before, c.after),
				"replaced": replaced("/f", "/f", "/f", c.before, c.after),
			} {
				if how == "compared" && (d.added != c.added || d.removed != c.removed) {
					t.Errorf("+%d -%d, want +%d -%d:\n%s", d.added, d.removed, c.added, c.removed, d.body)
				}
				if got := apply(t, string(d.body), c.before); got != c.after {
					t.Errorf("%s: %q:\n%s", how, got, d.body)
				}
			}
		})
	}
}

// apply carries a unified diff out.
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

func TestATextTooLargeToCompareIsShownAsReplaced(t *testing.T) {
	before := strings.Repeat("0123456789abcde\n", maxDiffed/16)
	d := diffOf("/f", before, "x\n")
	if d.removed != maxDiffed/16 || d.added != 1 {
		t.Errorf("+%d -%d", d.added, d.removed)
	}
}

func TestTheCLIsOwnDiffIsReadInEachOfItsForms(t *testing.T) {
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
			d, ok := gitDiff("/w/a.txt", c.in)
			if ok != (c.want != "") || ok && string(d.body) != c.want {
				t.Errorf("got %q, %v", d.body, ok)
			}
		})
	}
}
