package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatIsSaidIsCollected(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("package p\n\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.go", "import \"fmt\"\n\n"+`
func f(name string, n int, err error) []any {
	log.Warn("This goes into the log. It is not shown.", "err", err)
	panic("This ends the program at once.")
	return []any{
		Error{Message: "Write a message first."},
		Error{Message: "Write a message first."},
		Error{Message: "The image " + name + " could not be read. Try again."},
		Error{Message: fmt.Sprintf("%s has %d × %.1f%% of it: %q is too large.", name, n, 0.5, name)},
		invalid("The header %s has no value.", name),
		name + ", because " + says(err, "The session is at work."),
		failed("The chat could not be written: ", err),
		fmt.Errorf("The chat could not be written: %w", err),
		undone("The mode was not changed", err),
		text + " It is read\x2donly: nothing was changed.",
		"a part of one", fmt.Sprintf("it ended with code %d", n), "not-one", "onlyone", "copilot login",
		[]string{"words that are compared"}, strings.Contains(text, "words that are looked for"), "SELECT id, name FROM chats",
		"Content-Type", "SELECT id FROM chats WHERE id = ?.", "One.",
		map[string]string{"key": "What varies may stand in a table."}[name],
	}
}`)
	write("b_test.go", `var x = "This is in a test. It is not shown."`)
	write("sub/c.go", `const c = "Below a folder it is found too."`)
	write("testdata/d.go", `const d = "This is data of a test."`)
	got, err := collect([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Below a folder it is found too.",
		"The chat could not be written: {0}",
		"The header {0} has no value.",
		"The image {0} could not be read. Try again.",
		"The mode was not changed",
		"The session is at work.",
		"What varies may stand in a table.",
		"Write a message first.",
		"a part of one",
		"it ended with code {0}",
		"{0} It is read-only: nothing was changed.",
		`{0} has {1} × {2}% of it: "{3}" is too large.`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("(-want +got):\n", diff)
	}
}

func TestWhatToolsSayCameOutIsCollected(t *testing.T) {
	dir := t.TempDir()
	text := `package p

func f(n int) (r Result) {
	r.Fact = "more than " + count(n, "line", "lines")
	r.Text = "[A text for models. It is not shown.]"
	return Result{Fact: "no changes", Text: count(n, "match", "matches")}
}

func (s search) fact() string { return "empty" }
`
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	if err := file(filepath.Join(dir, "a.go"), true, said); err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{
		"1 line": true, "{n} lines": true, "1 match": true, "{n} matches": true, "more than {0}": true, "no changes": true, "empty": true,
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error("(-want +got):\n", diff)
	}
}

func TestWhatIsLeftOutIsThere(t *testing.T) {
	var all strings.Builder
	for _, folder := range []string{"../..", "../../backend", "../../internal/process"} {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && folder == "../.." && path != folder:
				return fs.SkipDir
			case strings.HasSuffix(path, ".go"):
				text, err := os.ReadFile(path) //nolint:gosec // one of our own
				all.Write(text)
				return err
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range unsaid {
		begin, _, _ := strings.Cut(strings.Trim(text, `"{0}`), "{")
		if !strings.Contains(all.String(), begin) {
			t.Errorf("nobody says %q", text)
		}
	}
	for _, path := range slices.Concat(others, labels, glued) {
		if _, err := os.Stat(filepath.Join("../..", path)); err != nil {
			t.Errorf("what is left out, or taken whole, is not there: %v", err)
		}
	}
}

func TestAStringIsWrittenInTheMarksThatNeedTheFewestSigns(t *testing.T) {
	for text, want := range map[string]string{
		"plain":       `"plain"`,
		`a "b"`:       `'a "b"'`,
		`it's "b"`:    `'it\'s "b"'`,
		"it's":        `"it's"`,
		"a\nb \\ – ☀": `"a\nb \\ – ☀"`,
	} {
		if got := quote(text); got != want {
			t.Errorf("%q is written %s, want %s", text, got, want)
		}
	}
}
