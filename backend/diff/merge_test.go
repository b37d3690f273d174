package diff_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend/diff"
)

func TestMerge_CleanOrConflict(t *testing.T) {
	const base = "1\n2\n3\n4\n5\n"
	for name, c := range map[string]struct{ ours, theirs, want string }{
		"apart":            {"a\n2\n3\n4\n5\n", "1\n2\n3\n4\nb\n", "a\n2\n3\n4\nb\n"},
		"same":             {"1\nx\n3\n4\n5\n", "1\nx\n3\n4\n5\n", "1\nx\n3\n4\n5\n"},
		"only theirs":      {base, "1\n3\n4\n5\n", "1\n3\n4\n5\n"},
		"overlap":          {"1\nx\n3\n4\n5\n", "1\ny\n3\n4\n5\n", ""},
		"adjacent":         {"1\nx\n3\n4\n5\n", "1\n2\ny\n4\n5\n", ""},
		"deleted and used": {"1\n5\n", "1\n2\nx\n4\n5\n", ""},
		"both at the end":  {base + "x\n", base + "y\n", ""},
	} {
		got, clean := diff.Merge(base, c.ours, c.theirs)
		if clean != (c.want != "") || got != c.want {
			t.Errorf("%s: got %q, %v, want %q", name, got, clean, c.want)
		}
	}
}

// TestMerge_AgreesWithGit checks that if Merge finds no conflict, neither does git merge-file, and that both results
// are equal.
func TestMerge_AgreesWithGit(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7)) //nolint:gosec // reproducible
	edit := func(lines []string) (text string) {
		for _, line := range lines {
			switch r.IntN(12) {
			case 0:
			case 1:
				text += line + "new " + string(rune('a'+r.IntN(26))) + "\n"
			case 2:
				text += "other " + string(rune('a'+r.IntN(26))) + "\n"
			default:
				text += line
			}
		}
		return text
	}
	dir, merged := t.TempDir(), 0
	for range 60 {
		var lines []string
		base := ""
		for n := range 12 {
			lines = append(lines, string(rune('A'+n))+"\n")
			base += lines[n]
		}
		ours, theirs := edit(lines), edit(lines)
		got, clean := diff.Merge(base, ours, theirs)
		if !clean {
			continue
		}
		merged++
		var files []string
		for name, text := range map[string]string{"1ours": ours, "2base": base, "3theirs": theirs} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		files = append(files, filepath.Join(dir, "1ours"), filepath.Join(dir, "2base"), filepath.Join(dir, "3theirs"))
		want, err := exec.CommandContext(t.Context(), "git", append([]string{"merge-file", "-p"}, files...)...).Output()
		if err != nil || !bytes.Equal(want, []byte(got)) {
			t.Errorf("base %q, ours %q, theirs %q: got %q, want %q (%v)", base, ours, theirs, got, want, err)
		}
	}
	if merged == 0 {
		t.Error("nothing was clean")
	}
}
