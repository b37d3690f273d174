package undo

import (
	"path/filepath"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
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

func (e Edit) recordedAt() backend.Millis { return e.At }

// editsFile returns the path of the file that contains a chat's edits, one per line. It is removed together with the
// chat's snapshots.
func (m *Manager) editsFile(chatID string) string {
	return filepath.Join(m.cfg.Dir, "snapshots", chatID, "edits.jsonl")
}

// Edits returns the edits of a chat, oldest first. Damaged edits are left out.
func (m *Manager) Edits(chatID string) []Edit {
	m.filesMu.Lock()
	defer m.filesMu.Unlock()
	return readLines[Edit](m, m.editsFile(chatID))
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
		at, inside := inFolder(r.folder, path.Str)
		if !inside || r.store == nil {
			continue
		}
		e := Edit{TurnID: r.turn.ID, Path: at, At: backend.Now(), Before: before.Str, After: after.Str}
		if err := m.addEdit(r.chatID, e); err != nil {
			m.cfg.Log.Warn("couldn't record an edit", "chat", r.chatID, "err", err)
		}
	}
}

// addEdit appends an edit to the file that contains a chat's edits.
func (m *Manager) addEdit(chatID string, e Edit) error {
	return addLine(m, m.editsFile(chatID), e, maxEdits)
}
