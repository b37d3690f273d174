package assistant_test

import (
	"errors"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

func TestTrash_IdleUntilRestored(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	w.send(chat, "one")
	p := <-w.prompts
	queued := w.send(chat, "two")
	discarded, err := w.chats.Discard(t.Context(), chat.ID, true)
	if err != nil || discarded.DeletedAt == 0 || !discarded.DropSessions {
		t.Fatalf("Discard: %+v, %v", discarded, err)
	}
	if p.ctx.Err() == nil {
		t.Error("its turn goes on")
	}
	for what, try := range map[string]func() error{
		"Send":         func() error { _, err := w.chats.Send(t.Context(), chat.ID, "three"); return err },
		"Resume":       func() error { return w.chats.Resume(t.Context(), chat.ID) },
		"RemoveQueued": func() error { return w.chats.RemoveQueued(t.Context(), queued) },
		"Change": func() error {
			return w.chats.Change(t.Context(), chat.ID, func(c *backend.Chat) { c.Draft = "late" })
		},
	} {
		if err := try(); backend.CodeOf(err) != backend.CodeNotFound {
			t.Errorf("%s in a discarded chat: %v", what, err)
		}
	}
	again, err := w.chats.Discard(t.Context(), chat.ID, false)
	if err != nil || !again.DropSessions {
		t.Errorf("a second Discard: %+v, %v", again, err)
	}
	if left := w.chats.Discarded(); len(left) != 1 || left[0].ID != chat.ID {
		t.Errorf("discarded are %+v", left)
	}
	for range 2 {
		if err := w.chats.Restore(t.Context(), chat.ID); err != nil {
			t.Fatal(err)
		}
	}
	if row, err := w.chats.Get(chat.ID); err != nil || row.DeletedAt != 0 || row.DropSessions {
		t.Errorf("the restored chat is %+v, %v", row, err)
	}
	if err := w.chats.Resume(t.Context(), chat.ID); err != nil {
		t.Fatal(err)
	}
	if p := <-w.prompts; p.text != "two" {
		t.Errorf("after its restoration %q was sent", p.text)
	}
}

func TestTrash_AfterRestartOnlyRestoreOrDelete(t *testing.T) {
	w := newEnv(t, assistant.Config{Chats: []backend.Chat{{ID: "old", DeletedAt: 1}, {ID: "kept"}}})
	if _, err := w.chats.Send(t.Context(), "old", "one"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("Send: %v", err)
	}
	w.setFail(errors.New("disk full"))
	if err := w.chats.Delete(t.Context(), "old"); backend.CodeOf(err) != backend.CodeStorage {
		t.Errorf("Delete on a full disk: %v", err)
	}
	w.setFail(nil)
	if _, err := w.chats.Send(t.Context(), "old", "one"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("Send after a Delete that failed: %v", err)
	}
	if err := w.chats.Delete(t.Context(), "old"); err != nil {
		t.Fatal(err)
	}
	if left := w.chats.Discarded(); len(left) != 0 {
		t.Errorf("discarded are %+v", left)
	}
}

func TestTrash_FailureKeepsChatUsable(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	w.setFail(errors.New("disk full"))
	if _, err := w.chats.Discard(t.Context(), chat.ID, false); backend.CodeOf(err) != backend.CodeStorage {
		t.Fatalf("Discard on a full disk: %v", err)
	}
	w.setFail(nil)
	w.send(chat, "one")
	(<-w.prompts).end <- backend.TurnDone
	<-w.turns
}

func TestArchive_QueuedMessageUnarchives(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	w.send(chat, "one")
	p := <-w.prompts
	if err := w.chats.Change(t.Context(), chat.ID, func(c *backend.Chat) { c.Archived = true }); err != nil {
		t.Fatal(err)
	}
	w.send(chat, "two")
	if row, err := w.chats.Get(chat.ID); err != nil || row.Archived {
		t.Errorf("the chat is %+v, %v", row, err)
	}
	p.end <- backend.TurnDone
	(<-w.prompts).end <- backend.TurnDone
}
