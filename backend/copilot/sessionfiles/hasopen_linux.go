package sessionfiles

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
)

// hasOpen reports whether the process with the given PID has a session in root open. It looks for a second file, next
// to the claim, that the CLI keeps open. known is false if this can't be determined. Without this check, the claim of a
// killed process in a sandbox could be attributed to another process, because a sandbox has its own PIDs.
func hasOpen(root *os.Root, id string, pid int) (is, known bool) {
	held, err := root.Lstat(path.Join(id, fmt.Sprintf("inuse.%d.hold", pid)))
	if err != nil {
		return false, false
	}
	dir := "/proc/" + strconv.Itoa(pid) + "/fd"
	files, err := os.ReadDir(dir)
	if err != nil {
		return false, false // the process belongs to another user
	}
	for _, file := range files {
		if now, err := os.Stat(filepath.Join(dir, file.Name())); err == nil && os.SameFile(now, held) {
			return true, true
		}
	}
	return false, true
}
