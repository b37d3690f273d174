package sandbox

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/backend/sandbox/inside"
)

// Files in the folder of a run, in addition to those of package inside.
const (
	emptyFile  = "empty"
	pointsFile = "points"
	runtimeDir = "run" // mounted as /run in the sandbox
	toolsDir   = runtimeDir + "/voxpilot"
)

// Time limits and intervals for a run.
const (
	startTime = 10 * time.Minute // a prepared command must start within this time
	endTime   = 10 * time.Second // when a command has ended, its processes must exit within this time
	// orphanTime is the interval at which VoxPilot looks for processes that bubblewrap left running.
	orphanTime = 500 * time.Millisecond
	// lingerTime is the time for which a run keeps its mount points after it has ended. Agents often start the next
	// command at once, and that command can then use the same mount points.
	lingerTime = 15 * time.Millisecond
)

// run is a command or a whole agent that has been prepared for the sandbox, is running in it or has ended.
type run struct {
	sandbox *Sandbox
	id, dir string
	points  []string // mount points; Sandbox.mu guards it
	log     *os.File // the file that lists the mount points, open while the run is being prepared
	logged  int64    // number of bytes written to log

	unwritten []byte // mount points that aren't in log yet
	parents   openFolder
	files     int    // number of counterfeit files
	ended     func() // may be nil

	// reusable means that the command started and has ended, with all its processes, so that the folder can be reused.
	reusable bool

	alive   *os.File // the FIFO that is closed when the run ends
	discard chan struct{}
	once    sync.Once
}

// newRun returns a new run and creates its folder in dir. ended, if not nil, is called after the run has been cleaned
// up.
func (s *Sandbox) newRun(dir string, ended func()) (*run, error) {
	r := &run{sandbox: s, id: rand.Text()[:12], ended: ended, discard: make(chan struct{})}
	r.dir = filepath.Join(dir, r.id)
	if s.takeSpare(r.dir) {
		return r, nil
	}
	if err := os.Mkdir(r.dir, 0o700); err != nil {
		return nil, err
	}
	if err := errors.Join(os.MkdirAll(r.file(toolsDir), 0o700), os.WriteFile(r.file(emptyFile), nil, 0o400), unix.Mkfifo(r.file(inside.AliveFile), 0o600)); err != nil {
		return nil, errors.Join(err, removeAll(r.dir))
	}
	return r, nil
}

// file returns the path of a file in the run's folder.
func (r *run) file(name string) string { return filepath.Join(r.dir, name) }

// maxBlank is the maximum size in bytes of a counterfeit file that consists of blank lines.
const maxBlank = 1 << 20

// counterfeit creates a file with the size, mode and modification time in info, and returns its path. The content is
// NULs. If blank is true and the size is at most maxBlank, the content is blank lines instead, because most programs
// treat such a file like an empty one.
func (r *run) counterfeit(info fs.FileInfo, blank bool) (string, error) {
	r.files++
	path := r.file("masked-" + strconv.Itoa(r.files))
	var text []byte
	if blank && info.Size() <= maxBlank {
		text = bytes.Repeat([]byte{'\n'}, int(info.Size()))
	}
	err := writeFile(path, text)
	return path, errors.Join(err, os.Truncate(path, info.Size()), os.Chmod(path, info.Mode().Perm()), os.Chtimes(path, info.ModTime(), info.ModTime()))
}

// save writes the job to the run's folder.
func (r *run) save(job inside.Job) error {
	data, err := job.Encode()
	if err != nil {
		return err
	}
	return writeFile(r.file(inside.JobFile), data)
}

