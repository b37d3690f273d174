//go:build unix

package sessionuse

import (
	"errors"
	"os"
	"strings"
	"syscall"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/internal/process"
)

// askToClose sends SIGTERM to the program that has the session open. It returns an error if it isn't certain that the
// process is that program.
func askToClose(s backend.Session, holder backend.SessionHolder) error {
	p, err := os.FindProcess(holder.PID) // from here on, p can't become another process with the same PID
	if err != nil {
		return err
	}
	defer func() { _ = p.Release() }()
	now, ok := process.Look(holder.PID)
	hasOpen, _ := sessionfiles.HasOpen(sessionfiles.HomeOf(s), s.ACPID, holder.PID)
	switch {
	case !ok || now.Started.UnixMilli() != int64(holder.StartedAt):
		return errors.New("the process has ended")
	case now.User != os.Getuid():
		return errors.New("the process belongs to another user")
	case !hasOpen && !strings.Contains(strings.ToLower(now.Program), "copilot"):
		return errors.New("the process may be another program with the same PID")
	}
	return p.Signal(syscall.SIGTERM)
}
