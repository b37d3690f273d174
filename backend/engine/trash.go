package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// trash tracks the deleted chats that can still be restored.
type trash struct {
	mu      sync.Mutex
	pending map[string]chan struct{} // by chat ID; closed when the chat is restored
}

// put adds a chat to the trash. It returns a channel that is closed if the chat is restored.
func (t *trash) put(id string) (restored chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.pending == nil {
		t.pending = map[string]chan struct{}{}
	}
	restored = make(chan struct{})
	t.pending[id] = restored
	return restored
}

// take removes a chat from the trash and returns its channel, or nil if the chat isn't in the trash. If restored
// isn't nil and isn't the chat's channel, take does nothing and returns nil, because the chat was restored and then
// deleted again. Restoring a chat and deleting it permanently both call take, so that only one of them succeeds.
func (t *trash) take(id string, restored chan struct{}) (taken chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	taken = t.pending[id]
	if restored != nil && taken != restored {
		return nil
	}
	delete(t.pending, id)
	return taken
}

// discard moves a chat to the trash. The chat disappears from the window immediately. The chat is deleted
// permanently when the time for restoring it has passed or, if VoxPilot exits first, at the next start.
func (e *Engine) discard(ctx context.Context, id string, sessions bool) error {
	chat, err := e.Chats.Discard(ctx, id, sessions)
	if err != nil {
		return err
	}
	e.Imports.Stop(id)
	e.Others.Stop(id)
	ended := e.Agents.remove(id)
	e.router.forget(id)
	e.keepInTrash(chat, ended)
	return nil
}

// keepInTrash adds a chat to the trash, and deletes the chat permanently when the time for restoring it has passed and
// the given channel is closed. The channel is closed when the chat's sessions are no longer in use.
func (e *Engine) keepInTrash(chat backend.Chat, ended <-chan struct{}) {
	restored := e.trash.put(chat.ID)
	e.tasks.Go(func() {
		over := time.NewTimer(e.undoTime)
		defer over.Stop()
		select {
		case <-over.C:
		case <-restored:
			return
		case <-e.ctx.Done():
			return
		}
		select {
		case <-ended:
		case <-e.ctx.Done():
			return
		}
		if e.trash.take(chat.ID, restored) != nil {
			if err := e.empty(chat); err != nil {
				e.Bus.Publish(backend.Event{DialogResult: &backend.DialogResult{Request: "delete " + chat.ID, Message: failureMessage(err)}})
			}
		}
	})
}

// restore undoes the deletion of a chat. It returns CodeNotFound if the chat was deleted permanently.
func (e *Engine) restore(ctx context.Context, id string) error {
	restored := e.trash.take(id, nil)
	if restored == nil {
		return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This chat was permanently deleted.")}
	}
	close(restored)
	if err := e.Chats.Restore(ctx, id); err != nil {
		if chat, gone := e.Chats.Get(id); gone == nil {
			done := make(chan struct{})
			close(done)
			e.keepInTrash(chat, done) // the user can try again
		}
		return err
	}
	e.Imports.Resume(ctx, id)
	e.Others.Resume(ctx, id)
	return nil
}

// empty deletes a chat permanently. If that fails, the chat can be restored, and VoxPilot tries again at the next
// start.
func (e *Engine) empty(chat backend.Chat) error {
	err := e.deleteChat(chat)
	if err != nil {
		e.trash.put(chat.ID)
	}
	return err
}

// errSessionOpen means that another program has a session open.
var errSessionOpen = errors.New("another program has a session open")

// failureMessage returns the reason why a chat wasn't deleted permanently.
func failureMessage(err error) backend.Message {
	if errors.Is(err, errSessionOpen) {
		return backend.Say("Copilot's session files are still on this computer because another program has the session open. VoxPilot will delete the chat and these files the next time it starts.")
	}
	return backend.Say("Some of the chat's files couldn't be deleted. VoxPilot will try again the next time it starts.")
}

// deleteChat deletes a chat permanently. An error is logged as well.
func (e *Engine) deleteChat(chat backend.Chat) error {
	if chat.DropSessions {
		if err := e.dropSessions(chat.ID); err != nil {
			// Only the chat's rows contain the IDs of its sessions. They therefore stay, hidden, until the next
			// attempt.
			e.Log.Error("couldn't delete the sessions of a deleted chat", "chat", chat.ID, "err", err)
			return err
		}
	}
	if e.guard != nil {
		if err := e.guard.Forget(chat.ID); err != nil {
			e.Log.Error("couldn't delete the guard's plugin of a deleted chat", "chat", chat.ID, "err", err)
		}
	}
	if err := e.Undo.DeleteChat(chat.ID); err != nil {
		e.Log.Error("couldn't delete the snapshots of a deleted chat", "chat", chat.ID, "err", err)
		return err // the chat's row stays, hidden, until the next attempt
	}
	if err := e.Chats.Delete(e.ctx, chat.ID); err != nil {
		e.Log.Error("couldn't delete a chat", "chat", chat.ID, "err", err)
		return err
	}
	e.Imports.Forget(chat.ID)
	e.SessionUse.Forget(chat.ID)
	e.Others.Forget(chat.ID)
	return nil
}

// dropSessions deletes the files that the Copilot CLI stored for a chat's sessions, except for sessions that another
// chat uses. It returns an error if another program has one of these sessions open.
func (e *Engine) dropSessions(chatID string) error {
	sessions, err := e.Store.OwnSessions(e.ctx, chatID)
	for _, s := range sessions {
		if len(sessionfiles.OtherHolders(sessionfiles.HomeOf(s), s.ACPID)) > 0 {
			err = errors.Join(err, fmt.Errorf("%w: %s", errSessionOpen, s.ACPID))
			continue
		}
		err = errors.Join(err, sessionfiles.Delete(sessionfiles.HomeOf(s), s.ACPID))
	}
	return err
}

// emptyTrash permanently deletes the chats that an earlier run of the app left in the trash.
func (e *Engine) emptyTrash(chats []backend.Chat) {
	for _, chat := range chats {
		_ = e.empty(chat) // logged
	}
}
