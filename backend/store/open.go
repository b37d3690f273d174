package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/glebarez/sqlite"
	"github.com/pressly/goose/v3"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/voxpilot/voxpilot/backend"
)

var (
	errInUse = errors.New("another VoxPilot has the lock")
	errNewer = errors.New("the schema is newer than this VoxPilot knows")
)

// openError returns the state and the user-facing error for a database in dir that can't be used.
func openError(dir string, err error) (backend.StorageState, *backend.Error) {
	problem := &backend.Error{Code: backend.CodeStorage, Detail: err.Error()}
	switch {
	case errors.Is(err, errInUse):
		problem.Message = backend.Say("Another copy of VoxPilot is using this data. Switch to its window, or quit it and open VoxPilot again.")
		return backend.StorageInUse, problem
	case errors.Is(err, errNewer):
		problem.Message = backend.Say("The data in %s was created by a newer version of VoxPilot. Nothing was changed. Install the latest version to open this data.", dir)
		return backend.StorageNewer, problem
	case isRejected(err):
		problem.Message = backend.Say("VoxPilot can't write to its data folder, %s. Check the permissions of the folder and its files, then restart VoxPilot.", dir)
		return backend.StorageReadOnly, problem
	}
	explained := explain(backend.Say("VoxPilot couldn't open its data in %s", dir), err)
	if !errors.As(explained, &problem) {
		problem.Message = backend.Say("VoxPilot couldn't open its data in %s.", dir)
	}
	problem.Code = backend.CodeStorage
	return backend.StorageUnusable, problem
}

// makePrivate creates dir if it doesn't exist, and makes it accessible only to its owner.
func makePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	// This fails on file systems without permissions. The error can be ignored, because the files themselves are
	// private.
	_ = os.Chmod(dir, 0o700)
	return nil
}

// magic is the header of every SQLite file.
var magic = []byte("SQLite format 3\x00")

// checkFile creates the file if it is missing and checks its header. It returns an error if the file
// isn't a database or is from a newer VoxPilot. It never changes the content of an existing file.
func (s *Store) checkFile(target int64) error {
	file, err := os.OpenFile(s.path(fileName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	// Restrict the files of an earlier run. SQLite creates missing ones with the permissions of the database file.
	for _, name := range []string{fileName, fileName + "-wal", fileName + "-shm"} {
		_ = os.Chmod(s.path(name), 0o600)
	}
	var header [100]byte
	switch n, err := io.ReadFull(file, header[:]); {
	case errors.Is(err, io.EOF):
		return nil // the file is empty, because it is new
	case errors.Is(err, io.ErrUnexpectedEOF):
		return damagedError(fmt.Sprintf("the file ends after %d bytes", n))
	case err != nil:
		return err
	}
	if !bytes.HasPrefix(header[:], magic) {
		return damagedError("the file isn't a database")
	}
	if userVersion(header[:]) > target {
		return errNewer
	}
	return nil
}

// userVersion returns PRAGMA user_version from the header of a database file.
func userVersion(header []byte) int64 {
	return int64(int32(binary.BigEndian.Uint32(header[60:])))
}

// damagedError is the error for damage detected by VoxPilot.
type damagedError string

func (d damagedError) Error() string {
	return "the database is damaged: " + string(d)
}
func (damagedError) Code() int { return sqliteCorrupt }

// dataSource returns the driver's data source name for the file at path, with the given connection parameters.
func dataSource(path string, parameters url.Values) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/… on Windows
	}
	file := url.URL{Scheme: "file", Path: path, RawQuery: parameters.Encode()}
	return file.String()
}

// carefulPragmas are the pragmas of every connection. The file may come from another program. SQLite therefore checks
// its cells, and its schema may call only functions that SQLite considers harmless.
var carefulPragmas = []string{"trusted_schema(off)", "cell_size_check(on)"}

// openPool opens the file with at most the given number of connections.
func openPool(path string, connections int, parameters url.Values) (*gorm.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := defend(); err != nil {
		return nil, err
	}
	parameters = maps.Clone(parameters)
	if parameters == nil {
		parameters = url.Values{}
	}
	parameters["_pragma"] = slices.Concat(carefulPragmas, parameters["_pragma"])
	db, err := gorm.Open(sqlite.Open(dataSource(path, parameters)), &gorm.Config{
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
		Logger:                 logger.Discard, // errors are returned, and logged by the caller that handles them
	})
	if err != nil {
		return nil, err
	}
	pool, err := db.DB()
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return db, nil
}

// busyTime is the maximum time a statement waits for another connection's lock.
const busyTime = 5 * time.Second

var busyPragma = fmt.Sprintf("busy_timeout(%d)", busyTime.Milliseconds())

// connect opens the single connection for writing and the pool of connections for reading.
func (s *Store) connect(ctx context.Context) (err error) {
	s.writer, err = openPool(s.path(fileName), 1, url.Values{"_pragma": {
		busyPragma, "journal_mode(wal)", "synchronous(normal)", "foreign_keys(on)",
		"secure_delete(fast)",          // overwrites deleted content in pages that remain in use
		"journal_size_limit(67108864)", // in bytes; shrinks the log again after many writes
	}})
	if err != nil {
		return err
	}
	s.mode = fast
	s.readers, err = openPool(s.path(fileName), 4, url.Values{"_pragma": {busyPragma, "query_only(on)"}})
	if err != nil {
		return err
	}
	pool, err := s.writer.DB()
	if err != nil {
		return err
	}
	if s.conn, err = pool.Conn(ctx); err != nil {
		return err
	}
	s.rows = s.writer.WithContext(background)
	s.rows.Statement.ConnPool = s.conn // the only connection of the writer's pool
	return nil
}

