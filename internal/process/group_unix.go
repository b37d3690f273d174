//go:build unix

package process

import (
	"os/exec"
	"syscall"
	"time"
)

// Group is a command with everything that it started.
type Group struct {
	// Variable, "NAME=value", is in the environment of the command, and of no other.
	Variable string
	Gone     <-chan struct{} // closed when the command has ended: its number may be another's
	Ended    time.Time       // of the command, before Gone is closed
	pid      int
	started  time.Time
}

// Adopt takes a command that was started.
func (g *Group) Adopt(cmd *exec.Cmd) error {
	g.pid, g.started = cmd.Process.Pid, time.Now()
	return nil
}

func (g *Group) gone() bool {
	select {
	case <-g.Gone:
		return true
	default:
		return false
	}
}

// signal sends sig to all of the group and says how many there were besides the
// command.
func (g *Group) signal(sig syscall.Signal) int {
	gone, all := g.gone(), g.Members()
	if !gone {
		_ = syscall.Kill(-g.pid, sig)
	}
	for _, pid := range all {
		_ = syscall.Kill(pid, sig)
	}
	return len(all)
}

// Ask asks the group to end. It is false where that cannot be done.
func (g *Group) Ask() bool {
	g.signal(syscall.SIGTERM)
	return true
}

// Kill ends the group. Some of it may start others meanwhile.
func (g *Group) Kill() {
	for range 5 {
		if g.signal(syscall.SIGKILL) == 0 {
			return
		}
	}
}

// Close lets go of the group.
func (*Group) Close() {}

// under are those that pid started, directly or not, by the parents of all.
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
