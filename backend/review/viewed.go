package review

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// SetViewed records that the user has viewed the given version of a file in a source. If viewed is false, it records
// that the user hasn't viewed the file.
func (m *Manager) SetViewed(_ context.Context, chatID, source, path, version string, viewed bool) error {
	if _, err := m.cfg.Chat(chatID); err != nil {
		return err
	}
	if !viewed {
		version = ""
	}
	if err := m.cfg.Store.SetViewed(chatID, store.Viewed{Source: source, Path: path, Version: version}); err != nil {
		return backend.NotSaved(backend.Say("the “Viewed” marks"), err)
	}
	return nil
}

// viewed returns the versions of a source's files that the user has viewed, by the path of the file.
func (m *Manager) viewed(ctx context.Context, chatID, source string) (map[string]string, error) {
	files, err := m.cfg.Store.Viewed(ctx, chatID, source)
	versions := make(map[string]string, len(files))
	for _, f := range files {
		versions[f.Path] = f.Version
	}
	return versions, err
}
