package mcp_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/mcp"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/backend/tools"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// newToolEnv creates a server with the real tools for the given folder. Its tool copilot_agent calls the function
// delegate.
func newToolEnv(t *testing.T, folder string, delegate func(ctx context.Context, session, prompt string) (backend.Block, error)) *env {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	box := tools.New(tools.Config{
		Folder: func(string) (string, error) { return folder, nil },
		Delegate: func(ctx context.Context, _ tools.Call, session, prompt string) (backend.Block, error) {
			return delegate(ctx, session, prompt)
		},
		Ask: func(_ context.Context, p backend.Permission) (backend.Permission, bool) {
			t.Errorf("the user was asked: %s", p.Title)
			return p, false
		},
		LoginPath: func() string { return os.Getenv("PATH") },
		Log:       log,
	})
	s, err := mcp.New(mcp.Config{
		Version: "test", List: box.List, Run: box.Run, Turn: func(string) string { return "turn" }, Log: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return &env{Server: s}
}

func newWorkFolder(t *testing.T) string {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "a.txt"), []byte("the first line\nthe second line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

func delegateCall(session, prompt string) practice.Step {
	return practice.ToolCall("voxpilot-copilot_agent", map[string]any{"session_name": session, "prompt": prompt})
}

func TestCopilot_ReadsWithOurTools(t *testing.T) {
	t.Parallel()
	folder := newWorkFolder(t)
	c := startCLI(t, newToolEnv(t, folder, nil), folder, apptest.Sequence(
		practice.Reply{
			practice.ToolCall("voxpilot-read_file", map[string]any{"path": "a.txt", "line": 2}),
			practice.ToolCall("voxpilot-glob", map[string]any{"pattern": "*.txt"}),
			practice.ToolCall("voxpilot-read_file", map[string]any{"path": "../secret.txt"}),
		},
		practice.Reply{practice.Text("Read.")},
	))
	if stop := c.prompt("Read it."); stop != "end_turn" {
		t.Errorf("the turn ended with %s", stop)
	}
	shown := c.toolCalls("voxpilot-read_file")
	if len(shown) != 2 || shown[0].Get("kind").String() != "read" || shown[0].Get("rawInput.path").String() != "a.txt" || shown[0].Get("locations.0.path").String() != "a.txt" {
		t.Errorf("the calls are shown as %v", shown)
	}
	if len(c.permissions) != 0 {
		t.Errorf("for reading it asks %v", c.permissions)
	}
	got := strings.Join(c.toolResults(), "\n---\n")
	for _, want := range []string{"     2\tthe second line", "[Lines 2 to 2 of 2.]", "a.txt\n", "is outside the folder"} {
		if !strings.Contains(got, want) {
			t.Errorf("the input of the model lacks %q:\n%s", want, got)
		}
	}
	if err := c.model.Err(); err != nil {
		t.Error(err)
	}
}

func TestCopilot_DelegatesToTwoSessionsInParallel(t *testing.T) {
	t.Parallel()
	folder := newWorkFolder(t)
	var both sync.WaitGroup
	both.Add(2)
	exit := 0
	d := newToolEnv(t, folder, func(_ context.Context, session, prompt string) (backend.Block, error) {
		both.Done()
		both.Wait() // neither ends before both have started
		return backend.Block{
			StopReason: "end_turn", Summary: "Did <" + prompt + ">.",
			Files:    []backend.FileChange{{Path: session + ".go", Added: 3, Removed: 1}},
			Commands: []backend.CommandRun{{Command: "go test ./...", ExitCode: &exit}},
		}, nil
	})
	c := startCLI(t, d, folder, apptest.Sequence(
		practice.Reply{delegateCall("one", "the first"), delegateCall("two", "the second")},
		practice.Reply{practice.Text("Both are done.")},
	))
	if stop := c.prompt("Have it done."); stop != "end_turn" {
		t.Errorf("the turn ended with %s", stop)
	}
	shown := c.toolCalls("voxpilot-copilot_agent")
	if len(shown) != 2 || shown[0].Get("kind").String() != "other" || shown[0].Get("rawInput.session_name").String() != "one" {
		t.Errorf("the calls are shown as %v", shown)
	}
	if len(c.permissions) != 2 || c.permissions[0].Get("title").String() != "copilot_agent" {
		t.Errorf("it asked %v", c.permissions)
	}
	results := c.toolResults()
	for i, want := range []string{
		`{"session_name":"one","stop_reason":"end_turn","message":"Did <the first>.","files":[{"path":"one.go","added":3,"removed":1}],"commands":[{"command":"go test ./...","exit_code":0}]}`,
		`{"session_name":"two","stop_reason":"end_turn","message":"Did <the second>.","files":[{"path":"two.go","added":3,"removed":1}],"commands":[{"command":"go test ./...","exit_code":0}]}`,
	} {
		if i >= len(results) || results[i] != want { // only once, although it is sent both as text and structured
			t.Errorf("the model was told %q, want %q", results, want)
		}
	}
	if err := c.model.Err(); err != nil {
		t.Error(err)
	}
}

func TestCopilot_ContinuesAfterTaskFailure(t *testing.T) {
	t.Parallel()
	folder := newWorkFolder(t)
	d := newToolEnv(t, folder, func(context.Context, string, string) (backend.Block, error) {
		return backend.Block{}, &backend.Error{Code: backend.CodeConnection, Message: backend.Plain("Copilot could not be started.")}
	})
	c := startCLI(t, d, folder, apptest.Sequence(
		practice.Reply{delegateCall("one", "it"), delegateCall("main", "it")},
		practice.Reply{practice.Text("It failed.")},
	))
	if stop := c.prompt("Have it done."); stop != "end_turn" {
		t.Errorf("the turn ended with %s", stop)
	}
	got := strings.Join(c.toolResults(), "\n")
	for _, want := range []string{"Copilot could not be started.", "Choose another name"} {
		if !strings.Contains(got, want) {
			t.Errorf("the input of the model lacks %q:\n%s", want, got)
		}
	}
}

// blockingTask returns a function to pass to newToolEnv, and two channels. When called, the function closes the first
// channel, waits until its context is canceled, and then sends the context's error on the second channel.
func blockingTask() (delegate func(ctx context.Context, session, prompt string) (backend.Block, error), began chan struct{}, ended chan error) {
	began, ended = make(chan struct{}), make(chan error, 1)
	return func(ctx context.Context, _, _ string) (backend.Block, error) {
		close(began)
		<-ctx.Done()
		ended <- ctx.Err()
		return backend.Block{}, ctx.Err()
	}, began, ended
}

func TestCopilot_StopEndsDelegatedTask(t *testing.T) {
	t.Parallel()
	folder := newWorkFolder(t)
	delegate, began, ended := blockingTask()
	c := startCLI(t, newToolEnv(t, folder, delegate), folder, apptest.Sequence(practice.Reply{delegateCall("one", "it")}, practice.Reply{practice.Text("Here again.")}))
	answer := c.startPrompt("Have it done.")
	<-began
	c.cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the task ended with %v", err)
	}
	if stop := (<-answer).Get("result.stopReason").String(); stop != "cancelled" {
		t.Errorf("the turn ended with %s", stop)
	}
	if stop := c.prompt("Go on."); stop != "end_turn" { // the session is still usable
		t.Errorf("the next turn ended with %s", stop)
	}
}

func TestCopilot_CrashEndsDelegatedTask(t *testing.T) {
	t.Parallel()
	folder := newWorkFolder(t)
	delegate, began, ended := blockingTask()
	c := startCLI(t, newToolEnv(t, folder, delegate), folder, apptest.Sequence(practice.Reply{delegateCall("one", "it")}))
	answer := c.startPrompt("Have it done.")
	<-began
	if err := c.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the task ended with %v", err)
	}
	if a, ok := <-answer; ok {
		t.Errorf("a dead process answered %s", a)
	}
}

// TestChaosLongTask_CopilotWaits checks that the result of a delegated task reaches the model even if the task takes
// longer than 180 s, after which Copilot gives up on a call without progress.
func TestChaosLongTask_CopilotWaits(t *testing.T) {
	chaos.Slow(t, "200 s")
	result := chaos.Row(t, "A task delegated by Copilot takes 200 s; it gives up on a silent tool after 180 s", 1)
	t.Parallel()
	folder := newWorkFolder(t)
	d := newToolEnv(t, folder, func(ctx context.Context, _, _ string) (backend.Block, error) {
		select {
		case <-time.After(200 * time.Second):
			return backend.Block{StopReason: "end_turn", Summary: "At last."}, nil
		case <-ctx.Done():
			return backend.Block{}, ctx.Err()
		}
	})
	c := startCLI(t, d, folder, apptest.Sequence(practice.Reply{delegateCall("one", "it")}, practice.Reply{practice.Text("Done.")}))
	if stop := c.prompt("Have it done."); stop != "end_turn" {
		t.Errorf("the turn ended with %s", stop)
	}
	if got := strings.Join(c.toolResults(), "\n"); !strings.Contains(got, "At last.") {
		t.Errorf("the model was told %q", got)
	}
	result("the result reaches the model")
}
