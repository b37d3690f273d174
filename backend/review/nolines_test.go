package review_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

var update = flag.Bool("update", false, "write the answers to testdata")

// TestDiff_FilesWithoutLines checks the answers for files without lines. The page's tests read them from
// testdata/nolines.json.
func TestDiff_FilesWithoutLines(t *testing.T) {
	e := newRepository(t, map[string]string{
		"binary.bin": "a\x00b", "mode.sh": "echo\n", "empty-mode.sh": "", "from.txt": tenLines, "large.txt": "a\n", "pipe.txt": "a\n",
	})
	e.write("binary.bin", "a\x00bcd")
	e.write("added.bin", "\x00")
	e.write("empty.txt", "")
	e.write("large.txt", string(bytes.Repeat([]byte("line\n"), 6<<20/5)))
	for _, name := range []string{"mode.sh", "empty-mode.sh"} {
		if err := os.Chmod(e.path(name), 0o700); err != nil { //nolint:gosec // a script
			t.Fatal(err)
		}
	}
	if err := os.Rename(e.path("from.txt"), e.path("moved.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(e.path("pipe.txt")); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "mkfifo", e.path("pipe.txt")).CombinedOutput(); err != nil {
		t.Skipf("mkfifo: %s", out)
	}
	type answer struct {
		File backend.ReviewFile `json:"file"`
		Diff backend.ReviewDiff `json:"diff"`
	}
	var answers []answer
	for _, f := range e.list("working").Files {
		d := e.diff("working", f.Path)
		f.Version, d.Version = "1", "1"
		answers = append(answers, answer{f, d})
	}
	got, err := json.MarshalIndent(answers, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	path := filepath.Join("testdata", "nolines.json")
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
