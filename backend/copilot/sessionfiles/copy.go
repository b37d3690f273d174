package sessionfiles

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// errSkip means that a file is left out of the copy.
var errSkip = errors.New("left out")

// copyTemp is the prefix of the name of a copy's folder until the copy is complete. The rest of the name is the copy's
// session ID.
const copyTemp = ".voxpilot-fork-"

// copier copies the folder of a session to a new session. The functions log and workspace write the copies of
// events.jsonl and workspace.yaml.
type copier struct {
	ctx            context.Context // ends the copy when it is done
	root           *os.Root        // folder of all sessions
	from, to       string          // IDs of the session and of the copy
	temp           string          // folder of the copy until it is complete, relative to root
	log, workspace func(to *os.File, from io.Reader) error
}

// copySession copies a session in home, the CLI's home directory or "" for the default one. It calls check once
// all files are copied and synced to disk. The copy only becomes a session if check returns nil. If copySession
// returns an error, which can be ErrNoSession or the error of check, there is no copy.
func (f *copier) copySession(home string, check func() error) (err error) {
	if !sessionID.MatchString(f.from) || !sessionID.MatchString(f.to) {
		return fmt.Errorf("%w: %q", ErrNoSession, f.from)
	}
	f.root, err = os.OpenRoot(filepath.Join(HomeDir(home), "session-state"))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", ErrNoSession, err)
	}
	if err != nil {
		return err
	}
	defer f.root.Close()
	if info, err := f.root.Lstat(path.Join(f.from, sessionLog)); err != nil || !info.Mode().IsRegular() {
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: it has no log", ErrNoSession)
		}
		return err
	}
	f.temp = copyTemp + f.to
	defer func() {
		if err != nil {
			err = errors.Join(err, f.root.RemoveAll(f.temp))
		}
	}()
	if err := f.copyFolder("."); err != nil {
		return err
	}
	if err := check(); err != nil {
		return err
	}
	if err := f.root.Rename(f.temp, f.to); err != nil {
		return err
	}
	return syncFolder(f.root)
}

// copyFolder copies a folder in the session's folder; name is relative to the session's folder. It skips the claims of
// processes (isClaim) and everything that is neither a regular file nor a folder, such as links.
func (f *copier) copyFolder(name string) error {
	info, err := f.root.Lstat(path.Join(f.from, name))
	if err != nil {
		return err
	}
	if err := f.root.Mkdir(path.Join(f.temp, name), info.Mode().Perm()|0o700); err != nil {
		return err
	}
	dir, err := f.root.Open(path.Join(f.from, name))
	if err != nil {
		return err
	}
	entries, err := dir.ReadDir(-1)
	if err := errors.Join(err, dir.Close()); err != nil {
		return err
	}
	for _, e := range entries {
		at := path.Join(name, e.Name())
		switch {
		case at == sessionWorkspace && !e.Type().IsRegular(): // damaged
		case e.IsDir():
			err = f.copyFolder(at)
		case !e.Type().IsRegular() || name == "." && isClaim(e.Name()):
		case at == sessionLog:
			err = f.copyFile(at, f.log)
		case at == sessionWorkspace:
			err = f.copyFile(at, f.workspace)
		default:
			err = f.copyFile(at, func(w *os.File, r io.Reader) error {
				_, err := io.Copy(struct{ io.Writer }{w}, r) // reads in small pieces
				return err
			})
			if errors.Is(err, fs.ErrNotExist) {
				err = nil // the file was removed in the meantime
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isClaim reports whether a file with the given name in a session's folder marks the session as in use by a
// process.
func isClaim(name string) bool {
	return strings.HasPrefix(name, "inuse.") || strings.HasSuffix(name, ".lock") || strings.HasSuffix(name, ".hold")
}

// copyFile copies a file in the session's folder to the copy, and syncs the new file to disk. name is relative to the
// session's folder. The function copy writes the content: it gets the new file and the original.
func (f *copier) copyFile(name string, copy func(*os.File, io.Reader) error) error {
	from, err := f.root.OpenFile(path.Join(f.from, name), os.O_RDONLY|openFlags, 0)
	if err != nil {
		return err
	}
	defer from.Close()
	info, err := from.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no longer a file: %w", name, fs.ErrNotExist)
	}
	if err != nil {
		return err
	}
	to, err := f.root.OpenFile(path.Join(f.temp, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	switch err := copy(to, &reader{f.ctx, from}); {
	case errors.Is(err, errSkip):
		return errors.Join(to.Close(), f.root.Remove(path.Join(f.temp, name)))
	default:
		return errors.Join(err, to.Sync(), to.Close())
	}
}

// reader reads from another reader until its context is done.
type reader struct {
	ctx  context.Context
	from io.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}

// copyWorkspace copies the session's workspace.yaml, with the session's ID replaced by the copy's.
func (f *copier) copyWorkspace(w *os.File, r io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(r, maxSmall))
	if err == nil {
		_, err = w.Write(bytes.ReplaceAll(text, []byte(f.from), []byte(f.to)))
	}
	return err
}

// syncFolder syncs the entries of a folder to disk if the system supports that.
func syncFolder(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	_ = dir.Sync() // Windows can't
	return dir.Close()
}

// Exists reports whether home contains a Copilot CLI session with the given ID that Fork can copy. If home is "", the
// CLI's default home is used.
func Exists(home, id string) bool {
	info, err := os.Lstat(filepath.Join(HomeDir(home), "session-state", id, sessionLog))
	return sessionID.MatchString(id) && err == nil && info.Mode().IsRegular()
}
