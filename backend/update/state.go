package update

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
)

// state is what the next start has to know.
type state struct {
	CheckedAt backend.Millis `json:"checkedAt"`
	TriedAt   backend.Millis `json:"triedAt"`
	Feed      []byte         `json:"feed,omitempty"` // the newest that was believed, as it was signed
	// Failed says that a version was installed and taken back, until the user was told.
	Failed string `json:"failed,omitempty"`
	// Old is a program that was replaced and could not be removed, as on Windows
	// while it runs.
	Old string `json:"old,omitempty"`
}

const stateName = "update.json"

// readState begins anew where there is nothing, or nothing that can be read.
func readState(dir string, log *slog.Logger) (k state) {
	data, err := os.ReadFile(filepath.Join(dir, stateName))
	if err == nil {
		err = json.Unmarshal(data, &k)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Warn("what is kept of updates cannot be read", "err", err)
		return state{}
	}
	return k
}

// save writes what is kept. Where it cannot be written, the next start asks the
// feed earlier than it need. u.mu is held.
func (u *Updater) save() {
	if err := u.state.write(u.Dir); err != nil {
		u.Log.Warn("what is kept of updates cannot be written", "err", err)
	}
}

func (s state) write(dir string) error { return writeJSON(filepath.Join(dir, stateName), s) }

// writeJSON writes a file whole or not at all.
func writeJSON(path string, value any) (err error) {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".update-*")
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
