package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// pointMode is the mode of mount points. If VoxPilot was killed, its next process recognizes mount points by the sticky
// bit, which has no other effect on them.
const pointMode = unix.S_ISVTX | 0o755

// maxPointContent is the maximum length, in bytes, of the contents in gitFiles.
const maxPointContent = 1

// pointContent returns the initial content of a mount point that must be a file. It returns false if the mount point
// must be a folder.
func pointContent(path string) (string, bool) {
	content, isFile := gitFiles[filepath.Base(path)]
	dir := filepath.Dir(path)
	return content, isFile && (filepath.Base(dir) == ".git" || exists(filepath.Join(dir, "HEAD")))
}

// makePoint creates an empty folder at path as a mount point of the run. Nothing may exist at path yet. If path names
// one of gitFiles in a git directory, makePoint creates a file instead.
func (r *run) makePoint(path string) error {
	s := r.sandbox
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.points[path] == 0 {
		// The record is written first, so it may name a mount point that was never created.
		r.record(path)
		if err := r.flush(); err != nil {
			return err
		}
		dir, err := r.parents.open(path)
		if err != nil {
			return err
		}
		content, isFile := pointContent(path)
		switch {
		case s.parking.unpark(dir, path):
		case isFile:
			err = makeFile(dir, filepath.Base(path), content)
		default:
			err = unix.Mkdirat(dir, filepath.Base(path), pointMode)
		}
		if err != nil {
			return fmt.Errorf("can't make the mount point %s: %w", path, err)
		}
	} else {
		r.record(path)
	}
	s.points[path]++
	r.points = append(r.points, path)
	return nil
}

// makeFile creates a mount point that is a file in the folder dir. It sets the sticky bit last. If VoxPilot is killed
// before that, the file doesn't count as a mount point and stays.
func makeFile(dir int, name, content string) error {
	fd, err := unix.Openat(dir, name, unix.O_CREAT|unix.O_EXCL|unix.O_WRONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o644)
	if err != nil {
		return err
	}
	_, err = unix.Write(fd, []byte(content))
	return errors.Join(err, unix.Fchmod(fd, unix.S_ISVTX|0o644), unix.Close(fd))
}

// usePoint records that this run also uses the mount point at path. It does nothing if path isn't a mount point, or if
// this run already uses it.
func (r *run) usePoint(path string) error {
	s := r.sandbox
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.points[path] == 0 || slices.Contains(r.points, path) {
		return nil
	}
	r.record(path)
	s.points[path]++
	r.points = append(r.points, path)
	return nil
}

// isPoint reports whether path is a mount point that a run uses.
func (s *Sandbox) isPoint(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.points[path] > 0
}

// record remembers a mount point that flush will write to the run's record.
func (r *run) record(path string) { r.unwritten = append(append(r.unwritten, path...), 0) }

// flush writes the mount points that were added with record to a file in the run's folder. closeRecord closes that
// file.
func (r *run) flush() error {
	if len(r.unwritten) == 0 {
		return nil
	}
	if r.log == nil {
		fd, err := unix.Open(r.file(pointsFile), unix.O_CREAT|unix.O_WRONLY|unix.O_CLOEXEC, 0o600)
		if err != nil {
			return err
		}
		r.log = os.NewFile(uintptr(fd), pointsFile)
	}
	n, err := r.log.WriteAt(r.unwritten, r.logged)
	r.logged += int64(n)
	r.unwritten = nil
	return err
}

// closeRecord writes the remaining mount points to the run's record and closes the file.
func (r *run) closeRecord() error {
	r.parents.close()
	err := r.flush()
	if r.log != nil {
		err = errors.Join(err, r.log.Close())
		r.log = nil
	}
	return err
}

// recorded returns the mount points listed in the record in a run's folder.
func recorded(dir string) []string {
	data, _ := os.ReadFile(filepath.Join(dir, pointsFile))
	var paths []string
	for path := range bytes.SplitSeq(data, []byte{0}) {
		if filepath.IsAbs(string(path)) && !slices.Contains(paths, string(path)) {
			paths = append(paths, string(path))
		}
	}
	return paths
}

