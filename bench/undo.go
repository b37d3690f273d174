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
	during := func(work side) side {
		return func(ctx context.Context) (float64, error) {
			var total float64 // in milliseconds
			var failed error
			calls := 0
			round++
			var file string
			_, err := guardedWith(ctx, launch, recordedCalls, &file, func(ctx context.Context, call guard.Call) {
				took, err := work(ctx)
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
	return during(r.Record), during(r.Status), nil
}
