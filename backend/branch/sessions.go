package branch

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/store"
)

// rewound holds the changes to a chat's sessions that let the chat continue from an earlier point. The caller must call
// release at the end, which removes the forks unless keep was called before.
type rewound struct {
	rows     []backend.Session // rows of sessions to store
	removed  []backend.Deleted
	forks    []forked
	recapped []backend.Session // sessions in rows that start with a recap
	isStored bool
}

// forked is a fork of a Copilot CLI session.
type forked struct{ home, id string }

func (w *rewound) events() (events []backend.Event) {
	for _, d := range w.removed {
		events = append(events, backend.Event{SessionDeleted: &d})
	}
	for _, s := range w.rows {
		events = append(events, backend.Event{Session: &s})
	}
	return events
}

// banners returns a banner for each session that starts with a recap.
func (w *rewound) banners() (events []backend.Event) {
	now := backend.Now()
	for _, s := range w.recapped {
		events = append(events, backend.Event{Item: &backend.Item{
			ID: backend.NewID(), ChatID: s.ChatID, Session: s.Name, Kind: backend.ItemBanner, CreatedAt: now, EndedAt: now,
			Banner: &backend.Banner{
				Kind: backend.BannerSessionLost, Session: s.Name, Dismissed: true,
				Detail: backend.Say("VoxPilot can't copy session %s, so a new session starts with a summary of the chat.", s.ReplacesID),
			},
		}})
	}
	return events
}

// addRecapped adds to w a session that replaces s and starts with a recap. The parameter another is as in withRecap.
func (w *rewound) addRecapped(s backend.Session, another bool) {
	r := withRecap(s, another)
	w.rows, w.recapped = append(w.rows, r), append(w.recapped, r)
}

// keep makes release keep the forks. It must be called once the rows that refer to the forks are stored.
func (w *rewound) keep() { w.isStored = true }

// release removes the forks. If keep was called before, release removes only the marks of the forks.
func (w *rewound) release(m *Manager) {
	for _, f := range w.forks {
		if !w.isStored {
			m.removeFork(f)
		} else {
			m.Keep(f.id)
		}
	}
}

// reached reports whether the turn's prompt was sent to the given session.
func reached(l store.Line, session string) bool {
	return l.Session == session && l.OrchestratorID == "" && l.SentAt > 0
}

// memory returns how the main session will remember the earlier messages once the turns in tail are set aside: in a
// fork with its full history, or only in a recap. tail must not be empty.
func (m *Manager) memory(ctx context.Context, chat backend.Chat, lines, tail []store.Line) (backend.BackMemory, error) {
	sessions, err := m.cfg.Store.Sessions(ctx, chat.ID)
	i := slices.IndexFunc(sessions, func(s backend.Session) bool { return s.Name == backend.SessionMain })
	if err != nil || i < 0 {
		return backend.MemoryFork, err
	}
	isMain := func(l store.Line) bool { return reached(l, backend.SessionMain) }
	earlier := slices.ContainsFunc(lines, func(l store.Line) bool {
		return l.Aside == "" && isMain(l) && l.ID != tail[0].ID && l.StartedAt <= tail[0].StartedAt
	})
	if !earlier || !slices.ContainsFunc(tail, isMain) { // there is nothing to remember, or nothing to remove from the session
		return backend.MemoryFork, nil
	}
	if !m.cfg.Forks(chat) || !sessionfiles.Exists(sessionfiles.HomeOf(sessions[i]), sessions[i].ACPID) {
		return backend.MemoryRecap, nil
	}
	return backend.MemoryFork, nil
}

