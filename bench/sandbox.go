package main

import (
	"context"

	"github.com/voxpilot/voxpilot/bench/boxed"
)

// beginSandbox measures the time per command in the sandbox.
func beginSandbox(ctx context.Context, after *ends) (ours, bare side, err error) {
	dir, err := after.folder()
	if err != nil {
		return nil, nil, err
	}
	boxedOurs, boxedBare, end, err := boxed.Begin(ctx, dir)
	if err == nil {
		after.later(func() error { end(); return nil })
	}
	return side(boxedOurs), side(boxedBare), err
}
