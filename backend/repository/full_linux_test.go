package repository_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/need"
)

func TestFailure_OfFullDisk(t *testing.T) {
	disk := need.SmallDisk(t, "4m")
	if disk == "" {
		return
	}
	f := newFolderIn(t, disk)
	f.git("init", "--quiet", "--initial-branch=main")
	f.commitFiles("first", map[string]string{"a": "1\n"})
	f.write("b", strings.Repeat("1234567\n", 1000))
	fill, err := os.Create(filepath.Join(disk, "fill"))
	f.noErr(err)
	for err == nil {
		_, err = fill.Write(make([]byte, 4096))
	}
	_ = fill.Close()
	before := f.state()
	f.failed(backend.ReviewCommitRequest{Files: backend.CommitAll}, "The disk is full")
	f.unchanged(before)
	f.noErr(os.Remove(fill.Name()))
	f.done(backend.ReviewCommitRequest{Files: backend.CommitAll})
}
