//go:build !windows && !(linux && (dev || production))

package desktop

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// startupToken does nothing: the system has no such tokens.
func startupToken(string) {}

// placeWindow moves the window to its previous position. Wails both returns and sets
// positions relative to the window's screen, so no conversion is needed.
func placeWindow(ctx context.Context, b Bounds) { runtime.WindowSetPosition(ctx, b.X, b.Y) }
