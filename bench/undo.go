package main

import (
	"context"

	"github.com/voxpilot/voxpilot/bench/recorded"
)

// beginUndo measures the time to record a large repository before a turn, compared with `git status`.
func beginUndo(ctx context.Context, after *ends) (ours, bare side, err error) {
	dir, err := after.folder()
	if err != nil {
		return nil, nil, err
	}
	data, err := after.folder()
	if err != nil {
		return nil, nil, err
	}
	if _, err := fillRepository(ctx, dir); err != nil {
		return nil, nil, err
	}
	record, status, err := recorded.Begin(ctx, dir, data)
	return side(record), side(status), err
}
