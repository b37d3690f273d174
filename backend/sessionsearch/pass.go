package sessionsearch

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

const (
	batchSize = 256 << 10            // bytes of texts in a transaction
	readPause = 4 * time.Millisecond // after each megabyte of a log, so that other programs can use the disk and the processor
	maxTitle  = 200                  // maximum size in bytes of a title that the CLI took from a message
)

// errDisabled ends a pass because the user has switched the search in sessions off.
var errDisabled = errors.New("the search in sessions is off")

// Pass brings the index up to date. If the user has switched the search in sessions off, it removes the texts of all
// sessions.
func (i *Indexer) Pass(ctx context.Context) error {
	logs, err := i.cfg.Store.SessionLogs(ctx)
	if err != nil {
		return err
	}
	i.mu.Lock()
	i.partial = false
	i.mu.Unlock()
	if i.cfg.Enabled() {
		err = i.update(ctx, logs)
		if errors.Is(err, errDisabled) {
			logs, err = i.cfg.Store.SessionLogs(ctx)
		}
	}
	if err == nil && !i.cfg.Enabled() {
		for _, log := range logs {
			if err = i.cfg.Store.RemoveSessionLog(ctx, log.ID); err != nil || i.cfg.Enabled() {
				break
			}
		}
	}
	if ctx.Err() == nil {
		i.mu.Lock()
		partial := i.partial
		i.mu.Unlock()
		i.setReading(partial)
	}
	return err
}

type sessionKey struct{ home, id string }

// update reads new texts, the newest sessions first, and removes those of sessions that no longer exist. It tries all
// sessions and returns the first error, but returns at once if ctx ends or the user switches the search off.
func (i *Indexer) update(ctx context.Context, logs []store.SessionLog) error {
	list, err := i.cfg.Sessions(ctx)
	if err != nil {
		return err
	}
	i.mu.Lock()
	i.partial = list.Reading
	i.mu.Unlock()
	known := map[sessionKey]store.SessionLog{}
	for _, log := range logs {
		known[sessionKey{log.Home, log.SessionID}] = log
	}
	folders := folders{}
	defer folders.close()
	var failed error
	for _, session := range list.Sessions {
		key := sessionKey{session.Home, session.ID}
		log, isKnown := known[key]
		delete(known, key)
		if !isKnown {
			log = store.SessionLog{Home: session.Home, SessionID: session.ID}
		}
		// The messages of a chat are indexed with the chat. Once the chat is deleted, its session is read.
		if session.ChatID != "" || isKnown && log.Offset == session.Size && log.Title == session.Title && log.Folder == session.Folder {
			continue
		}
		err := i.read(ctx, folders, session, log)
		if ctx.Err() != nil || errors.Is(err, errDisabled) {
			return err
		}
		if err != nil && !errors.Is(err, sessionfiles.ErrNoSession) && failed == nil {
			failed = err
		}
	}
	for _, log := range known {
		if err := i.removeMissing(ctx, folders, log); err != nil && failed == nil {
			failed = err
		}
	}
	return failed
}

// removeMissing removes the texts of a session that isn't in the list, if it no longer exists.
func (i *Indexer) removeMissing(ctx context.Context, folders folders, log store.SessionLog) error {
	folder, err := folders.open(log.Home)
	if err == nil {
		_, err = folder.Stamp(log.SessionID)
	}
	if !errors.Is(err, sessionfiles.ErrNoSession) && !errors.Is(err, fs.ErrNotExist) {
		return err // the session can't be read at the moment, or the list isn't complete
	}
	return i.cfg.Store.RemoveSessionLog(ctx, log.ID)
}

// read adds the texts of a session that aren't in the index.
func (i *Indexer) read(ctx context.Context, folders folders, session backend.CLISession, log store.SessionLog) error {
	folder, err := folders.open(session.Home)
	if err != nil {
		return err
	}
	pause := func() { wait(ctx, readPause) }
	for more := true; more; {
		if !i.cfg.Enabled() {
			return errDisabled
		}
		part, err := folder.ReadTexts(ctx, session.ID, sessionfiles.LogPosition{Offset: log.Offset, Check: log.Check}, batchSize, pause)
		if err != nil {
			return err
		}
		if part.Restarted && log.ID != 0 {
			if err := i.cfg.Store.RestartSessionLog(ctx, log.ID); err != nil {
				return err
			}
			log.Title = ""
		}
		texts := part.Texts
		if session.Title != log.Title && !isFirstLine(session.Title, texts) {
			texts = append(texts, backend.SessionText{Kind: backend.HitTitle, At: session.UpdatedAt, Text: session.Title})
		}
		log.Title, log.Folder, log.Offset, log.Check, more = session.Title, session.Folder, part.To.Offset, part.To.Check, part.More
		started := time.Now()
		if log, err = i.cfg.Store.AddSessionTexts(log, texts); err != nil {
			return err
		}
		if more {
			i.setReading(true)
			wait(ctx, time.Since(started)) // other writers can use the database
		}
	}
	return nil
}

// isFirstLine reports whether a title is empty or the first line of one of the user's messages.
func isFirstLine(title string, texts []backend.SessionText) bool {
	for _, t := range texts {
		if t.Kind == backend.HitUser && excerpt.FirstLine(t.Text, maxTitle) == title {
			return true
		}
	}
	return title == ""
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// folders holds the open folders with the sessions, by home.
type folders map[string]*sessionfiles.Folder

func (f folders) open(home string) (*sessionfiles.Folder, error) {
	if folder := f[home]; folder != nil {
		return folder, nil
	}
	folder, err := sessionfiles.OpenFolder(sessionfiles.HomeOf(backend.Session{Home: home}))
	if err == nil {
		f[home] = folder
	}
	return folder, err
}

func (f folders) close() {
	for _, folder := range f {
		_ = folder.Close() // nothing was written
	}
}
