package assistant

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// Discard stops a chat's turn and tasks, marks the chat as deleted and returns it; only Restore and Delete are possible
// afterward. If the parameter sessions is true, Discard records in the chat's row that the agent's own files for the
// chat's sessions must be deleted along with the chat.
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
		v.deleted = false // it still exists and is usable
		v.pause()         // but queued messages aren't sent automatically
		return v.chat, ended
	}
	v.setChat(chat)
	v.deleted = true // a failed concurrent call may have reset it
	v.pause()
	return chat, nil
}

// Restore undoes Discard. Queued messages wait until the user sends a message or resumes the queue.
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

// Discarded returns the chats that are marked as deleted.
func (s *Service) Discarded() (chats []backend.Chat) {
	for _, v := range s.all() {
		if chat := v.row.Load(); chat.DeletedAt > 0 {
			chats = append(chats, *chat)
		}
	}
	return chats
}
