package otherprograms

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// job reads a conversation into a chat.
type job struct {
	cancel context.CancelFunc
	done   chan struct{}
}

// progressPause is the minimum time between two reports of a job's progress.
const progressPause = 300 * time.Millisecond

// errEmpty means that a conversation contains no message.
var errEmpty = errors.New("the conversation has no message")

// userError returns the user-facing error for err.
func userError(err error) error {
	var own *backend.Error
	switch {
	case errors.As(err, &own):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This conversation no longer exists."), Detail: err.Error()}
	case errors.Is(err, errEmpty):
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot can't read any messages in this conversation."), Detail: err.Error()}
	}
	return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't read the conversation. Check its file permissions and the available disk space, then try again."), Detail: err.Error()}
}

// Open returns the chat that contains a conversation. If no chat contains it, or only a deleted chat does, Open creates
// a chat and reads the conversation into it in the background.
func (m *Manager) Open(ctx context.Context, p backend.OtherProgram, id string) (backend.Chat, error) {
	m.opening.Lock()
	defer m.opening.Unlock()
	if chat, r := m.owner(p, id); chat.ID != "" {
		if r.Complete {
			return chat, nil
		}
		return chat, m.retry(ctx, chat, r)
	}
	c, err := m.find(ctx, p, id)
	if err != nil {
		return backend.Chat{}, err
	}
	folder := c.Folder
	if folder == "" {
		if folder, err = os.UserHomeDir(); err != nil {
			return backend.Chat{}, userError(err)
		}
	}
	var r record
	chat, err := m.cfg.Create(ctx, folder, c.Title, func(chat backend.Chat) ([]backend.Event, error) {
		r = record{Program: p, ID: id, ChatID: chat.ID, Size: c.Size, UpdatedAt: c.UpdatedAt}
		if err := m.save(r); err != nil { // first, so that the next start knows the chat
			return nil, userError(err)
		}
		now := backend.Now()
		return []backend.Event{{Session: sessionOf(chat, now)}, {Item: banner(chat.ID, p, now, backend.Banner{})}}, nil
	})
	if err != nil {
		if r.ChatID != "" {
			m.Forget(r.ChatID)
		}
		return chat, err
	}
	m.begin(chat, c, r)
	return chat, nil
}

// retry reads a conversation again from the start, in the background, after an attempt that didn't reach the end. It
// writes the same rows as the first attempt, so it returns CodeUnavailable if the conversation has changed since that
// attempt.
func (m *Manager) retry(ctx context.Context, chat backend.Chat, r record) error {
	m.mu.Lock()
	reading := m.jobs[chat.ID] != nil
	m.mu.Unlock()
	if reading {
		return nil
	}
	c, err := m.find(ctx, r.Program, r.ID)
	if err != nil {
		return err
	}
	if c.Size != r.Size || c.UpdatedAt != r.UpdatedAt {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The conversation has changed since VoxPilot read part of it. Delete this chat, then open the conversation again.")}
	}
	m.begin(chat, c, r)
	return nil
}

// find returns the conversation with the given ID.
func (m *Manager) find(ctx context.Context, p backend.OtherProgram, id string) (Conversation, error) {
	all, failures := m.list(ctx, p)
	i := slices.IndexFunc(all, func(c Conversation) bool { return c.Program == p && c.ID == id })
	switch {
	case i >= 0:
		return all[i], nil
	case failures[p] != nil:
		return Conversation{}, userError(failures[p])
	}
	return Conversation{}, userError(fs.ErrNotExist)
}

// sessionOf returns the row of the chat's main session. The row looks like that of a session that was lost before its
// first prompt, so the next prompt creates a session from the whole transcript.
func sessionOf(chat backend.Chat, now backend.Millis) *backend.Session {
	return &backend.Session{
		ChatID: chat.ID, Name: backend.SessionMain, Cwd: chat.Folder, State: backend.SessionLost, ReplacesID: "none", CreatedAt: now, UsedAt: now,
	}
}

