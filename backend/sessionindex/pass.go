package sessionindex

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// pass is one check of all sessions for changes.
type pass struct {
	done chan struct{} // closed when the pass has ended
}

// runPass looks for new, changed and deleted sessions, and starts the background work if there is any.
func (i *Index) runPass(p *pass) {
	start := time.Now()
	i.load()
	i.mu.Lock()
	before := i.rowsLocked()
	i.mu.Unlock()
	i.openHomes()
	i.mu.Lock()
	homes := slices.Clone(i.homes)
	i.mu.Unlock()
	failed := backend.Message{}
	for _, h := range homes {
		if err := i.passHome(p, h); err != nil && i.life.Err() == nil {
			i.cfg.Log.Warn("couldn't read sessions of the Copilot CLI", "home", h.dir, "err", err)
			failed = backend.Say("Couldn't read some sessions. Check the permissions of the folder %s.", h.dir)
		}
	}
	i.passOwners()
	i.finishFew()
	i.mu.Lock()
	defer i.mu.Unlock()
	if failed != i.failure || !i.passed {
		i.revision++
	} else {
		i.countChange(before)
	}
	i.failure, i.pass, i.passed = failed, nil, true
	i.lastPass, i.passTime = time.Now(), time.Since(start)
	close(p.done)
	i.startWork()
}

// openHomes updates the list of homes. It closes homes that Config.Homes no longer returns, unless Config.Homes fails.
func (i *Index) openHomes() {
	names, err := i.cfg.Homes(i.life)
	if err != nil {
		i.cfg.Log.Warn("couldn't list the homes of the Copilot CLI", "err", err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	old, open := i.homes, []*home(nil)
	for _, name := range append([]string{""}, names...) {
		dir := homeDir(name)
		if slices.ContainsFunc(open, func(h *home) bool { return h.dir == dir }) {
			continue
		}
		h := &home{name: name, dir: dir, sessions: map[string]*entry{}}
		if at := slices.IndexFunc(old, func(h *home) bool { return h.dir == dir }); at >= 0 {
			h = old[at]
			h.name = name
		}
		open = append(open, h)
	}
	for _, h := range old {
		if err == nil && !slices.Contains(open, h) {
			i.closeHome(h)
		} else if !slices.Contains(open, h) {
			open = append(open, h)
		}
	}
	i.homes = open
}

// passHome checks the sessions of a home for changes. It returns an error if some can't be read.
func (i *Index) passHome(p *pass, h *home) error {
	folder, err := i.open(h)
	if folder == nil {
		return err
	}
	ids, err := folder.IDs()
	if err != nil {
		return err
	}
	temporary, err := i.cfg.Temporary() // after IDs: a temporary session is marked before it is created
	if err != nil {
		return err
	}
	var failed error
	each(ids, func(id string) {
		err := i.look(p, h, id, temporary[id])
		if err != nil && !errors.Is(err, sessionfiles.ErrNoSession) {
			i.mu.Lock()
			failed = err
			i.mu.Unlock()
		}
	})
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.life.Err() == nil {
		maps.DeleteFunc(h.sessions, func(_ string, e *entry) bool { return e.seen != p })
	}
	return failed
}

// open returns the folder of a home's sessions. If there is none, it returns nil, without an error.
func (i *Index) open(h *home) (*sessionfiles.Folder, error) {
	if h.folder != nil && h.folder.IsCurrent(h.dir) {
		return h.folder, nil
	}
	folder, err := sessionfiles.OpenFolder(h.dir)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closeHome(h)
	h.folder = folder
	if err == nil {
		return folder, nil
	}
	clear(h.sessions)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return nil, err
}

// each calls do for each ID, for several IDs in parallel.
func each(ids []string, do func(id string)) {
	var workers sync.WaitGroup
	n := min(max(runtime.GOMAXPROCS(0), 2), 4)
	for w := range n {
		workers.Go(func() {
			for at := w; at < len(ids); at += n {
				do(ids[at])
			}
		})
	}
	workers.Wait()
}

// look finds out whether the files of a session have changed. For a new session, it reads the start of the log.
func (i *Index) look(p *pass, h *home, id string, temporary bool) error {
	if err := i.life.Err(); err != nil {
		return err
	}
	i.mu.Lock()
	e := h.sessions[id]
	if known, ok := i.cached[h.dir][id]; ok && e == nil {
		e = &entry{id: id, Known: known, hasClaim: true}
		i.stale.Store(true)
		h.sessions[id] = e
		delete(i.cached[h.dir], id)
	}
	var was sessionfiles.Stamp
	if e != nil {
		was = e.Stamp
	}
	i.mu.Unlock()
	if e != nil {
		now, err := h.folder.Stamp(id)
		if err != nil {
			return err
		}
		i.mu.Lock()
		defer i.mu.Unlock()
		if now.Folder != was.Folder {
			e.hasClaim, e.checked = true, false
		}
		if now.Log != was.Log || now.Workspace != was.Workspace {
			e.Described = sessionfiles.FileStamp{}
		}
		e.isHead = e.isHead && now.Log == was.Log
		e.Stamp, e.temporary, e.seen = now, temporary, p
		return nil
	}
	d, log, err := h.folder.Describe(id)
	if err != nil {
		return err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	e = &entry{id: id, Known: Known{Description: d, Stamp: sessionfiles.Stamp{Log: log}}, isHead: true, hasClaim: true, temporary: temporary, seen: p}
	h.sessions[id] = e
	i.unsaved = true
	i.stale.Store(true)
	return nil
}

// passOwners updates the sessions' chats if they may have changed.
func (i *Index) passOwners() {
	if !i.stale.Swap(false) {
		return
	}
	i.mu.Lock()
	homes := slices.Clone(i.homes)
	i.mu.Unlock()
	for _, h := range homes {
		i.mu.Lock()
		name, ids := h.name, slices.Collect(maps.Keys(h.sessions))
		i.mu.Unlock()
		if len(ids) == 0 {
			continue
		}
		owners, err := i.cfg.Owners(i.life, name, ids)
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				i.cfg.Log.Warn("couldn't find the chats of the Copilot CLI's sessions", "err", err)
			}
			i.stale.Store(true)
			return
		}
		i.mu.Lock()
		for id, e := range h.sessions {
			e.chatID = owners[id]
		}
		i.mu.Unlock()
	}
}
