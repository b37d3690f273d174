package sessionuse

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/atomicfile"
)

// state records what VoxPilot has read from the log of a chat's main session. It is stored in a file for each chat, so
// that the next run of the app recognizes what other programs have written.
type state struct {
	ID      string   `json:"id"`                // ACP ID of the session
	Offset  int64    `json:"offset"`            // size of the part of the log that was read
	Writers []writer `json:"writers,omitempty"` // processes that wrote to that part, the last one last
	Pending *pending `json:"pending,omitempty"` // VoxPilot's own prompt that is being answered
	Banner  *banner  `json:"banner,omitempty"`  // banner about the messages that were read last
}

// writer is a process that wrote to the log. Each event names the event that the same process wrote before it.
type writer struct {
	Last  string `json:"last"`  // ID of its last event
	Own   bool   `json:"own"`   // it is VoxPilot's agent
	Known bool   `json:"known"` // Own is certain
}

// pending identifies a prompt of VoxPilot in the log.
type pending struct {
	Text string         `json:"text"` // start of the user's text
	At   backend.Millis `json:"at"`   // time of sending
}

// banner is a banner of the kind backend.BannerOtherProgram.
type banner struct {
	ItemID    string         `json:"itemId"`
	CreatedAt backend.Millis `json:"createdAt"`
	Messages  int            `json:"messages"`
}

// maxWriters is the maximum number of processes in state.Writers, and maxPending the maximum size of pending.Text in
// bytes.
const (
	maxWriters = 64
	maxPending = 500
)

// maxState is the maximum size of a state's file in bytes.
const maxState = 1 << 20

// loadState reads the state of a chat. It returns nil if there is none, or if it isn't valid.
func (m *Manager) loadState(chatID string) *state {
	file, err := os.Open(m.statePath(chatID))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			m.cfg.Log.Warn("couldn't read the state of a session", "chat", chatID, "err", err)
		}
		return nil
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, maxState+1))
	var st state
	if err != nil || len(b) > maxState || json.Unmarshal(b, &st) != nil || st.Offset < 0 {
		m.cfg.Log.Warn("the state of a session isn't valid", "chat", chatID, "err", err)
		return nil
	}
	return &st
}

// saveState writes the state of a chat. If that fails, the log is compared with an earlier state after a restart.
func (m *Manager) saveState(chatID string, st *state) {
	err := os.MkdirAll(m.cfg.Dir, 0o700)
	if err == nil {
		err = atomicfile.Write(m.statePath(chatID), func(w io.Writer) error { return json.NewEncoder(w).Encode(st) })
	}
	if err != nil {
		m.cfg.Log.Warn("couldn't save the state of a session", "chat", chatID, "err", err)
	}
}

// statePath returns the path of a chat's state. The IDs of chats are valid file names.
func (m *Manager) statePath(chatID string) string { return filepath.Join(m.cfg.Dir, chatID+".json") }
