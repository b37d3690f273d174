package sessionfiles

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/voxpilot/voxpilot/backend"
)

// Folder is the folder with the sessions of one home directory of the Copilot CLI. Its methods can be called
// concurrently. They follow no links out of the folder, and never wait for another process, such as the writer of a
// pipe.
type Folder struct {
	root  *os.Root
	dir   *os.File        // the same folder
	conn  syscall.RawConn // of dir
	read  atomic.Int64
	heads sync.Pool // buffers for starts of logs
}

// OpenFolder opens the folder with the sessions in home. If home is "", the CLI's default home is used. The error
// matches fs.ErrNotExist if there are no sessions.
func OpenFolder(home string) (*Folder, error) {
	root, err := os.OpenRoot(filepath.Join(HomeDir(home), "session-state"))
	if err != nil {
		return nil, err
	}
	dir, err := root.Open(".")
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	conn, err := dir.SyscallConn()
	if err != nil {
		return nil, errors.Join(err, dir.Close(), root.Close())
	}
	f := &Folder{root: root, dir: dir, conn: conn}
	f.heads.New = func() any { b := make([]byte, headSizes[0]); return &b }
	return f, nil
}

// Close closes the folder.
func (f *Folder) Close() error { return errors.Join(f.dir.Close(), f.root.Close()) }

// BytesRead returns the number of bytes that were read from files so far.
func (f *Folder) BytesRead() int64 { return f.read.Load() }

// maxSessions is the maximum number of sessions in a Folder. Any others are ignored.
const maxSessions = 100_000

// IDs returns the IDs of the sessions, in no particular order.
func (f *Folder) IDs() (ids []string, err error) {
	dir, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	for len(ids) < maxSessions {
		entries, err := dir.ReadDir(1024)
		for _, e := range entries {
			if e.IsDir() && sessionID.MatchString(e.Name()) {
				ids = append(ids, e.Name())
			}
		}
		if errors.Is(err, io.EOF) {
			return ids, nil
		}
		if err != nil {
			return ids, err
		}
	}
	return ids, nil
}

// IsCurrent reports whether this is still the folder with the sessions in home, which may have been replaced.
func (f *Folder) IsCurrent(home string) bool {
	opened, err := f.root.Stat(".")
	if err != nil {
		return false
	}
	now, err := os.Stat(filepath.Join(HomeDir(home), "session-state"))
	return err == nil && os.SameFile(opened, now)
}

// Holders returns the running programs that have a session open, except the processes for which skip returns true. See
// HoldersExcept. claimed reports whether any process, running or not, has claimed the session.
func (f *Folder) Holders(id string, skip func(pid int) bool) (found []backend.SessionHolder, claimed bool) {
	if !sessionID.MatchString(id) {
		return nil, false
	}
	return holders(f.root, id, skip)
}

// FileStamp is the size and the modification time of a file.
type FileStamp struct {
	Size int64 `json:"size"` // in bytes; -1 if there is no such file
	Time int64 `json:"time"` // in nanoseconds since the Unix epoch
}

// Stamp changes when the files of a session change.
type Stamp struct {
	Folder    int64     `json:"folder"` // modification time, which changes with each new or removed file
	Log       FileStamp `json:"log"`
	Workspace FileStamp `json:"workspace"`
}

// Stamp returns the state of a session's files. The error is ErrNoSession or a file system error.
func (f *Folder) Stamp(id string) (Stamp, error) {
	s, err := f.open(id)
	if err != nil {
		return Stamp{}, err
	}
	defer s.close()
	return s.stamp()
}

// openSession is the open folder of a session.
type openSession struct {
	folder *Folder
	id     string
	root   *os.Root
}

func (f *Folder) open(id string) (*openSession, error) {
	if !sessionID.MatchString(id) {
		return nil, ErrNoSession
	}
	root, err := f.root.OpenRoot(id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoSession
	}
	if err != nil {
		return nil, err
	}
	return &openSession{f, id, root}, nil
}

func (s *openSession) close() { _ = s.root.Close() } // nothing was written

func (s *openSession) stamp() (Stamp, error) {
	dir, err := s.root.Stat(".")
	if err != nil {
		return Stamp{}, err
	}
	return Stamp{Folder: dir.ModTime().UnixNano(), Log: s.stampOf(sessionLog), Workspace: s.stampOf(sessionWorkspace)}, nil
}

func (s *openSession) stampOf(name string) FileStamp {
	info, err := s.root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return FileStamp{Size: -1}
	}
	return FileStamp{info.Size(), info.ModTime().UnixNano()}
}

// file opens a file in the session's folder for reading. The error matches fs.ErrNotExist if it isn't a regular file.
func (s *openSession) file(name string) (*countedFile, error) {
	file, err := s.root.OpenFile(name, os.O_RDONLY|openFlags, 0)
	if err != nil {
		if info, e := s.root.Stat(name); e != nil || !info.Mode().IsRegular() {
			err = errors.Join(err, fs.ErrNotExist)
		}
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return &countedFile{file, info.Size(), FileStamp{info.Size(), info.ModTime().UnixNano()}, &s.folder.read}, nil
}

// countedFile is an open file that counts the bytes that are read from it.
type countedFile struct {
	file  *os.File
	size  int64     // when it was opened
	stamp FileStamp // when it was opened
	read  *atomic.Int64
}

// ReadAt implements io.ReaderAt.
func (f *countedFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.file.ReadAt(p, at)
	f.read.Add(int64(n))
	return n, err
}

// part returns up to n bytes at the given offset. It returns fewer only at the end of the file.
func (f *countedFile) part(at, n int64) ([]byte, error) {
	b := make([]byte, max(min(n, f.size-at), 0))
	got, err := f.ReadAt(b, at)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:got], err
}

func (f *countedFile) close() { _ = f.file.Close() } // nothing was written
