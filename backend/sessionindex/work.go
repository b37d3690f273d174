package sessionindex

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

const (
	workDelay   = 50 * time.Millisecond
	fewSessions = 64                   // maximum number of sessions that a pass finishes
	fewLogs     = 16                   // maximum number of logs that are read before newer ones are looked for
	manyFinish  = 256                  // number of sessions that the background work finishes between two revisions
	readPause   = 4 * time.Millisecond // after each megabyte of a log, so that other programs can use the disk and the processor
	foldersAge  = 5 * time.Second      // time between two checks whether working directories exist
	maxMessage  = 1000                 // bytes of a message that are stored for the search
)

// job is a session for the background work, with the state of its files.
type job struct {
	home   *home
	folder *sessionfiles.Folder
	e      *entry
	known  Known
	isHead bool // see entry
}

// pending returns the sessions for which want returns true, at most n, in no particular order. The caller must hold
// i.mu.
func (i *Index) pending(n int, want func(e *entry) bool) (jobs []job) {
	for _, h := range i.homes {
		for _, e := range h.sessions {
			if h.folder != nil && want(e) {
				if jobs = append(jobs, job{h, h.folder, e, e.Known, e.isHead}); len(jobs) == n {
					return jobs
				}
			}
		}
	}
	return jobs
}

// isNew reports whether finish must be called, because the session's files have changed.
func isNew(e *entry) bool { return e.needsDescription() || e.hasClaim && !e.checked }

// isUnfinished reports whether the session must be described or the claims of processes must be read.
func isUnfinished(e *entry) bool { return e.needsDescription() || e.hasClaim }

// finishFew finishes the sessions that have changed if there are only a few, so that the next list already shows the
// changes. If there are many, it only checks known claims again.
func (i *Index) finishFew() {
	i.mu.Lock()
	jobs := i.pending(fewSessions+1, isUnfinished)
	if len(jobs) > fewSessions { // the background work finishes the others
		jobs = i.pending(fewSessions, func(e *entry) bool { return e.hasClaim && e.checked })
	}
	i.mu.Unlock()
	for _, j := range jobs {
		i.finish(j)
	}
}

// finish describes a session whose files have changed, and reads the claims of processes.
func (i *Index) finish(j job) {
	d, at := j.known.Description, j.known.Stamp
	var err error
	if j.known.needsDescription() {
		if !j.isHead {
			d, _, err = j.folder.Describe(j.e.id)
		}
		var e error
		if at, e = j.folder.DescribeRest(j.e.id, &d); err == nil {
			err = e
		}
	}
	holders, claimed := j.folder.Holders(j.e.id, i.cfg.IsOwn)
	i.mu.Lock()
	defer i.mu.Unlock()
	if err != nil {
		i.cfg.Log.Debug("couldn't describe a session", "session", j.e.id, "err", err)
		at = j.known.Stamp
	}
	if j.e.Stamp != j.known.Stamp {
		return // a pass has found another change meanwhile
	}
	j.e.holder = nil
	if len(holders) > 0 {
		j.e.holder = &holders[0]
	}
	j.e.hasClaim, j.e.checked = claimed, true
	if j.known.needsDescription() {
		j.e.Stamp, j.e.Description, j.e.Described, j.e.isHead, j.e.search = at, d, at.Log, false, ""
		i.unsaved = true
	}
}

// startWork starts the background work if there is any. The caller must hold i.mu.
func (i *Index) startWork() {
	if i.closed || i.reading {
		return
	}
	if i.passed && len(i.pending(1, isNew)) == 0 {
		i.checkFolders()
	}
	i.reading = len(i.pending(1, func(e *entry) bool { return isNew(e) || e.needsScan() })) > 0
	if i.reading {
		i.tasks.Go(i.work)
	} else if i.unsaved && time.Since(i.saved) > saveAge {
		i.tasks.Go(i.save)
	}
}

// work finishes all sessions and then reads their logs, the newest first.
func (i *Index) work() {
	select {
	case <-time.After(workDelay): // the list comes first
	case <-i.life.Done():
	}
	for i.life.Err() == nil {
		i.mu.Lock()
		i.checkFolders()
		jobs := i.pending(manyFinish, isNew)
		if len(jobs) == 0 {
			if jobs = i.newest(); len(jobs) == 0 {
				i.reading = false
				i.mu.Unlock()
				i.save()
				return
			}
			i.mu.Unlock()
			for _, j := range jobs {
				if i.life.Err() == nil {
					i.scan(j)
				}
			}
			continue
		}
		before := i.rowsLocked()
		i.mu.Unlock()
		for _, j := range jobs {
			if i.life.Err() == nil {
				i.finish(j)
			}
		}
		i.mu.Lock()
		i.countChange(before)
		i.mu.Unlock()
	}
	i.mu.Lock()
	i.reading = false
	i.mu.Unlock()
}

