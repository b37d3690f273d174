//go:build !windows && !((linux || darwin) && cgo && (desktop || dev))

package quick

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// round says that the window can have round corners.
func round() bool { return false }

// present brings the window of the quick prompt to the front.
func present(ctx context.Context) { runtime.WindowShow(ctx) }
