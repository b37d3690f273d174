package process

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// record is what is kept of a running process for the case that VoxPilot is
// killed: the process may go on, and with it the session that it holds.
type record struct {
	mark string // value of markVar, which is also the name of the file
	// PID and Start are 0 and "" while the process is being started. Start tells
	// it from another process that got the same pid later.
	PID   int    `json:"pid,omitempty"`
	Start string `json:"start,omitempty"`
}

// recordSuffix ends the names of the files of records.
const recordSuffix = ".json"

// writeRecord writes the record, before the process is started and when it is.
func (p *Process) writeRecord(dir string, log *slog.Logger) {
	if dir == "" {
		return
	}
	r := record{PID: p.PID}
	if p.PID != 0 {
		r.Start = startOf(p.PID)
	}
	b, err := json.Marshal(r)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		p.record = filepath.Join(dir, p.Mark+recordSuffix)
		err = os.WriteFile(p.record, b, 0o600)
	}
	if err != nil {
		log.Warn("an agent's process could not be noted; were VoxPilot killed, it might be left", "err", err)
	}
}

// RemoveRecord removes the record: nothing of the process is left.
func (p *Process) RemoveRecord() {
	if p.record != "" {
		_ = os.Remove(p.record)
	}
}

// Reap ends the agents, and what they started, that another VoxPilot left when
// it was killed. dir is its Config.RecordsDir. It is called once, before the first
// Agent is made, and returns when they are gone.
//
// A process is known by its pid together with the time at which it was
// started, or by a value in its environment that no other has; never by its
// name.
func Reap(dir string, log *slog.Logger) {
	files, err := os.ReadDir(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			log.Warn("agents that were left could not be looked for", "err", err)
		}
		return
	}
	var all sync.WaitGroup
	for _, f := range files {
		if mark, ok := strings.CutSuffix(f.Name(), recordSuffix); ok {
			all.Go(func() { reapFile(filepath.Join(dir, f.Name()), mark, log) })
		}
	}
	all.Wait()
}

func reapFile(path, mark string, log *slog.Logger) {
	r := record{mark: mark}
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err != nil { // the app was killed while it wrote it
		log.Info("a note of an agent's process cannot be read", "file", path, "err", err)
		r = record{mark: mark}
	}
	if n := r.reap(); n > 0 {
		log.Warn("an agent was left by a VoxPilot that was killed; it was ended", "pid", r.PID, "processes", n)
	}
	if err := os.Remove(path); err != nil {
		log.Warn("a note of an agent's process could not be removed", "err", err)
	}
}
