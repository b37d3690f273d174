//go:build !windows && !((linux || darwin) && cgo && (desktop || dev))

package main

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// quickRound says that the window can have round corners.
func quickRound() bool { return false }

// presentQuick brings the window of the quick prompt to the front.
func presentQuick(ctx context.Context) { runtime.WindowShow(ctx) }
