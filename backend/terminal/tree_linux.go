package terminal

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
)

// dieWithParent makes the kernel send SIGTERM to the command when the thread
// that started it ends.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGTERM }

func (*tree) lockThread() (unlock func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

// members are the processes below the command, and those that carry its mark,
// without the command itself.
func (t *tree) members(gone bool) (found []int) {
	names, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil
	}
	parents := map[int]int{}
	for _, name := range names {
		pid, err := strconv.Atoi(filepath.Base(name))
		if err != nil || pid == os.Getpid() {
			continue
		}
		if state, parent, ok := readStat(pid); ok && state != 'Z' {
			parents[pid] = parent
		}
	}
	var children map[int]bool
	if !gone {
		children = below(t.pid, parents)
	}
	mark := []byte(markVar + "=" + t.mark)
	for pid := range parents {
		if gone || pid != t.pid {
			if children[pid] || hasVar(pid, mark) {
				found = append(found, pid)
			}
		}
	}
	return found
}

// readStat reads what is needed of /proc/<pid>/stat. The second field is the
// program's name in parentheses and may contain anything.
func readStat(pid int) (state byte, parent int, ok bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, 0, false
	}
	f := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(f) < 2 {
		return 0, 0, false
	}
	parent, err = strconv.Atoi(string(f[1]))
	return f[0][0], parent, err == nil
}

func hasVar(pid int, kv []byte) bool {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false
	}
	for v := range bytes.SplitSeq(env, []byte{0}) {
		if bytes.Equal(v, kv) {
			return true
		}
	}
	return false
}
