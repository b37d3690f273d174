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

// told returns the banner at the beginning of a chat that continues another one.
func (w *window) told(chat backend.Chat) *backend.Banner {
	w.T.Helper()
	for _, e := range w.Snapshot("/data/chat?id=" + chat.ID).Events {
		if e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerContinued {
			return e.Item.Banner
		}
	}
	w.T.Fatal("nothing says what the chat goes on from")
	return nil
}

func (w *window) goOn(chat backend.Chat) backend.Chat {
	w.T.Helper()
	next, err := w.App.ContinueInNewChat(chat.ID)
	if err != nil {
		w.T.Fatal(err)
	}
	return next
}

func TestHandover_NewChatGetsSummary(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	apptest.Play(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("copilot: $PROMPT")}, Calls: calls})
	data := t.TempDir()
	w := openWindow(t, data)
	chat := w.Chat(backend.ProviderCopilot)
	if _, err := w.App.ContinueInNewChat(chat.ID); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("a chat without messages: %v", err)
	}
	w.Send(chat, "fix the parser")
	w.Done("the first turn", 1)
	if err := w.App.SetPermissionMode(chat.ID, backend.ModeBypass); err != nil {
		t.Fatal(err)
	}

	next := w.goOn(chat)
	if next.ID == chat.ID || next.Folder != chat.Folder || next.ProviderID != chat.ProviderID || next.Title != "Fix the parser (2)" || next.PermissionMode != backend.ModeAsk {
		t.Errorf("the new chat is %+v", next)
	}
	told := w.told(next)
	if told.Detail.String() != "Fix the parser" || !strings.Contains(told.Recap, "> fix the parser") || !strings.Contains(told.Recap, "> copilot: fix the parser") {
		t.Errorf("it is told %+v", told)
	}
	if again := w.goOn(next); again.Title != "Fix the parser (3)" || w.told(again).Recap != told.Recap {
		t.Errorf("one that nothing has come to hands on %q, with %q", again.Title, w.told(again).Recap)
	}
	w.Close() // the recap is stored until the first message

	w = openWindow(t, data)
	w.Send(next, "and the printer")
	w.Done("the first turn of the new chat", 1)
	got := prompts(t, calls)
	if len(got) != 2 || len(got[1]) != 2 || got[1][0] != told.Recap || got[1][1] != "and the printer" {
		t.Fatalf("Copilot got %q, want %q in front", got, told.Recap)
	}
	w.Send(next, "and the docs")
	w.Done("the second turn", 2)
	if got := prompts(t, calls); len(got) != 3 || len(got[2]) != 1 {
		t.Errorf("Copilot is told once more: %q", got)
	}
	if last := w.told(w.goOn(next)); !strings.Contains(last.Recap, "> and the docs") || strings.Contains(last.Recap, "fix the parser") {
		t.Errorf("the next one is told %q", last.Recap)
	}
}

func TestHandover_MainAIReportsContextUse(t *testing.T) {
	w := openWindow(t, t.TempDir())
	p, server := w.modeled(func(req practice.Request) practice.Reply {
		return practice.Reply{practice.Text("the model: " + req.User())}
	})
	chat := w.Chat(backend.ProviderCopilot)
	w.choose(chat, p.ID)
	w.Send(chat, "first")
	w.Done("the model's turn", 1)
	ended := w.Until("the turn says what it takes", func(e backend.Event) bool { return e.Turn != nil && e.Turn.EndedAt > 0 }).Turn
	if u := ended.Usage; u == nil || u.ContextUsed <= 0 || u.ContextUsed >= u.ContextSize {
		t.Errorf("it takes %+v", u)
	}
	next := w.goOn(chat)
	if next.OrchestratorID != p.ID {
		t.Errorf("%q answers the new chat", next.OrchestratorID)
	}
	for n, text := range []string{"second", "third"} {
		w.Send(next, text)
		w.Done("the model's next turn", n+2)
		messages := server.Requests()[n+1].Messages
		if m := messages[0]; m.Role != "system" || !strings.Contains(m.Text, "> the model: first") {
			t.Errorf("the model is told %q", m.Text)
		}
	}
	if _, err := w.App.ContinueInNewChat("none"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("a chat that doesn't exist: %v", err)
	}
}