// banner returns the item of the banner at the top of a chat.
func banner(chatID string, p backend.OtherProgram, at backend.Millis, b backend.Banner) *backend.Item {
	b.Kind, b.Session, b.From = backend.BannerImported, backend.SessionMain, Names[p]
	return &backend.Item{
		ID: idOf("banner", chatID), ChatID: chatID, Session: backend.SessionMain, Kind: backend.ItemBanner, CreatedAt: at, EndedAt: at, Banner: &b,
	}
}

// begin reads a conversation into a chat in the background.
func (m *Manager) begin(chat backend.Chat, c Conversation, r record) {
	ctx, cancel := context.WithCancel(m.ctx)
	j := &job{cancel, make(chan struct{})}
	m.mu.Lock()
	m.jobs[chat.ID] = j
	m.mu.Unlock()
	report := func(state backend.SessionImportState, read int64, err error) {
		s := backend.SessionImport{ChatID: chat.ID, State: state, Read: read, Size: max(read, c.Size), Program: r.Program, ConversationID: r.ID}
		if err != nil {
			s.Error = backend.MessageOf(userError(err))
		}
		m.cfg.Publish(backend.Event{SessionImport: &s})
	}
	report(backend.ImportReading, 0, nil)
	m.tasks.Go(func() {
		defer close(j.done)
		defer cancel()
		to, err := m.read(ctx, chat, c, func(read int64) { report(backend.ImportReading, read, nil) })
		if err == nil {
			r.Complete = true
			err = m.save(r)
		}
		m.mu.Lock()
		delete(m.jobs, chat.ID)
		m.mu.Unlock()
		switch {
		case err == nil:
			m.cfg.Log.Info("read a conversation", "chat", chat.ID, "program", r.Program, "messages", to.messages, "unknown", to.unknown, "damaged", to.damaged)
			report(backend.ImportDone, c.Size, nil)
		case ctx.Err() == nil:
			m.cfg.Log.Warn("couldn't read a conversation", "chat", chat.ID, "program", r.Program, "err", err)
			report(backend.ImportFailed, 0, err)
		}
	})
}

// read reads a conversation into a chat, and updates the banner and the chat's row.
func (m *Manager) read(ctx context.Context, chat backend.Chat, c Conversation, progress func(read int64)) (*rows, error) {
	var reported time.Time
	start := min(cmp.Or(c.CreatedAt, c.UpdatedAt), backend.Now())
	to := &rows{chat: chat, at: start, commit: func(events []backend.Event) error { return m.cfg.Commit(ctx, events...) }}
	to.progress = func(read int64) {
		if time.Since(reported) >= progressPause {
			reported = time.Now()
			progress(read)
		}
	}
	if release, err := m.cfg.Hold(chat.ID); err == nil {
		defer release()
	}
	program := m.programs()[c.Program]
	if program == nil {
		return to, fs.ErrNotExist
	}
	if err := program.Read(ctx, c, to); err != nil {
		return to, err
	}
	if err := to.finish(); err != nil {
		return to, err
	}
	if to.messages == 0 {
		return to, errEmpty
	}
	b := backend.Banner{Detail: backend.Count(to.messages, "1 message", "%d messages")}
	if to.damaged > 0 {
		b.Note = backend.Count(to.damaged, "1 damaged entry was left out.", "%d damaged entries were left out.")
	}
	return to, m.cfg.Change(ctx, chat.ID, func(chat *backend.Chat) {
		if chat.TurnState == "" {
			chat.TurnState, chat.TurnSince = backend.TurnDone, to.at
		}
	}, backend.Event{Item: banner(chat.ID, c.Program, chat.CreatedAt, b)})
}

// Cancel stops reading a conversation into a chat, and deletes the chat. It returns false if the chat doesn't contain a
// conversation of another program, and CodeUnavailable if the conversation was read to its end.
func (m *Manager) Cancel(chatID string) (is bool, err error) {
	m.mu.Lock()
	_, is = m.records[chatID]
	m.mu.Unlock()
	if !is {
		return false, nil
	}
	m.Stop(chatID)
	m.mu.Lock()
	complete := m.records[chatID].Complete
	m.mu.Unlock()
	if complete {
		return true, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The whole conversation is already in this chat.")}
	}
	chat, err := m.cfg.Chat(chatID)
	if err != nil {
		return true, err
	}
	m.cfg.Delete(chat)
	return true, nil
}
