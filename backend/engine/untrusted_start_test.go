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

// waitForProcess waits until the chat's agent is ready in a process with none of the given PIDs, and returns the PID of
// that process.
func (w *appEnv) waitForProcess(chatID string, before ...int) (pid int) {
	w.T.Helper()
	w.WaitFor("a process", func(e backend.Event) bool {
		if c := e.Connection; c != nil && c.ChatID == chatID && c.State == backend.ConnectionReady && !slices.Contains(before, c.PID) {
			pid = c.PID
		}
		return pid != 0
	})
	return pid
}

func killProcess(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	noErr(t, err)
	noErr(t, p.Kill())
}

// TestUntrusted_CrashAfterAllowedEdit checks that if an agent crashes after an edit that the user allowed, its
// session is restored without another trust request. This applies even if the edited file contains code that runs
// later.
func TestUntrusted_CrashAfterAllowedEdit(t *testing.T) {
	folder := newUntrustedFolder(t)
	file := filepath.Join(folder, ".mcp.json")
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Edit(file, "", "{\"mcpServers\":{\"x\":{\"command\":\"y\"}}}\n")}}})
	w := newAppEnv(t, t.TempDir())
	chat := w.chatIn(folder)
	w.Send(chat, "go")
	w.trust(w.waitForTrustRequest(chat.ID, 1))
	w.waitAndAllow(1, false)
	w.WaitForDone("the edit", 1)
	w.WaitFor("the edit is trusted", func(e backend.Event) bool { return e.TrustedFolder != nil && e.TrustedFolder.Entries == 2 })
	pid := w.waitForProcess(chat.ID)
	killProcess(t, pid)
	w.WaitFor("the session is back", func(e backend.Event) bool {
		return e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerRestored
	})
	w.Send(chat, "go on")
	w.WaitForDone("both answers", 2)
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

// TestUntrusted_ChangeDuringAnswerStopsNextSession checks that if a hook is added to the folder while an agent is busy,
// a message to another session waits for the user's trust, and the running turn is interrupted.
func TestUntrusted_ChangeDuringAnswerStopsNextSession(t *testing.T) {
	folder, err := filepath.EvalSymlinks(t.TempDir())
	noErr(t, err)
	script, calls := withCallRecord(t, fakeagent.Script{On: map[string]fakeagent.Turn{"long": {fakeagent.Say("some of it"), fakeagent.Hang()}}})
	apptest.UseFakeAgent(t, script)
	w := newAppEnv(t, t.TempDir())
	chat := w.chatIn(folder)
	w.Send(chat, "long")
	w.waitForProcess(chat.ID)
	w.WaitFor("some of the answer", func(e backend.Event) bool { return e.Text != nil && e.Text.Text == "some of it" })
	writeFile(t, folder, hookFile, hookFileText("echo hello"))
	noErr(t, w.App.SendTo(chat.ID, "helper", "go"))
	turn := w.WaitFor("the answer is interrupted", func(e backend.Event) bool {
		return e.Turn != nil && e.Turn.Session == backend.SessionMain && e.Turn.State != backend.TurnRunning
	}).Turn
	if turn.State != backend.TurnInterrupted || turn.Error == nil || !strings.Contains(turn.Error.Message.String(), "VoxPilot stopped Copilot's answer because something new") {
		t.Errorf("got %s, %v, want an interruption that says why", turn.State, turn.Error)
	}
	w.trust(w.waitForTrustRequest(chat.ID, 1))
	w.WaitFor("the other session has answered", func(e backend.Event) bool {
		return e.Turn != nil && e.Turn.Session == "helper" && e.Turn.State == backend.TurnDone
	})
	if n := requestCount(t, calls, "session/prompt"); n != 2 {
		t.Errorf("the agents got %d prompts, want 2", n)
	}
}

func TestUntrusted_OneTrustReleasesAllChats(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{})
	w := newAppEnv(t, t.TempDir())
	folder := newUntrustedFolder(t)
	one, two := w.chatIn(folder), w.chatIn(folder)
	w.Send(one, "go")
	w.waitForTrustRequest(one.ID, 1)
	w.Send(two, "go")
	r := w.waitForTrustRequest(two.ID, 1)
	if !slices.Equal(r.ChatIDs, []string{one.ID, two.ID}) {
		t.Errorf("got a request of %q, want both chats", r.ChatIDs)
	}
	w.trust(r)
	w.WaitForDone("both answers", 2)
}

// TestUntrusted_IncompleteAsksAtEachStart checks that if a folder has more files than VoxPilot checks, the user's trust
// applies only to one process, with all its sessions. The next process needs trust again.
func TestUntrusted_IncompleteAsksAtEachStart(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{})
	folder := newUntrustedFolder(t)
	for i := range 5_100 {
		writeFile(t, folder, fmt.Sprintf(".github/hooks/%d.json", i), "{}")
	}
	w := newAppEnv(t, t.TempDir())
	chat := w.chatIn(folder)
	w.Send(chat, "go")
	r := w.waitForTrustRequest(chat.ID, 1)
	if !r.Incomplete {
		t.Fatal("got a request that says it is complete")
	}
	w.trust(r)
	w.WaitForDone("the answer", 1)
	noErr(t, w.App.SendTo(chat.ID, "helper", "go"))
	w.WaitForDone("the answer of another session", 2)
	pid := w.waitForProcess(chat.ID)
	killProcess(t, pid)
	w.trust(w.waitForTrustRequest(chat.ID, 2))
	w.waitForProcess(chat.ID, pid)
}
