package workspace_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/need"
)

func TestFile_PipesAndDevicesNeverOpened(t *testing.T) {
	dir := t.TempDir()
	noErr(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	for _, path := range []string{filepath.Join(dir, "pipe"), "/dev/zero", "/dev/stdin"} {
		p, err := workspace.Locate(dir, path)
		if err != nil {
			continue // /dev/stdin may refer to something without a path
		}
		if _, err := p.Read(0, 0); backend.CodeOf(err) != backend.CodeInvalid && backend.CodeOf(err) != backend.CodeNotFound {
			t.Errorf("%s: %v", path, err)
		}
		if p.Write("x") == nil && p.Inside {
			t.Errorf("%s was written", path)
		}
	}
}

// TestFiles_PipeAsIgnoreFile checks that a search without git doesn't hang in a folder where files with ignore rules,
// such as .gitignore, are pipes.
func TestFiles_PipeAsIgnoreFile(t *testing.T) {
	dir := t.TempDir()
	createFiles(t, dir, ".git/HEAD: ref", "a.go", "sub/b.go")
	noErr(t, os.MkdirAll(filepath.Join(dir, ".git", "info"), 0o700))
	for _, pipe := range []string{".git/info/exclude", ".gitignore", "sub/.gitignore"} {
		noErr(t, syscall.Mkfifo(filepath.Join(dir, filepath.FromSlash(pipe)), 0o600))
	}
	got := pathsOf(waitForMatches(t, newFiles(t, "", time.Hour), dir, "", 100))
	slices.Sort(got)
	if diff := cmp.Diff([]string{"a.go", "sub/", "sub/b.go"}, got); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}

func TestWrite_FullDiskKeepsFile(t *testing.T) {
	dir := need.SmallDisk(t, "64k")
	if dir == "" {
		return
	}
	write(t, filepath.Join(dir, "a.txt"), "old")
	err := locate(t, dir, "a.txt").Write(strings.Repeat("x", 1<<20))
	if backend.CodeOf(err) != backend.CodeStorage || !strings.Contains(err.Error(), "disk is full") {
		t.Errorf("%v (%s)", err, backend.CodeOf(err))
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(b) != "old" {
		t.Errorf("the file is %.20q", b)
	}
	assertNoTempFiles(t, dir)
	noErr(t, locate(t, dir, "a.txt").Write("new")) // there is space again
}

func TestWrite_KeepsGroup(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "shared")
	write(t, path, "old")
	if err := os.Chown(path, -1, 12345); err != nil {
		t.Skip("the group cannot be changed here:", err)
	}
	noErr(t, locate(t, dir, "shared").Write("new"))
	info, err := os.Stat(path)
	noErr(t, err)
	if s, ok := info.Sys().(*syscall.Stat_t); !ok || s.Gid != 12345 {
		t.Errorf("its group is %+v", info.Sys())
	}
}
