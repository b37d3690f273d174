package sessionimport_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sessionimport"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// watched is a log that calls read before each read.
type watched struct {
	logFile
	read func()
}

func (w watched) ReadAt(p []byte, at int64) (int, error) {
	w.read()
	return w.logFile.ReadAt(p, at)
}

// TestReader_ReadsWhileCommitting checks that the log is read while a batch is committed, that only one batch is
// committed at a time, and that the stored state is never ahead of the commits, even if a commit fails.
func TestReader_ReadsWhileCommitting(t *testing.T) {
	sessionimport.SetMaxEvents(20)
	t.Cleanup(func() { sessionimport.SetMaxEvents(8000) })
	log := []byte(event(1, "user.message", `{"content":"first"}`))
	for n, content := range []string{18: strings.Repeat("long", 1<<18)} { // after a batch, what follows doesn't fit in the buffer
		log = append(log, event(n+2, "assistant.message", `{"content":"answer`+content+`","messageId":"m","toolRequests":[]}`)...)
	}
	log = append(log, generate(chaos.Rand(t, 1, 1), 400)...)
	whole := newRows()
	read(t, filepath.Join(t.TempDir(), "state"), openLog(log, len(log)), whole)

	file, got := filepath.Join(t.TempDir(), "state"), newRows()
	further := make(chan struct{})
	var waits, commits atomic.Int32
	var committed atomic.Int64
	failure := errors.New("the disk is full")
	commit := func(ctx context.Context, events []backend.Event) error {
		if state, err := sessionimport.Load(file); err == nil && state.Offset() != committed.Load() {
			t.Errorf("the state is at %d after commits up to %d", state.Offset(), committed.Load())
		}
		switch commits.Add(1) {
		case 1:
			waits.Store(1)
			<-further
			waits.Store(0)
		case 7:
			return failure
		}
		if waits.Load() != 0 {
			t.Error("two batches are committed at the same time")
		}
		return got.commit(ctx, events)
	}
	progress := func(read, _ int64) { committed.Store(read) }
	var once sync.Once
	r := sessionimport.NewReader(file, target)
	err := r.Read(t.Context(), watched{openLog(log, len(log)), func() {
		if waits.Load() == 1 {
			once.Do(func() { close(further) })
		}
	}}, commit, progress)
	if !errors.Is(err, failure) || commits.Load() != 7 {
		t.Fatalf("after %d commits: %v", commits.Load(), err)
	}
	r, err = sessionimport.Load(file)
	noErr(t, err)
	noErr(t, r.Read(t.Context(), openLog(log, len(log)), commit, progress))
	if diff := cmp.Diff(whole.String(), got.String()); diff != "" {
		t.Errorf("rows (-whole +parts):\n%.3000s", diff)
	}
}

// TestReader_IDsSortByTime checks that rows that are written together have IDs that are close to each other.
func TestReader_IDsSortByTime(t *testing.T) {
	log, got := generate(chaos.Rand(t, 1, 2), 100), newRows()
	read(t, filepath.Join(t.TempDir(), "state"), openLog(log, len(log)), got)
	const size = 9 // of the part with the time
	for i, id := range got.order[1:] {
		if before := got.order[i]; len(id) != len(backend.NewID()) || before[:size] > id[:size] {
			t.Errorf("%s comes after %s", id, before)
		}
	}
}
