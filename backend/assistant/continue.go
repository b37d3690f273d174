package assistant

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"github.com/voxpilot/voxpilot/backend"
)

// Continue adds a chat that continues the chat with the given id, in the same folder
// and with the same model or agent. told is the recap that is sent before the new
// chat's first message; a banner shows it.
func (s *Service) Continue(ctx context.Context, id, told string) (backend.Chat, error) {
	from, err := s.Get(id)
	if err != nil {
		return backend.Chat{}, err
	}
	if from.DeletedAt > 0 {
		return backend.Chat{}, errNoChat
	}
	mode := from.PermissionMode
	if mode != backend.ModeAcceptEdits {
		mode = backend.ModeAsk // a new chat never starts with backend.ModeBypass
	}
	now := backend.Now()
	chat := backend.Chat{
		ID: backend.NewID(), Title: withNumber(from.Title), TitleByUser: true,
		Folder: from.Folder, ProviderID: from.ProviderID, OrchestratorID: from.OrchestratorID, PermissionMode: mode, Sandbox: from.Sandbox,
		CreatedAt: now, UpdatedAt: now,
	}
	// A session that replaces another one gets a recap before its first prompt.
	session := backend.Session{
		ChatID: chat.ID, Name: backend.SessionMain, Cwd: chat.Folder, State: backend.SessionLost,
		ReplacesID: "none", CreatedAt: now, UsedAt: now,
	}
	item := backend.Item{
		ID: backend.NewID(), ChatID: chat.ID, Session: backend.SessionMain, Kind: backend.ItemBanner, CreatedAt: now, EndedAt: now,
		Banner: &backend.Banner{Kind: backend.BannerContinued, Session: backend.SessionMain, Detail: backend.Plain(from.Title), Recap: told},
	}
	if err := s.commit(ctx, backend.Say("Couldn't create the new chat."), backend.Event{Chat: &chat}, backend.Event{Session: &session}, backend.Event{Item: &item}); err != nil {
		return backend.Chat{}, err
	}
	s.mu.Lock()
	s.byID[chat.ID] = s.newConversation(chat)
	s.mu.Unlock()
	return chat, nil
}

var number = regexp.MustCompile(`^(.*) \((\d{1,4})\)$`)

// withNumber returns the title for the continuation of a chat: "Fix the tests" becomes "Fix the tests
// (2)", which becomes "Fix the tests (3)".
func withNumber(title string) string {
	n := 2
	if parts := number.FindStringSubmatch(title); parts != nil {
		if before, err := strconv.Atoi(parts[2]); err == nil && before > 1 {
			title, n = parts[1], before+1
		}
	}
	return fmt.Sprintf("%s (%d)", title, n)
}
