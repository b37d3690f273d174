package terminal

import (
	"os/exec"
	"time"

	"github.com/voxpilot/voxpilot/internal/winjob"
)

// tree is the job that the command and all it starts belong to.
type tree struct {
	mark  string
	ended time.Time
	job   winjob.Job
}

func (*tree) lockThread() (unlock func()) { return func() {} }

// adopt puts the suspended command into a job and lets it run.
func (t *tree) adopt(cmd *exec.Cmd) error { return t.job.Adopt(cmd) }

// ask does nothing: a process without a console cannot be asked to end.
func (*tree) ask(bool) bool { return false }

func (*tree) members(bool) []int { return nil }

func (t *tree) kill(<-chan struct{}) { t.job.Terminate() }

func (t *tree) close() { t.job.Close() }
