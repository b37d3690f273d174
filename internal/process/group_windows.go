package process

import (
	"os/exec"
	"time"
)

// Group is the job that a command and all it starts belong to.
type Group struct {
	Variable string
	Gone     <-chan struct{}
	Ended    time.Time
	job      job
}

// Adopt puts the suspended command into a job and lets it run.
func (g *Group) Adopt(cmd *exec.Cmd) error { return g.job.adopt(cmd) }

// Ask does nothing: a process without a console cannot be asked to end.
func (*Group) Ask() bool { return false }

// Members are not known.
func (*Group) Members() []int { return nil }

// Kill ends the group.
func (g *Group) Kill() { g.job.terminate() }

// Close lets go of the group; what is in it ends.
func (g *Group) Close() { g.job.close() }
