//go:build !linux && !windows && !(darwin && cgo)

package notify

import (
	"log/slog"

	"github.com/voxpilot/voxpilot/backend"
)

func open(h hears, _ *slog.Logger) system {
	h.able(backend.Say("This build of VoxPilot shows no notifications."), false)
	return nobody{}
}
