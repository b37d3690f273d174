package assistant_test

import (
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

func TestQuit_QueuedMessagesWaitForUser(t *testing.T) {
	chat := backend.Chat{ID: "c", Title: "t", Folder: "/x", ProviderID: backend.ProviderCopilot}
	w := newEnv(t, assistant.Config{
		Chats:  []backend.Chat{chat},
		Queued: []backend.QueuedPrompt{{ID: "q", ChatID: "c", Text: "old", Pos: 1, Paused: true}},
	})
	select {
	case p := <-w.prompts:
		t.Fatalf("%q was sent by itself", p.text)
	default:
	}
	w.send(chat, "new")
	for _, want := range []string{"old", "new"} {
		p := <-w.prompts
		if p.text != want {
			t.Fatalf("sent %q, want %q", p.text, want)
		}
		p.end <- backend.TurnDone
		<-w.turns
	}
}

func TestQuit_InterruptsTurn(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	w.send(chat, "one")
	<-w.prompts
	w.send(chat, "two")
	if err := w.chats.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if turn := <-w.turns; turn.State != backend.TurnInterrupted {
		t.Errorf("the turn ended as %s", turn.State)
	}
	if texts, paused := w.queue(); len(texts) != 1 || paused != 1 {
		t.Errorf("queue %v, %d paused", texts, paused)
	}
	if _, err := w.chats.Send(t.Context(), chat.ID, "three"); err == nil {
		if texts, _ := w.queue(); len(texts) != 2 {
			t.Error("a message was taken while quitting and is nowhere")
		}
	}
}

func TestQuit_UnsentMessageStaysForNextStart(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	w.noAgent = true
	chat := w.create()
	w.send(chat, "one")
	<-w.prompts
	w.send(chat, "two")
	if err := w.chats.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if texts, paused := w.queue(); len(texts) != 1 || paused != 1 {
		t.Errorf("queue %v, %d paused", texts, paused)
	}
	// At the next start, the store puts the message of a running turn back into the queue if it was never sent.
	select {
	case turn := <-w.turns:
		t.Errorf("the turn ended as %s", turn.State)
	default:
	}
	for _, e := range w.events {
		if e.Chat != nil && e.Chat.TurnState != "" && e.Chat.TurnState != backend.TurnRunning {
			t.Errorf("the chat says %s", e.Chat.TurnState)
		}
	}
}

func TestNewChat_StartsInModeThatAsks(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	for mode, want := range map[backend.PermissionMode]backend.PermissionMode{
		backend.ModeAsk: backend.ModeAsk, backend.ModeAcceptEdits: backend.ModeAcceptEdits,
		backend.ModeBypass: backend.ModeAsk, "": backend.ModeAsk, "other": backend.ModeAsk,
	} {
		chat, err := w.chats.Create(t.Context(), "/home/me/app", backend.ProviderCopilot, "", mode)
		if err != nil || chat.PermissionMode != want {
			t.Errorf("for %q it begins with %q, %v", mode, chat.PermissionMode, err)
		}
	}
}

func TestPrompt_InvalidIsRefused(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	for text, code := range map[string]backend.Code{
		"":                         backend.CodeInvalid,
		" \n\t":                    backend.CodeInvalid,
		"a\xff":                    backend.CodeInvalid,
		strings.Repeat("a", 1e6+1): backend.CodeTooLarge,
	} {
		if _, err := w.chats.Send(t.Context(), chat.ID, text); backend.CodeOf(err) != code {
			t.Errorf("a prompt of %d bytes: %v", len(text), err)
		}
	}
}

func TestTitle_FromFirstMessage(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	if err := w.chats.Change(t.Context(), chat.ID, func(c *backend.Chat) { c.Title, c.TitleByUser = "Mine", true }); err != nil {
		t.Fatal(err)
	}
	w.send(chat, "something else")
	(<-w.prompts).end <- backend.TurnDone
	<-w.turns
	if got, _ := w.chats.Get(chat.ID); got.Title != "Mine" || got.TurnState != backend.TurnDone {
		t.Errorf("the chat is %+v", got)
	}
}
