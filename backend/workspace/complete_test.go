package workspace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

func TestFoldersAt_ListsFoldersOnly(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for _, dir := range []string{"code/Orbit", "code/orchard", "code/other", "code/.orbit", "docs"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "code", "orfile"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	slash := string(filepath.Separator)
	in := func(root string, names ...string) (paths []string) {
		for _, name := range names {
			paths = append(paths, filepath.FromSlash(root+"/"+name+"/"))
		}
		return paths
	}
	code := filepath.Join(home, "code")
	for typed, want := range map[string][]string{
		"~":                      {"~" + slash},
		"~" + slash:              in("~", "code", "docs"),
		"~" + slash + "co":       in("~", "code"),
		code + slash:             in(code, "Orbit", "orchard", "other"),
		code + slash + "or":      in(code, "Orbit", "orchard"),
		code + slash + "OR":      in(code, "Orbit", "orchard"),
		code + slash + ".":       in(code, ".orbit"),
		code + slash + "orfile":  nil,
		code + slash + "nothing": nil,
		"code":                   nil,
		"":                       nil,
	} {
		got, err := workspace.FoldersAt(t.Context(), typed)
		if err != nil {
			t.Errorf("FoldersAt(%q): %v", typed, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("FoldersAt(%q) (-want +got):\n%s", typed, diff)
		}
	}
	_, err := workspace.FoldersAt(t.Context(), filepath.Join(code, "gone", "x"))
	if want := "The folder " + filepath.Join(code, "gone") + " doesn't exist."; err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestFoldersAt_IsBounded(t *testing.T) {
	dir := t.TempDir()
	for i := range workspace.MaxFolders + 20 {
		if err := os.Mkdir(filepath.Join(dir, fmt.Sprintf("f%03d", i)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	got, err := workspace.FoldersAt(t.Context(), dir+string(filepath.Separator))
	if err != nil || len(got) != workspace.MaxFolders || filepath.Base(got[0]) != "f000" {
		t.Errorf("got %d folders, error %v, want %d from f000 on", len(got), err, workspace.MaxFolders)
	}
}