// checkTime is the time limit for checking the file after VoxPilot couldn't close it.
const checkTime = 500 * time.Millisecond

// checkNeeded reports whether the file must be checked for damage, and returns the time limit for the check. The limit
// is an hour if damage was found while the database was in use. It is checkTime if a write-ahead log remains because
// VoxPilot couldn't close the file, for example after a power failure. Damage that such a short check misses is
// detected when the data is used.
func (s *Store) checkNeeded() (needed bool, atMost time.Duration) {
	if _, err := os.Stat(s.path(suspectName)); err == nil {
		return true, time.Hour
	}
	log, err := os.Stat(s.path(fileName + "-wal"))
	return err == nil && log.Size() > 0, checkTime
}

// check looks for damage in the file, and returns an error if it finds any. If it finds none, it removes the file
// suspectName. If the check takes longer than atMost, check gives up and returns nil.
func (s *Store) check(ctx context.Context, atMost time.Duration) error {
	// The driver can interrupt statements, but not queries. So the check runs as a statement that writes its result
	// to a temporary table.
	if _, err := s.conn.ExecContext(ctx, "CREATE TEMP TABLE checked (result TEXT)"); err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, atMost)
	defer cancel()
	_, err := s.conn.ExecContext(limited, "INSERT INTO temp.checked SELECT quick_check FROM pragma_quick_check LIMIT 1")
	if limited.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	var result string
	if err := s.conn.QueryRowContext(ctx, "SELECT result FROM temp.checked").Scan(&result); err != nil {
		return err
	}
	if result != "ok" {
		return damagedError(result)
	}
	if _, err := s.conn.ExecContext(ctx, "DROP TABLE temp.checked"); err != nil {
		return err
	}
	return s.removeAll(suspectName)
}

// newest returns the number of the newest migration.
func newest(migrations fs.FS) (int64, error) {
	names, err := fs.Glob(migrations, "*.sql")
	if err != nil {
		return 0, err
	}
	var version int64
	for _, name := range names {
		number, err := goose.NumericComponent(name)
		if err != nil {
			return 0, err
		}
		version = max(version, number)
	}
	return version, nil
}

// migrate migrates the schema to the target version. It first backs up existing data. If the backup fails, for example
// because the disk is full, migrate changes nothing.
func (s *Store) migrate(ctx context.Context, migrations fs.FS, target int64) (err error) {
	var version int64
	if err := s.conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	switch {
	case version > target: // only the log contained this version, so checkFile missed it
		return errNewer
	case version == target:
		return nil
	case version > 0:
		if s.backup, err = s.backUp(ctx, version); err != nil {
			return fmt.Errorf("copy before the migration: %w", err)
		}
	}
	if err := runMigrations(ctx, s.path(fileName), migrations, target); err != nil {
		return err
	}
	// Write the version into the header of the file itself.
	_, err = s.conn.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

// rewriteLimit is the maximum size in bytes of a file that is rewritten at startup, which takes a few seconds.
const rewriteLimit = 256 << 20

// makeShrinkable enables auto-vacuum, so that the file can return unused pages to the system. A file without
// auto-vacuum is either new and small, or from an earlier version; it is rewritten once. A file larger than
// rewriteLimit isn't rewritten, because that would take too long: it reuses its free pages but never shrinks.
func (s *Store) makeShrinkable(ctx context.Context) error {
	var mode int
	if err := s.conn.QueryRowContext(ctx, "PRAGMA auto_vacuum").Scan(&mode); err != nil || mode != 0 {
		return err
	}
	if file, err := os.Stat(s.path(fileName)); err != nil || file.Size() > rewriteLimit {
		return err
	}
	if _, err := s.conn.ExecContext(ctx, "PRAGMA auto_vacuum = incremental"); err != nil {
		return err
	}
	_, err := s.conn.ExecContext(ctx, "VACUUM")
	return err
}

// runMigrations migrates the schema of the file at path to the given version.
func runMigrations(ctx context.Context, path string, migrations fs.FS, version int64) error {
	db, err := openPool(path, 1, url.Values{"_pragma": {"busy_timeout(5000)", "foreign_keys(on)"}})
	if err != nil {
		return err
	}
	pool, err := db.DB()
	if err != nil {
		return err
	}
	defer pool.Close()
	provider, err := goose.NewProvider(goose.DialectSQLite3, pool, migrations, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	_, err = provider.UpTo(ctx, version)
	return err
}

// defend makes SQLite open every further connection of this process in its defensive mode, in which no statement
// can damage the file through its schema or the tables of its search index. The driver has no setting for this mode,
// so defend registers an SQLite auto extension that sets it on each new connection.
var defend = sync.OnceValue(func() error {
	tls := libc.NewTLS()
	defer tls.Close()
	// SQLite is translated from C to Go. It takes a C function pointer as the address of a Go function value.
	call := struct {
		f func(*libc.TLS, uintptr, uintptr, uintptr) int32
	}{defensive}
	if rc := sqlite3.Xsqlite3_auto_extension(tls, *(*uintptr)(unsafe.Pointer(&call))); rc != sqlite3.SQLITE_OK {
		return backend.Problem("couldn't set SQLite's defensive mode: code %d", rc)
	}
	return nil
})

// defensive is the auto extension that sets the defensive mode. SQLite calls it for each new connection, which it
// passes as db.
func defensive(tls *libc.TLS, db, _, _ uintptr) int32 {
	arguments := libc.NewVaList(int32(1), uintptr(0))
	defer libc.Xfree(tls, arguments)
	return sqlite3.Xsqlite3_db_config(tls, db, sqlite3.SQLITE_DBCONFIG_DEFENSIVE, arguments)
}
