package assistant

import (
	"context"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// Titled takes a better title for a chat than its first message, such as the
// agent's own. It never overwrites what the user typed, and leaves alone what is
// no title: one that is made of a recap.
func (c *Chats) Titled(ctx context.Context, chatID, title string) error {
	title = strings.TrimSpace(title)
	if title == "" || strings.HasPrefix(recapHead, title[:min(len(title), 40)]) {
		return nil
	}
	title = Title(title)
	return c.Change(ctx, chatID, func(chat *backend.Chat) {
		if !chat.TitleByUser {
			chat.Title = title
		}
	})
}

// titleOf is the title that a chat has of its first message.
func titleOf(q backend.Queued) string {
	if strings.TrimSpace(q.Text) == "" && len(q.With) > 0 {
		return firstLine(q.With[0].Name, maxTitle)
	}
	return Title(q.Text)
}
