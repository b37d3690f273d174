package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// processOf waits for the chat's agent to be ready with a process that isn't in before.
func (w *window) processOf(chatID string, before ...int) (pid int) {
	w.T.Helper()
	w.Until("a process", func(e backend.Event) bool {
		if c := e.Connection; c != nil && c.ChatID == chatID && c.State == backend.ConnectionReady && !slices.Contains(before, c.PID) {
			pid = c.PID
		}
		return pid != 0
	})
	return pid
}

func killed(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	must(t, err)
	must(t, p.Kill())
}

// TestUntrusted_CrashAfterAllowedEdit proves that a session is restored without asking
// after its agent made an allowed edit of code that runs later, and crashed.
func TestUntrusted_CrashAfterAllowedEdit(t *testing.T) {
	folder := untrusted(t)
	file := filepath.Join(folder, ".mcp.json")
	apptest.Play(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Edit(file, "", "{\"mcpServers\":{\"x\":{\"command\":\"y\"}}}\n")}}})
	w := openWindow(t, t.TempDir())
	chat := w.chatIn(folder)
	w.Send(chat, "go")
	w.trust(w.needsTrust(chat.ID, 1))
	w.answered(1, false)
	w.Done("the edit", 1)
	w.Until("the edit is trusted", func(e backend.Event) bool { return e.TrustedFolder != nil && e.TrustedFolder.Entries == 2 })
	pid := w.processOf(chat.ID)
	killed(t, pid)
	w.Until("the session is back", func(e backend.Event) bool {
		return e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerRestored
	})
	w.Send(chat, "go on")
	w.Done("both answers", 2)
	asked := 0
	for _, e := range w.Events() {
		if e.Connection != nil && e.Connection.State == backend.ConnectionNeedsTrust {
			asked++
		}
	}
	if asked != 1 {
		t.Errorf("the chat waited for trust %d times, want once, before its first start", asked)
	}
}

// TestUntrusted_ChangeDuringAnswerStopsNextSession writes a hook while an agent is
// busy. A task delegated to another session then waits, and the running turn is
// interrupted.
func TestUntrusted_ChangeDuringAnswerStopsNextSession(t *testing.T) {
	folder, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	script, calls := recorded(t, fakeagent.Script{On: map[string]fakeagent.Turn{"long": {fakeagent.Say("some of it"), fakeagent.Hang()}}})
	apptest.Play(t, script)
	w := openWindow(t, t.TempDir())
	chat := w.chatIn(folder)
	w.Send(chat, "long")
	w.processOf(chat.ID)
	w.Until("some of the answer", func(e backend.Event) bool { return e.Text != nil && e.Text.Text == "some of it" })
	put(t, folder, hookFile, hook("echo hello"))
	must(t, w.App.SendTo(chat.ID, "helper", "go"))
	turn := w.Until("the answer is interrupted", func(e backend.Event) bool {
		return e.Turn != nil && e.Turn.Session == backend.SessionMain && e.Turn.State != backend.TurnRunning
	}).Turn
	if turn.State != backend.TurnInterrupted || turn.Error == nil || !strings.Contains(turn.Error.Message.String(), "VoxPilot stopped Copilot while it was answering because this folder") {
		t.Errorf("got %s, %v, want an interruption that says why", turn.State, turn.Error)
	}
	w.trust(w.needsTrust(chat.ID, 1))
	w.Until("the other session has answered", func(e backend.Event) bool {
		return e.Turn != nil && e.Turn.Session == "helper" && e.Turn.State == backend.TurnDone
	})
	if n := times(t, calls, "session/prompt"); n != 2 {
		t.Errorf("the agents got %d prompts, want 2", n)
	}
}

func TestUntrusted_OneTrustReleasesAllChats(t *testing.T) {
	apptest.Play(t, fakeagent.Script{})
	w := openWindow(t, t.TempDir())
	folder := untrusted(t)
	one, two := w.chatIn(folder), w.chatIn(folder)
	w.Send(one, "go")
	w.needsTrust(one.ID, 1)
	w.Send(two, "go")
	r := w.needsTrust(two.ID, 1)
	if !slices.Equal(r.ChatIDs, []string{one.ID, two.ID}) {
		t.Errorf("got a request of %q, want both chats", r.ChatIDs)
	}
	w.trust(r)
	w.Done("both answers", 2)
}

// TestUntrusted_IncompleteAsksAtEachStart has a folder with more files than VoxPilot
// checks: trust then covers one process with all its sessions.
func TestUntrusted_IncompleteAsksAtEachStart(t *testing.T) {
	apptest.Play(t, fakeagent.Script{})
	folder := untrusted(t)
	for i := range 5_100 {
		put(t, folder, fmt.Sprintf(".github/hooks/%d.json", i), "{}")
	}
	w := openWindow(t, t.TempDir())
	chat := w.chatIn(folder)
	w.Send(chat, "go")
	r := w.needsTrust(chat.ID, 1)
	if !r.Incomplete {
		t.Fatal("got a request that says it is complete")
	}
	w.trust(r)
	w.Done("the answer", 1)
	must(t, w.App.SendTo(chat.ID, "helper", "go"))
	w.Done("the answer of another session", 2)
	pid := w.processOf(chat.ID)
	killed(t, pid)
	w.trust(w.needsTrust(chat.ID, 2))
	w.processOf(chat.ID, pid)
}
