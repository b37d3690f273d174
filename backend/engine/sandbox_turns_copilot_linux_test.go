package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// TestSandbox_HoldsOnScheduleAndAutopilot checks that commands also run in the sandbox in scheduled turns, and in a
// mode in which the CLI doesn't ask for permission.
func TestSandbox_HoldsOnScheduleAndAutopilot(t *testing.T) {
	w := newSandboxed(t, backend.ModeAcceptEdits)
	outside := folderInHome(t)
	write := func(name string) []practice.Step {
		return []practice.Step{bash("echo in > " + name + "; echo out > " + outside + "/" + name)}
	}
	w.calls["[Scheduled prompt #1]\ngo"], w.calls["on"] = write("scheduled"), write("autopilot")
	w.Send(w.chat, "hello")
	w.waitForEndedTurns(w.chat, 1)
	w.Send(w.chat, "/after 10s go")
	waitFor(t, "the scheduled turn to run its command", func() bool { return exists(t, filepath.Join(w.folder, "scheduled")) })
	noErr(t, w.App.SetMode(w.chat.ID, backend.SessionMain, w.autopilot()))
	w.Send(w.chat, "on")
	waitFor(t, "the command to run on autopilot", func() bool { return exists(t, filepath.Join(w.folder, "autopilot")) })
	waitFor(t, "the model to get the results", func() bool {
		return len(w.results()) > 0 && strings.Contains(strings.Join(w.results(), ""), "Read-only")
	})
	for _, name := range []string{"scheduled", "autopilot"} {
		if exists(t, filepath.Join(outside, name)) {
			t.Errorf("%s is written outside", name)
		}
	}
	boxed := 0
	for _, row := range w.rows() {
		if row.Tool.Sandboxed {
			boxed++
		}
	}
	if boxed != 2 {
		t.Errorf("%d rows say that the command ran in the sandbox, want 2", boxed)
	}
	w.noWrapping(t)
	w.stopAgent(w.chat)
	waitFor(t, "the runs to be removed", func() bool { return len(fileNames(t, w.folder)) == 2 })
}

// TestSandbox_BackgroundCommandsEnd checks that background commands run in the sandbox and leave nothing behind.
// They must end when the agent stops them or, at the latest, when the agent ends.
func TestSandbox_BackgroundCommandsEnd(t *testing.T) {
	w := newSandboxed(t, backend.ModeAcceptEdits)
	outside := folderInHome(t)
	mark := func(n int) string { return fmt.Sprintf("%d%d.25", n, os.Getpid()) }
	start := func(n int, more map[string]any) practice.Step {
		args := map[string]any{
			"command":     fmt.Sprintf("(setsid sleep %s &); echo out > %s/%d; touch ran%d; sleep %s", mark(n), outside, n, n, mark(n)),
			"description": "d", "mode": "async", "shellId": fmt.Sprint("s", n),
		}
		for name, value := range more {
			args[name] = value
		}
		return practice.ToolCall("bash", args)
	}
	// The turn lasts as long as the first command, unless the command is stopped.
	w.calls["go"] = []practice.Step{
		start(1, nil), start(2, map[string]any{"detach": true}), bash("until [ -e ran1 -a -e ran2 ]; do sleep 0.05; done"),
		practice.ToolCall("stop_bash", map[string]any{"shellId": "s1"}),
	}
	w.Send(w.chat, "go")
	w.waitForEndedTurns(w.chat, 1)
	waitFor(t, "the stopped command to end", func() bool { return !runsWith(t, mark(1)) })
	if !runsWith(t, mark(2)) {
		t.Error("got the detached command ended with the turn")
	}
	if outside := fileNames(t, outside); len(outside) > 0 {
		t.Errorf("got %q outside", outside)
	}
	w.stopAgent(w.chat)
	waitFor(t, "the detached command to end", func() bool { return !runsWith(t, mark(2)) })
	waitFor(t, "the runs to be removed", func() bool { return len(fileNames(t, w.folder)) == 2 })
	if runs, err := os.ReadDir(filepath.Join(w.dir, "sandbox", "runs")); err != nil || len(runs) > 0 {
		t.Errorf("got %d runs left (%v)", len(runs), err)
	}
	w.noWrapping(t)
}
