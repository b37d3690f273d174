package sessionfiles

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// HasOpen reports whether the process with the given PID has its claim to the session open. The CLI keeps a lock on a
// second file next to the claim. HasOpen also returns false if this can't be determined.
func HasOpen(home, id string, pid int) bool {
	dir := "/proc/" + strconv.Itoa(pid) + "/fd"
	files, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	held, err := os.Stat(filepath.Join(HomeDir(home), "session-state", id, fmt.Sprintf("inuse.%d.hold", pid)))
	if err != nil {
		return false
	}
	for _, file := range files {
		if is, err := os.Stat(filepath.Join(dir, file.Name())); err == nil && os.SameFile(is, held) {
			return true
		}
	}
	return false
}
