package engine_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// recapBanner returns the banner at the start of a chat that continues another chat.
func (w *appEnv) recapBanner(chat backend.Chat) *backend.Banner {
	w.T.Helper()
	for _, e := range w.Snapshot("/data/chat?id=" + chat.ID).Events {
		if e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerContinued {
			return e.Item.Banner
		}
	}
	w.T.Fatal("nothing says what the chat goes on from")
	return nil
}

func (w *appEnv) continueChat(chat backend.Chat) backend.Chat {
	w.T.Helper()
	next, err := w.App.ContinueInNewChat(chat.ID)
	if err != nil {
		w.T.Fatal(err)
	}
	return next
}

func TestHandover_NewChatGetsSummary(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("copilot: $PROMPT")}, Calls: calls})
	data := t.TempDir()
	w := newAppEnv(t, data)
	chat := w.Chat(backend.ProviderCopilot)
	if _, err := w.App.ContinueInNewChat(chat.ID); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("a chat without messages: %v", err)
	}
	w.Send(chat, "fix the parser")
	w.WaitForDone("the first turn", 1)
	if err := w.App.SetPermissionMode(chat.ID, backend.ModeBypass); err != nil {
		t.Fatal(err)
	}

	next := w.continueChat(chat)
	if next.ID == chat.ID || next.Folder != chat.Folder || next.ProviderID != chat.ProviderID || next.Title != "Fix the parser (2)" || next.PermissionMode != backend.ModeAsk {
		t.Errorf("the new chat is %+v", next)
	}
	told := w.recapBanner(next)
	if told.Detail.String() != "Fix the parser" || !strings.Contains(told.Recap, "> fix the parser") || !strings.Contains(told.Recap, "> copilot: fix the parser") {
		t.Errorf("it is told %+v", told)
	}
	if again := w.continueChat(next); again.Title != "Fix the parser (3)" || w.recapBanner(again).Recap != told.Recap {
		t.Errorf("one that nothing has come to hands on %q, with %q", again.Title, w.recapBanner(again).Recap)
	}
	w.Close() // the recap is stored until the first message is sent

	w = newAppEnv(t, data)
	w.Send(next, "and the printer")
	w.WaitForDone("the first turn of the new chat", 1)
	got := promptTexts(t, calls)
	if len(got) != 2 || len(got[1]) != 2 || got[1][0] != told.Recap || got[1][1] != "and the printer" {
		t.Fatalf("Copilot got %q, want %q in front", got, told.Recap)
	}
	w.Send(next, "and the docs")
	w.WaitForDone("the second turn", 2)
	if got := promptTexts(t, calls); len(got) != 3 || len(got[2]) != 1 {
		t.Errorf("Copilot is told once more: %q", got)
	}
	if last := w.recapBanner(w.continueChat(next)); !strings.Contains(last.Recap, "> and the docs") || strings.Contains(last.Recap, "fix the parser") {
		t.Errorf("the next one is told %q", last.Recap)
	}
}

func TestHandover_MainAIReportsContextUse(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	p, server := w.addMainAI(func(req practice.Request) practice.Reply {
		return practice.Reply{practice.Text("the model: " + req.User())}
	})
	chat := w.Chat(backend.ProviderCopilot)
	w.choose(chat, p.ID)
	w.Send(chat, "first")
	w.WaitForDone("the model's turn", 1)
	ended := w.WaitFor("the turn says what it takes", func(e backend.Event) bool { return e.Turn != nil && e.Turn.EndedAt > 0 }).Turn
	if u := ended.Usage; u == nil || u.ContextUsed <= 0 || u.ContextUsed >= u.ContextSize {
		t.Errorf("it takes %+v", u)
	}
	next := w.continueChat(chat)
	if next.OrchestratorID != p.ID {
		t.Errorf("%q answers the new chat", next.OrchestratorID)
	}
	for n, text := range []string{"second", "third"} {
		w.Send(next, text)
		w.WaitForDone("the model's next turn", n+2)
		messages := server.Requests()[n+1].Messages
		if m := messages[0]; m.Role != "system" || !strings.Contains(m.Text, "> the model: first") {
			t.Errorf("the model is told %q", m.Text)
		}
	}
	if _, err := w.App.ContinueInNewChat("none"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("a chat that doesn't exist: %v", err)
	}
}
