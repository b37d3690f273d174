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

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/atomicfile"
)

// The .jsonl files in a chat's folder of snapshots contain records, one per line, oldest first. They are removed
// together with the chat's snapshots.

// record is the type constraint for the records in these files.
type record interface {
	recordedAt() backend.Millis
}

// readLines returns the records in a file. Damaged records are left out. The caller must hold m.filesMu.
func readLines[T record](m *Manager, file string) (all []T) {
	b, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.cfg.Log.Warn("couldn't read the records of a chat", "file", file, "err", err)
	}
	for line := range bytes.Lines(b) {
		var one T
		if err := json.Unmarshal(line, &one); err != nil { // the line was truncated when an earlier run of the app ended
			m.cfg.Log.Warn("couldn't read a record of a chat", "file", file, "err", err)
			continue
		}
		all = append(all, one)
	}
	return all
}

// addLine appends a record to a file. If the file is then larger than limit bytes, the older half of its records is
// removed.
func addLine[T record](m *Manager, file string, one T, limit int64) error {
	line, err := json.Marshal(one)
	if err != nil {
		return err
	}
	m.filesMu.Lock()
	defer m.filesMu.Unlock()
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	info, failed := f.Stat()
	if err = errors.Join(err, failed, f.Close()); err != nil || info.Size() <= limit {
		return err
	}
	all := readLines[T](m, file)
	return writeLines(file, all[len(all)/2:])
}

// writeLines replaces the records in a file. The caller must hold Manager.filesMu.
func writeLines[T record](file string, all []T) error {
	return atomicfile.Write(file, func(w io.Writer) error {
		out := json.NewEncoder(w)
		for _, one := range all {
			if err := out.Encode(one); err != nil {
				return err
			}
		}
		return nil
	})
}

// sweepLines removes records that are older than the given age from the files that match a pattern.
func sweepLines[T record](m *Manager, pattern string, age time.Duration) {
	files, _ := filepath.Glob(pattern)
	oldest := backend.Now() - backend.Millis(age.Milliseconds())
	for _, file := range files {
		m.filesMu.Lock()
		all := readLines[T](m, file)
		if i := slices.IndexFunc(all, func(one T) bool { return one.recordedAt() >= oldest }); i != 0 && len(all) > 0 {
			if i < 0 {
				i = len(all)
			}
			if err := writeLines(file, all[i:]); err != nil {
				m.cfg.Log.Warn("couldn't remove old records of a chat", "file", file, "err", err)
			}
		}
		m.filesMu.Unlock()
	}
}
