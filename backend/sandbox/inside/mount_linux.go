package inside

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// devices lists the device files in the sandbox.
var devices = []string{"null", "zero", "full", "random", "urandom", "tty"}

// deviceLinks lists the links in /dev.
var deviceLinks = map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2", "core": "/proc/kcore", "ptmx": "pts/ptmx"}

// procWritable lists the parts of /proc that root could use to change the system, even without privileges.
var procWritable = []string{"sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi"}

// mountAll mounts the job's mounts, /dev and /proc, and gives up this thread's right to mount. It follows no
// links, which a running command may have just created.
func mountAll(job Job) error {
	cwd, err := unix.Getwd()
	if err != nil {
		cwd = "/"
	}
	all := []Mount{{Kind: base, At: "/dev"}}
	for _, name := range devices {
		all = append(all, Mount{Kind: device, From: "/dev/" + name, At: "/dev/" + name})
	}
	all = append(all, job.Mounts...)
	// Later mounts hide the sources of earlier ones.
	trees := make([]int, len(all))
	sources := map[string]int{}
	for i, m := range all {
		if m.Kind == Empty || m.Kind == base {
			continue
		}
		if _, known := sources[m.From]; !known {
			if sources[m.From], err = openPath(m.From); err != nil {
				return fmt.Errorf("can't open %s: %w", m.From, err)
			}
		}
		if trees[i], err = clone(sources[m.From], m.Kind); err != nil {
			return fmt.Errorf("can't mount %s: %w", m.From, err)
		}
	}
	shared := -1
	for i, m := range all {
		switch {
		case m.Kind == base, m.Kind == Empty && contains(all[i+1:], m.At):
			trees[i], err = empty(0)
		case m.Kind == Empty && shared < 0:
			trees[i], err = empty(unix.MOUNT_ATTR_RDONLY)
			shared = trees[i]
		case m.Kind == Empty: // another mount takes less time than another file system
			trees[i], err = openTree(shared, 0)
		}
		switch {
		case err != nil:
		case m.Optional && !accessible(m.At):
		case m.From == m.At && m.Kind != device && !within(all[:i], m.At): // the same path as before
			err = moveTo(trees[i], sources[m.From])
		default:
			err = move(trees[i], m.At)
		}
		if err != nil {
			return fmt.Errorf("can't mount on %s: %w", m.At, err)
		}
	}
	if err := finishDev(); err != nil {
		return fmt.Errorf("can't prepare /dev: %w", err)
	}
	for i, m := range all {
		if m.Kind == Empty && contains(all[i+1:], m.At) { // others are read-only already
			if err := setFlags(trees[i], 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
				return err
			}
		}
	}
	if job.Proc {
		if err := mountProc(job.Root); err != nil {
			return fmt.Errorf("can't mount /proc: %w", err)
		}
	}
	// The working directory is still the one below the mounts, in which nothing is hidden.
	if unix.Chdir(cwd) != nil {
		if err := unix.Chdir("/"); err != nil {
			return err
		}
	}
	return dropCapabilities()
}

// Internal kinds of mounts.
const (
	device MountKind = 'd' // a device at another path
	base   MountKind = 'b' // an empty folder that stays writable
)

// contains reports whether a mount is below dir.
func contains(all []Mount, dir string) bool {
	return slices.ContainsFunc(all, func(m Mount) bool { return strings.HasPrefix(m.At, dir+"/") })
}

// openPath opens a path without following links.
func openPath(path string) (int, error) {
	return unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS})
}

// openTree returns a new mount of the file or folder open as at.
func openTree(at int, flags uint) (int, error) {
	return unix.OpenTree(at, "", flags|unix.AT_EMPTY_PATH|unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
}

// clone returns a new mount, with the flags of its kind, of the folder open as at and everything below it.
func clone(at int, kind MountKind) (int, error) {
	tree, err := openTree(at, unix.AT_RECURSIVE)
	if err != nil {
		return -1, err
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV}
	switch kind {
	case Writable:
		attr.Attr_clr = unix.MOUNT_ATTR_RDONLY
	case device:
		attr = unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NOEXEC, Attr_clr: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NODEV}
	case ReadOnly, Empty, base:
		attr.Attr_set |= unix.MOUNT_ATTR_RDONLY
	}
	err = setFlags(tree, unix.AT_RECURSIVE, &attr)
	if kind == Writable && errors.Is(err, unix.EPERM) {
		// In an agent's sandbox, read-only mounts below it stay read-only.
		err = setFlags(tree, 0, &attr)
	}
	if kind == device && errors.Is(err, unix.EPERM) {
		// /dev is read-only and must stay so, as in a container. Devices can be written to nevertheless.
		attr.Attr_clr = unix.MOUNT_ATTR_NODEV
		err = setFlags(tree, unix.AT_RECURSIVE, &attr)
	}
	if err != nil {
		return -1, errors.Join(err, unix.Close(tree))
	}
	return tree, nil
}

