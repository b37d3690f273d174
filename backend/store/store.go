// Package store keeps everything in one SQLite file: Apply writes events as
// rows, and a View reads rows back as the same events. Its promises:
//
//   - What Apply returned from is in the file; what it failed on is not, not
//     even in part.
//   - One VoxPilot at a time has the file.
//   - The file, and all beside it, is readable by its owner only.
//   - A damaged file is never thrown away, and whatever can be read of it is
//     taken over.
//
// What is kept is written in migrations.
package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"
	"gorm.io/gorm"

	"github.com/voxpilot/voxpilot/backend"
)

// The files of the data directory that are the store's own.
const (
	fileName = "voxpilot.db"
	lockName = "voxpilot.lock"
	// suspectName is there when the database was found damaged while it was
	// in use: the next Open examines it.
	suspectName = "voxpilot.suspect"
)

//go:embed migrations/*.sql
var embedded embed.FS

// A Store is an open database. Its methods may be called at the same time.
type Store struct {
	dir    string
	lock   *flock.Flock
	backup string // the copy that was made before a migration

	readers *gorm.DB // several connections that cannot write
	readTxs readTxPool

	writing sync.Mutex // held during a transaction
	writer  *gorm.DB   // one connection,
	conn    *sql.Conn  // which is always this one; nil once closed
	rows    *gorm.DB   // writes plain rows on conn
	durable bool       // its PRAGMA synchronous is FULL

	wake chan struct{} // there may be something to do for Upkeep
}

var errClosed = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot is quitting, so its data is no longer available.")}

// Open opens the database in dir and makes both where they are missing. What
// an app that died has left behind is put right before it returns: what ran is
// interrupted, what was open is closed, what was queued is paused.
//
// The Storage says how the database stands, for a person, also where it could
// not be opened; then there is no Store and the error says the same.
func Open(ctx context.Context, dir string) (*Store, backend.Storage, error) {
	migrations, err := fs.Sub(embedded, "migrations")
	if err != nil {
		return nil, backend.Storage{State: backend.StorageUnusable}, err
	}
	return open(ctx, dir, migrations)
}

func open(ctx context.Context, dir string, migrations fs.FS) (*Store, backend.Storage, error) {
	s := &Store{dir: dir, wake: make(chan struct{}, 1)}
	storage := backend.Storage{State: backend.StorageOK, Path: s.path(fileName)}
	salvaged, err := s.open(ctx, migrations)
	if err != nil {
		state, problem := openError(dir, errors.Join(err, s.Close()))
		storage.State, storage.Message = state, problem.Message
		return nil, storage, problem
	}
	if !salvaged.IsZero() {
		storage.State, storage.Message = backend.StorageSalvaged, salvaged
	}
	storage.Backup = s.backup
	return s, storage, nil
}

// Sync returns when all that was committed is on the disk itself: a commit that is
// not durable leaves that to the system, which a computer that loses its power in
// sleep never comes to.
func (s *Store) Sync(ctx context.Context) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.conn == nil {
		return errClosed
	}
	if _, err := s.conn.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
		return s.failed(backend.Say("VoxPilot couldn't write its data to disk"), err)
	}
	return nil
}

// open returns what to tell where the database had to be salvaged.
func (s *Store) open(ctx context.Context, migrations fs.FS) (salvaged backend.Message, err error) {
	if err := makePrivate(s.dir); err != nil {
		return backend.Message{}, err
	}
	s.lock = flock.New(s.path(lockName), flock.SetPermissions(0o600))
	if locked, err := s.lock.TryLock(); err != nil {
		return backend.Message{}, err
	} else if !locked {
		return backend.Message{}, errInUse
	}
	err = s.start(ctx, migrations)
	if !isCorrupt(err) {
		return backend.Message{}, err
	}
	kept, err := s.keepCopy() // before SQLite writes its log into the file
	if err := errors.Join(err, s.disconnect()); err != nil {
		return backend.Message{}, err
	}
	salvaged, err = s.salvage(ctx, migrations, kept)
	if err != nil {
		return backend.Message{}, err
	}
	return salvaged, s.start(ctx, migrations)
}

// start makes an existing file, or none, ready for use.
func (s *Store) start(ctx context.Context, migrations fs.FS) error {
	target, err := newest(migrations)
	if err != nil {
		return err
	}
	if err := s.checkFile(target); err != nil {
		return err
	}
	needed, atMost := s.checkNeeded()
	if err := s.connect(ctx); err != nil {
		return err
	}
	if needed {
		if err := s.check(ctx, atMost); err != nil {
			return err
		}
	}
	if err := s.migrate(ctx, migrations, target); err != nil {
		return err
	}
	if err := s.makeShrinkable(ctx); err != nil {
		if ctx.Err() != nil || isCorrupt(err) {
			return err
		}
		// There is no room for a second one: the file stays as large as it is.
		slog.Warn("the database could not be made one that shrinks; the next start tries again", "err", err)
	}
	return s.recover()
}

func (s *Store) path(name string) string { return filepath.Join(s.dir, name) }

// Close ends all views, brings the file to its plain form without a
// write-ahead log, and lets go of it. It may be called again.
func (s *Store) Close() error {
	s.readTxs.close()
	err := s.disconnect()
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	return err
}

// disconnect closes the connections. SQLite writes its log into the file when
// the last of them goes.
func (s *Store) disconnect() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	var errs []error
	if s.conn != nil {
		errs = append(errs, s.conn.Close())
		s.conn = nil
	}
	for _, db := range []*gorm.DB{s.readers, s.writer} {
		if db == nil {
			continue
		}
		pool, err := db.DB()
		if err == nil {
			err = pool.Close()
		}
		errs = append(errs, err)
	}
	s.readers, s.writer = nil, nil
	return errors.Join(errs...)
}

// failed explains an error of a running store. One that shows damage is
// remembered, so that the next Open examines the whole file.
func (s *Store) failed(doing backend.Message, err error) error {
	if isCorrupt(err) {
		// Where even this cannot be written, the next start may notice the
		// damage later, but it is told to the user now.
		_ = os.WriteFile(s.path(suspectName), []byte(err.Error()+"\n"), 0o600)
	}
	return explain(doing, err)
}
