package undo

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/atomicfile"
)

// Limits for storing the texts of edits.
const (
	maxEdit  = 256 << 10 // total bytes of both texts of an edit
	maxEdits = 8 << 20   // bytes of the file with a chat's edits; if it is larger, the older half of the edits is removed
)

// Edit is a replacement of text that an edit tool of a chat's agent was about to make in a file. The tool may have
// failed to make it.
type Edit struct {
	TurnID string         `json:"turn"`
	Path   string         `json:"path"` // relative to the chat's folder, with slashes
	At     backend.Millis `json:"at"`
	Before string         `json:"before"`
	After  string         `json:"after"`
}

// editsFile returns the path of the file that contains a chat's edits, one per line. It is removed together with the
// chat's snapshots.
func (m *Manager) editsFile(chatID string) string {
	return filepath.Join(m.cfg.Dir, "snapshots", chatID, "edits.jsonl")
}

// Edits returns the edits of a chat, oldest first. Damaged edits are left out.
func (m *Manager) Edits(chatID string) []Edit {
	m.filesMu.Lock()
	defer m.filesMu.Unlock()
	return m.readEdits(chatID)
}

// readEdits does the same as Edits. The caller must hold m.filesMu.
func (m *Manager) readEdits(chatID string) (edits []Edit) {
	b, err := os.ReadFile(m.editsFile(chatID))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.cfg.Log.Warn("couldn't read the edits of a chat", "chat", chatID, "err", err)
	}
	for line := range bytes.Lines(b) {
		var e Edit
		if err := json.Unmarshal(line, &e); err != nil { // the line was truncated when an earlier run of the app ended
			m.cfg.Log.Warn("couldn't read an edit", "chat", chatID, "err", err)
			continue
		}
		edits = append(edits, e)
	}
	return edits
}

// noteEdit stores the replacement that a call to the CLI's edit tool is about to make. The replacement is stored once
// for each of the given running turns. noteEdit ignores other calls, paths outside the chat's folder, and texts larger
// than maxEdit.
func (m *Manager) noteEdit(roots []*Recording, args []byte) {
	v := gjson.ParseBytes(args)
	path, before, after := v.Get("path"), v.Get("old_str"), v.Get("new_str")
	if path.Type != gjson.String || before.Type != gjson.String || after.Type != gjson.String || len(before.Str)+len(after.Str) > maxEdit {
		return
	}
	for _, r := range roots {
		<-r.ready
		at := path.Str
		if filepath.IsAbs(at) {
			var err error
			if at, err = filepath.Rel(r.folder, at); err != nil {
				continue
			}
		}
		if at = filepath.Clean(at); !filepath.IsLocal(at) || r.store == nil {
			continue
		}
		e := Edit{TurnID: r.turn.ID, Path: filepath.ToSlash(at), At: backend.Now(), Before: before.Str, After: after.Str}
		if err := m.addEdit(r.chatID, e); err != nil {
			m.cfg.Log.Warn("couldn't record an edit", "chat", r.chatID, "err", err)
		}
	}
}

// addEdit appends an edit to the file that contains a chat's edits.
func (m *Manager) addEdit(chatID string, e Edit) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	m.filesMu.Lock()
	defer m.filesMu.Unlock()
	f, err := os.OpenFile(m.editsFile(chatID), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	info, failed := f.Stat()
	if err = errors.Join(err, failed, f.Close()); err != nil || info.Size() <= maxEdits {
		return err
	}
	edits := m.readEdits(chatID)
	return m.writeEdits(chatID, edits[len(edits)/2:])
}

// writeEdits replaces the edits of a chat. The caller must hold m.filesMu.
func (m *Manager) writeEdits(chatID string, edits []Edit) error {
	return atomicfile.Write(m.editsFile(chatID), func(w io.Writer) error {
		out := json.NewEncoder(w)
		for _, e := range edits {
			if err := out.Encode(e); err != nil {
				return err
			}
		}
		return nil
	})
}

// sweepEdits removes, in all chats, the edits that are older than the given age.
func (m *Manager) sweepEdits(age time.Duration) {
	files, _ := filepath.Glob(m.editsFile("*"))
	oldest := backend.Now() - backend.Millis(age.Milliseconds())
	for _, file := range files {
		chatID := filepath.Base(filepath.Dir(file))
		m.filesMu.Lock()
		edits := m.readEdits(chatID)
		if i := slices.IndexFunc(edits, func(e Edit) bool { return e.At >= oldest }); i != 0 && len(edits) > 0 {
			if i < 0 {
				i = len(edits)
			}
			if err := m.writeEdits(chatID, edits[i:]); err != nil {
				m.cfg.Log.Warn("couldn't remove old edits", "chat", chatID, "err", err)
			}
		}
		m.filesMu.Unlock()
	}
}
