package branch

import (
	"context"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// NewChat creates a chat that continues from the point before a turn's message. The new chat has the same folder,
// copies of the messages that are shown before the turn, and forks of the agent's sessions. The turn's chat, which may
// be running, doesn't change.
func (m *Manager) NewChat(ctx context.Context, turnID string) (backend.Chat, error) {
	p, err := m.find(ctx, turnID)
	if err != nil {
		return backend.Chat{}, err
	}
	sessions, err := m.cfg.Store.Sessions(ctx, p.chat.ID)
	if err != nil {
		return backend.Chat{}, err
	}
	tail := since(p.lines, p.after)
	w := &rewound{}
	defer func() { w.release(m) }()
	chat, err := m.cfg.Copy(ctx, p.chat.ID, func(chat backend.Chat) ([]backend.Event, error) {
		for _, s := range sessions {
			used, from := backend.Millis(0), p.turn.StartedAt
			for _, l := range p.lines {
				isTail := slices.ContainsFunc(tail, func(o store.Line) bool { return o.ID == l.ID })
				switch {
				case l.Aside != "" || !reached(l, s.Name):
				case isTail:
					from = min(from, l.SentAt)
				case l.SentAt >= s.CreatedAt:
					used = max(used, l.SentAt)
				}
			}
			if used == 0 && s.Name != backend.SessionMain {
				continue
			}
			if err := m.replace(w, p.chat, s, from, used, chat.ID); err != nil {
				return nil, err
			}
		}
		events := []backend.Event{{ChatCopy: &backend.ChatCopy{ChatID: chat.ID, From: p.chat.ID, BeforeTurn: turnID}}}
		for _, s := range w.rows {
			events = append(events, backend.Event{Session: &s})
		}
		return append(events, w.banners()...), nil
	})
	if err == nil {
		w.keep()
	}
	return chat, err
}
