//go:build darwin && !cgo

package power

import "context"

// listenToWorkspace hears nothing: the workspace speaks Objective-C only. The
// clocks tell of a sleep.
func listenToWorkspace(ctx context.Context, _ func(what)) { <-ctx.Done() }
