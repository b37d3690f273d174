//go:build !windows && !(linux && (dev || production))

package desktop

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// startupToken does nothing: there are no such tokens here.
func startupToken(string) {}

// placeWindow moves the window to where it was on its screen: both are counted
// from the corner of that.
func placeWindow(ctx context.Context, b Bounds) { runtime.WindowSetPosition(ctx, b.X, b.Y) }
