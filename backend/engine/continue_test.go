package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/data"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestContinue_ExternalSessionListed(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{})
	w := newAppEnv(t, t.TempDir())
	first := w.Chat(backend.ProviderCopilot)
	w.Send(first, "hello")
	w.WaitForDone("the turn", 1)
	var list struct {
		Sessions []data.AgentSession
		Cursor   string
	}
	get := func(chat backend.Chat) { // fails unless the chat has exactly one session
		t.Helper()
		list.Sessions = nil
		if code := w.Get("/data/agent-sessions?chat="+chat.ID, &list); code != http.StatusOK || len(list.Sessions) != 1 || list.Cursor != "" {
			t.Fatalf("the sessions are (%d) %+v", code, list)
		}
	}
	if get(first); list.Sessions[0].Known != backend.SessionMain {
		t.Errorf("the chat's own is %+v", list.Sessions[0])
	}
	id := list.Sessions[0].ACPID
	second, err := w.App.CreateChat(first.Folder, backend.ProviderCopilot)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.App.ContinueSession(second.ID, id, "older"); backend.CodeOf(err) != backend.CodeInvalid || !strings.Contains(err.Error(), "already in VoxPilot") {
		t.Errorf("one that another chat has: %v", err)
	}
	if err := w.App.ContinueSession(second.ID, "nobody", "older"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("one that nobody has: %v", err)
	}
	if err := w.App.ContinueSession(second.ID, id, "main"); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("as main: %v", err)
	}
	w.Close()

	w = newAppEnv(t, t.TempDir()) // another VoxPilot, which doesn't know the session
	if second, err = w.App.CreateChat(first.Folder, backend.ProviderCopilot); err != nil {
		t.Fatal(err)
	}
	if get(second); list.Sessions[0].Known != "" || list.Sessions[0].Cwd != first.Folder {
		t.Errorf("it is %+v", list.Sessions[0])
	}
	if err := w.App.ContinueSession(second.ID, id, "older"); err != nil {
		t.Fatal(err)
	}
	if get(second); list.Sessions[0].Known != "older" {
		t.Errorf("after that it is %+v", list.Sessions[0])
	}
	if notes := w.Text(second.ID, backend.ItemNote); len(notes) != 1 || !strings.Contains(notes[0], "started in another program") {
		t.Errorf("the notes are %q", notes)
	}
	if err := w.App.ForkSession(second.ID, "older", "copy"); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("a fork by an agent that cannot: %v", err)
	}
}

func TestContinue_ForksIfSupported(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{
		Version: "can fork", Capabilities: `{"loadSession":true,"sessionCapabilities":{"fork":{},"list":{},"close":{}}}`,
		Answer: map[string]string{"session/fork": `{"sessionId":"$NEW"}`},
	})
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "hello")
	w.WaitForDone("the turn", 1)
	if err := w.App.ForkSession(chat.ID, backend.SessionMain, "a copy"); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("the copy", func(e backend.Event) bool {
		return e.Session != nil && e.Session.Name == "a copy" && e.Session.State == backend.SessionLoaded
	})
	if err := w.App.ForkSession(chat.ID, backend.SessionMain, "a copy"); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("by a name that is taken: %v", err)
	}
}
