package assistant_test

import (
	"context"
	"errors"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

func TestSendNext_GoesOutRightAfterTheTurn(t *testing.T) {
	// After a rejection, an agent may end the turn in either of these states.
	for _, state := range []backend.TurnState{backend.TurnDone, backend.TurnStopped} {
		w := newEnv(t, assistant.Config{})
		chat, runs, _ := w.newChatWithQueue()
		err := w.chats.SendNext(t.Context(), chat.ID, "reply", w.commit)
		if err != nil {
			t.Fatal(err)
		}
		w.assertQueue("the queue", "reply", "a", "b", "c", "d")
		runs.end <- state
		<-w.turns
		p := <-w.prompts
		if p.text != "reply" {
			t.Fatalf("%s: got %q, want the reply", state, p.text)
		}
		p.end <- backend.TurnDone
		<-w.turns
		p = <-w.prompts
		if p.text != "a" {
			t.Errorf("%s: got %q after the reply, want %q", state, p.text, "a")
		}
		p.end <- backend.TurnStopped
		<-w.turns
	}
}

// TestSendNext_GoesOutAfterFailedTurn checks that if a turn fails because the user rejected a request, the user's reply
// is still sent, because it belongs to that turn. The messages queued behind the reply aren't sent.
func TestSendNext_GoesOutAfterFailedTurn(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat, runs, _ := w.newChatWithQueue()
	if err := w.chats.SendNext(t.Context(), chat.ID, "reply", w.commit); err != nil {
		t.Fatal(err)
	}
	runs.end <- backend.TurnFailed
	<-w.turns
	p := <-w.prompts
	if p.text != "reply" {
		t.Fatalf("got %q, want the reply", p.text)
	}
	w.assertQueue("the queue", "a, paused", "b, paused", "c, paused", "d, paused")
	p.end <- backend.TurnDone
	<-w.turns
	w.assertQueue("the queue after the reply", "a, paused", "b, paused", "c, paused", "d, paused")
}

func TestSendNext_WithoutCommitQueuesNothing(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat, runs, _ := w.newChatWithQueue()
	failed := errors.New("no longer open")
	err := w.chats.SendNext(t.Context(), chat.ID, "reply", func(context.Context, ...backend.Event) error { return failed })
	if !errors.Is(err, failed) {
		t.Errorf("got %v, want %v", err, failed)
	}
	w.assertQueue("the queue", "a", "b", "c", "d")
	if err := w.chats.SendNext(t.Context(), chat.ID, " ", w.commit); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("an empty reply: got %v, want CodeInvalid", err)
	}
	runs.end <- backend.TurnStopped
	<-w.turns
}

// TestSendNext_UndoesSavedChanges checks that if a permission request ends while its rejection is being saved, the
// events saved with the rejection are undone.
func TestSendNext_UndoesSavedChanges(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat, runs, _ := w.newChatWithQueue()
	late := errors.New("no longer open")
	err := w.chats.SendNext(t.Context(), chat.ID, "reply", func(ctx context.Context, events ...backend.Event) error {
		return errors.Join(w.commit(ctx, events...), late)
	})
	if !errors.Is(err, late) {
		t.Errorf("got %v, want %v", err, late)
	}
	w.assertQueue("the queue", "a", "b", "c", "d")
	runs.end <- backend.TurnStopped
	<-w.turns
}

func TestSendNext_WaitsAfterStop(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat, _, _ := w.newChatWithQueue()
	if err := w.chats.SendNext(t.Context(), chat.ID, "reply", w.commit); err != nil {
		t.Fatal(err)
	}
	if err := w.chats.Stop(chat.ID); err != nil {
		t.Fatal(err)
	}
	<-w.turns
	w.assertQueue("the queue", "reply, paused", "a, paused", "b, paused", "c, paused", "d, paused")
}
