package assistant_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

func TestDelete_StopsTurn(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	w.send(chat, "one")
	p := <-w.prompts
	if err := w.chats.Delete(t.Context(), chat.ID); err != nil {
		t.Fatal(err)
	}
	if p.ctx.Err() == nil {
		t.Error("the turn of a deleted chat goes on")
	}
	if _, err := w.chats.Send(t.Context(), chat.ID, "two"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("Send to a deleted chat: %v", err)
	}
}

func TestDelete_StartsNothing(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	w.stopGate = make(chan struct{})
	chat := w.create()
	w.send(chat, "one")
	p := <-w.prompts
	id := w.send(chat, "two")
	deleted := make(chan error, 1)
	go func() { deleted <- w.chats.Delete(t.Context(), chat.ID) }()
	<-p.ctx.Done()
	for what, err := range map[string]error{
		"Resume":       w.chats.Resume(t.Context(), chat.ID),
		"EditQueued":   w.chats.EditQueued(t.Context(), id, "three"),
		"RemoveQueued": w.chats.RemoveQueued(t.Context(), id),
	} {
		if backend.CodeOf(err) != backend.CodeNotFound {
			t.Errorf("%s in a chat that is being deleted: %v", what, err)
		}
	}
	close(w.stopGate)
	if err := <-deleted; err != nil {
		t.Fatal(err)
	}
	if len(w.prompts) > 0 {
		t.Errorf("%q was sent", (<-w.prompts).text)
	}
}

func TestDelete_NothingRestoresChat(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	started, deleted, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	w.before = func(e backend.Event) error {
		if e.ChatDeleted == nil {
			return nil
		}
		go func() { // the page saves a draft while its chat is deleted
			ended <- w.chats.Change(t.Context(), chat.ID, func(c *backend.Chat) {
				close(started)
				<-deleted
				c.Draft = "late"
			})
		}()
		for range 10_000 { // it starts now, or only after the deletion
			select {
			case <-started:
				return nil
			default:
				runtime.Gosched()
			}
		}
		return nil
	}
	w.onChatRemoved = func() { close(deleted) }
	if err := w.chats.Delete(t.Context(), chat.ID); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("a draft of a deleted chat was saved: %v", err)
	}
	if last := w.events[len(w.events)-1]; last.ChatDeleted == nil {
		t.Errorf("after the chat was gone came %+v", last)
	}
}

func TestDelete_FailureKeepsChatUsable(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	w.setFail(errors.New("disk full"))
	if err := w.chats.Delete(t.Context(), chat.ID); backend.CodeOf(err) != backend.CodeStorage {
		t.Fatalf("Delete on a full disk: %v", err)
	}
	w.setFail(nil)
	w.send(chat, "one")
	(<-w.prompts).end <- backend.TurnDone
	<-w.turns
}
