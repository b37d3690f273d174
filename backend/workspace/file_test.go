package workspace_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

func locate(t *testing.T, folder, name string) workspace.ResolvedPath {
	t.Helper()
	p, err := workspace.Locate(folder, filepath.Join(folder, name))
	noErr(t, err)
	return p
}

func TestRead_LinesUnchanged(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("x", 200_000)
	for _, c := range []struct {
		text        string
		line, limit int
		want        string
	}{
		{"a\nb\nc\n", 0, 0, "a\nb\nc\n"},
		{"a\nb\nc\n", 1, 0, "a\nb\nc\n"},
		{"a\nb\nc\n", 2, 1, "b\n"},
		{"a\nb\nc", 3, 5, "c"},
		{"a\nb\nc", 2, 2, "b\nc"},
		{"a\nb\n", 3, 0, ""},
		{"a\nb\n", 99, 1, ""},
		{"", 0, 0, ""},
		{"a\r\nb\r\n", 2, 1, "b\r\n"},
		{"\uFEFFa\nb\n", 1, 1, "\uFEFFa\n"},
		{"héllo\n👋\n", 2, 1, "👋\n"},
		{long + "\nb\n" + long + "\nd", 2, 2, "b\n" + long + "\n"},
		{"\n\n\n", 2, 1, "\n"},
	} {
		write(t, filepath.Join(dir, "f"), c.text)
		if got, err := locate(t, dir, "f").Read(c.line, c.limit); err != nil || got != c.want {
			t.Errorf("%.20q from %d, %d lines: %.20q, %v", c.text, c.line, c.limit, got, err)
		}
	}
}

func TestRead_NonTextExplained(t *testing.T) {
	dir := t.TempDir()
	noErr(t, os.Mkdir(filepath.Join(dir, "sub"), 0o700))
	write(t, filepath.Join(dir, "latin1"), "caf\xe9")
	write(t, filepath.Join(dir, "binary"), "a\x00b")
	write(t, filepath.Join(dir, "large"), strings.Repeat("line\n", workspace.MaxRead/5+1))
	for name, want := range map[string]struct {
		code backend.Code
		text string
	}{
		"absent":                     {backend.CodeNotFound, "doesn't exist"},
		filepath.Join("no", "where"): {backend.CodeNotFound, "doesn't exist"},
		"sub":                        {backend.CodeInvalid, "is a folder"},
		".":                          {backend.CodeInvalid, "is a folder"},
		"latin1":                     {backend.CodeInvalid, "isn't UTF-8 text"},
		"binary":                     {backend.CodeInvalid, "isn't UTF-8 text"},
		"large":                      {backend.CodeTooLarge, "using line and limit"},
	} {
		p := locate(t, dir, name)
		_, err := p.Read(0, 0)
		if backend.CodeOf(err) != want.code || !strings.Contains(err.Error(), want.text) || !strings.Contains(err.Error(), p.Path) {
			t.Errorf("%s: %v (%s)", name, err, backend.CodeOf(err))
		}
	}
	if got, err := locate(t, dir, "large").Read(1_000_000, 2); err != nil || got != "line\nline\n" {
		t.Errorf("a part of the large file: %q, %v", got, err)
	}
}

func TestWrite_AtomicAndKeepsMode(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "script.sh"), "old")
	noErr(t, os.Chmod(filepath.Join(dir, "script.sh"), 0o754))
	before, err := os.Stat(filepath.Join(dir, "script.sh"))
	noErr(t, err)
	for _, name := range []string{"script.sh", "new.txt", filepath.Join("no", "such", "folder", "a.txt")} {
		for _, text := range []string{"one\r\ntwo\r\n", "", "\uFEFFwith a mark", strings.Repeat("large ", 1<<20)} {
			p := locate(t, dir, name)
			if err := p.Write(text); err != nil {
				t.Fatal(err)
			}
			if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != text {
				t.Errorf("%s is %.20q, %v", name, b, err)
			}
		}
	}
	after, err := os.Stat(filepath.Join(dir, "script.sh"))
	noErr(t, err)
	if after.Mode() != before.Mode() {
		t.Errorf("the mode was %s and is %s", before.Mode(), after.Mode())
	}
	assertNoTempFiles(t, dir)
}

func TestWrite_KeepsLinkInFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "real.txt"), "old")
	link(t, "real.txt", filepath.Join(dir, "link.txt"))
	noErr(t, locate(t, dir, "link.txt").Write("new"))
	if b, _ := os.ReadFile(filepath.Join(dir, "real.txt")); string(b) != "new" {
		t.Errorf("the file is %q", b)
	}
	if to, err := os.Readlink(filepath.Join(dir, "link.txt")); err != nil || to != "real.txt" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
}

func TestWrite_FailureKeepsFile(t *testing.T) {
	dir := t.TempDir()
	noErr(t, os.Mkdir(filepath.Join(dir, "sub"), 0o700))
	write(t, filepath.Join(dir, "readonly"), "old")
	noErr(t, os.Chmod(filepath.Join(dir, "readonly"), 0o444))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "readonly"), 0o600) })
	for name, want := range map[string]string{"readonly": "is read-only", "sub": "is a folder", ".": "is a folder"} {
		if err := locate(t, dir, name).Write("new"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "readonly")); string(b) != "old" {
		t.Errorf("the file is %q", b)
	}
	assertNoTempFiles(t, dir)
}

func assertNoTempFiles(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".tmp") {
			t.Errorf("%s was left", path)
		}
		return err
	})
	noErr(t, err)
}
