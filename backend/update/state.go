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

// state is the updater's stored state.
type state struct {
	CheckedAt backend.Millis `json:"checkedAt"`      // last successful check
	TriedAt   backend.Millis `json:"triedAt"`        // last check, successful or not
	Feed      []byte         `json:"feed,omitempty"` // newest accepted feed, in signed form
	// Failed is the message about a failed installation, until it has been shown to the user.
	Failed string `json:"failed,omitempty"`
	// Old is the path of a replaced program that couldn't be removed, as on Windows while it is running.
	Old string `json:"old,omitempty"`
}

const stateName = "update.json"

// readState returns the stored state, or an empty one if there is none or it can't be read.
func readState(dir string, log *slog.Logger) (k state) {
	data, err := os.ReadFile(filepath.Join(dir, stateName))
	if err == nil {
		err = json.Unmarshal(data, &k)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Warn("couldn't read the update state", "err", err)
		return state{}
	}
	return k
}

// save writes the stored state. If that fails, VoxPilot requests the feed earlier than necessary after its next start.
// The caller must hold u.mu.
func (u *Updater) save() {
	if err := u.state.write(u.Dir); err != nil {
		u.Log.Warn("couldn't write the update state", "err", err)
	}
}

func (s state) write(dir string) error { return writeJSON(filepath.Join(dir, stateName), s) }

// writeJSON atomically writes value as JSON to the file at path, creating its folder if needed.
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
