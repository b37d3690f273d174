package assistant

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"github.com/voxpilot/voxpilot/backend"
)

// Continue adds a chat that continues the chat with the given id. The new chat has the same folder and the same model
// or agent. The given recap is sent before the new chat's first message and is shown in a banner.
func (s *Service) Continue(ctx context.Context, id, told string) (backend.Chat, error) {
	from, err := s.Get(id)
	if err != nil {
		return backend.Chat{}, err
	}
	return s.Copy(ctx, id, func(chat backend.Chat) ([]backend.Event, error) {
		now := chat.CreatedAt
		// Only a session that replaces another one gets a recap before its first prompt. So this row pretends that
		// its session replaces one.
		return []backend.Event{{Session: &backend.Session{
			ChatID: chat.ID, Name: backend.SessionMain, Cwd: chat.Folder, State: backend.SessionLost,
			ReplacesID: "none", CreatedAt: now, UsedAt: now,
		}}, {Item: &backend.Item{
			ID: backend.NewID(), ChatID: chat.ID, Session: backend.SessionMain, Kind: backend.ItemBanner, CreatedAt: now, EndedAt: now,
			Banner: &backend.Banner{Kind: backend.BannerContinued, Session: backend.SessionMain, Detail: backend.Plain(from.Title), Recap: told},
		}}}, nil
	})
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
