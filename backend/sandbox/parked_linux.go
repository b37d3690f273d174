package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Creating and removing folders is slow on some file systems: when ext4 looks for a free inode, it skips each one that
// was deleted in the last five seconds. A mount point that no run uses is therefore moved to parkedDir, and back for
// the next run that needs it. It returns only to its own path, so that a process that has it open, such as the user's
// shell, finds it at the same path again.

// parkedDir is the folder of parked mount points in Config.Dir.
const parkedDir = "parked"

// maxParked is the maximum number of parked mount points.
const maxParked = 2000

// originSuffix is the suffix in the name of a symbolic link that exists next to each parked mount point. The link's
// target is the mount point's original path.
const originSuffix = ".at"

// parking holds the mount points that were moved to parkedDir because no run uses them. Sandbox.mu guards it.
type parking struct {
	dir   int              // descriptor of parkedDir, or -1
	known map[string]point // mount points that have an origin link, by path
}

// point describes a mount point that is or was parked.
type point struct {
	parked  bool
	inode   uint64
	changed unix.Timespec // modification time at which the mount point was empty
}

// openParking opens a folder for parked mount points and returns an empty parking for it. It removes mount points that
// an earlier process left in the folder or, if they have content, moves them back to their original paths.
func openParking(dir string) (parking, error) {
	p := parking{dir: -1, known: map[string]point{}}
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, os.ErrExist) {
		err = nil
	}
	if err == nil {
		p.dir, err = unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	}
	if err != nil {
		return p, err
	}
	return p, p.empty()
}

// close removes all parked mount points, or moves them back as empty does, and closes the folder. Afterward, park does
// nothing.
func (p *parking) close() error {
	if p.dir < 0 {
		return nil
	}
	err := errors.Join(p.empty(), unix.Close(p.dir))
	p.dir = -1
	return err
}

// park moves the mount point at path to parkedDir and reports whether it did. The parameter dir is the descriptor of
// the parent folder, and info describes the mount point.
func (p *parking) park(dir int, path string, info unix.Stat_t) bool {
	name, key := filepath.Base(path), parkedName(path)
	k, known := p.known[path]
	// Shared folders aren't parked, because commands write to them, and a process may still have one open.
	if p.dir < 0 || k.parked || !known && len(p.known) >= maxParked || slices.Contains(sharedFolders, name) || !k.isUnchanged(info) && !isEmptyAt(dir, name) {
		return false
	}
	if !known && unix.Symlinkat(path, p.dir, key+originSuffix) != nil {
		return false
	}
	p.known[path] = point{inode: info.Ino, changed: info.Mtim}
	if unix.Renameat2(dir, name, p.dir, key, unix.RENAME_NOREPLACE) != nil {
		return false // for example, it is on another file system
	}
	if !p.known[path].isUnchangedAt(p.dir, key) && !isEmptyAt(p.dir, key) && unix.Renameat2(p.dir, key, dir, name, unix.RENAME_NOREPLACE) == nil {
		return false // something was just created in it
	}
	p.known[path] = point{parked: true, inode: info.Ino, changed: info.Mtim}
	return true
}

// unpark moves a parked mount point back to its folder, whose descriptor is dir, and reports whether it did. A mount
// point that now has content becomes an ordinary folder.
func (p *parking) unpark(dir int, path string) bool {
	k := p.known[path]
	if !k.parked {
		return false
	}
	name := filepath.Base(path)
	if unix.Renameat2(p.dir, parkedName(path), dir, name, unix.RENAME_NOREPLACE) != nil {
		return false
	}
	k.parked = false
	p.known[path] = k
	if !k.isUnchangedAt(dir, name) && !isEmptyAt(dir, name) {
		if at, err := openPoint(dir, name); err == nil {
			_ = errors.Join(makeOrdinary(at), unix.Close(at))
		}
	}
	return true
}

// isUnchanged reports whether nothing has been created in the mount point since it was found to be empty. The parameter
// info is the mount point's current state.
func (k point) isUnchanged(info unix.Stat_t) bool {
	return k.inode != 0 && info.Ino == k.inode && info.Mtim == k.changed
}

