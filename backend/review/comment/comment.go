package comment

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/backend/undo"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// Config holds the dependencies of a Manager.
type Config struct {
	Store *store.Store
	Undo  *undo.Manager
	Chat  func(id string) (backend.Chat, error)
	// Lines returns the lines of one side of a file in a source, without line breaks. It returns CodeStale if the
	// version is unknown.
	Lines func(ctx context.Context, chatID string, c backend.NewReviewComment) ([]string, error)
	// Send sends a message to a chat. It calls the function events with the ID of the message's item, and commits the
	// returned events together with the message.
	Send   func(ctx context.Context, chatID, text string, events func(itemID string) []backend.Event) (itemID string, err error)
	Commit func(ctx context.Context, events ...backend.Event) error
	// Go runs a task in the background, unless the app is closing.
	Go  func(task func())
	Log *slog.Logger
}

// Manager stores the comments of all chats and follows their lines. It is safe for concurrent use.
type Manager struct {
	cfg Config

	mu    sync.Mutex
	chats map[string]*chatState
}

// chatState holds a chat's state in memory. It is locked while the chat's comments are being changed.
type chatState struct {
	sync.Mutex
	last       sent
	isCaughtUp bool                    // see catchUp
	removed    []backend.ReviewComment // the last removed comments, with their SeenText, oldest first
}

// New returns a Manager.
func New(cfg Config) *Manager { return &Manager{cfg: cfg, chats: map[string]*chatState{}} }

// lock locks the comments of a chat. It returns the chat's state, which the caller must unlock.
func (m *Manager) lock(chatID string) *chatState {
	m.mu.Lock()
	c := m.chats[chatID]
	if c == nil {
		c = &chatState{}
		m.chats[chatID] = c
	}
	m.mu.Unlock()
	c.Lock()
	return c
}

// Limits for following comments through different versions of a file.
const (
	maxFile  = 5 << 20  // size of a file in bytes
	maxFiles = 64 << 20 // total size in bytes of the files that are read for a list
	maxLine  = 10_000   // number of characters of a line that are compared
)

// split splits a text into lines without line breaks, and truncates each of them with cut.
func split(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	compared(lines)
	return lines
}

// compared removes a CR from the end of each line and truncates the line with cut.
func compared(lines []string) {
	for i, line := range lines {
		lines[i] = cut(strings.TrimSuffix(line, "\r"))
	}
}

// cut returns the first maxLine characters of a line. Only these are compared.
func cut(line string) string {
	if len(line) <= maxLine {
		return line
	}
	n := 0
	for i := range line {
		if n == maxLine {
			return line[:i]
		}
		n++
	}
	return line
}

// seen returns the hash of a file's lines and the compressed text to store for them.
func seen(lines []string) (hash string, text []byte) {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = io.WriteString(w, strings.Join(lines, "\n")) // a bytes.Buffer never fails
	_ = w.Close()
	return hashOf(lines), b.Bytes()
}

func hashOf(lines []string) string {
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:])
}

// seenLines decompresses a text returned by seen and returns its lines.
func seenLines(text []byte) ([]string, error) {
	r, err := zlib.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	plain, err := io.ReadAll(io.LimitReader(r, 2*maxFile))
	if err != nil {
		return nil, err
	}
	return strings.Split(string(plain), "\n"), nil
}

// Add adds a comment as a draft. It returns CodeStale if n.Version is unknown or doesn't contain all of the comment's
// lines.
func (m *Manager) Add(ctx context.Context, chatID string, n backend.NewReviewComment) (c backend.ReviewComment, err error) {
	chat, err := m.cfg.Chat(chatID)
	if err != nil {
		return c, err
	}
	if err := checkText(n.Text); err != nil {
		return c, err
	}
	path, err := pathIn(chat.Folder, n.Path)
	if err != nil {
		return c, err
	}
	if n.Side != backend.OldSide && n.Side != backend.NewSide || n.Start < 0 || n.End < n.Start {
		return c, backend.Invalid("Select the lines for the comment again.")
	}
	if n.End-n.Start >= backend.MaxReviewQuote {
		return c, backend.Invalid("A comment can cover up to %d lines.", backend.MaxReviewQuote)
	}
	lines, err := m.cfg.Lines(ctx, chatID, n)
	if err != nil {
		return c, err
	}
	if n.End >= len(lines) {
		return c, &backend.Error{Code: backend.CodeStale, Message: backend.Say("The file has changed. Select the lines again.")}
	}
	compared(lines)
	defer m.lock(chatID).Unlock()
	all, err := m.cfg.Store.ReviewComments(ctx, chatID)
	if err != nil {
		return c, err
	}
	if len(all) >= backend.MaxReviewComments {
		return c, errTooMany
	}
	c = backend.ReviewComment{
		ID: backend.NewID(), ChatID: chatID, Path: path, Side: n.Side, Start: n.Start, End: n.End, Text: n.Text,
		Quote: strings.Join(lines[n.Start:n.End+1], "\n"), State: backend.CommentDraft, From: backend.CommentByUser, CreatedAt: backend.Now(),
	}
	c.Seen, c.SeenText = seen(lines)
	return c, m.save(ctx, c)
}

