//go:build unix

package realpath_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/internal/realpath"
)

// tree creates a folder p with files and links, and a folder q next to it. It returns the path of the folder that
// contains both.
func tree(t *testing.T) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"p/sub/deep", "q/sub"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(top, "p/a.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"p/out": "../q/sub", "p/in": "sub/deep", "p/loop": "loop", "p/dangling": "../q/new/x", "p/to-gone-up": "gone/../x",
		"p/file": "a.txt", "p/absolute": top + "/q", "p/long": strings.Repeat("./", 100) + "sub",
	} {
		if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
	}
	return top
}

func TestResolve_MatchesSystem(t *testing.T) {
	top := tree(t)
	for path, want := range map[string]string{
		"p/a.txt":             "p/a.txt",
		"p/./sub//../a.txt":   "p/a.txt",
		"p/out/../x.txt":      "q/x.txt",
		"p/out/../../p/a.txt": "p/a.txt",
		"p/in/../x.txt":       "p/sub/x.txt",
		"p/in/../../x.txt":    "p/x.txt",
		"p/dangling":          "q/new/x",
		"p/dangling/y":        "q/new/x/y",
		"p/absolute/sub/../z": "q/z",
		"p/long/x":            "p/sub/x",
		"p/new/a/b":           "p/new/a/b",
		"p/new/./b":           "p/new/b",
	} {
		if got, err := realpath.Resolve(top + "/" + path); err != nil || got != filepath.Join(top, want) {
			t.Errorf("%s: got %s, %v, want %s", path, got, err, want)
		}
	}
	if got, err := realpath.Resolve("/../../"); err != nil || got != "/" {
		t.Errorf("above the root: got %s, %v", got, err)
	}
}

func TestResolve_RefusesUnresolvable(t *testing.T) {
	top := tree(t)
	for _, path := range []string{
		"p/gone/../a.txt", "p/a.txt/..", "p/a.txt/x", "p/a.txt/", "p/a.txt/.", "p/file/", "p/loop", "p/loop/x", "p/to-gone-up", "p/\x00",
		"p/" + strings.Repeat("n", 300),
	} {
		if got, err := realpath.Resolve(top + "/" + path); err == nil {
			t.Errorf("%.60q: got %s, want an error", path, got)
		}
	}
	for _, path := range []string{"", "a.txt", "./p", "../p"} {
		if got, err := realpath.Resolve(path); err == nil {
			t.Errorf("%q: got %s, want an error", path, got)
		}
	}
}

func TestPlain_KeepsAmbiguousPaths(t *testing.T) {
	top := tree(t)
	for path, want := range map[string]string{
		"p/./sub/../a.txt":     "p/a.txt",
		"p//a.txt":             "p/a.txt",
		"p/sub/deep/../../new": "p/new",
		"p/out/x":              "p/out/x",
	} {
		if got, ok := realpath.Plain(top + "/" + path); !ok || got != filepath.Join(top, want) {
			t.Errorf("%s: got %s, %t, want %s", path, got, ok, want)
		}
	}
	for _, path := range []string{"p/out/../x.txt", "p/in/../x.txt", "p/gone/../x.txt", "p/a.txt/../x.txt", "p/loop/../x"} {
		if got, ok := realpath.Plain(top + "/" + path); ok || got != top+"/"+path {
			t.Errorf("%s: got %s, %t, want it as it is", path, got, ok)
		}
	}
	if got := realpath.Tidy("/p/.//out/../x/"); got != "/p/out/../x" {
		t.Errorf("tidied: got %s", got)
	}
	if got, err := realpath.Clean(top + "/p/out/../x"); err != nil || got != filepath.Join(top, "q/x") {
		t.Errorf("cleaned: got %s, %v", got, err)
	}
}
