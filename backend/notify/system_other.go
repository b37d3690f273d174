//go:build !linux

package notify

import (
	"errors"
	"log/slog"
)

// nobody shows nothing.
type nobody struct{}

func (nobody) show(Notice) error { return errors.New("this build shows no notifications") }
func (nobody) withdraw(string)   {}
func (nobody) close()            {}

func open(h hears, _ *slog.Logger) system {
	h.able("This build of VoxPilot shows no notifications.", false)
	return nobody{}
}
