package workspace_test

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

func TestPath_RelativeToFolder(t *testing.T) {
	folder, beside := newTree(t)
	link(t, "sub", filepath.Join(folder, "sublink"))
	for name, want := range map[string]string{".": ".", "in.txt": "in.txt", "sub/deep.txt": "sub/deep.txt", "sublink/deep.txt": "sub/deep.txt", "sub/new": "sub/new"} {
		if got := locate(t, folder, filepath.FromSlash(name)).Rel(); got != want {
			t.Errorf("%s is %s", name, got)
		}
	}
	out, err := workspace.Locate(folder, filepath.Join(beside, "out.txt"))
	noErr(t, err)
	if out.Rel() != "" {
		t.Errorf("what is outside is %s", out.Rel())
	}
}

func TestOpen_RegularFilesOnly(t *testing.T) {
	folder, _ := newTree(t)
	f, info, err := locate(t, folder, "in.txt").Open()
	noErr(t, err)
	body, err := io.ReadAll(f)
	noErr(t, err)
	noErr(t, f.Close())
	if string(body) != "in" || info.Size() != 2 {
		t.Errorf("read %q of %d bytes", body, info.Size())
	}
	for name, want := range map[string]backend.Code{"sub": backend.CodeInvalid, "absent": backend.CodeNotFound} {
		if _, _, err := locate(t, folder, name).Open(); backend.CodeOf(err) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestList_FolderReplacedByLinkRefused(t *testing.T) {
	folder, beside := newTree(t)
	place := locate(t, folder, "sub")
	if !place.IsDir() || locate(t, folder, "in.txt").IsDir() || locate(t, folder, "absent").IsDir() {
		t.Error("folders are not told from others")
	}
	entries, more, err := place.Entries(10)
	noErr(t, err)
	if len(entries) != 1 || entries[0].Name() != "deep.txt" || more {
		t.Errorf("it has %v", entries)
	}
	noErr(t, os.RemoveAll(filepath.Join(folder, "sub")))
	link(t, beside, filepath.Join(folder, "sub"))
	if entries, _, err := place.Entries(10); err == nil {
		t.Errorf("outside there is %v", entries)
	}
	if place.IsDir() {
		t.Error("a link counts as the folder that was there")
	}
}

func TestList_LargeFolderIsPartial(t *testing.T) {
	folder, _ := newTree(t)
	for i := range 9 {
		write(t, filepath.Join(folder, "sub", fmt.Sprint(i)), "")
	}
	entries, more, err := locate(t, folder, "sub").Entries(5)
	noErr(t, err)
	if len(entries) != 5 || !more {
		t.Errorf("%d entries, more: %v", len(entries), more)
	}
	if _, more, err = locate(t, folder, "sub").Entries(10); err != nil || more {
		t.Errorf("of ten: more: %v, %v", more, err)
	}
}

func TestTree_StaysInsideFolder(t *testing.T) {
	folder, beside := newTree(t)
	link(t, beside, filepath.Join(folder, "dirlink"))
	link(t, filepath.Join(beside, "out.txt"), filepath.Join(folder, "filelink"))
	link(t, "in.txt", filepath.Join(folder, "inlink"))
	tree, err := workspace.OpenTree(folder)
	noErr(t, err)
	defer tree.Close()
	var names []string
	noErr(t, fs.WalkDir(tree.FS(), ".", func(name string, _ fs.DirEntry, err error) error {
		names = append(names, name)
		return err
	}))
	if got := strings.Join(names, " "); got != ". dirlink filelink in.txt inlink sub sub/deep.txt" {
		t.Errorf("a walk sees %s", got)
	}
	for name, want := range map[string]bool{
		"in.txt": true, "sub/deep.txt": true,
		"inlink": false, "filelink": false, "dirlink/out.txt": false, "../beside/out.txt": false, "sub": false, "absent": false, filepath.ToSlash(filepath.Join(beside, "out.txt")): false,
	} {
		_, seen := tree.Stat(name)
		f, _, err := tree.Open(name)
		if err == nil {
			noErr(t, f.Close())
		}
		if seen != want || (err == nil) != want {
			t.Errorf("%s: seen %v, opened %v", name, seen, err)
		}
	}
	if _, err := workspace.OpenTree(filepath.Join(folder, "absent")); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("a folder that doesn't exist: %v", err)
	}
}
