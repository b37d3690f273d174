//go:build !linux && !windows && !(darwin && cgo)

package notify

import "log/slog"

func open(h hears, _ *slog.Logger) system {
	h.able("This build of VoxPilot shows no notifications.", false)
	return nobody{}
}
