package undo

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
	"github.com/voxpilot/voxpilot/internal/atomicfile"
)

// seen is stored when the user has gone back and the files therefore differ from those that the agent remembers. Last
// is the ID of the snapshot that the agent remembers, and Now is the ID of the snapshot after the user went back.
type seen struct{ Last, Now string }

// seenFile returns the path of the file that stores a chat's seen value. It is removed with the chat's
// snapshots.
func (m *Manager) seenFile(chatID string) string {
	return filepath.Join(m.cfg.Dir, "snapshots", chatID, "seen.json")
}

func (m *Manager) readSeen(chatID string) (s seen, ok bool) {
	b, err := os.ReadFile(m.seenFile(chatID))
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.cfg.Log.Warn("couldn't read what the agent doesn't know", "chat", chatID, "err", err)
	}
	return s, err == nil
}

// Remembers records that the folder differs from what the chat's agent knows. It takes the IDs of two snapshots: one of
// the state that the agent knows (last), and one of the current state (now). The next message informs the agent about
// the difference. If the parameter more is set and the agent hasn't been informed about an earlier difference yet, the
// field Last of the earlier record is kept. If there is no difference, or if one of the IDs is "", Remembers removes
// the record.
func (m *Manager) Remembers(chatID, last, now string, more bool) error {
	m.filesMu.Lock()
	defer m.filesMu.Unlock()
	if was, ok := m.readSeen(chatID); ok && more {
		last = was.Last
	}
	if last == "" || now == "" || last == now {
		err := os.Remove(m.seenFile(chatID))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	return atomicfile.Write(m.seenFile(chatID), func(w io.Writer) error { return json.NewEncoder(w).Encode(seen{last, now}) })
}

// seenNote returns a note for the agent after the user went back: it names the files that are no longer as the agent
// remembers them. It returns "" if there are no such files. markSent, which may be nil, records that the agent has
// received the note.
func (m *Manager) seenNote(chat backend.Chat) (note string, markSent func()) {
	m.filesMu.Lock()
	defer m.filesMu.Unlock()
	s, ok := m.readSeen(chat.ID)
	if !ok {
		return "", nil
	}
	markSent = func() {
		m.filesMu.Lock()
		defer m.filesMu.Unlock()
		if is, ok := m.readSeen(chat.ID); ok && is == s {
			if err := os.Remove(m.seenFile(chat.ID)); err != nil {
				m.cfg.Log.Warn("couldn't record what the agent knows", "chat", chat.ID, "err", err)
			}
		}
	}
	st, err := m.stores.Open(chat.ID, chat.Folder)
	var items []snapshot.Item
	if err == nil {
		items, err = st.Changes(snapshot.ID(s.Last), snapshot.ID(s.Now))
	}
	if err != nil {
		m.cfg.Log.Warn("couldn't read the files that went back", "chat", chat.ID, "err", err)
		return "", markSent
	}
	if len(items) == 0 {
		return "", markSent
	}
	var paths []string
	for _, it := range items {
		paths = append(paths, it.Path)
	}
	return "The user went back in this conversation or in the folder's files. These files are no longer as you last saw them: " + list(paths) + ". Read them again before you use or edit them.", markSent
}

// both returns a function that calls the two given functions, either of which may be nil. It returns nil if both are
// nil.
func both(a, b func()) func() {
	if a == nil && b == nil {
		return nil
	}
	return func() {
		for _, do := range []func(){a, b} {
			if do != nil {
				do()
			}
		}
	}
}
