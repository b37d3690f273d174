//go:build unix

package terminal

import (
	"os/exec"
	"syscall"
	"time"
)

// tree is a command with everything that it started.
type tree struct {
	mark    string // value of markVar
	pid     int
	started time.Time
	ended   time.Time // of the command itself
}

func (t *tree) adopt(cmd *exec.Cmd) error {
	t.pid, t.started = cmd.Process.Pid, time.Now()
	return nil
}

// signal sends sig to all of the tree and says how many there were besides the
// command. gone says that the command has ended: its number may be another's.
func (t *tree) signal(sig syscall.Signal, gone bool) int {
	all := t.members(gone)
	if !gone {
		_ = syscall.Kill(-t.pid, sig)
	}
	for _, pid := range all {
		_ = syscall.Kill(pid, sig)
	}
	return len(all)
}

// ask asks the tree to end. It is false where that cannot be done.
func (t *tree) ask(gone bool) bool {
	t.signal(syscall.SIGTERM, gone)
	return true
}

// kill ends the tree. Some of it may start others meanwhile.
func (t *tree) kill(gone <-chan struct{}) {
	for range 5 {
		if t.signal(syscall.SIGKILL, closed(gone)) == 0 {
			return
		}
	}
}

func (*tree) close() {}

// below are those of all that pid started, directly or not.
func below(pid int, all map[int]int) map[int]bool {
	in := map[int]bool{pid: true}
	for grew := true; grew; {
		grew = false
		for child, parent := range all {
			if !in[child] && in[parent] {
				in[child], grew = true, true
			}
		}
	}
	delete(in, pid)
	return in
}