func checkText(text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return backend.Invalid("Enter a comment first.")
	case utf8.RuneCountInString(text) > backend.MaxReviewCommentText:
		return &backend.Error{Code: backend.CodeTooLarge, Message: backend.Say("The comment is too long. The limit is 20,000 characters.")}
	case !utf8.ValidString(text):
		return backend.Invalid("The comment contains data that isn't text. Paste it again as plain text.")
	}
	return nil
}

// pathIn cleans a path that is relative to the folder, and returns it with slashes. It returns CodeInvalid if the path
// leads out of the folder or names a folder instead of a file.
func pathIn(folder, path string) (string, error) {
	local := filepath.FromSlash(path)
	if !utf8.ValidString(path) || len(path) > 4096 || !filepath.IsLocal(local) || strings.ContainsRune(path, 0) {
		return "", backend.Invalid("The file isn't in the chat's folder.")
	}
	if at, err := workspace.Locate(folder, filepath.Join(folder, local)); err != nil {
		return "", err
	} else if !at.Inside || at.IsFolder() {
		return "", backend.Invalid("The file isn't in the chat's folder.")
	}
	return filepath.ToSlash(filepath.Clean(local)), nil
}

func (m *Manager) save(ctx context.Context, comments ...backend.ReviewComment) error {
	var events []backend.Event
	for _, c := range comments {
		events = append(events, backend.Event{ReviewComment: &c})
	}
	if err := m.cfg.Commit(ctx, events...); err != nil {
		return backend.NotSaved(backend.Say("the comment"), err)
	}
	return nil
}

// change applies the function change to the stored comment with the given ID, and saves the result.
func (m *Manager) change(ctx context.Context, id string, change func(c *backend.ReviewComment) error) error {
	chatID, err := m.cfg.Store.ReviewChat(ctx, id)
	if err != nil {
		return err
	}
	chat, err := m.cfg.Chat(chatID)
	if err != nil {
		return err
	}
	defer m.lock(chatID).Unlock()
	_, all, err := m.list(ctx, chat)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(c backend.ReviewComment) bool { return c.ID == id })
	if i < 0 {
		return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This comment no longer exists.")}
	}
	if err := change(&all[i]); err != nil {
		return err
	}
	return m.save(ctx, all[i])
}

// Edit replaces the text of a draft.
func (m *Manager) Edit(ctx context.Context, id, text string) error {
	if err := checkText(text); err != nil {
		return err
	}
	return m.change(ctx, id, func(c *backend.ReviewComment) error {
		switch c.State {
		case backend.CommentDraft:
			c.Text = text
			return nil
		case backend.CommentSuggested:
			return errNotAccepted
		default:
			return backend.Invalid("This comment has already been sent, so it can't be edited. Add another comment.")
		}
	})
}

// Resolve marks a sent comment as resolved or, if resolved is false, reopens it.
func (m *Manager) Resolve(ctx context.Context, id string, resolved bool) error {
	return m.change(ctx, id, func(c *backend.ReviewComment) error {
		switch {
		case c.State == backend.CommentSuggested:
			return errNotAccepted
		case c.State == backend.CommentDraft:
			return backend.Invalid("This comment hasn't been sent yet, so it can't be resolved. Remove it instead.")
		case resolved:
			c.State, c.ResolvedAt = backend.CommentResolved, backend.Now()
		case c.State == backend.CommentResolved && c.AnsweredAt > 0:
			c.State, c.ResolvedAt = backend.CommentAnswered, 0
		case c.State == backend.CommentResolved:
			c.State, c.ResolvedAt = backend.CommentSent, 0
		}
		return nil
	})
}

// maxRemoved is the maximum number of removed comments per chat that can be restored.
const maxRemoved = 20

// Remove deletes a comment. A message that was sent with the comment doesn't change. Until VoxPilot is closed, Restore
// can bring back the last maxRemoved comments of a chat.
func (m *Manager) Remove(ctx context.Context, id string) error {
	chatID, err := m.cfg.Store.ReviewChat(ctx, id)
	if err != nil {
		return err
	}
	chat := m.lock(chatID)
	defer chat.Unlock()
	all, err := m.cfg.Store.ReviewComments(ctx, chatID)
	if err != nil {
		return err
	}
	for _, c := range all {
		if c.ID != id {
			continue
		}
		if c.SeenText, err = m.cfg.Store.ReviewText(ctx, chatID, c.Seen); err != nil {
			return err
		}
		chat.removed = append(chat.removed, c)
		chat.removed = chat.removed[max(0, len(chat.removed)-maxRemoved):]
	}
	if err := m.cfg.Commit(ctx, backend.Event{ReviewCommentDeleted: &backend.Deleted{ID: id, ChatID: chatID}}); err != nil {
		return backend.NotSaved(backend.Say("the comment"), err)
	}
	return nil
}

// Restore brings back a removed comment of a chat. It returns CodeNotFound if the comment isn't one of the last that
// were removed.
func (m *Manager) Restore(ctx context.Context, chatID, id string) error {
	chat := m.lock(chatID)
	defer chat.Unlock()
	i := slices.IndexFunc(chat.removed, func(c backend.ReviewComment) bool { return c.ID == id })
	if i < 0 {
		return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This comment no longer exists.")}
	}
	if err := m.save(ctx, chat.removed[i]); err != nil {
		return err
	}
	chat.removed = slices.Delete(chat.removed, i, i+1)
	return nil
}
