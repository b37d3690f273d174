package main

import (
	"context"
	"errors"
	"strconv"

	"github.com/voxpilot/voxpilot/backend"
)

// replayedOnce is how many updates the shorter replay has.
const replayedOnce = 100_000

// beginGrowth measures how long it takes to load a session whose replay has
// 200,000 updates, from the request to where the connection is ready. The
// baseline is the same with half of them: what is more than twice as long was
// done again for what had been done before.
func beginGrowth(context.Context, *ends) (twice, once side, err error) {
	return loadReplay(2 * replayedOnce), loadReplay(replayedOnce), nil
}

// loadReplay measures the load of a session whose replay has so many updates,
// in milliseconds.
func loadReplay(updates int) side {
	return func(ctx context.Context) (float64, error) {
		launch, err := speaking(replays + strconv.Itoa(updates))
		if err != nil {
			return 0, err
		}
		w, err := openWhole(ctx, launch, map[string]string{backend.SessionMain: sessionID})
		if err != nil {
			return 0, err
		}
		_, err = w.prompt(ctx, greeting) // it loads the session first
		took := w.times.between(backend.Restoring, backend.Ready)
		return float64(took.Microseconds()) / 1000, errors.Join(err, w.close())
	}
}
