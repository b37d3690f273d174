//go:build unix && !linux

package power

import (
	"context"
	"log/slog"
)

// listen reports nothing: only the check every minute detects events.
func listen(ctx context.Context, _ func(eventKind), _ *slog.Logger) { <-ctx.Done() }
