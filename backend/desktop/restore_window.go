//go:build !(linux && (dev || production))

package desktop

import (
	"context"
	"slices"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// restoreWindow moves the window to its saved position (see placeWindow). If the window is larger than the screen,
// restoreWindow limits it to the screen's size and centers it.
func restoreWindow(ctx context.Context, kept savedPlacement) {
	if kept.Placed {
		placeWindow(ctx, kept.Bounds)
	}
	screens, err := runtime.ScreenGetAll(ctx)
	if err != nil || len(screens) == 0 {
		return
	}
	// A window that isn't drawn yet is on no screen.
	i := max(0, slices.IndexFunc(screens, func(s runtime.Screen) bool { return s.IsCurrent }))
	if size := screens[i].Size; kept.Width > size.Width || kept.Height > size.Height {
		runtime.WindowSetSize(ctx, min(kept.Width, size.Width), min(kept.Height, size.Height))
		runtime.WindowCenter(ctx)
	}
}
