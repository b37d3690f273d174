package main

import (
	"context"

	"github.com/voxpilot/voxpilot/bench/sessions"
)

// beginSessions measures the time until the list of 1,000 sessions is complete, without a cache. The baseline is a
// program that reads the first 4 KB of each log.
func beginSessions(_ context.Context, after *ends) (ours, bare side, err error) {
	home, err := after.folder()
	if err != nil {
		return nil, nil, err
	}
	say("  writing %d sessions", sessions.Count)
	return func(ctx context.Context) (float64, error) { return sessions.List(ctx, home) },
		func(context.Context) (float64, error) { return sessions.ReadHeads(home) }, sessions.Write(home)
}
