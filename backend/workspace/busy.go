package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
)

// busyFiles lists files in the git directory that exist only while an operation is in progress.
var busyFiles = []struct {
	name string
	busy backend.ReviewBusy
}{
	{"rebase-merge", backend.BusyRebase},
	{"rebase-apply", backend.BusyRebase},
	{"MERGE_HEAD", backend.BusyMerge},
	{"CHERRY_PICK_HEAD", backend.BusyCherryPick},
	{"REVERT_HEAD", backend.BusyRevert},
	{"BISECT_LOG", backend.BusyBisect},
}

// Busy returns the operation that is in progress in the repository, or "" if there is none. If a file of an operation
// can't be checked, Busy returns that operation.
func (r Repository) Busy() backend.ReviewBusy {
	for _, f := range busyFiles {
		if _, err := os.Lstat(filepath.Join(r.Dir, f.name)); !errors.Is(err, fs.ErrNotExist) {
			return f.busy
		}
	}
	return ""
}
