//go:build unix && !linux

package power

import (
	"context"
	"log/slog"
)

// listen reports nothing and returns when ctx ends. On this system, only sleep and network changes are detected, by the
// check that watcher makes every minute.
func listen(ctx context.Context, _ func(eventKind), _ *slog.Logger) { <-ctx.Done() }
