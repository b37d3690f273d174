//go:build !windows && !(linux && (dev || production))

package desktop

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// startupToken does nothing: the system has no such tokens.
func startupToken(string) {}

// placeWindow moves the window to its previous position, which is relative to its
// screen in both calls.
func placeWindow(ctx context.Context, b Bounds) { runtime.WindowSetPosition(ctx, b.X, b.Y) }
