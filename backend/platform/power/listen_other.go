//go:build unix && !linux

package power

import (
	"context"
	"log/slog"
)

// listen reports nothing: on this system, events are detected only by the check that runs every minute.
func listen(ctx context.Context, _ func(eventKind), _ *slog.Logger) { <-ctx.Done() }
