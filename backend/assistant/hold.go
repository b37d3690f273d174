package assistant

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// Hold keeps a chat from running until release is called: messages are queued meanwhile, and tasks of the user aren't
// started. It returns CodeUnavailable while the chat runs or is held.
func (s *Service) Hold(chatID string) (release func(), err error) {
	v, err := s.conversation(chatID)
	if err != nil {
		return nil, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.deleted:
		return nil, errNoChat
	case v.isHeld:
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This chat is still going back to an earlier message. Try again in a moment.")}
	case v.running != nil || len(v.tasks) > 0:
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This chat is still running. Wait for it to finish, or stop it.")}
	}
	v.isHeld = true
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.isHeld = false
		if !v.deleted && !s.isClosed() {
			_ = v.startNext(context.Background()) // on failure the queue is paused
		}
	}, nil
}

// Busy reports whether a chat runs or is held.
func (s *Service) Busy(chatID string) bool {
	v, err := s.conversation(chatID)
	if err != nil {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.isHeld || v.running != nil || len(v.tasks) > 0
}

// Copy adds a chat like the one with the given id: in the same folder and with the same model or agent. It is
// committed together with the events that with returns for it.
func (s *Service) Copy(ctx context.Context, id string, with func(chat backend.Chat) ([]backend.Event, error)) (backend.Chat, error) {
	from, err := s.Get(id)
	if err != nil {
		return backend.Chat{}, err
	}
	if from.DeletedAt > 0 {
		return backend.Chat{}, errNoChat
	}
	chat := copyOf(from)
	events, err := with(chat)
	if err != nil {
		return backend.Chat{}, err
	}
	if err := s.commit(ctx, backend.Say("Couldn't create the new chat."), append([]backend.Event{{Chat: &chat}}, events...)...); err != nil {
		return backend.Chat{}, err
	}
	s.mu.Lock()
	s.byID[chat.ID] = s.newConversation(chat)
	s.mu.Unlock()
	return chat, nil
}

// copyOf returns a new chat like another one.
func copyOf(from backend.Chat) backend.Chat {
	mode := from.PermissionMode
	if mode != backend.ModeAcceptEdits {
		mode = backend.ModeAsk // a new chat never starts with backend.ModeBypass
	}
	now := backend.Now()
	return backend.Chat{
		ID: backend.NewID(), Title: withNumber(from.Title), TitleByUser: true,
		Folder: from.Folder, ProviderID: from.ProviderID, OrchestratorID: from.OrchestratorID, PermissionMode: mode, Sandbox: from.Sandbox,
		CreatedAt: now, UpdatedAt: now,
	}
}
