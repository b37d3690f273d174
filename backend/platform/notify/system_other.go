//go:build !linux && !windows && !(darwin && cgo)

package notify

import (
	"log/slog"

	"github.com/voxpilot/voxpilot/backend"
)

func open(h hears, _ *slog.Logger) system {
	h.able(backend.Say("This build doesn't support notifications."), false)
	return nobody{}
}