// rewind returns the changes to a chat's sessions that are needed to continue the chat after the aside's turns have
// been set aside.
func (m *Manager) rewind(ctx context.Context, chat backend.Chat, a backend.Aside, lines []store.Line) (w *rewound, err error) {
	w = &rewound{}
	if a.FromTurn == "" {
		return w, nil
	}
	defer func() {
		if err != nil {
			w.release(m)
		}
	}()
	tail := since(lines, a.AfterTurn)
	for _, s := range a.Sessions {
		from, used := backend.Millis(0), backend.Millis(0)
		for _, l := range tail {
			if reached(l, s.Name) && (from == 0 || l.SentAt < from) {
				from = l.SentAt
			}
		}
		if from == 0 {
			continue // the session received none of the turns
		}
		for _, l := range lines {
			if l.Aside == "" && reached(l, s.Name) && l.SentAt < from && l.SentAt >= s.CreatedAt {
				used = max(used, l.SentAt)
			}
		}
		if err := ctx.Err(); err != nil {
			return w, err
		}
		if err := m.replace(w, chat, s, from, used, chat.ID); err != nil {
			return w, err
		}
	}
	return w, nil
}

// restore returns the changes to a chat's sessions that are needed to continue the chat after an aside's turns are
// shown again. The caller passes the chat's current sessions (was).
func (m *Manager) restore(ctx context.Context, chat backend.Chat, a backend.Aside, lines []store.Line, was []backend.Session) (w *rewound, err error) {
	w = &rewound{}
	defer func() {
		if err != nil {
			w.release(m)
		}
	}()
	all, err := m.cfg.Store.Asides(ctx, chat.ID)
	if err != nil {
		return w, err
	}
	for _, s := range was {
		if !slices.ContainsFunc(a.Sessions, func(o backend.Session) bool { return o.Name == s.Name }) {
			w.removed = append(w.removed, backend.Deleted{ID: s.Name, ChatID: chat.ID})
		}
	}
	for _, s := range a.Sessions {
		s.State = backend.SessionUnloaded
		if a.ProviderID != chat.ProviderID { // another agent can't load the session
			if s.HadPrompt {
				w.addRecapped(s, true)
			}
			continue
		}
		// If the session received messages after the turns were set aside, the chat continues with a fork without these
		// messages.
		uses := func(o backend.Session) bool { return o.ACPID == s.ACPID }
		shared := slices.ContainsFunc(was, uses) || slices.ContainsFunc(all, func(o backend.Aside) bool { return o.At > a.At && slices.ContainsFunc(o.Sessions, uses) })
		later := slices.ContainsFunc(lines, func(l store.Line) bool { return reached(l, s.Name) && l.SentAt > a.At })
		if !shared || !later || !s.HadPrompt {
			w.rows = append(w.rows, s)
			continue
		}
		if err := m.replace(w, chat, s, a.At+1, s.UsedAt, chat.ID); err != nil {
			return w, err
		}
		if !slices.ContainsFunc(w.rows, func(o backend.Session) bool { return o.Name == s.Name }) {
			w.rows = append(w.rows, s)
		}
	}
	return w, nil
}

// replace adds to w a session that replaces the session s in a given chat (into), which is the chat of s or another
// one. The new session is a fork of s without the messages that the agent received at a certain time (from) or later.
// The caller also passes the time of the last message before that, or 0 if there is none (used).
//
// If s has no messages from that time on, the chat of s keeps using s, and another chat gets a complete fork of s. If s
// can't be forked, the chat gets a new session with a recap. If the new session would have no messages, the main
// session starts empty, and any other session is removed.
func (m *Manager) replace(w *rewound, chat backend.Chat, s backend.Session, from, used backend.Millis, into string) error {
	err := sessionfiles.ErrNoSession
	id := sessionfiles.NewID()
	if m.cfg.Forks(chat) && s.HadPrompt {
		f := forked{sessionfiles.HomeOf(s), id}
		if err := m.setMark(f); err != nil {
			return storageError(err)
		}
		w.forks = append(w.forks, f)
		err = sessionfiles.Fork(context.Background(), f.home, s.ACPID, id, time.UnixMilli(int64(from)))
		if errors.Is(err, sessionfiles.ErrNothingLater) && into != chat.ID { // two chats can't use the same session
			err = sessionfiles.Fork(context.Background(), f.home, s.ACPID, id, time.Time{})
		}
		if err != nil {
			w.forks = w.forks[:len(w.forks)-1]
			m.removeFork(f)
		}
	}
	s.ChatID, s.State = into, backend.SessionUnloaded
	switch {
	case err == nil:
		s.ACPID, s.UsedAt, s.ContextUsed = id, cmp.Or(used, s.CreatedAt), 0
		w.rows = append(w.rows, s)
	case errors.Is(err, sessionfiles.ErrNothingLater): // the agent received no message from then on
	case errors.Is(err, sessionfiles.ErrNothingEarlier), errors.Is(err, sessionfiles.ErrNoSession) && used == 0:
		if s.Name != backend.SessionMain {
			w.removed = append(w.removed, backend.Deleted{ID: s.Name, ChatID: into})
			return nil
		}
		s.ACPID, s.HadPrompt, s.ContextUsed, s.Title = "", false, 0, ""
		w.rows = append(w.rows, s)
	case errors.Is(err, sessionfiles.ErrNoSession):
		w.addRecapped(s, false)
	default:
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't copy Copilot's session, so nothing was changed. Check for free disk space, then try again."), Detail: err.Error()}
	}
	return nil
}

