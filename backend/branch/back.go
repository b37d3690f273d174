package branch

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/backend/undo"
)

// BringBack shows the messages of an aside again. In exchange, it sets aside the messages that the chat now shows in
// their place. If the parameter files is true, or if only files went back, it also restores the folder's files, except
// those that have changed since the user went back. It returns CodeNotFound if the messages are no longer set aside,
// and CodeUnavailable if they can't be brought back now, for example while the chat is running or because the files are
// no longer stored.
func (m *Manager) BringBack(ctx context.Context, chatID, asideID string, files bool) error {
	a, err := m.aside(ctx, chatID, asideID)
	if err != nil {
		return err
	}
	if a.FromTurn == "" {
		files = true // only the files went back, so only they can come back
	}
	return m.change(ctx, chatID, files, a.FromTurn != "", func(ctx context.Context) error {
		a, err := m.aside(ctx, chatID, asideID) // m.change may have completed an interrupted change to the aside
		if err != nil {
			return err
		}
		chat, err := m.cfg.Chat(chatID)
		if err != nil {
			return err
		}
		s, err := m.swap(ctx, chat, a)
		if err != nil {
			return err
		}
		defer s.release(m)
		var did undo.Outcome
		if !files {
			did.Before = m.record(ctx, chat)
		} else {
			if a.Before == "" {
				return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The earlier files are no longer stored.")}
			}
			forward, err := m.cfg.Undo.PlanForward(ctx, chat, a.Before, a.At)
			if err == nil {
				did, err = forward.Apply(ctx, nil, func(ctx context.Context, now string) error {
					a.State, a.BackAt, a.BackBefore = backend.AsideComing, backend.Now(), now
					return m.commit(ctx, backend.Event{Aside: &a})
				})
			}
			if err != nil {
				if a.State == backend.AsideComing && !errors.Is(err, undo.ErrUnrecorded) {
					a.State, a.BackAt, a.BackBefore = backend.AsideHidden, 0, ""
					err = errors.Join(err, m.commit(context.WithoutCancel(ctx), backend.Event{Aside: &a}))
				}
				return err
			}
			if a.FromTurn == "" && did.After == "" {
				return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("No files were changed.")}
			}
		}
		return errors.Join(m.finishComing(context.WithoutCancel(ctx), a, s, did), did.Failure)
	})
}

// aside returns the aside with the given ID, or errAbsent if its messages are no longer set aside.
func (m *Manager) aside(ctx context.Context, chatID, asideID string) (backend.Aside, error) {
	all, err := m.cfg.Store.Asides(ctx, chatID)
	if err != nil {
		return backend.Aside{}, err
	}
	i := slices.IndexFunc(all, func(a backend.Aside) bool {
		return a.ID == asideID && (a.State == backend.AsideHidden || a.State == backend.AsideComing)
	})
	if i < 0 {
		return backend.Aside{}, errAbsent
	}
	return all[i], nil
}

// swapped holds the sessions and turns that are exchanged when an aside's messages are shown again.
type swapped struct {
	*rewound
	tail  []store.Line      // the shown turns that are set aside instead
	lines []store.Line      // all turns of the chat
	was   []backend.Session // the chat's sessions before the exchange
}

// swap prepares the exchange of the shown messages for those of an aside. The caller must call release.
func (m *Manager) swap(ctx context.Context, chat backend.Chat, a backend.Aside) (*swapped, error) {
	s := &swapped{rewound: &rewound{}}
	var err error
	if s.lines, err = m.cfg.Store.Lines(ctx, chat.ID); err != nil {
		return nil, err
	}
	if s.was, err = m.cfg.Store.Sessions(ctx, chat.ID); err != nil || a.FromTurn == "" {
		return s, err
	}
	if a.AfterTurn != "" && !slices.ContainsFunc(s.lines, func(l store.Line) bool { return l.ID == a.AfterTurn && l.Aside == "" }) {
		return nil, errDeep
	}
	s.tail = since(s.lines, a.AfterTurn)
	s.rewound, err = m.restore(ctx, chat, a, s.lines, s.was)
	return s, err
}

// finishComing commits the result of BringBack.
func (m *Manager) finishComing(ctx context.Context, a backend.Aside, s *swapped, did undo.Outcome) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	chat, err := m.cfg.Chat(a.ChatID)
	if err != nil {
		return err
	}
	now := cmp.Or(a.BackAt, backend.Now())
	events := s.events()
	if len(s.tail) > 0 {
		scope := backend.BackConversation
		if did.After != "" {
			scope = backend.BackBoth
		}
		events = append(events, backend.Event{Aside: &backend.Aside{
			ID: backend.NewID(), ChatID: chat.ID, State: backend.AsideHidden, AfterTurn: a.AfterTurn, FromTurn: s.tail[0].ID, Scope: scope,
			At: now, Since: s.tail[0].StartedAt, Messages: messages(s.tail), ProviderID: chat.ProviderID, Sessions: s.was,
			Before: did.Before, After: did.After, Files: did.Files,
		}})
	}
	last := ""
	for _, l := range s.lines {
		if l.Aside == a.ID {
			last = l.ID
		}
	}
	m.remembers(chat.ID, a.Before, cmp.Or(did.After, did.Before), a.FromTurn == "")
	a.State, a.BackAt, a.BackBefore, a.BackAfter = backend.AsideBack, now, did.Before, did.After
	events = append(append(events, backend.Event{Aside: &a}), s.banners()...) // the new aside hides earlier items
	return m.save(ctx, chat.ID, a.FromTurn != "", last, true, s.rewound, did, events)
}
