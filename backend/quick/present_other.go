//go:build !windows && !((linux || darwin) && cgo && (desktop || dev))

package quick

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// hasRoundCorners says that the window can have round corners.
func hasRoundCorners() bool { return false }

// presentWindow brings the window of the quick prompt to the front.
func presentWindow(ctx context.Context) { runtime.WindowShow(ctx) }