// releasePoints ends the run's use of its mount points. It removes those that no other run uses.
func (r *run) releasePoints() {
	r.sandbox.placing.Lock()
	defer r.sandbox.placing.Unlock()
	r.sandbox.mu.Lock()
	defer r.sandbox.mu.Unlock()
	slices.Sort(r.points)
	for _, path := range slices.Backward(r.points) { // nested mount points before the folders that contain them
		if r.sandbox.points[path]--; r.sandbox.points[path] <= 0 {
			delete(r.sandbox.points, path)
			if err := r.sandbox.parking.removePoint(path, &r.parents); err != nil {
				r.sandbox.cfg.Log.Warn("couldn't remove a mount point of the sandbox", "path", path, "err", err)
			}
		}
	}
	r.points = nil
	r.parents.close()
}

// removePoint parks or removes a mount point. It keeps folders that aren't empty and folders that makePoint didn't
// create. A command may have made the folders above the mount point inaccessible, so removePoint temporarily changes
// their modes if needed.
func (p *parking) removePoint(path string, folders *openFolder) error {
	err := p.tryRemovePoint(path, folders)
	if !errors.Is(err, unix.EACCES) {
		return err
	}
	restore := openUp(filepath.Dir(path))
	defer restore()
	return p.tryRemovePoint(path, folders)
}

func (p *parking) tryRemovePoint(path string, folders *openFolder) error {
	dir, err := folders.open(path)
	if err != nil {
		return ifThere(err)
	}
	name := filepath.Base(path)
	var info unix.Stat_t
	if err := unix.Fstatat(dir, name, &info, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return ifThere(err)
	}
	if info.Mode&unix.S_ISVTX == 0 || int(info.Uid) != os.Geteuid() {
		return nil
	}
	if info.Mode&unix.S_IFMT != unix.S_IFDIR {
		// For a file, only the name and size are checked here, because its folder may no longer be recognizable as a git
		// directory.
		if content, isFile := gitFiles[name]; isFile && info.Mode&unix.S_IFMT == unix.S_IFREG && info.Size == int64(len(content)) && !p.park(dir, path, info) {
			return ifThere(unix.Unlinkat(dir, name, 0))
		}
		return nil
	}
	if p.park(dir, path, info) {
		return nil
	}
	err = unix.Unlinkat(dir, name, unix.AT_REMOVEDIR)
	if !errors.Is(err, unix.ENOTEMPTY) && !errors.Is(err, unix.EEXIST) {
		return ifThere(err)
	}
	fd, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return ifThere(err)
	}
	return errors.Join(unix.Fchmod(fd, info.Mode&0o777), unix.Close(fd)) // from now on an ordinary folder of the command
}

// ifThere returns err or, if err means that a file no longer exists, nil. A file no longer exists if it or one of its
// parent folders was removed or replaced by a link or another file.
func ifThere(err error) error {
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) {
		return nil
	}
	return err
}

// openUp temporarily gives the user access to a folder and its parent folders, if the user owns them. restore resets
// the modes of these folders.
func openUp(dir string) (restore func()) {
	var undo []func()
	at := "/"
	for _, name := range strings.Split(strings.Trim(dir, "/"), "/") {
		at = filepath.Join(at, name)
		fd, err := unix.Openat2(unix.AT_FDCWD, at, &unix.OpenHow{Flags: unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS})
		if err != nil {
			break
		}
		var info unix.Stat_t
		if unix.Fstat(fd, &info) == nil && int(info.Uid) == os.Geteuid() && info.Mode&0o700 != 0o700 {
			file := "/proc/self/fd/" + strconv.Itoa(fd)
			if unix.Chmod(file, info.Mode&0o7777|0o700) == nil {
				undo = append(undo, func() { _ = unix.Chmod(file, info.Mode&0o7777) })
			}
		}
		undo = append(undo, func() { _ = unix.Close(fd) })
	}
	// The descriptors are closed after the modes are set.
	return func() {
		for _, f := range undo {
			f()
		}
	}
}

// openParent opens the folder that contains path, without following links.
func openParent(path string) (fd int, err error) {
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS}
	return unix.Openat2(unix.AT_FDCWD, filepath.Dir(path), &how)
}

// openFolder keeps the folder of the last mount point open, because the next mount point is often in the same folder.
type openFolder struct {
	path string // "" if none is open
	fd   int
}

// open returns a descriptor of the folder that contains path, without following links. The folder stays open until the
// next call of open or close.
func (f *openFolder) open(path string) (fd int, err error) {
	dir := filepath.Dir(path)
	if f.path == dir {
		return f.fd, nil
	}
	f.close()
	if fd, err = openParent(path); err == nil {
		f.path, f.fd = dir, fd
	}
	return fd, err
}

// close closes the folder.
func (f *openFolder) close() {
	if f.path != "" {
		_ = unix.Close(f.fd)
		f.path = ""
	}
}
