// Package store persists all data in one SQLite file: Apply writes events as rows, and
// a ReadTx reads rows back as the same events. It guarantees:
//
//   - When Apply returns without error, its events are in the file. If it fails, none
//     of them are.
//   - Only one VoxPilot at a time uses the file.
//   - The file and all accompanying files are readable only by their owner.
//   - A damaged file is never discarded, and everything readable is recovered.
//
// The schema is defined in migrations.
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
	"sync/atomic"

	"github.com/gofrs/flock"
	"gorm.io/gorm"

	"github.com/voxpilot/voxpilot/backend"
)

// Files of the store in the data directory.
const (
	fileName = "voxpilot.db"
	lockName = "voxpilot.lock"
	// suspectName is the name of a file that is created when the database turns out to be damaged while in use. The
	// next Open then examines the database.
	suspectName = "voxpilot.suspect"
)

//go:embed migrations/*.sql
var embedded embed.FS

// A Store is an open database. It is safe for concurrent use.
type Store struct {
	dir    string
	lock   *flock.Flock
	backup string // path of the backup created before a migration

	readers *gorm.DB // several read-only connections
	readTxs readTxPool

	writing sync.Mutex   // held during a transaction
	waiting atomic.Int32 // number of writes that wait for writing
	writer  *gorm.DB     // one connection
	conn    *sql.Conn    // the writer's connection; nil once it is closed
	rows    *gorm.DB     // gorm session that uses conn, for plain rows
	mode    writeMode

	wake chan struct{} // signals to Maintain that there may be work
}

var errClosed = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot is quitting, so its data is no longer available.")}

// Open opens the database in dir, creating both if they don't exist. It first repairs the state that a crash left: it
// returns unsent messages to the queue, interrupts the other running turns, closes open requests and items, and pauses
// queued prompts.
//
// The returned Storage describes the state of the database for the user. If the database can't be opened, the Store is
// nil and the error has the same message as the Storage.
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

// Sync flushes all commits to the disk. Without it, commits that aren't durable reach the disk only later, or never if
// the computer loses power during sleep.
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

// open opens the database. If it is damaged, open salvages it and returns a message for the user.
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

// start opens the file, creating it if it doesn't exist. It checks the file for damage if needed, migrates the schema
// and repairs the state that the previous run of the app left.
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
		// There is probably no space for a second copy of the file. The file can be used but can't shrink.
		slog.Warn("couldn't enable auto-vacuum for the database; the next start retries", "err", err)
	}
	return s.recover()
}

func (s *Store) path(name string) string { return filepath.Join(s.dir, name) }

// Close ends all read transactions, closes the file without a remaining write-ahead
// log, and releases the lock. It may be called more than once.
func (s *Store) Close() error {
	s.readTxs.close()
	err := s.disconnect()
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	return err
}

// disconnect closes the connections. SQLite writes its log into the file when the last one is closed.
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

// failed returns the user-facing error for err, which occurred while the store was in use. If err means damage, failed
// records that, so that the next Open checks the whole file.
func (s *Store) failed(doing backend.Message, err error) error {
	if isCorrupt(err) {
		// If the file can't be written, the next start may detect the damage only later, but the user is informed now.
		_ = os.WriteFile(s.path(suspectName), []byte(err.Error()+"\n"), 0o600)
	}
	return explain(doing, err)
}
