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

// record describes a running process. It is stored in case VoxPilot is killed, since the process may then keep running
// and keep using its session.
type record struct {
	mark string // value of MarkVar, also the file name
	// PID and Start are zero while the process is starting. Start distinguishes it from
	// a later process with the same pid.
	PID   int    `json:"pid,omitempty"`
	Start string `json:"start,omitempty"`
}

// recordSuffix is the file name suffix of records.
const recordSuffix = ".json"

// writeRecord writes the record of the process to dir. It is called once before the process starts and again
// afterward, when the pid is known.
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
		log.Warn("couldn't write the PID record of an agent; if VoxPilot is killed, the agent may keep running", "err", err)
	}
}

// RemoveRecord deletes the record. It must be called only after the process's leftovers
// have been stopped, or if the process couldn't be started.
func (p *Process) RemoveRecord() {
	if p.record != "" {
		_ = os.Remove(p.record)
	}
}

// Reap stops the agents that an earlier instance of VoxPilot left behind when it was killed, along with their
// descendants. dir is the directory of the agents' records. Reap must be called once, before the first agent is
// created, and returns when those processes have exited.
//
// A process is identified by its pid and start time, or by a unique value in its environment, never by
// its name.
func Reap(dir string, log *slog.Logger) {
	files, err := os.ReadDir(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			log.Warn("couldn't look for orphaned agents", "err", err)
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
	if err != nil { // the app was killed while writing it
		log.Info("couldn't read the PID record of an agent", "file", path, "err", err)
		r = record{mark: mark}
	}
	if n := r.reap(); n > 0 {
		log.Warn("killed an orphaned agent of an earlier VoxPilot", "pid", r.PID, "processes", n)
	}
	if err := os.Remove(path); err != nil {
		log.Warn("couldn't remove the PID record of an agent", "err", err)
	}
}
