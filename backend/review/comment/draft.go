package comment

import (
	"context"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// maxDraft is the maximum size in bytes of a draft: the texts in a review's fields, as encoded by the window.
const maxDraft = 1 << 20

// SaveDraft stores a draft: the texts that the user has typed into the fields of a chat's review. If draft is "", it
// deletes the stored one.
func (m *Manager) SaveDraft(_ context.Context, chatID, draft string) error {
	if _, err := m.cfg.Chat(chatID); err != nil {
		return err
	}
	if len(draft) > maxDraft || !utf8.ValidString(draft) {
		return backend.Invalid("Your unfinished comments are too long to save. Finish or shorten some of them.")
	}
	if err := m.cfg.Store.SetReviewDraft(chatID, draft); err != nil {
		return backend.NotSaved(backend.Say("the unfinished comments"), err)
	}
	return nil
}

// Draft returns the draft that SaveDraft last stored for a chat, or "" if there is none.
func (m *Manager) Draft(ctx context.Context, chatID string) (string, error) {
	return m.cfg.Store.ReviewDraft(ctx, chatID)
}
