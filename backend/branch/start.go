package branch

import (
	"context"
	"errors"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/undo"
)

// Start completes, in the background, the changes that were interrupted when an earlier run of the app ended, and holds
// their chats meanwhile (Config.Hold). It also removes forks that no chat uses.
func (m *Manager) Start(ctx context.Context) error {
	if err := m.removeForks(ctx); err != nil {
		m.cfg.Log.Warn("couldn't remove the forks that are left over", "err", err)
	}
	all, err := m.cfg.Store.Asides(ctx, "")
	if err != nil {
		return err
	}
	for _, a := range all {
		m.setBranched(a.ChatID)
		if !isOpen(a) {
			continue
		}
		chat, err := m.cfg.Chat(a.ChatID)
		if err != nil {
			continue
		}
		release, err := m.cfg.Hold(a.ChatID)
		if err != nil {
			m.cfg.Log.Error("couldn't complete going back", "chat", a.ChatID, "err", err)
			continue
		}
		m.tasks.Go(func() {
			defer release()
			if err := m.repair(m.ctx, chat, a); err != nil && m.ctx.Err() == nil {
				m.cfg.Log.Error("couldn't complete going back", "chat", chat.ID, "err", err) // the next use tries again
			}
		})
	}
	return nil
}

// isOpen reports whether the aside's changes to files are incomplete.
func isOpen(a backend.Aside) bool {
	return a.State == backend.AsideGoing || a.State == backend.AsideComing
}

// repairAll completes the interrupted changes of a chat. The caller must hold the chat (Config.Hold).
func (m *Manager) repairAll(ctx context.Context, chat backend.Chat) error {
	all, err := m.cfg.Store.Asides(ctx, chat.ID)
	for _, a := range all {
		if isOpen(a) {
			err = errors.Join(err, m.repair(ctx, chat, a))
		}
	}
	return err
}

// repair ends a change that was interrupted. It cancels the change if no file was changed, and otherwise completes it.
func (m *Manager) repair(ctx context.Context, chat backend.Chat, a backend.Aside) error {
	done, err := m.cfg.Undo.HoldWhenFree(ctx, chat)
	if err != nil {
		return err
	}
	defer done()
	did := undo.Outcome{Before: a.Before}
	if a.State == backend.AsideComing {
		did.Before = a.BackBefore
	}
	if did.After, err = m.cfg.Undo.Record(ctx, chat); err != nil {
		return err
	}
	if did.After == did.Before {
		if a.State == backend.AsideGoing {
			return m.cancel(ctx, a)
		}
		a.State, a.BackAt, a.BackBefore = backend.AsideHidden, 0, ""
		return m.commit(ctx, backend.Event{Aside: &a})
	}
	if did.Files, err = m.cfg.Undo.ChangedFiles(chat, did.Before, did.After); err != nil {
		return err
	}
	return m.cfg.WithoutAgent(ctx, chat.ID, func() error {
		if a.State == backend.AsideComing {
			s, err := m.swap(ctx, chat, a)
			if err != nil {
				return err
			}
			defer s.release(m)
			return m.finishComing(ctx, a, s, did)
		}
		lines, err := m.cfg.Store.Lines(ctx, chat.ID)
		if err != nil {
			return err
		}
		w, err := m.rewind(ctx, chat, a, lines)
		if err != nil {
			return err
		}
		defer w.release(m)
		a.After, a.Files = did.After, did.Files
		return m.finishGoing(ctx, a, w, did)
	})
}

// Swept must be called after old snapshots have been removed. It records which files can no longer be brought back.
func (m *Manager) Swept(ctx context.Context) {
	all, err := m.cfg.Store.Asides(ctx, "")
	if err != nil {
		m.cfg.Log.Warn("couldn't read which files can come back", "err", err)
	}
	for _, a := range all {
		if a.State != backend.AsideHidden || a.After == "" {
			continue
		}
		if err := m.forgetFiles(ctx, a); err != nil && ctx.Err() == nil { // bringing the files back will then give the reason
			m.cfg.Log.Warn("couldn't check whether files can come back", "chat", a.ChatID, "err", err)
		}
	}
}

// forgetFiles removes both snapshots from the record of an aside if one of them is no longer stored.
func (m *Manager) forgetFiles(ctx context.Context, a backend.Aside) error {
	chat, err := m.cfg.Chat(a.ChatID)
	if err != nil {
		return nil // the chat was deleted
	}
	release, err := m.cfg.Hold(chat.ID) // prevents the aside from being brought back meanwhile
	if err != nil {
		return err
	}
	defer release()
	stored, err := m.cfg.Undo.IsStored(chat, a.Before, a.After)
	if err != nil || stored {
		return err
	}
	all, err := m.cfg.Store.Asides(ctx, chat.ID)
	i := slices.IndexFunc(all, func(o backend.Aside) bool { return o.ID == a.ID && o.State == backend.AsideHidden })
	if err != nil || i < 0 {
		return err
	}
	a = all[i]
	a.Before, a.After = "", ""
	return m.commit(ctx, backend.Event{Aside: &a}, backend.Event{ChatBranches: &backend.ChatBranches{ChatID: chat.ID}})
}
