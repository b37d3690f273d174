package sessionimport

import (
	"context"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// Fork copies a session and opens the copy in a new chat. The session itself doesn't change.
func (m *Manager) Fork(ctx context.Context, home, id string) (backend.Chat, error) {
	return m.openCopy(ctx, home, id, func(home, to string) ([]backend.Banner, error) {
		return nil, sessionfiles.Fork(ctx, home, id, to, time.Time{})
	})
}

// Rescue repairs a copy of a damaged session and opens the copy in a new chat. The session itself doesn't change.
func (m *Manager) Rescue(ctx context.Context, home, id string) (backend.Chat, error) {
	return m.openCopy(ctx, home, id, func(home, to string) ([]backend.Banner, error) {
		folder := ""
		if log, err := sessionfiles.OpenLog(home, id); err == nil {
			folder = headOf(log).folder
			_ = log.Close() // nothing was written
		}
		dropped, err := sessionfiles.Repair(ctx, home, id, to, folder, func(sessionfiles.Event) {})
		b := backend.Banner{Kind: backend.BannerSessionRepaired, Session: backend.SessionMain, Dismissed: true}
		if dropped > 0 {
			b.Note = backend.Count(dropped, "1 damaged entry was left out.", "%d damaged entries were left out.")
		}
		return []backend.Banner{b}, err
	})
}

// openCopy opens a copy of a session in a new chat. The function copy copies the session in home to a new one with the ID
// to, and returns banners for the chat.
func (m *Manager) openCopy(ctx context.Context, home, id string, copy func(home, to string) ([]backend.Banner, error)) (chat backend.Chat, err error) {
	if !sessionfiles.IsID(id) {
		return chat, errNoSession(sessionfiles.ErrNoSession)
	}
	_, known, err := m.cfg.Provider(home)
	if err != nil {
		return chat, err
	}
	to, at := sessionfiles.NewID(), sessionfiles.HomeOf(backend.Session{Home: known})
	if err := m.cfg.Mark(at, to); err != nil {
		return chat, userError(err)
	}
	defer func() {
		if err == nil {
			m.cfg.Keep(to)
		} else {
			m.cfg.Remove(at, to)
		}
	}()
	banners, err := copy(at, to)
	if err != nil {
		return chat, userError(err)
	}
	return m.open(ctx, home, to, true, banners)
}
