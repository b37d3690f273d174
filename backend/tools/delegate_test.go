package tools_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/tools"
)

func TestDelegate_ReturnsResult(t *testing.T) {
	w := newEnv(t)
	zero, one := 0, 1
	w.delegate = func(context.Context) (backend.Block, error) {
		return backend.Block{
			StopReason: "end_turn", Summary: "The bug is gone.",
			Files:    []backend.FileChange{{Path: "auth.go", Added: 12, Removed: 3}, {Path: "auth_test.go", Added: 40}},
			Commands: []backend.CommandRun{{Command: "go vet ./...", ExitCode: &one}, {Command: "go test ./...", ExitCode: &zero}, {Command: "sleep 100"}},
		}, nil
	}
	res := w.call("copilot_agent", `{"session_name":" auth-bug-fix ","prompt":"Fix the bug."}`)
	if want := `session auth-bug-fix: end_turn
changed auth.go +12 −3
changed auth_test.go +40 −0
ran go vet ./... → exit code 1
ran go test ./... → exit code 0
ran sleep 100
last message:
The bug is gone.
`; res.Text != want || res.IsError || res.Summary.String() != "2 files changed" || res.Kind != backend.ToolOther {
		t.Errorf("%+v", res)
	}
	if want := `{"session_name":"auth-bug-fix","stop_reason":"end_turn","message":"The bug is gone.",` +
		`"files":[{"path":"auth.go","added":12,"removed":3},{"path":"auth_test.go","added":40,"removed":0}],` +
		`"commands":[{"command":"go vet ./...","exit_code":1},{"command":"go test ./...","exit_code":0},{"command":"sleep 100"}]}`; string(res.Structured) != want {
		t.Errorf("for programs: %s", res.Structured)
	}
	if len(w.delegated) != 1 || w.delegated[0] != "call auth-bug-fix: Fix the bug." {
		t.Errorf("what was given: %q", w.delegated)
	}
}

func TestDelegate_ReturnsTaskError(t *testing.T) {
	w := newEnv(t)
	w.delegate = func(context.Context) (backend.Block, error) {
		return backend.Block{StopReason: "", Error: &backend.Error{Code: backend.CodeModel, Message: backend.Plain("The model failed.")}, Files: []backend.FileChange{{Path: "a", Added: 1}}}, nil
	}
	res := w.call("copilot_agent", `{"session_name":"x","prompt":"y"}`)
	contains(t, res.Text, "error: The model failed.", "changed a +1 −0")
	contains(t, string(res.Structured), `"error":"The model failed."`)
	if !res.IsError {
		t.Error("it counts as done")
	}
	w.delegate = func(context.Context) (backend.Block, error) {
		return backend.Block{}, &backend.Error{Code: backend.CodeConnection, Message: backend.Plain("Copilot could not be started.")}
	}
	if res := w.call("copilot_agent", `{"session_name":"x","prompt":"y"}`); !res.IsError || res.Text != "Copilot could not be started." {
		t.Errorf("%+v", res)
	}
}

func TestDelegate_ChecksSessionNames(t *testing.T) {
	w := newEnv(t)
	w.delegate = func(context.Context) (backend.Block, error) { return backend.Block{StopReason: "end_turn"}, nil }
	for name, ok := range map[string]bool{
		"auth-bug-fix": true, "a": true, "Größe 2.0_x": true, "जाँच": true, "e\u0301tude": true, strings.Repeat("é", 40): true,
		"": false, "  ": false, "main": false, "Main": false, " MAIN ": false, strings.Repeat("x", 41): false,
		"a/b": false, "a\nb": false, "a\tb": false, "..\\x": false, "<b>": false, "a:b": false, "🤖": false, "a\u200bb": false,
	} {
		arguments, err := json.Marshal(map[string]string{"session_name": name, "prompt": "x"})
		noErr(t, err)
		if res := w.call("copilot_agent", string(arguments)); res.IsError == ok {
			t.Errorf("%q: %+v", name, res)
		}
	}
	long, err := json.Marshal(map[string]string{"session_name": "x", "prompt": strings.Repeat("x", backend.MaxPromptBytes+1)})
	noErr(t, err)
	contains(t, w.callError("copilot_agent", string(long)), "at most 1,000,000 bytes")
}

func TestDelegate_StoppedTaskReported(t *testing.T) {
	w := newEnv(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.delegate = func(ctx context.Context) (backend.Block, error) {
		cancel()
		<-ctx.Done()
		return backend.Block{}, ctx.Err()
	}
	res := w.registry.Run(ctx, tools.Call{ChatID: "chat", Name: tools.Delegation, Arguments: json.RawMessage(`{"session_name":"x","prompt":"y"}`)})
	if !res.IsError || res.Text != "The call was stopped before it finished." {
		t.Errorf("%+v", res)
	}
}

func TestTool_PanicDoesNotCrashApp(t *testing.T) {
	w := newEnv(t)
	w.delegate = func(context.Context) (backend.Block, error) { panic("oh") }
	if got := w.callError("copilot_agent", `{"session_name":"x","prompt":"y"}`); strings.Contains(got, "oh") {
		t.Error(got)
	}
}

func TestDelegate_RefusedCallReported(t *testing.T) {
	w := newEnv(t)
	w.delegate = func(context.Context) (backend.Block, error) {
		return backend.Block{}, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot is closing, so the task wasn't started.")}
	}
	w.call(tools.Delegation, `{"session_name":"tests","prompt":"x"}`)
	w.call(tools.Delegation, `{"session_name":"main","prompt":"x"}`)
	w.call(tools.Delegation, `{"session_name":"tests"`)
	if len(w.refused) != 3 {
		t.Fatalf("refused are %q, want 3", w.refused)
	}
	if want := "turn tests: VoxPilot is closing, so the task wasn't started."; w.refused[0] != want {
		t.Errorf("got %q, want %q", w.refused[0], want)
	}
	if !strings.HasPrefix(w.refused[1], `turn main: The session "main"`) || !strings.HasPrefix(w.refused[2], "turn : ") {
		t.Errorf("got %q", w.refused[1:])
	}
	w.delegate = func(context.Context) (backend.Block, error) { return backend.Block{}, nil }
	w.call(tools.Delegation, `{"session_name":"tests","prompt":"x"}`)
	if len(w.refused) != 3 {
		t.Errorf("work that was begun was refused: %q", w.refused)
	}
}
