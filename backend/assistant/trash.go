package assistant

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// Discard stops a chat's turn and work, and marks it as deleted: nothing can be
// done with it any more but Restore and Delete. With sessions, the agent's own
// files of its sessions are to go as well. It returns the chat.
func (s *Service) Discard(ctx context.Context, id string, sessions bool) (backend.Chat, error) {
	v, err := s.conversation(id)
	if err != nil {
		return backend.Chat{}, err
	}
	ended := v.end(ctx)
	v.mu.Lock()
	defer v.mu.Unlock()
	chat := v.chat
	if chat.DeletedAt > 0 {
		return chat, nil
	}
	if ended == nil {
		chat.DeletedAt, chat.DropSessions, chat.Unread = backend.Now(), sessions, false
		ended = s.commit(ctx, backend.Say("Couldn't delete the chat."), backend.Event{Chat: &chat})
	}
	if ended != nil {
		v.deleted = false // it is still there, and can be used
		v.pause()         // but what waits does not go out by itself
		return v.chat, ended
	}
	v.setChat(chat)
	v.deleted = true // another one that failed may have taken that back
	v.pause()
	return chat, nil
}

// Restore takes Discard back. What was queued waits until the user sends or
// resumes.
func (s *Service) Restore(ctx context.Context, id string) error {
	v, err := s.conversation(id)
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	chat := v.chat
	if chat.DeletedAt == 0 {
		return nil
	}
	chat.DeletedAt, chat.DropSessions = 0, false
	if err := s.commit(ctx, backend.Say("Couldn't restore the chat."), backend.Event{Chat: &chat}); err != nil {
		return err
	}
	v.setChat(chat)
	v.deleted = false
	return nil
}

// Discarded are the chats that are marked as deleted.
func (s *Service) Discarded() (chats []backend.Chat) {
	for _, v := range s.all() {
		if chat := v.row.Load(); chat.DeletedAt > 0 {
			chats = append(chats, *chat)
		}
	}
	return chats
}
