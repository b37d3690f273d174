package process

import (
	"os/exec"
	"time"
)

// Group is the job object of a command and all its descendants.
type Group struct {
	Variable string
	Exited   <-chan struct{}
	Ended    time.Time
	job      job
}

// Adopt assigns the suspended command to a job and resumes the command.
func (g *Group) Adopt(cmd *exec.Cmd) error { return g.job.adopt(cmd) }

// Ask returns false: a process without a console can't be asked to exit.
func (*Group) Ask() bool { return false }

// Members returns nil: on Windows, VoxPilot doesn't list the members of a group.
func (*Group) Members() []int { return nil }

// Kill kills the group.
func (g *Group) Kill() { g.job.terminate() }

// Close releases the group and kills its processes.
func (g *Group) Close() { g.job.close() }
