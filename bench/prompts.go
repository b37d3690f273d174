package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// updatesOfFlood is long enough that what happens once in a turn, and the file
// system's own rhythm, weigh little.
const updatesOfFlood = 60_000

// beginIngest measures how many updates a second get from the agent's stdout
// into a committed row and an emitted batch. The agent writes as fast as it is
// read, so it is the reader that is measured. The time ends when the end of the
// turn is committed and emitted, which is after all else is; pieces of text may
// have been joined on the way, and every byte of them is looked for afterwards.
//
// The baseline reads the same bytes from the same kind of process line by line
// and decodes each into the SDK's SessionNotification, and does nothing with it.
func beginIngest(context.Context, *ends) (ours, bare side, err error) {
	ours, bare = promptSides(flood, updatesOfFlood, func(took time.Duration) float64 {
		return updatesOfFlood / took.Seconds()
	})
	return ours, bare, nil
}

// chunksOfAnswer is the length of the answer that prompt.overhead waits for.
const chunksOfAnswer = 500

// beginOverhead measures the wall time of a prompt from the moment the user
// sends it to the moment its end is committed and emitted. The agent sends a
// piece of text each millisecond, which is five to twenty times as fast as
// models stream; were it as fast as the pipe, the answer would last five
// milliseconds and the two commits to disk around it would be all there is to
// see, and were it as slow as a model, nothing would.
//
// The baseline sends the same prompt to the same kind of process and reads to
// its end.
func beginOverhead(context.Context, *ends) (ours, bare side, err error) {
	ours, bare = promptSides(paced, chunksOfAnswer, func(took time.Duration) float64 {
		return float64(took.Microseconds()) / 1000
	})
	return ours, bare, nil
}

// promptSides are the two sides of a bench about a prompt that is answered by
// script. Each run starts a process, and an app, of its own and prompts it once
// before it measures.
func promptSides(script string, updates int, measured func(time.Duration) float64) (ours, bare side) {
	const prompt = "measure"
	script += strconv.Itoa(updates)
	ours = func(ctx context.Context) (n float64, err error) {
		expected, err := scriptNamed(script)
		if err != nil {
			return 0, err
		}
		w, err := startWhole(ctx, script)
		if err != nil {
			return 0, err
		}
		took, err := w.prompt(ctx, prompt)
		if err == nil {
			err = w.holds(ctx, expected, prompt)
		}
		return measured(took), errors.Join(err, w.close())
	}
	bare = func(ctx context.Context) (n float64, err error) {
		expected, err := scriptNamed(script)
		if err != nil {
			return 0, err
		}
		d, err := startDriver(ctx, script)
		if err != nil {
			return 0, err
		}
		started := time.Now()
		s, err := d.prompt(prompt)
		took := time.Since(started)
		if err == nil && (s.updates != updates || s.text != int64(len(expected.said))) {
			err = fmt.Errorf("the driver read %+v, not %d updates with %d bytes of text", s, updates, len(expected.said))
		}
		return measured(took), errors.Join(err, d.close())
	}
	return ours, bare
}
