package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"time"

	"github.com/gofrs/flock"

	"github.com/voxpilot/voxpilot/backend"
)

// Inspection is the result of inspecting a database without opening it for use.
type Inspection struct {
	Storage  backend.Storage
	InUse    bool             // a running VoxPilot uses the database
	Settings backend.Settings // the defaults if the settings couldn't be read
	Logins   []backend.Login  // oldest first
}

// Inspect examines the database in dir and reads the settings and sign-ins, even while
// VoxPilot is using it. It never changes or creates a database.
func Inspect(ctx context.Context, dir string) Inspection {
	s := &Store{dir: dir}
	in := Inspection{Storage: backend.Storage{State: backend.StorageOK, Path: s.path(fileName)}, Settings: backend.DefaultSettings()}
	if _, err := os.Stat(in.Storage.Path); errors.Is(err, fs.ErrNotExist) {
		in.Storage.Message = backend.Say("The database doesn't exist yet. VoxPilot creates it on startup.")
		return in
	}
	if in.InUse = s.isLocked(); in.InUse {
		in.Storage.Message = backend.Say("VoxPilot is running and using the database.")
	}
	if err := s.inspect(ctx, &in); err != nil {
		state, problem := openError(dir, err)
		in.Storage.State, in.Storage.Message = state, problem.Message
	}
	return in
}

// isLocked reports whether a running VoxPilot holds the database lock.
func (s *Store) isLocked() bool {
	path := s.path(lockName)
	if _, err := os.Stat(path); err != nil {
		return false
	}
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryRLock()
	if free {
		_ = lock.Unlock() // also closes the file
	}
	return err == nil && !free
}

func (s *Store) inspect(ctx context.Context, in *Inspection) error {
	target, err := newestMigration()
	if err != nil {
		return err
	}
	s.readers, err = openPool(s.path(fileName), 1, url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(5000)"}})
	if err != nil {
		return err
	}
	pool, err := s.readers.DB()
	if err != nil {
		return err
	}
	defer pool.Close()
	var version int64
	if err := pool.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version > target {
		return errNewer
	}
	if err := quickCheck(ctx, pool, in); err != nil || version < target {
		return err // the rows of an older version have another format
	}
	return s.Read(ctx, func(v *ReadTx) error {
		if in.Settings, err = v.settings(ctx); err != nil {
			return err
		}
		var rows []loginRow
		err := v.query(ctx, &rows, "SELECT * FROM logins ORDER BY created_at, id")
		for _, r := range rows {
			in.Logins = append(in.Logins, backend.Login(r))
		}
		return err
	})
}

// inspectTime is the time limit for examining a database that isn't opened for use.
const inspectTime = 20 * time.Second

// quickCheck looks for damage in the file, and returns an error if it finds any. If the check takes longer than
// inspectTime, quickCheck stops it and adds a note to in.Storage.Message.
func quickCheck(ctx context.Context, pool *sql.DB, in *Inspection) error {
	limited, cancel := context.WithTimeout(ctx, inspectTime)
	defer cancel()
	// The driver can interrupt statements, but not queries. So the check runs as a statement that writes its result
	// to a temporary table, which is stored in a separate file.
	if _, err := pool.ExecContext(ctx, "CREATE TEMP TABLE checked (result TEXT)"); err != nil {
		return err
	}
	_, err := pool.ExecContext(limited, "INSERT INTO temp.checked SELECT quick_check FROM pragma_quick_check LIMIT 1")
	if limited.Err() != nil {
		in.Storage.Message = backend.Sentences(in.Storage.Message, backend.Say("The check took too long and wasn't completed."))
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	var result string
	if err := pool.QueryRowContext(ctx, "SELECT result FROM temp.checked").Scan(&result); err != nil {
		return err
	}
	if result != "ok" {
		return damagedError(result)
	}
	return nil
}

func newestMigration() (int64, error) {
	migrations, err := fs.Sub(embedded, "migrations")
	if err != nil {
		return 0, err
	}
	return newest(migrations)
}