// watch waits in the background until the run ends, and then cleans up after it. If started is false, the run hasn't
// started yet. It is discarded unless it starts within startTime.
func (r *run) watch(started bool) error {
	fd, err := unix.Open(r.file(inside.AliveFile), unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	r.alive = os.NewFile(uintptr(fd), inside.AliveFile)
	var writer *os.File // while it is open, reads from alive block
	if !started {
		fd, err := unix.Open(r.file(inside.AliveFile), unix.O_WRONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		if err != nil {
			return errors.Join(err, r.alive.Close())
		}
		writer = os.NewFile(uintptr(fd), inside.AliveFile)
		_ = r.alive.SetReadDeadline(time.Now().Add(startTime))
	}
	s := r.sandbox
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errors.Join(errClosed, r.alive.Close(), writer.Close())
	}
	s.runs[r.id] = r
	s.tasks.Go(func() {
		stop := make(chan struct{})
		if writer != nil {
			go func() {
				select {
				case <-r.discard:
					_ = r.alive.SetReadDeadline(time.Now())
				case <-stop:
				}
			}()
		}
		status := r.readStatus(writer)
		close(stop)
		if r.reusable = waitEmpty(status); r.reusable {
			s.linger()
		}
		r.clean()
	})
	return nil
}

// linger waits for lingerTime, or until the sandbox is closed.
func (s *Sandbox) linger() {
	select {
	case <-s.closing:
	case <-time.After(lingerTime):
	}
}

// readStatus reads the run's status until the run ends, and returns it. If the run is discarded before it starts,
// readStatus returns "". If bubblewrap was killed and left processes behind, readStatus kills them.
func (r *run) readStatus(writer *os.File) string {
	var status strings.Builder
	buf := make([]byte, 4096)
	for {
		n, err := r.alive.Read(buf)
		if n > 0 && status.Len() < len(buf) {
			status.Write(buf[:n])
		}
		if n > 0 && writer != nil {
			// The run has started. It ends when the last writer closes the FIFO.
			_ = writer.Close()
			writer = nil
		}
		switch {
		case err != nil && (writer != nil || !errors.Is(err, os.ErrDeadlineExceeded)):
			if writer != nil {
				_ = writer.Close()
			}
			if !errors.Is(err, io.EOF) { // discarded, so nothing has run
				return ""
			}
			return status.String()
		case err != nil: // or discarded while it started
			if pid, _, _ := parseStatus(status.String()); pid != 0 && unix.Kill(pid, 0) == unix.ESRCH {
				killHolders(r.file(inside.AliveFile))
			}
		}
		if writer == nil {
			_ = r.alive.SetReadDeadline(time.Now().Add(orphanTime))
		}
	}
}

// parseStatus parses a run's status. It returns the process ID of bubblewrap, the name of the PID namespace, and the ID
// of the first process in that namespace. Values that the run hasn't reported are 0 or "".
func parseStatus(status string) (pid int, namespace string, first int) {
	parts := append(strings.SplitN(strings.TrimPrefix(status, inside.Started), ".", 3), "", "", "")
	pid, _ = strconv.Atoi(parts[0])
	first, _ = strconv.Atoi(parts[2])
	return pid, parts[1], first
}

// killHolders kills all processes, except this one, that have the file at path open as inside.AliveFD. They belong to
// bubblewrap, or were left behind by an agent's shell that has ended.
func killHolders(path string) {
	var want unix.Stat_t
	if unix.Stat(path, &want) != nil {
		return
	}
	files, _ := filepath.Glob("/proc/[0-9]*/fd/" + strconv.Itoa(inside.AliveFD))
	for _, file := range files {
		var info unix.Stat_t
		pid, err := strconv.Atoi(strings.Split(file, "/")[2])
		if err == nil && pid != os.Getpid() && unix.Stat(file, &info) == nil && info.Dev == want.Dev && info.Ino == want.Ino {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
	}
}

// clean releases the run's mount points, recycles or removes its folder, and calls r.ended. Only the first call has an
// effect.
func (r *run) clean() {
	r.once.Do(func() {
		if r.alive != nil {
			_ = r.alive.Close()
		}
		r.releasePoints()
		err := r.closeRecord()
		if !r.reusable || err != nil || !r.recycle() {
			err = errors.Join(err, removeAll(r.dir))
		}
		if err != nil {
			r.sandbox.cfg.Log.Warn("couldn't remove the folder of a sandbox", "err", err)
		}
		r.sandbox.mu.Lock()
		delete(r.sandbox.runs, r.id)
		r.sandbox.mu.Unlock()
		if r.ended != nil {
			r.ended()
		}
	})
}

// maxSpare is the maximum number of finished runs whose folders are kept, so that later runs can reuse them.
const maxSpare = 4

// reusedFiles lists the files that recycle keeps, by their folder's path relative to the run's folder. The next run
// overwrites these files. The mount points in runtimeDir are kept as well.
var reusedFiles = map[string][]string{
	".":      {inside.AliveFile, inside.JobFile, emptyFile, pointsFile, runtimeDir},
	toolsDir: {npmFile, pipFile, filepath.Base(insideCaches)},
}

// recycle keeps the folder of a finished run so that a later run can reuse it. That saves time, because creating and
// removing files is slow on some file systems. It returns false if the folder must be removed instead.
func (r *run) recycle() bool {
	s := r.sandbox
	s.mu.Lock()
	wanted := !s.closed && len(s.spare) < maxSpare
	s.mu.Unlock()
	if !wanted {
		return false
	}
	for dir, names := range reusedFiles {
		entries, err := os.ReadDir(r.file(dir))
		if err != nil {
			return false
		}
		for _, e := range entries {
			switch path := r.file(filepath.Join(dir, e.Name())); {
			case !slices.Contains(names, e.Name()):
				err = errors.Join(err, removeAll(path))
			case e.Name() == inside.JobFile || e.Name() == pointsFile:
				err = errors.Join(err, wipe(path))
			}
		}
		if err != nil {
			return false
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	spare := filepath.Join(s.cfg.Dir, spareDir, r.id)
	if s.closed || os.Rename(r.dir, spare) != nil {
		return false
	}
	s.spare = append(s.spare, spare)
	return true
}

// takeSpare takes one of the folders that recycle has kept, and moves it to dir for a new run. It returns false if
// there is no such folder or it can't be moved.
func (s *Sandbox) takeSpare(dir string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.spare)
	if n == 0 {
		return false
	}
	from := s.spare[n-1]
	s.spare = s.spare[:n-1]
	return os.Rename(from, dir) == nil
}

// waitEmpty waits until no process is left in the PID namespace of the run that reported the given status. When the
// namespace's first process has ended, which closes the FIFO, the kernel kills the others. Until they have ended, they
// could create a protected file whose mount point is being removed. waitEmpty returns false if the run didn't report
// its first process, or if that process doesn't end in time.
func waitEmpty(status string) bool {
	_, namespace, first := parseStatus(status)
	if first == 0 {
		return false
	}
	// The kernel reports the end of the first process when all others have exited.
	fd, err := unix.PidfdOpen(first, 0)
	if err != nil {
		return errors.Is(err, unix.ESRCH)
	}
	defer unix.Close(fd)
	// The ID may already belong to another process.
	if name, err := os.Readlink("/proc/" + strconv.Itoa(first) + "/ns/pid"); err == nil && name != namespace || isLive(first) {
		return true
	}
	for deadline := time.Now().Add(endTime); ; {
		left := time.Until(deadline)
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(left.Milliseconds())) //nolint:gosec // a descriptor
		if n > 0 || err != nil && !errors.Is(err, unix.EINTR) {
			return n > 0
		}
		if left <= 0 {
			return false
		}
	}
}

// isLive reports whether a process is running and isn't exiting. An exiting process has no table of open files.
// waitEmpty needs this check because the kernel reuses the names of namespaces and the IDs of processes.
func isLive(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == "FDSize:" {
			return fields[1] != "0"
		}
	}
	return false
}

// isAlive reports whether the sandbox of the run in the folder dir still exists. The sandbox keeps its FIFO open for
// reading, and a FIFO can be opened for writing without blocking only while it is open for reading.
func isAlive(dir string) bool {
	fd, err := unix.Open(filepath.Join(dir, inside.AliveFile), unix.O_WRONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	_ = unix.Close(fd)
	return true
}
