package process

import (
	"os"
	"time"
)

// Info describes a running process of any program.
type Info struct {
	Started  time.Time // to about a second
	Parent   int       // PID of the parent process; 0 if unknown
	User     int       // numeric ID of the user; -1 if unknown
	Program  string    // file name of the program, such as "copilot"; "" if unknown
	Terminal string    // terminal of the process, such as "pts/3"; "" if it has none
}

// maxAncestors is the maximum number of ancestors of a process that IsOwn looks at.
const maxAncestors = 64

// IsOwn reports whether the process with the given PID is this process or one of its descendants. It also returns true
// if a descendant in a sandbox knows itself by that PID.
func IsOwn(pid int) bool {
	me := os.Getpid()
	for at, n := pid, 0; at > 1 && n < maxAncestors; n++ {
		if at == me {
			return true
		}
		info, ok := Look(at)
		if !ok {
			break
		}
		at = info.Parent
	}
	return isInner(pid)
}