// setFlags changes the flags of a mount.
func setFlags(tree int, flags uint, attr *unix.MountAttr) error {
	return unix.MountSetattr(tree, "", flags|unix.AT_EMPTY_PATH, attr)
}

// empty returns a new mount of an empty folder, with additional flags.
func empty(flags int) (int, error) {
	fs, err := unix.Fsopen("tmpfs", unix.FSOPEN_CLOEXEC)
	if err != nil {
		return -1, err
	}
	defer unix.Close(fs)
	if err := unix.FsconfigSetString(fs, "mode", "0755"); err != nil {
		return -1, err
	}
	if err := unix.FsconfigCreate(fs); err != nil {
		return -1, err
	}
	return unix.Fsmount(fs, unix.FSMOUNT_CLOEXEC, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV|flags)
}

// accessible reports whether the command could open path.
func accessible(path string) bool {
	fd, err := openPath(path)
	if err == nil {
		_ = unix.Close(fd)
	}
	return !errors.Is(err, unix.EACCES) && !errors.Is(err, unix.ENOENT)
}

// within reports whether path is below a mount.
func within(all []Mount, path string) bool {
	return slices.ContainsFunc(all, func(m Mount) bool { return strings.HasPrefix(path, m.At+"/") })
}

// moveTo attaches a mount to the file or folder open as to.
func moveTo(tree, to int) error {
	return unix.MoveMount(tree, "", to, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
}

// move attaches a mount to path. It creates the path if necessary, which works only in empty folders and
// other writable places.
func move(tree int, path string) error {
	to, err := openPath(path)
	if errors.Is(err, unix.ENOENT) {
		var info unix.Stat_t
		if err := unix.Fstat(tree, &info); err != nil {
			return err
		}
		if err := create(path, info.Mode&unix.S_IFMT == unix.S_IFDIR); err != nil {
			return err
		}
		to, err = openPath(path)
	}
	if err != nil {
		return err
	}
	defer unix.Close(to)
	return moveTo(tree, to)
}

// create creates an empty folder or file, and the folders that contain it.
func create(path string, folder bool) error {
	dir := filepath.Dir(path)
	at, err := openPath(dir)
	if errors.Is(err, unix.ENOENT) && dir != "/" {
		if err := create(dir, true); err != nil {
			return err
		}
		at, err = openPath(dir)
	}
	if err != nil {
		return err
	}
	defer unix.Close(at)
	if folder {
		return unix.Mkdirat(at, filepath.Base(path), 0o755)
	}
	fd, err := unix.Openat(at, filepath.Base(path), unix.O_CREAT|unix.O_EXCL|unix.O_WRONLY|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

// finishDev adds links, terminals and shared memory to /dev.
func finishDev() error {
	for name, to := range deviceLinks {
		if err := unix.Symlink(to, "/dev/"+name); err != nil {
			return err
		}
	}
	if err := errors.Join(unix.Mkdir("/dev/pts", 0o755), unix.Mkdir("/dev/shm", 0o755)); err != nil {
		return err
	}
	return unix.Mount("devpts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620")
}

// mountProc mounts a new /proc. For root, it hides the parts that could change the system.
func mountProc(root bool) error {
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NOEXEC|unix.MS_NODEV, ""); err != nil {
		return err
	}
	if !root {
		return nil
	}
	for _, name := range procWritable {
		path := "/proc/" + name
		at, err := openPath(path)
		if errors.Is(err, unix.ENOENT) {
			continue
		}
		tree := -1
		if err == nil {
			tree, err = clone(at, ReadOnly)
		}
		if err == nil {
			err = move(tree, path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// The capability set of a process without capabilities.
var (
	noCapHeader = unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	noCaps      [2]unix.CapUserData
)

// dropCapabilities gives up all capabilities of this thread. Neither it nor the processes that it starts can
// regain any.
func dropCapabilities() error {
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return err
	}
	return unix.Capset(&noCapHeader, &noCaps[0])
}

// dropAllCapabilities gives up the capabilities of the other threads, which only copy data. This takes a
// millisecond.
func dropAllCapabilities() {
	_, _, errno := syscall.AllThreadsSyscall(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&noCapHeader)), uintptr(unsafe.Pointer(&noCaps[0])), 0) //nolint:gosec // the system's API
	if errno != 0 {
		fmt.Fprintln(os.Stderr, "VoxPilot's sandbox couldn't give up its capabilities:", errno)
		os.Exit(exitFailed)
	}
}
