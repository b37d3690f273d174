package main

import (
	"context"

	"github.com/voxpilot/voxpilot/bench/recorded"
)

// beginInventory measures the time to list everything that can run code in a large repository, for all
// agents, compared with `git ls-files`.
func beginInventory(ctx context.Context, after *ends) (ours, bare side, err error) {
	dir, err := after.folder()
	if err != nil {
		return nil, nil, err
	}
	measureOurs, measureBare, err := recorded.BeginInventory(ctx, dir)
	return side(measureOurs), side(measureBare), err
}
