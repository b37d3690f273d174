package assistant

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// Hold prevents a chat from starting turns and tasks until release is called. Until then, messages are queued, and
// Delegate returns CodeUnavailable. Hold itself returns CodeUnavailable if the chat is running or already held.
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

// Busy reports whether a chat is running or held (see Hold).
func (s *Service) Busy(chatID string) bool {
	v, err := s.conversation(chatID)
	if err != nil {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.isHeld || v.running != nil || len(v.tasks) > 0
}

// Copy adds a chat with the same folder, sandbox, and model or agent as the chat with the given id, and with a number
// added to its title. It keeps the permission mode ModeAcceptEdits and replaces any other with ModeAsk. The new chat is
// committed together with the events that eventsFor returns for it.
func (s *Service) Copy(ctx context.Context, id string, eventsFor func(chat backend.Chat) ([]backend.Event, error)) (backend.Chat, error) {
	from, err := s.Get(id)
	if err != nil {
		return backend.Chat{}, err
	}
	if from.DeletedAt > 0 {
		return backend.Chat{}, errNoChat
	}
	chat := copyOf(from)
	events, err := eventsFor(chat)
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

// copyOf returns a new chat with the settings of an existing one, and with a number added to its title.
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

// CreateWith is like Create, but commits the chat together with the events that eventsFor returns for it.
func (s *Service) CreateWith(ctx context.Context, folder, providerID, title string, mode backend.PermissionMode, eventsFor func(chat backend.Chat) ([]backend.Event, error)) (backend.Chat, error) {
	chat := s.newChat(folder, providerID, title, mode)
	events, err := eventsFor(chat)
	if err != nil {
		return backend.Chat{}, err
	}
	if err := s.commit(ctx, backend.Say("Couldn't create the chat."), append([]backend.Event{{Chat: &chat}}, events...)...); err != nil {
		return backend.Chat{}, err
	}
	s.mu.Lock()
	s.byID[chat.ID] = s.newConversation(chat)
	s.mu.Unlock()
	return chat, nil
}

// checkWritable returns the error of Config.Writable.
func (s *Service) checkWritable(chatID string) error {
	if s.cfg.Writable == nil {
		return nil
	}
	return s.cfg.Writable(chatID)
}
