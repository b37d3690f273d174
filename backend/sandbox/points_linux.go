package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// pointMode is the mode of mount points. The sticky bit, which has no effect otherwise, identifies them after
// VoxPilot was killed.
const pointMode = unix.S_ISVTX | 0o755

// makePoint makes an empty folder at path, which doesn't exist, as a mount point of the run.
func (r *run) makePoint(path string) error {
	s := r.sandbox
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.points[path] == 0 {
		// The record comes first: it may name a folder that was never made.
		if err := r.record(path); err != nil {
			return err
		}
		dir, err := openParent(path)
		if err != nil {
			return err
		}
		defer unix.Close(dir)
		if err := unix.Mkdirat(dir, filepath.Base(path), pointMode); err != nil {
			return fmt.Errorf("can't make the mount point %s: %w", path, err)
		}
	} else if err := r.record(path); err != nil {
		return err
	}
	s.points[path]++
	r.points = append(r.points, path)
	return nil
}

// usePoint makes path, which exists, a mount point of this run if it is one of another run.
func (r *run) usePoint(path string) error {
	s := r.sandbox
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.points[path] == 0 || slices.Contains(r.points, path) {
		return nil
	}
	if err := r.record(path); err != nil {
		return err
	}
	s.points[path]++
	r.points = append(r.points, path)
	return nil
}

// isPoint reports whether path is a mount point.
func (s *Sandbox) isPoint(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.points[path] > 0
}

// record notes a mount point in the run's folder.
func (r *run) record(path string) error {
	file, err := os.OpenFile(r.file(pointsFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(path + "\x00")
	return errors.Join(err, file.Close())
}

// recorded returns the mount points noted in a run's folder.
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

// releasePoints removes the run's mount points that no other run uses.
func (r *run) releasePoints() {
	r.sandbox.mu.Lock()
	defer r.sandbox.mu.Unlock()
	slices.Sort(r.points)
	for _, path := range slices.Backward(r.points) { // those below others first
		if r.sandbox.points[path]--; r.sandbox.points[path] <= 0 {
			delete(r.sandbox.points, path)
			removePoint(path)
		}
	}
	r.points = nil
}

// removePoint removes a mount point. It keeps a folder that isn't empty or wasn't made by makePoint.
func removePoint(path string) {
	dir, err := openParent(path)
	if err != nil {
		return
	}
	defer unix.Close(dir)
	name := filepath.Base(path)
	var info unix.Stat_t
	if unix.Fstatat(dir, name, &info, unix.AT_SYMLINK_NOFOLLOW) != nil || info.Mode&unix.S_IFMT != unix.S_IFDIR || info.Mode&unix.S_ISVTX == 0 || int(info.Uid) != os.Geteuid() {
		return
	}
	if err := unix.Unlinkat(dir, name, unix.AT_REMOVEDIR); errors.Is(err, unix.ENOTEMPTY) || errors.Is(err, unix.EEXIST) {
		if fd, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0); err == nil {
			_ = unix.Fchmod(fd, info.Mode&0o777) // now it is the command's
			_ = unix.Close(fd)
		}
	}
}

// openParent opens the folder that contains path, without following links.
func openParent(path string) (fd int, err error) {
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS}
	return unix.Openat2(unix.AT_FDCWD, filepath.Dir(path), &how)
}
