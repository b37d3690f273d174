package need_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/voxpilot/voxpilot/internal/need"
)

func TestSmallDisk_FillsUp(t *testing.T) {
	dir := need.SmallDisk(t, "64k")
	if dir == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(dir, "fill"), make([]byte, 1<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v, want no space left", err)
	}
}
