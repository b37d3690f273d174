package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/bench/recorded"
)

// beginUndo measures the time to record a large repository before a turn, compared with `git status`.
func beginUndo(ctx context.Context, after *ends) (ours, bare side, err error) {
	r, err := recorded.Begin(ctx, after.folder)
	if err != nil {
		return nil, nil, err
	}
	return r.Changed(r.Record), r.Changed(r.Status), nil
}

// recordedCalls is the number of commands in the turn that undo.tool measures.
const recordedCalls = 100

// recordedTimes holds the durations in milliseconds of each call of undo.tool, by its number in the turn: recordings and
// runs of git status.
var recordedTimes [2][recordedCalls][]float64

// slowestRecorded returns the median of the command whose recordings took longest, and the median of git status, both
// over all rounds: the limit of undo.tool holds for each command, not only for their mean.
func slowestRecorded(context.Context) (map[string]float64, error) {
	var slowest float64
	var status []float64
	for n := range recordedCalls {
		slowest = max(slowest, median(recordedTimes[0][n]))
		status = append(status, recordedTimes[1][n]...)
	}
	return map[string]float64{"slowest of the commands": slowest, "git status": median(status)}, nil
}

// beginUndoTool measures the time that the guard takes to record a large repository before each of 100
// commands in a turn of the real Copilot CLI, per command. Each command changes files there. The baseline is git
// status in the same place.
func beginUndoTool(ctx context.Context, after *ends) (ours, bare side, err error) {
	r, err := recorded.Begin(ctx, after.folder)
	if err != nil {
		return nil, nil, err
	}
	round := 0 // makes the files' contents unique
	launch, err := callingCopilot(after, recordedCalls, func(n int) practice.Step {
		command := r.ChangeCommand(round*recordedCalls + n)
		return practice.ToolCall("bash", map[string]any{"command": command, "description": "Change files"})
	})
	if err != nil {
		return nil, nil, err
	}
	during := func(times *[recordedCalls][]float64, work side) side {
		return func(ctx context.Context) (float64, error) {
			var total float64 // in milliseconds
			var failed error
			calls := 0
			round++
			var file string
			_, err := guardedWith(ctx, launch, recordedCalls, &file, func(ctx context.Context, call guard.Call) {
				took, err := work(ctx)
				if calls < recordedCalls {
					times[calls] = append(times[calls], took)
				}
				total, failed, calls = total+took, errors.Join(failed, err), calls+1
				if call.Tool != "bash" {
					failed = errors.Join(failed, fmt.Errorf("the call is %s, want a command", call.Tool))
				}
			})
			if err == nil && failed == nil && calls < recordedCalls {
				err = fmt.Errorf("the guard was asked %d times, want %d", calls, recordedCalls)
			}
			return total / float64(max(calls, 1)), errors.Join(err, failed)
		}
	}
	recordedTimes = [2][recordedCalls][]float64{}
	return during(&recordedTimes[0], r.Record), during(&recordedTimes[1], r.Status), nil
}
