package main

import (
	"context"

	"github.com/voxpilot/voxpilot/bench/sandbox"
)

// beginSandbox measures the time per command in the sandbox. The baseline is the time per command in bubblewrap without
// VoxPilot.
func beginSandbox(ctx context.Context, after *ends) (ours, bare side, err error) {
	dir, err := after.folder()
	if err != nil {
		return nil, nil, err
	}
	measureOurs, measureBare, end, err := sandbox.Begin(ctx, dir)
	if err == nil {
		after.later(func() error { end(); return nil })
	}
	return side(measureOurs), side(measureBare), err
}
