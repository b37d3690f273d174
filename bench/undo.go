package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/voxpilot/voxpilot/backend/practice"
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
	if _, err := recorded.FillRepository(ctx, dir); err != nil {
		return nil, nil, err
	}
	record, status, err := recorded.Begin(ctx, dir, data)
	return side(record), side(status), err
}

// recordedCalls is the number of tool calls in the turn that undo.tool measures.
const recordedCalls = 100

// beginUndoTool measures the time that the guard takes to record a large repository before each of 100 tool
// calls in a turn of the real Copilot CLI, per call. The baseline is git status in the same place.
func beginUndoTool(ctx context.Context, after *ends) (ours, bare side, err error) {
	var file string // that the calls read, in the chat's folder
	launch, err := realCopilot(after, func(req practice.Request) practice.Reply {
		calls := 0
		for _, m := range req.Messages {
			switch m.Role {
			case "user":
				calls = 0
			case "tool":
				calls++
			}
		}
		if req.User() != "measure" || calls == recordedCalls {
			return practice.Reply{practice.Text("Done.")}
		}
		return practice.Reply{practice.ToolCall("view", map[string]any{"path": file})}
	})
	if err == nil && launch.Path == "" {
		err = errors.New("VOXPILOT_TEST_COPILOT isn't set")
	}
	if err != nil {
		return nil, nil, err
	}
	record, status, err := beginUndo(ctx, after)
	if err != nil {
		return nil, nil, err
	}
	during := func(work side) side {
		return func(ctx context.Context) (float64, error) {
			var total float64 // in milliseconds
			var failed error
			calls := 0
			_, err := guardedWith(ctx, launch, recordedCalls, &file, func(ctx context.Context) {
				took, err := work(ctx)
				total, failed, calls = total+took, errors.Join(failed, err), calls+1
			})
			if err == nil && failed == nil && calls < recordedCalls {
				err = fmt.Errorf("the guard was asked %d times, want %d", calls, recordedCalls)
			}
			return total / float64(max(calls, 1)), errors.Join(err, failed)
		}
	}
	return during(record), during(status), nil
}
