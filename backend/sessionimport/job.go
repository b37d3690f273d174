package sessionimport

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// job is an import in progress.
type job struct {
	reader *Reader
	cancel context.CancelFunc
	done   chan struct{}
}

// progressPause is the minimum time between two reports of an import's progress.
const progressPause = 300 * time.Millisecond

// begin reads the reader's log in the background, unless it is already being read.
func (m *Manager) begin(r *Reader) {
	id := r.s.Target.ChatID
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.jobs[id] != nil || m.ctx.Err() != nil {
		return
	}
	j := &job{reader: r, done: make(chan struct{})}
	ctx, cancel := context.WithCancel(m.ctx)
	j.cancel = cancel
	m.jobs[id], m.incomplete[id] = j, true
	m.report(r, backend.ImportReading, 0, 0, nil)
	m.tasks.Go(func() {
		defer close(j.done)
		defer cancel()
		err := m.run(ctx, r)
		m.mu.Lock()
		delete(m.jobs, id)
		if err == nil {
			delete(m.incomplete, id)
		}
		m.mu.Unlock()
		switch {
		case err == nil:
			m.report(r, backend.ImportDone, r.s.Offset, r.s.Offset, nil)
		case ctx.Err() == nil:
			m.cfg.Log.Warn("couldn't read a session", "chat", id, "session", r.s.Target.ACPID, "err", err)
			m.report(r, backend.ImportFailed, r.s.Offset, r.s.Offset, err)
		}
	})
}

// report publishes the state of an import. read is the number of bytes of the log that were read, and size is the size
// of the log in bytes.
func (m *Manager) report(r *Reader, state backend.SessionImportState, read, size int64, err error) {
	s := backend.SessionImport{ChatID: r.s.Target.ChatID, State: state, Read: read, Size: max(size, read)}
	if err != nil {
		s.Error = backend.MessageOf(userError(err))
	}
	m.cfg.Publish(backend.Event{SessionImport: &s})
}

// run reads a log to its end.
func (m *Manager) run(ctx context.Context, r *Reader) error {
	select {
	case m.slot <- struct{}{}:
		defer func() { <-m.slot }()
	case <-ctx.Done():
		return ctx.Err()
	}
	target := r.s.Target
	if release, err := m.cfg.Hold(target.ChatID); err == nil {
		defer release()
	}
	log, err := sessionfiles.OpenLog(sessionfiles.HomeOf(backend.Session{Home: target.Home}), target.ACPID)
	if err != nil {
		return err
	}
	defer log.Close()
	if err := r.Verify(log); err != nil {
		return err
	}
	info, err := log.Stat()
	if err != nil {
		return err
	}
	m.report(r, backend.ImportReading, r.s.Offset, info.Size(), nil)
	var reported time.Time
	defer m.cfg.Store.WakeIndex()
	err = r.Read(ctx, log, m.cfg.Import, func(read, size int64) {
		if time.Since(reported) >= progressPause {
			reported = time.Now()
			m.report(r, backend.ImportReading, read, size, nil)
		}
	})
	if err != nil {
		return err
	}
	if err := m.finish(ctx, r); err != nil {
		return err
	}
	r.s.Complete = true
	return r.Save()
}

// finish updates the rows of the chat, its session and the banner after the log was read.
func (m *Manager) finish(ctx context.Context, r *Reader) error {
	target, stats := r.s.Target, r.s.Stats
	sessions, err := m.cfg.Store.Sessions(ctx, target.ChatID)
	if err != nil {
		return err
	}
	var events []backend.Event
	for _, s := range sessions {
		if s.Name != target.Name {
			continue
		}
		if stats.First > 0 { // turns from before the session's creation aren't compared with the agent's history
			s.CreatedAt = min(s.CreatedAt, stats.First)
		}
		s.UsedAt = max(s.CreatedAt, stats.Last)
		events = append(events, backend.Event{Session: &s})
	}
	b := backend.Banner{Kind: backend.BannerImported, Session: target.Name, Copy: r.s.Copy, Detail: backend.Count(stats.Messages, "1 message", "%d messages")}
	if n := stats.Damaged + stats.Skipped; n > 0 {
		b.Note = backend.Count(n, "1 damaged entry was left out.", "%d damaged entries were left out.")
	}
	banner := bannerItem(target.ChatID, backend.Now(), b)
	if was, err := m.cfg.Store.Item(ctx, banner.ID); err == nil {
		banner.CreatedAt, banner.EndedAt = was.CreatedAt, was.EndedAt
	}
	events = append(events, backend.Event{Item: banner})
	return m.cfg.Change(ctx, target.ChatID, func(chat *backend.Chat) {
		if stats.State != "" && stats.State != backend.TurnRunning {
			chat.TurnState, chat.TurnSince = stats.State, stats.Last
		}
		if chat.Title == "" && !chat.TitleByUser {
			chat.Title = stats.Title
		}
	}, events...)
}

// Resume continues the import into a chat if it isn't complete.
func (m *Manager) Resume(ctx context.Context, chatID string) {
	r, err := Load(m.StateFile(chatID))
	if errors.Is(err, fs.ErrNotExist) || chatID == "" {
		return
	}
	if err == nil && r.s.Complete {
		return
	}
	if err != nil { // start again: the rows are the same
		m.cfg.Log.Warn("the state of an import is damaged", "chat", chatID, "err", err)
		sessions, err := m.cfg.Store.Sessions(ctx, chatID)
		if err != nil {
			return
		}
		for _, s := range sessions {
			if s.Name == backend.SessionMain {
				r = NewReader(m.StateFile(chatID), Target{ChatID: chatID, Name: s.Name, ACPID: s.ACPID, Home: s.Home, Folder: s.Cwd})
			}
		}
		if r == nil {
			return
		}
	}
	if chat, err := m.cfg.Chat(chatID); err == nil && chat.DeletedAt == 0 {
		m.begin(r)
	}
}

// Stop interrupts the import into a chat. Nothing more is written after Stop returns. Resume continues the import.
func (m *Manager) Stop(chatID string) {
	m.mu.Lock()
	j := m.jobs[chatID]
	m.mu.Unlock()
	if j != nil {
		j.cancel()
		<-j.done
	}
}

// Forget stops the import into a chat and removes its state.
func (m *Manager) Forget(chatID string) {
	m.Stop(chatID)
	m.mu.Lock()
	delete(m.incomplete, chatID)
	m.mu.Unlock()
	if err := os.Remove(m.StateFile(chatID)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.cfg.Log.Warn("couldn't remove the state of an import", "chat", chatID, "err", err)
	}
}

// Cancel stops the import into a chat and deletes the chat. The session doesn't change, but a copy that VoxPilot made for
// the chat is deleted. Cancel returns CodeUnavailable if the session was already read.
func (m *Manager) Cancel(chatID string) error {
	chat, err := m.cfg.Chat(chatID)
	if err != nil {
		return err
	}
	m.Stop(chatID)
	m.mu.Lock()
	incomplete := m.incomplete[chatID]
	m.mu.Unlock()
	if !incomplete {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The whole session is already in this chat.")}
	}
	r, loadErr := Load(m.StateFile(chatID))
	m.cfg.Delete(chat)
	m.Forget(chatID)
	if loadErr == nil && r.s.Copy {
		if err := sessionfiles.Delete(sessionfiles.HomeOf(backend.Session{Home: r.s.Target.Home}), r.s.Target.ACPID); err != nil {
			m.cfg.Log.Warn("couldn't delete the copy of a session", "session", r.s.Target.ACPID, "err", err)
		}
	}
	return nil
}