// withRecap returns the row of a new session that replaces s and starts with a recap. If the parameter another is true,
// the new session belongs to another agent and doesn't get the mode and options of s.
func withRecap(s backend.Session, another bool) backend.Session {
	r := backend.Session{
		ChatID: s.ChatID, Name: s.Name, Cwd: s.Cwd, State: backend.SessionLost, ReplacesID: cmp.Or(s.ACPID, "none"),
		CreatedAt: s.CreatedAt, UsedAt: s.UsedAt,
	}
	if !another {
		r.Mode, r.Modes, r.Options = s.Mode, s.Modes, s.Options
	}
	return r
}

// mark returns the path of the file that marks the fork with the given ID as unused. The file exists until a chat uses
// the fork.
func (m *Manager) mark(id string) string { return filepath.Join(m.cfg.Dir, "forks", id) }

// setMark creates the mark of a fork, which means that no chat uses the fork yet. If the app is killed before the mark
// is removed, the fork is removed when the app starts again.
func (m *Manager) setMark(f forked) error {
	path := m.mark(f.id)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(f.home), 0o600)
}

// Mark records that a session of the Copilot CLI isn't used by any chat. The parameter home is the CLI's home folder.
// If the app is killed before Keep or Remove is called, the session is removed when the app starts again. The session
// needn't exist yet; id must be a session ID of the CLI.
func (m *Manager) Mark(home, id string) error { return m.setMark(forked{home, id}) }

// Keep removes the mark of a session that a chat uses now.
func (m *Manager) Keep(id string) {
	if err := os.Remove(m.mark(id)); err != nil {
		m.cfg.Log.Warn("couldn't remove the mark of a session", "session", id, "err", err)
	}
}

// Marked returns the IDs of the marked sessions.
func (m *Manager) Marked() (map[string]bool, error) {
	entries, err := os.ReadDir(m.mark(""))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	ids := map[string]bool{}
	for _, e := range entries {
		ids[e.Name()] = true
	}
	return ids, err
}

// Remove removes a session marked by Mark, together with its mark. No process may be using the session. If the session
// can't be removed, the app tries again when it next starts.
func (m *Manager) Remove(home, id string) { m.removeFork(forked{home, id}) }

// removeFork removes a fork that isn't in use, with its mark.
func (m *Manager) removeFork(f forked) {
	err := sessionfiles.Delete(f.home, f.id)
	if err == nil {
		err = os.Remove(m.mark(f.id))
	}
	if err != nil {
		m.cfg.Log.Warn("couldn't remove a session that no chat uses", "session", f.id, "err", err)
	}
}

// removeForks removes the forks that an earlier run of the app marked and that no chat uses.
func (m *Manager) removeForks(ctx context.Context) error {
	entries, err := os.ReadDir(filepath.Join(m.cfg.Dir, "forks"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		home, err := os.ReadFile(m.mark(e.Name()))
		if err != nil {
			return err
		}
		owners, err := m.cfg.Store.SessionOwners(ctx, []string{e.Name()})
		if err != nil {
			return err
		}
		if len(owners) == 0 {
			m.removeFork(forked{string(home), e.Name()})
		} else if err := os.Remove(m.mark(e.Name())); err != nil {
			return err
		}
	}
	return err
}
