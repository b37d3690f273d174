package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/backend/guard/program"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// guardedCalls is the number of tool calls in the turn that guard.call measures.
const guardedCalls = 200

// beginGuard measures the time per tool call of the real Copilot CLI, with the guard, in a turn of 200 calls that each
// create a small file. The CLI doesn't ask for permissions (allow_all), so the guard decides on each call and stores
// the decision. The baseline is the same turn without the guard but with a plugin whose hooks do nothing.
func beginGuard(_ context.Context, after *ends) (ours, bare side, err error) {
	var file string // in the chat's folder
	launch, err := callingCopilot(after, guardedCalls, func(n int) practice.Step {
		return practice.ToolCall("create", map[string]any{"path": fmt.Sprint(file, ".", n), "file_text": "A small file.\n"})
	})
	if err != nil {
		return nil, nil, err
	}
	empty, err := emptyPlugin(after)
	if err != nil {
		return nil, nil, err
	}
	ours = func(ctx context.Context) (float64, error) {
		return guardedWith(ctx, launch, guardedCalls, &file, nil)
	}
	bare = func(ctx context.Context) (float64, error) {
		w, err := openWhole(ctx, withPlugin(launch, empty), nil)
		if err != nil {
			return 0, err
		}
		file = filepath.Join(w.dir, "small.txt")
		return guardedTurn(ctx, w, file, guardedCalls)
	}
	return ours, bare, nil
}

// callingCopilot is like realCopilot, with a model that answers the message "measure" with the given number of tool
// calls, one after the other. The nth of these calls, counted from 0, is the result of call(n). callingCopilot returns
// an error if VOXPILOT_TEST_COPILOT isn't set.
func callingCopilot(after *ends, calls int, call func(n int) practice.Step) (agent.Launch, error) {
	launch, err := realCopilot(after, func(req practice.Request) practice.Reply {
		done := 0
		for _, m := range req.Messages {
			switch m.Role {
			case "user":
				done = 0
			case "tool":
				done++
			}
		}
		if req.User() != "measure" || done == calls {
			return practice.Reply{practice.Text("Done.")}
		}
		return practice.Reply{call(done)}
	})
	if err == nil && launch.Path == "" {
		err = errors.New("VOXPILOT_TEST_COPILOT isn't set")
	}
	return launch, err
}

// guardedWith runs a turn with the guard and the given number of tool calls, and returns the time per call in
// milliseconds. It sets *file to the path of a small file in the chat's folder. If before isn't nil, it is called
// each time before the guard decides on a tool call.
func guardedWith(ctx context.Context, launch agent.Launch, calls int, file *string, before func(context.Context, guard.Call)) (float64, error) {
	var reader *agent.Agent
	dir, err := os.MkdirTemp("", "voxpilot-bench-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	server, err := guard.New(guard.Config{Dir: dir, Program: func() (string, error) { return program.Write(dir) }, Log: stderrLog(), Decide: func(ctx context.Context, _ string, call guard.Call) guard.Answer {
		if call.Event == guard.ToolCall && before != nil {
			before(ctx, call)
		}
		return reader.Guard(ctx, call)
	}})
	if err != nil {
		return 0, err
	}
	defer server.Close()
	plugin, err := server.Plugin("chat")
	if err != nil {
		return 0, err
	}
	l := withPlugin(launch, plugin)
	l.Guarded = true
	w, err := openWhole(ctx, l, nil)
	if err != nil {
		return 0, err
	}
	reader, *file = w.agent, filepath.Join(w.dir, "small.txt")
	return guardedTurn(ctx, w, *file, calls)
}

// guardedTurn writes a small file and runs a turn with the given number of tool calls in the app w. In this turn, the
// CLI doesn't ask for permissions. guardedTurn then closes the app and returns the time per call in milliseconds.
func guardedTurn(ctx context.Context, w *whole, file string, calls int) (float64, error) {
	err := os.WriteFile(file, []byte("A small file.\n"), 0o600)
	if err == nil {
		_, err = w.prompt(ctx, greeting)
	}
	if err == nil {
		err = w.agent.SetOption(ctx, backend.SessionMain, "allow_all", "on")
	}
	if err != nil {
		return 0, errors.Join(err, w.close())
	}
	took, err := w.prompt(ctx, "measure")
	if counted, bad := w.window.events(); err == nil && (bad != nil || counted.tools != calls) {
		err = fmt.Errorf("%d of %d tool calls were completed: %w", counted.tools, calls, bad)
	}
	return float64(took.Microseconds()) / 1000 / float64(calls), errors.Join(err, w.close())
}

// withPlugin returns the launch configuration with the option that loads the plugin in the given folder.
func withPlugin(l agent.Launch, folder string) agent.Launch {
	l.Args = append(append([]string(nil), l.Args...), "--plugin-dir", folder)
	return l
}

// emptyPlugin writes a plugin whose hooks do nothing. They handle the same events as the guard's hooks.
func emptyPlugin(after *ends) (folder string, err error) {
	if folder, err = after.folder(); err != nil {
		return "", err
	}
	nothing := []any{map[string]any{"type": "command", "bash": ":", "timeoutSec": 60}}
	for name, content := range map[string]any{
		"plugin.json": map[string]any{"name": "empty", "version": "1.0.0", "description": "Does nothing.", "hooks": "hooks.json"},
		"hooks.json":  map[string]any{"version": 1, "hooks": map[guard.Event]any{guard.SessionStart: nothing, guard.ToolCall: nothing}},
	} {
		data, err := json.Marshal(content)
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			return "", err
		}
	}
	return folder, nil
}