// isUnchangedAt does the same as isUnchanged, but reads the state of the mount point called name in the folder dir.
func (k point) isUnchangedAt(dir int, name string) bool {
	var info unix.Stat_t
	return unix.Fstatat(dir, name, &info, unix.AT_SYMLINK_NOFOLLOW) == nil && k.isUnchanged(info)
}

// empty removes all parked mount points. Those that now have content are instead moved back to their original paths.
func (p *parking) empty() error {
	names, err := os.ReadDir(fdPath(p.dir, "."))
	for _, entry := range names {
		key, isOrigin := strings.CutSuffix(entry.Name(), originSuffix)
		if !isOrigin {
			continue // removed with its link
		}
		path, linkErr := os.Readlink(fdPath(p.dir, entry.Name()))
		if linkErr == nil {
			linkErr = p.remove(key, path)
		}
		if linkErr == nil {
			linkErr = unix.Unlinkat(p.dir, entry.Name(), 0)
		}
		if linkErr != nil {
			err = errors.Join(err, fmt.Errorf("couldn't remove the parked mount point of %s: %w", path, linkErr))
		}
	}
	clear(p.known)
	return err
}

// remove removes the parked mount point that is named key. If the mount point has content, remove moves it back to path
// instead.
func (p *parking) remove(key, path string) error {
	at, err := openPoint(p.dir, key)
	if err != nil {
		return ifThere(err)
	}
	defer unix.Close(at)
	var info unix.Stat_t
	if err := unix.Fstat(at, &info); err != nil {
		return err
	}
	if info.Mode&unix.S_IFMT != unix.S_IFDIR {
		if isEmpty(at) {
			return unix.Unlinkat(p.dir, key, 0)
		}
	} else if err := unix.Unlinkat(p.dir, key, unix.AT_REMOVEDIR); !errors.Is(err, unix.ENOTEMPTY) && !errors.Is(err, unix.EEXIST) {
		return err
	}
	dir, err := openParent(path)
	if err != nil {
		return err
	}
	defer unix.Close(dir)
	return errors.Join(unix.Renameat2(p.dir, key, dir, filepath.Base(path), unix.RENAME_NOREPLACE), makeOrdinary(at))
}

// parkedName returns the name in parkedDir under which the mount point of a path is stored.
func parkedName(path string) string {
	hash := sha256.Sum256([]byte(path))
	return hex.EncodeToString(hash[:16])
}

// openPoint opens the mount point called name in the folder dir.
func openPoint(dir int, name string) (int, error) {
	return unix.Openat(dir, name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
}

// isEmptyAt does the same as isEmpty, but opens the mount point called name in the folder dir.
func isEmptyAt(dir int, name string) bool {
	at, err := openPoint(dir, name)
	if err != nil {
		return false
	}
	defer unix.Close(at)
	return isEmpty(at)
}

// isEmpty reports whether an open mount point is still as makePoint created it: an empty folder or, for gitFiles, a
// file no longer than maxPointContent.
func isEmpty(at int) bool {
	var info unix.Stat_t
	if unix.Fstat(at, &info) != nil || info.Mode&unix.S_ISVTX == 0 {
		return false
	}
	if info.Mode&unix.S_IFMT != unix.S_IFDIR {
		return info.Mode&unix.S_IFMT == unix.S_IFREG && info.Size <= int64(maxPointContent)
	}
	var buf [4096]byte
	for {
		n, err := unix.ReadDirent(at, buf[:])
		if err != nil || n <= 0 {
			return err == nil
		}
		if _, count, _ := unix.ParseDirent(buf[:n], 1, nil); count > 0 {
			return false
		}
	}
}

// makeOrdinary turns a mount point into an ordinary file or folder by removing the sticky bit that marks it.
func makeOrdinary(at int) error {
	var info unix.Stat_t
	if err := unix.Fstat(at, &info); err != nil {
		return err
	}
	return unix.Fchmod(at, info.Mode&0o777)
}

// unparkAll removes all parked mount points or, if they have content, moves them back to their original paths.
func (s *Sandbox) unparkAll() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.parking.dir < 0 {
		return nil
	}
	return s.parking.empty()
}
