//go:build unix

package agent_test

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// alive says whether the process runs. A zombie does not: where nobody reaps
// orphans it is all that is left of one.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return true // no /proc here
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	return !strings.HasPrefix(rest, "Z")
}
