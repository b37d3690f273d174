package engine

import (
	"cmp"
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
)

// trash holds the chats that were deleted and can still be restored.
type trash struct {
	mu      sync.Mutex
	pending map[string]chan struct{} // by chat; closed when it is restored
}

// put holds a chat.
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

// take lets go of a chat, which only one can do: who restores it, or who removes
// it. With restored, it is only taken where that is what put returned.
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

// discard deletes a chat: at once for the user, for good after the time in which
// it can be restored, or with the next start.
func (e *Engine) discard(ctx context.Context, id string, sessions bool) error {
	chat, err := e.Chats.Discard(ctx, id, sessions)
	if err != nil {
		return err
	}
	ended := e.Agents.remove(id)
	e.router.forget(id)
	e.keepInTrash(chat, ended)
	return nil
}

// keepInTrash removes a chat after the time in which it can be restored. ended is closed
// when nothing uses its sessions any more.
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
			e.deleteChat(chat)
		}
	})
}

// restore takes a deletion back.
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
			e.keepInTrash(chat, done) // it can be tried again
		}
		return err
	}
	return nil
}

// deleteChat removes a chat for good. What cannot be removed now is with the next
// start.
func (e *Engine) deleteChat(chat backend.Chat) {
	if chat.DropSessions {
		if err := e.dropSessions(chat.ID); err != nil {
			// Only the chat's rows know which they are: it stays out of sight until then.
			e.Log.Error("the sessions of a deleted chat could not be removed", "chat", chat.ID, "err", err)
			return
		}
	}
	if err := e.Chats.Delete(e.ctx, chat.ID); err != nil {
		e.Log.Error("a chat could not be removed", "chat", chat.ID, "err", err)
	}
}

// dropSessions removes what the Copilot CLI keeps of a chat's sessions. One that
// another chat goes on with stays.
func (e *Engine) dropSessions(chatID string) error {
	sessions, err := e.Store.OwnSessions(e.ctx, chatID)
	for _, s := range sessions {
		err = errors.Join(err, copilot.DeleteSessionFiles(cmp.Or(s.Home, os.Getenv("COPILOT_HOME")), s.ACPID))
	}
	return err
}

// emptyTrash removes the chats that were deleted before this start.
func (e *Engine) emptyTrash(chats []backend.Chat) {
	for _, chat := range chats {
		e.deleteChat(chat)
	}
}
