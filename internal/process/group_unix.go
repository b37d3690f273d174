//go:build unix

package process

import (
	"os/exec"
	"syscall"
	"time"
)

// Group is a command with all its descendants.
type Group struct {
	// Variable is an environment variable, as "NAME=value", that is unique to the command and its descendants.
	Variable string
	Exited   <-chan struct{} // closed when the command has exited: its pid may be reused
	Ended    time.Time       // exit time of the command, set before Exited is closed
	pid      int
	started  time.Time
}

// Adopt makes a started command the root of the group.
func (g *Group) Adopt(cmd *exec.Cmd) error {
	g.pid, g.started = cmd.Process.Pid, time.Now()
	return nil
}

func (g *Group) hasExited() bool {
	select {
	case <-g.Exited:
		return true
	default:
		return false
	}
}

// signal sends sig to the whole group. It returns the number of the group's processes, not counting the command
// itself.
func (g *Group) signal(sig syscall.Signal) int {
	gone, all := g.hasExited(), g.Members()
	if !gone {
		_ = syscall.Kill(-g.pid, sig)
	}
	for _, pid := range all {
		_ = syscall.Kill(pid, sig)
	}
	return len(all)
}

// Ask asks the group to exit. It always returns true on Unix.
func (g *Group) Ask() bool {
	g.signal(syscall.SIGTERM)
	return true
}

// Kill kills the group. It tries several times, since the group's processes may start
// others in the meantime.
func (g *Group) Kill() {
	for range 5 {
		if g.signal(syscall.SIGKILL) == 0 {
			return
		}
	}
}

// Close does nothing: on Unix, a group holds no system resources.
func (*Group) Close() {}

// under returns the pids of all descendants of pid. parents maps pids to parent pids.
func under(pid int, parents map[int]int) map[int]bool {
	in := map[int]bool{pid: true}
	for grew := true; grew; {
		grew = false
		for child, parent := range parents {
			if !in[child] && in[parent] {
				in[child], grew = true, true
			}
		}
	}
	delete(in, pid)
	return in
}
