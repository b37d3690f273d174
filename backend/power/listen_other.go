//go:build unix && !linux && !darwin

package power

import (
	"context"
	"log/slog"
)

// listen tells of nothing: the clocks do.
func listen(ctx context.Context, _ func(what), _ *slog.Logger) { <-ctx.Done() }
