package comment

import (
	"context"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Suggestion is a comment that an agent suggests.
type Suggestion struct {
	Path  string // relative to the chat's folder, with slashes
	Side  backend.ReviewSide
	Lines []string // lines of the comment's side; nil if they don't contain Quote
	Range          // the comment's range in Lines
	Quote string   // the lines that the comment is about; used if Lines is nil
	Text  string
}

var errTooMany = &backend.Error{Code: backend.CodeTooLarge, Message: backend.Say("A chat can have up to %d comments. Remove some first.", backend.MaxReviewComments)}

var errNotAccepted = backend.Invalid("Accept the suggested comment first.")

// Suggest stores suggested comments and returns their number. It leaves out comments that the agent has suggested
// before and those outside the chat's folder. It returns CodeTooLarge if the chat would have too many comments.
func (m *Manager) Suggest(ctx context.Context, chatID string, list []Suggestion) (added int, err error) {
	chat, err := m.cfg.Chat(chatID)
	if err != nil {
		return 0, err
	}
	defer m.lock(chatID).Unlock()
	all, err := m.cfg.Store.ReviewComments(ctx, chatID)
	if err != nil {
		return 0, err
	}
	if len(all)+len(list) > backend.MaxReviewComments {
		return 0, errTooMany
	}
	var comments []backend.ReviewComment
	for _, s := range list {
		path, err := pathIn(chat.Folder, s.Path)
		s.Text = strings.TrimSpace(Clean(excerpt.Head(s.Text, backend.MaxReviewCommentText)))
		s.Text = excerpt.Head(s.Text, backend.MaxReviewCommentText) // Clean may have made it longer
		if err != nil || s.Text == "" {
			continue
		}
		c := s.comment(chatID, path)
		same := func(o backend.ReviewComment) bool {
			return o.From == backend.CommentByAgent && o.Path == path && o.Side == c.Side && o.Text == c.Text && o.Quote == c.Quote
		}
		if slices.ContainsFunc(all, same) || slices.ContainsFunc(comments, func(o backend.ReviewComment) bool { return same(o) && o.Start == c.Start }) {
			continue
		}
		comments = append(comments, c)
	}
	if len(comments) == 0 {
		return 0, nil
	}
	return len(comments), m.save(ctx, comments...)
}

// comment returns the comment that is stored for a suggestion.
func (s Suggestion) comment(chatID, path string) backend.ReviewComment {
	c := backend.ReviewComment{
		ID: backend.NewID(), ChatID: chatID, Path: path, Side: s.Side, Start: -1, End: -1, Text: s.Text,
		State: backend.CommentSuggested, From: backend.CommentByAgent, CreatedAt: backend.Now(),
	}
	lines := slices.Clone(s.Lines)
	if lines != nil {
		c.Start, c.End = s.Start, min(s.End, s.Start+backend.MaxReviewQuote-1)
	} else { // Follow finds no place for a comment without a range
		lines = strings.Split(s.Quote, "\n")
		lines = lines[:min(len(lines), backend.MaxReviewQuote)]
	}
	for i, line := range lines {
		lines[i] = cut(strings.TrimSuffix(line, "\r"))
	}
	quote := lines
	if s.Lines != nil {
		quote = lines[c.Start : c.End+1]
	}
	c.Quote = strings.Join(quote, "\n")
	c.Seen, c.SeenText = seen(lines)
	return c
}

// Accept turns suggested comments of a chat into drafts. It ignores the IDs of comments that aren't suggestions. It
// returns CodeNotFound if none of the IDs is that of a suggestion.
func (m *Manager) Accept(ctx context.Context, chatID string, ids []string) error {
	chat, err := m.cfg.Chat(chatID)
	if err != nil {
		return err
	}
	defer m.lock(chatID).Unlock()
	_, rows, err := m.list(ctx, chat)
	if err != nil {
		return err
	}
	accepted := suggested(rows, ids)
	if len(accepted) == 0 {
		return errNoSuggestion
	}
	for i := range accepted {
		accepted[i].State = backend.CommentDraft
	}
	return m.save(ctx, accepted...)
}

// Dismiss deletes suggested comments of a chat. It ignores the IDs of comments that aren't suggestions. It returns
// CodeNotFound if none of the IDs is that of a suggestion.
func (m *Manager) Dismiss(ctx context.Context, chatID string, ids []string) error {
	defer m.lock(chatID).Unlock()
	rows, err := m.cfg.Store.ReviewComments(ctx, chatID)
	if err != nil {
		return err
	}
	var events []backend.Event
	for _, c := range suggested(rows, ids) {
		events = append(events, backend.Event{ReviewCommentDeleted: &backend.Deleted{ID: c.ID, ChatID: chatID}})
	}
	if len(events) == 0 {
		return errNoSuggestion
	}
	if err := m.cfg.Commit(ctx, events...); err != nil {
		return backend.NotSaved(backend.Say("the comment"), err)
	}
	return nil
}

var errNoSuggestion = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This suggested comment no longer exists.")}

// suggested returns the suggestions in rows that have one of the given IDs.
func suggested(rows []backend.ReviewComment, ids []string) (list []backend.ReviewComment) {
	for _, c := range rows {
		if c.State == backend.CommentSuggested && slices.Contains(ids, c.ID) {
			list = append(list, c)
		}
	}
	return list
}
