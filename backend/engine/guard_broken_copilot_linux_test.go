package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// replacedCallHook is a shell command that replaces the guard's hook for tool calls with one that makes no decision.
// The guard then reports the session, but not its calls.
const replacedCallHook = `python3 - "$plugin/hooks/hooks.json" <<'END'
import json, sys
name = sys.argv[1]
hooks = json.load(open(name))
hooks["hooks"]["preToolUse"][0]["bash"] = ":"
json.dump(hooks, open(name, "w"))
END`

// TestGuard_UnreportedCallStopsTurn checks that VoxPilot stops the turn if the guard has reported the session, but
// doesn't report a call that changes something. The test covers a turn that a message starts and a turn that the CLI
// starts on a schedule. To stop the scheduled turn, VoxPilot must end the CLI's process.
func TestGuard_UnreportedCallStopsTurn(t *testing.T) {
	w := newGuardedWith(t, wrapped(t, realCopilot(t), replacedCallHook), func(string) {})
	again := filepath.Join(w.folder, "again.txt")
	steps := []practice.Step{bash("echo ran > ran.txt"), bash("sleep 2; echo again > again.txt")}
	w.calls["go"], w.calls["[Scheduled prompt #1]\ngo"] = steps, steps
	w.Send(w.chat, "hello")
	w.waitForEndedTurns(w.chat, 1)
	noErr(t, w.allowAll())
	marked := func(n int) bool {
		calls := map[string]bool{}
		for _, e := range w.Events() {
			if e.Item != nil && e.Item.Tool != nil && e.Item.Tool.WithoutPermission {
				calls[e.Item.ID] = true
			}
		}
		return len(calls) == n
	}
	w.Send(w.chat, "go")
	w.waitForTurns(2)
	if !marked(1) || w.aborts() != 1 || exists(t, again) {
		t.Errorf("the turn wasn't stopped after the first call")
	}
	w.Send(w.chat, "/after 10s go")
	waitFor(t, "the scheduled turn's call to be marked", func() bool { return marked(2) })
	waitFor(t, "the agent to end", func() bool {
		for _, e := range slices.Backward(w.Events()) {
			if e.Connection != nil {
				return e.Connection.State == backend.ConnectionIdle
			}
		}
		return false
	})
	if exists(t, again) {
		t.Error("the next command of the scheduled turn ran")
	}
	banners := 0
	for _, e := range w.Events() {
		if e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerWithoutPermission {
			banners++
		}
	}
	if banners != 2 {
		t.Errorf("got %d banners, want one per turn", banners)
	}
	w.Send(w.chat, "hello")
	w.waitForTurns(4)
}

// aborts returns the number of turns that the CLI has recorded as canceled.
func (w *guarded) aborts() (n int) {
	w.T.Helper()
	logs, err := filepath.Glob(filepath.Join(w.home, "session-state", "*", "events.jsonl"))
	noErr(w.T, err)
	for _, name := range logs {
		text, err := os.ReadFile(name)
		noErr(w.T, err)
		n += strings.Count(string(text), `"type":"abort"`)
	}
	return n
}

// TestGuard_DeadHookDenies checks that a call is denied if the guard's hook can't run or is killed while it waits.
func TestGuard_DeadHookDenies(t *testing.T) {
	w := newGuarded(t, func(string) {})
	outside := folderInHome(t)
	w.calls["killed"] = []practice.Step{create(filepath.Join(outside, "out.txt"))}
	w.calls["missing"] = []practice.Step{bash("echo ran > ran.txt")}
	noErr(t, w.allowAll())
	w.Send(w.chat, "killed")
	w.WaitFor("it asks", func(e backend.Event) bool { return e.Permission != nil && e.Permission.State == backend.PermissionOpen })
	if n := killHooks(t, filepath.Join(w.dir, "guard", w.chat.ID)); n != 1 {
		t.Fatalf("killed %d hooks that wait, want 1", n)
	}
	w.waitForTurns(1)
	if exists(t, filepath.Join(outside, "out.txt")) {
		t.Error("a call ran whose hook was killed")
	}
	programs, err := filepath.Glob(filepath.Join(w.dir, "program", "*"))
	if err != nil || len(programs) == 0 {
		t.Fatalf("no hook program: %v", err)
	}
	for _, p := range programs {
		noErr(t, os.RemoveAll(p))
	}
	w.Send(w.chat, "missing")
	w.waitForTurns(2)
	if exists(t, filepath.Join(w.folder, "ran.txt")) {
		t.Error("a call ran although the hook's program is missing")
	}
	for _, r := range w.results() {
		if !strings.Contains(strings.ToLower(r), "hook") {
			t.Errorf("the model was told %q", r)
		}
	}
}

// killHooks kills the hooks that use the given plugin folder, and the shells that started them. It returns the
// number of killed processes.
func killHooks(t *testing.T, folder string) (n int) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	noErr(t, err)
	for _, name := range all {
		line, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(line), "guard-hook\x00preToolUse\x00"+folder) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		noErr(t, err)
		p, err := os.FindProcess(pid)
		noErr(t, err)
		noErr(t, p.Kill())
		n++
	}
	return n
}

// TestGuard_ScheduledTurnAsks checks that in a turn that the CLI starts on a schedule, the user is asked about files
// outside the folder and about protected files. The CLI's own permission requests are off.
func TestGuard_ScheduledTurnAsks(t *testing.T) {
	w := newGuarded(t, func(string) {})
	outside := folderInHome(t)
	w.calls["[Scheduled prompt #1]\ngo"] = []practice.Step{create(filepath.Join(outside, "out.txt")), create(filepath.Join(w.folder, ".vscode", "tasks.json")), bash("echo in > in.txt")}
	w.Send(w.chat, "hello")
	w.waitForEndedTurns(w.chat, 1)
	noErr(t, w.allowAll())
	w.Send(w.chat, "/after 10s go")
	seen := map[string]bool{}
	w.WaitFor("the scheduled turn makes its calls", func(e backend.Event) bool {
		if p := e.Permission; p != nil && p.State == backend.PermissionOpen && !seen[filepath.Base(p.Path)] {
			seen[filepath.Base(p.Path)] = true
			noErr(t, w.App.Reject(p.ID, ""))
		}
		return e.Permission != nil && e.Permission.Command == "echo in > in.txt" && e.Permission.Decision == backend.DecisionAutoAllowed
	})
	if !seen["out.txt"] || !seen["tasks.json"] || len(seen) != 2 {
		t.Errorf("asked about %v", seen)
	}
	if exists(t, filepath.Join(outside, "out.txt")) || exists(t, filepath.Join(w.folder, ".vscode", "tasks.json")) {
		t.Error("a rejected file exists")
	}
}
