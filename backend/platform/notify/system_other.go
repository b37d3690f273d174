//go:build !linux && !windows && !(darwin && cgo)

package notify

import (
	"log/slog"

	"github.com/voxpilot/voxpilot/backend"
)

func open(h callbacks, _ *slog.Logger) system {
	h.available(backend.Say("This build doesn't support notifications."), false)
	return noop{}
}