// newest returns the most recently used sessions whose logs must be read, at most fewLogs, newest first. The caller
// must hold i.mu.
func (i *Index) newest() (found []job) {
	for _, h := range i.homes {
		for _, e := range h.sessions {
			if h.folder == nil || !e.needsScan() || len(found) == fewLogs && e.updatedAt() <= found[fewLogs-1].e.updatedAt() {
				continue
			}
			at, _ := slices.BinarySearchFunc(found, e.updatedAt(), func(j job, at backend.Millis) int { return cmp.Compare(at, j.e.updatedAt()) })
			found = slices.Insert(found, at, job{h, h.folder, e, e.Known, e.isHead})
			found = found[:min(len(found), fewLogs)]
		}
	}
	return found
}

// scan reads a session's log.
func (i *Index) scan(j job) {
	k := j.known
	err := readLog(i.life, j.folder, j.e.id, &k, func() {
		select {
		case <-time.After(readPause):
		case <-i.life.Done():
		}
	})
	if err != nil && i.life.Err() == nil {
		i.cfg.Log.Debug("couldn't read a session's log", "session", j.e.id, "err", err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.storeScan(j, k)
}

// readLog reads the log of a session into k. If ctx is done before the end of the log, k.Part describes the part that
// was read.
func readLog(ctx context.Context, f *sessionfiles.Folder, id string, k *Known, pause func()) error {
	scan, err := f.Scan(ctx, id, k.readSoFar(), pause)
	if err != nil && ctx.Err() != nil {
		k.Part, k.PartOf = &scan, k.Stamp.Log
		return ctx.Err()
	}
	k.Part, k.Scanned = nil, k.Stamp.Log
	if err != nil {
		return err // the next change to the log starts another attempt
	}
	k.Scan, k.First, k.Last = &scan, "", ""
	if k.Description.First != "" && k.Description.Last != "" {
		return nil
	}
	texts, err := f.Texts(id, scan)
	k.First, k.Last = excerpt.Head(texts.First, maxMessage), excerpt.Head(texts.Last, maxMessage)
	return err
}

// storeScan stores the result of reading a log. The caller must hold i.mu.
func (i *Index) storeScan(j job, k Known) {
	before := i.rowOf(j.home, j.e)
	j.e.Scan, j.e.Scanned, j.e.Part, j.e.PartOf = k.Scan, k.Scanned, k.Part, k.PartOf
	j.e.First, j.e.Last, j.e.search = k.First, k.Last, ""
	i.unsaved = true
	if i.rowOf(j.home, j.e) != before {
		i.revision++
	}
}

// checkFolders checks in the background whether the working directories of the sessions exist. This can take long on a
// network drive, so nothing waits for it, and only one check runs at a time. The caller must hold i.mu.
func (i *Index) checkFolders() {
	if i.checking || time.Since(i.foldersAt) < foldersAge {
		return
	}
	i.checking = true
	gone := map[string]bool{}
	for _, h := range i.homes {
		for _, e := range h.sessions {
			if e.isListed() && filepath.IsAbs(e.Description.Folder) {
				gone[e.Description.Folder] = false
			}
		}
	}
	go func() {
		for folder := range gone {
			if i.life.Err() != nil {
				break
			}
			_, err := os.Stat(folder)
			gone[folder] = errors.Is(err, fs.ErrNotExist)
		}
		i.mu.Lock()
		defer i.mu.Unlock()
		before := i.rowsLocked()
		for _, h := range i.homes {
			for _, e := range h.sessions {
				e.noFolder = gone[e.Description.Folder]
			}
		}
		i.countChange(before)
		i.checking, i.foldersAt = false, time.Now()
	}()
}

// rowState is a row of the list in a form that can be compared.
type rowState struct {
	row    backend.CLISession
	holder backend.SessionHolder
}

// rowOf returns the row of a session, or the zero rowState if it isn't listed. The caller must hold i.mu.
func (i *Index) rowOf(h *home, e *entry) (r rowState) {
	if !e.isListed() {
		return r
	}
	r.row = e.row(h)
	if r.row.Holder != nil {
		r.holder, r.row.Holder = *r.row.Holder, nil
	}
	return r
}

// rowsLocked returns all rows, to find out whether they change. The caller must hold i.mu.
func (i *Index) rowsLocked() map[*entry]rowState {
	all := map[*entry]rowState{}
	for _, h := range i.homes {
		for _, e := range h.sessions {
			if r := i.rowOf(h, e); r != (rowState{}) {
				all[e] = r
			}
		}
	}
	return all
}

// countChange increases the revision if the rows differ from the given ones. The caller must hold i.mu.
func (i *Index) countChange(before map[*entry]rowState) {
	now := i.rowsLocked()
	same := len(now) == len(before)
	for e, r := range now {
		same = same && before[e] == r
	}
	if !same {
		i.revision++
	}
}
