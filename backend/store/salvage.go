package store

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"

	"github.com/voxpilot/voxpilot/backend"
	"gorm.io/gorm"
)

const salvageName = "voxpilot-salvage.db"

// keepCopy copies a damaged database unchanged, with its write-ahead log, and returns the name of the copy.
func (s *Store) keepCopy() (name string, err error) {
	name = "voxpilot-corrupt-" + stamp() + ".db"
	for _, suffix := range []string{"", "-wal"} {
		err := copyFile(s.path(fileName+suffix), s.path(name+suffix))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return name, nil
}

// salvage replaces a damaged database with a new one that contains all readable rows. The parameter kept is the name
// of the copy of the damaged file; the returned message to the user contains this name. The damaged file stays in
// place until the last step, so that an interrupted salvage is repeated at the next start.
func (s *Store) salvage(ctx context.Context, migrations fs.FS, kept string) (message backend.Message, err error) {
	if err := s.removeAll(salvageName, salvageName+"-journal"); err != nil {
		return backend.Message{}, err
	}
	counts, err := s.copyReadable(ctx, migrations)
	if err != nil {
		return backend.Message{}, err
	}
	// A remaining log would be applied to the new file.
	if err := s.removeAll(fileName+"-wal", fileName+"-shm", suspectName); err != nil {
		return backend.Message{}, err
	}
	if err := os.Rename(s.path(salvageName), s.path(fileName)); err != nil {
		return backend.Message{}, err
	}
	extent := backend.Say("everything")
	if counts.lost {
		extent = backend.Say("everything that could be read")
	}
	return backend.Say("VoxPilot's data was damaged. Recovered: %s (chats: %d, entries: %d). The damaged file was saved as %s.", extent, counts.chats, counts.items, s.path(kept)), nil
}

func (s *Store) removeAll(names ...string) error {
	for _, name := range names {
		if err := os.Remove(s.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// copyFile copies a file and syncs the copy to disk. The copy must not exist yet. Only its owner can read it.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// salvageCounts counts the recovered rows.
type salvageCounts struct {
	chats, items int
	lost         bool // some data couldn't be read
}

// copyReadable copies all readable rows to a new database, migrates it to the current schema and closes it.
func (s *Store) copyReadable(ctx context.Context, migrations fs.FS) (counts salvageCounts, err error) {
	target, err := newest(migrations)
	if err != nil {
		return counts, err
	}
	version := damagedVersion(s.path(fileName), target)
	path := s.path(salvageName)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return counts, err
	}
	if err := file.Close(); err != nil {
		return counts, err
	}
	if err := runMigrations(ctx, path, migrations, version); err != nil {
		return counts, err
	}

	c, closeAll, err := openCopier(ctx, s.path(fileName), path)
	if err != nil {
		return counts, err
	}
	counts, err = c.copyTables(ctx)
	if err := errors.Join(err, closeAll()); err != nil {
		return counts, err
	}
	return counts, runMigrations(ctx, path, migrations, target)
}

// damagedVersion returns the schema version in the header of a damaged file, or target if that version isn't plausible.
func damagedVersion(path string, target int64) int64 {
	file, err := os.Open(path)
	if err != nil {
		return target
	}
	defer file.Close()
	var header [100]byte
	if _, err := io.ReadFull(file, header[:]); err != nil {
		return target
	}
	if version := userVersion(header[:]); version >= 1 && version <= target {
		return version
	}
	return target
}

// A copier copies rows from a damaged database to a new one.
type copier struct {
	from, to *sql.Conn
	lost     bool
}

func openCopier(ctx context.Context, from, to string) (*copier, func() error, error) {
	var pools []*gorm.DB
	closeAll := func() error {
		var errs []error
		for _, db := range pools {
			pool, err := db.DB()
			if err == nil {
				err = pool.Close()
			}
			errs = append(errs, err)
		}
		return errors.Join(errs...)
	}
	connect := func(path string, pragmas ...string) (*sql.Conn, error) {
		db, err := openPool(path, 1, url.Values{"_pragma": pragmas})
		if err != nil {
			return nil, err
		}
		pools = append(pools, db)
		pool, err := db.DB()
		if err != nil {
			return nil, err
		}
		return pool.Conn(ctx)
	}
	c := &copier{}
	var err error
	if c.to, err = connect(to, "foreign_keys(off)", "synchronous(full)"); err != nil {
		return nil, nil, errors.Join(err, closeAll())
	}
	// If even this fails, nothing can be read.
	if c.from, err = connect(from, "query_only(on)"); err != nil {
		c.lost = true
	}
	return c, func() error {
		if c.from != nil {
			// Closing may fail to write the log into the damaged file, which is about to be replaced anyway.
			_ = c.from.Close()
		}
		return errors.Join(c.to.Close(), closeAll())
	}, nil
}
