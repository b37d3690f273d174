package main

import (
	"os"
	"path/filepath"
	"slices"
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
		"lower case. It is no sentence of ours.", "Content-Type", "SELECT id FROM chats WHERE id = ?.", "One.",
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
		"{0} It is read-only: nothing was changed.",
		`{0} has {1} × {2}% of it: "{3}" is too large.`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("(-want +got):\n", diff)
	}
}

func TestWhatIsLeftOutIsThere(t *testing.T) {
	for _, path := range slices.Concat(others, labels) {
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
