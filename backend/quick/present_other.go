//go:build !windows && !((linux || darwin) && cgo && (desktop || dev))

package quick

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// hasRoundCorners reports whether the window can have rounded corners.
func hasRoundCorners() bool { return false }

// presentWindow brings the window to the front.
func presentWindow(ctx context.Context) { runtime.WindowShow(ctx) }
