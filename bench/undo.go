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

// firstRecordings measures the time to record a large repository before the first turn of a new chat.
func firstRecordings(ctx context.Context) (took map[string]float64, err error) {
	var after ends
	defer func() { err = errors.Join(err, after.end()) }()
	return recorded.First(ctx, after.folder)
}

// recordedCalls is the number of commands in the turn that undo.tool measures.
const recordedCalls = 100

var recordedTurn recorded.Turn

// beginUndoTool measures how long the guard takes, per command, to record a large repository. The real Copilot CLI runs
// 100 commands in a turn, each of which changes files in that repository. The baseline is the time that git status
// takes there.
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
	during := func(work side, add func([]float64) (float64, error)) side {
		return func(ctx context.Context) (float64, error) {
			var times []float64
			var failed error
			round++
			var file string
			_, err := guardedWith(ctx, launch, recordedCalls, &file, func(ctx context.Context, call guard.Call) {
				took, err := work(ctx)
				times, failed = append(times, took), errors.Join(failed, err)
				if call.Tool != "bash" {
					failed = errors.Join(failed, fmt.Errorf("the call is %s, want a command", call.Tool))
				}
			})
			if err = errors.Join(err, failed); err != nil {
				return 0, err
			}
			return add(times)
		}
	}
	recordedTurn.Reset(recordedCalls)
	return during(r.Record, recordedTurn.Record), during(r.Status, recordedTurn.Status), nil
}
