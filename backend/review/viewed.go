package review

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/atomicfile"
)

// tick names a file of a source that the user has viewed.
type tick struct{ source, path string }

// storedTick is a tick with the version that the user has viewed, as it is stored.
type storedTick struct{ Source, Path, Version string }

// maxTicks is the maximum number of ticks of a chat.
const maxTicks = 20_000

// ticksFile returns the path of the file with a chat's ticks. It is removed with the chat's snapshots.
func (m *Manager) ticksFile(chatID string) string {
	return filepath.Join(m.cfg.Dir, "snapshots", chatID, "viewed.json")
}

// ticks returns a chat's ticks, oldest first. The caller must hold m.viewedMu.
func (m *Manager) ticks(chatID string) (list []storedTick) {
	b, err := os.ReadFile(m.ticksFile(chatID))
	if err == nil {
		err = json.Unmarshal(b, &list)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.cfg.Log.Warn("couldn't read which files were viewed", "chat", chatID, "err", err)
		return nil
	}
	return list
}

// viewed returns the versions of the files that the user has viewed.
func (m *Manager) viewed(chatID string) map[tick]string {
	m.viewedMu.Lock()
	defer m.viewedMu.Unlock()
	all := map[tick]string{}
	for _, t := range m.ticks(chatID) {
		all[tick{t.Source, t.Path}] = t.Version
	}
	return all
}

// SetViewed records whether the user has viewed a file in a version.
func (m *Manager) SetViewed(_ context.Context, chatID, source, path, version string, viewed bool) error {
	if _, err := m.cfg.Chat(chatID); err != nil {
		return err
	}
	m.viewedMu.Lock()
	defer m.viewedMu.Unlock()
	var kept []storedTick
	for _, t := range m.ticks(chatID) {
		if t.Source != source || t.Path != path {
			kept = append(kept, t)
		}
	}
	if viewed {
		kept = append(kept, storedTick{source, path, version})
	}
	kept = kept[max(0, len(kept)-maxTicks):]
	file := m.ticksFile(chatID)
	err := os.MkdirAll(filepath.Dir(file), 0o700)
	if err == nil {
		err = atomicfile.Write(file, func(w io.Writer) error { return json.NewEncoder(w).Encode(kept) })
	}
	if err != nil {
		return backend.NotSaved(backend.Say("the viewed files"), err)
	}
	return nil
}
