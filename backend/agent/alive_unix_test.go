//go:build unix

package agent_test

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// alive reports whether the process is running. A zombie, which is left behind if
// orphans aren't reaped, doesn't count as running.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return true // no /proc on this system
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	return !strings.HasPrefix(rest, "Z")
}
