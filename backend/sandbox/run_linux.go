package sandbox

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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
	runtimeDir = "run" // /run in the sandbox
	toolsDir   = runtimeDir + "/voxpilot"
)

// Time limits of a run.
const (
	startTime = 10 * time.Minute // within which a prepared command must start
	endTime   = 10 * time.Second // within which its processes must be gone after its end
	lookAgain = 2 * time.Millisecond
	// orphanTime is the interval at which VoxPilot looks for processes left by bubblewrap while a run reports
	// nothing.
	orphanTime = 500 * time.Millisecond
)

// run is a prepared, running or ended command.
type run struct {
	sandbox *Sandbox
	id, dir string
	points  []string // mount points; Sandbox.mu guards it
	log     *os.File // open for the mount points while the run is prepared
	files   int      // number of counterfeit files
	ended   func()   // may be nil

	alive   *os.File // the FIFO
	discard chan struct{}
	once    sync.Once
}

// newRun creates the folder of a run in dir.
func (s *Sandbox) newRun(dir string, ended func()) (*run, error) {
	r := &run{sandbox: s, id: rand.Text()[:12], ended: ended, discard: make(chan struct{})}
	r.dir = filepath.Join(dir, r.id)
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

// counterfeit creates an empty file with the size, mode and time of another one, and returns its path.
func (r *run) counterfeit(info fs.FileInfo) (string, error) {
	r.files++
	path := r.file("masked-" + strconv.Itoa(r.files))
	err := os.WriteFile(path, nil, 0o600)
	return path, errors.Join(err, os.Truncate(path, info.Size()), os.Chmod(path, info.Mode().Perm()), os.Chtimes(path, info.ModTime(), info.ModTime()))
}

// save writes the job's file.
func (r *run) save(job inside.Job) error {
	data := job.Encode()
	if _, err := inside.Decode(data); err != nil { // a null byte in a text
		return err
	}
	return os.WriteFile(r.file(inside.JobFile), data, 0o600)
}

// watch waits in the background for the end of the run and then cleans up after it. If started is false, the
// run must start within startTime.
func (r *run) watch(started bool) error {
	fd, err := unix.Open(r.file(inside.AliveFile), unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	r.alive = os.NewFile(uintptr(fd), inside.AliveFile)
	var writer *os.File // as long as it is open, reading waits
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
		waitEmpty(status)
		r.clean()
	})
	return nil
}

// readStatus reads the run's reports until the run ends, or until it is discarded before its start. If
// bubblewrap was killed and left processes behind, readStatus kills them.
func (r *run) readStatus(writer *os.File) string {
	var status strings.Builder
	buf := make([]byte, 4096)
	for {
		n, err := r.alive.Read(buf)
		if n > 0 && status.Len() < len(buf) {
			status.Write(buf[:n])
		}
		if n > 0 && writer != nil {
			// It is running: the end of the last writer is the end.
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
			if pid, _ := parseStatus(status.String()); pid != 0 && unix.Kill(pid, 0) == unix.ESRCH {
				killHolders(r.file(inside.AliveFile))
			}
		}
		if writer == nil {
			_ = r.alive.SetReadDeadline(time.Now().Add(orphanTime))
		}
	}
}

// parseStatus returns the process ID of bubblewrap and the name of the PID namespace, if the run has reported
// them.
func parseStatus(status string) (pid int, namespace string) {
	first, namespace, _ := strings.Cut(strings.TrimPrefix(status, inside.Started), ".")
	pid, _ = strconv.Atoi(first)
	return pid, namespace
}

// killHolders kills all other processes that have a file open. They belong to bubblewrap, or to an agent's
// shell that has ended.
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

// clean removes everything that the run left behind.
func (r *run) clean() {
	r.once.Do(func() {
		if r.alive != nil {
			_ = r.alive.Close()
		}
		r.releasePoints()
		if err := errors.Join(r.closeRecord(), removeAll(r.dir)); err != nil {
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

// waitEmpty waits until no process is left in the PID namespace in status. The kernel kills them shortly after
// the first process has ended and closed the FIFO. Until then, they could create a protected file whose mount
// point is being removed.
func waitEmpty(status string) {
	_, namespace := parseStatus(status)
	if namespace == "" {
		return
	}
	// The last process ends shortly after the FIFO is closed. Checking takes longer than waiting.
	for deadline := time.Now().Add(endTime); time.Now().Before(deadline); {
		time.Sleep(lookAgain)
		if !isEnding(namespace) {
			return
		}
	}
}

// isEnding reports whether a PID namespace whose first process is ending still has processes. The kernel gives
// the name of an empty namespace to the next one, such as that of the next command: there, the first process has
// files open.
func isEnding(namespace string) (found bool) {
	dir, err := os.Open("/proc")
	if err != nil {
		return false
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if to, err := os.Readlink("/proc/" + name + "/ns/pid"); err != nil || to != namespace {
			continue
		}
		if isLiveFirst(name) {
			return false
		}
		found = true
	}
	return found
}

// isLiveFirst reports whether a process is the first one in its PID namespace and isn't ending: it has open
// files.
func isLiveFirst(pid string) bool {
	text, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return false
	}
	first, files := false, false
	for line := range strings.Lines(string(text)) {
		switch fields := strings.Fields(line); {
		case len(fields) < 2:
		case fields[0] == "NSpid:":
			first = fields[len(fields)-1] == "1"
		case fields[0] == "FDSize:":
			files = fields[1] != "0"
		}
	}
	return first && files
}

// isAlive reports whether the sandbox of the run in dir exists. The sandbox also has the FIFO open for
// reading.
func isAlive(dir string) bool {
	fd, err := unix.Open(filepath.Join(dir, inside.AliveFile), unix.O_WRONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	_ = unix.Close(fd)
	return true
}

// removeAll removes a folder even if commands made parts of it unreadable.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	_ = fs.WalkDir(root.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil && entry != nil && entry.IsDir() {
			return fs.SkipDir
		}
		if err == nil && entry.IsDir() {
			_ = root.Chmod(path, 0o700) // WalkDir reads it after this call
		}
		return nil
	})
	return os.RemoveAll(dir)
}
