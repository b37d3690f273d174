package inside

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// lateTime is the delay before the parts start that a short command doesn't need.
const lateTime = 10 * time.Millisecond

// exitFailed is the exit code if the command wasn't started.
const exitFailed = 125

// init runs this process's job and exits if its arguments request it. By the time main runs, other packages
// would have been initialized and another thread started, which takes a tenth of a short command's time.
// Until main, this goroutine stays on the first thread: Landlock, the filter and the keyring apply to this
// thread and to the command that it starts.
func init() {
	if len(os.Args) < 2 {
		return
	}
	var code int
	var err error
	switch {
	case os.Args[1] == RunArg:
		code, err = run()
	case os.Args[1] == StartArg && len(os.Args) > 3:
		err = start(os.Args[2], os.Args[3:])
	case os.Args[1] == LaunchArg && len(os.Args) == 3:
		code, err = launch(os.Args[2])
	default:
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "VoxPilot's sandbox didn't start the command:", err)
		code = exitFailed
	}
	os.Exit(code)
}

// start replaces this process with bubblewrap, run as the given command, for the run in dir. The descriptors
// are the same as for the shell lines of package sandbox.
func start(dir string, bwrap []string) error {
	for _, f := range []struct {
		name string
		fd   int
		mode int
	}{{AliveFile, AliveFD, unix.O_RDWR}, {JobFile, JobFD, unix.O_RDONLY}} {
		fd, err := unix.Open(filepath.Join(dir, f.name), f.mode, 0)
		if err != nil {
			return err
		}
		if fd == f.fd {
			continue
		}
		if err := unix.Dup3(fd, f.fd, 0); err != nil {
			return err
		}
		_ = unix.Close(fd)
	}
	if _, err := unix.Write(AliveFD, []byte(Started+strconv.Itoa(os.Getpid())+".")); err != nil {
		return err
	}
	return unix.Exec(bwrap[0], bwrap, os.Environ())
}

// run runs the job on JobFD as the first process of a PID namespace, and returns its exit code.
func run() (int, error) {
	closeInherited()
	// Without this, the command could open the descriptors and read the environment of this process.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return 0, err
	}
	data, err := readJob()
	if err != nil {
		return 0, err
	}
	job, err := Decode(data)
	if err != nil {
		return 0, err
	}
	if err := report(); err != nil {
		return 0, err
	}
	if err := mountAll(job); err != nil {
		return 0, err
	}
	env := job.Env
	if len(env) == 0 {
		env = os.Environ()
	}
	relay, err := listen(job)
	if err != nil {
		return 0, err
	}
	// A key of the session's keyring would otherwise be usable in the sandbox.
	_, _ = unix.KeyctlJoinSessionKeyring("")
	restrict(job)
	if job.NoUserNS {
		if err := filter(); err != nil {
			return 0, fmt.Errorf("no system call filter: %w", err)
		}
	}
	pid, err := startCommand(job, relay.environment(env))
	if err != nil {
		return 0, err
	}
	// The rest takes longer than a short command. Connections and signals wait.
	if code, ended := endsSoon(pid); ended {
		explain(job, code)
		return code, nil
	}
	relay.start()
	go forward(pid)
	dropAllCapabilities()
	code := wait(pid)
	explain(job, code)
	return code, nil
}

// errOrphan means that bubblewrap's outer process was killed before the kernel knew that this process must
// end with it.
var errOrphan = errors.New("bubblewrap was killed")

// report makes the kernel kill this process when bubblewrap exits, and writes the name of the PID namespace
// and the outer ID of this process to AliveFD. /proc is still that of the computer.
func report() error {
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return err
	}
	pid, parent, err := outerNames()
	if err != nil {
		return err
	}
	if parent != "bwrap" {
		return errOrphan
	}
	var name [64]byte
	n, err := unix.Readlink("/proc/self/ns/pid", name[:])
	if err != nil {
		return err
	}
	_, err = unix.Write(AliveFD, append(name[:n:n], "."+pid...))
	return err
}

// outerNames returns the ID of this process outside of the PID namespace, and the program name of the parent
// process, which is outside.
func outerNames() (pid, parent string, err error) {
	stat, err := readSmall("/proc/self/stat")
	if err != nil {
		return "", "", err
	}
	pid, _, _ = strings.Cut(stat, " ")
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return "", "", errors.New("/proc/self/stat is incomplete")
	}
	name, err := readSmall("/proc/" + fields[1] + "/comm")
	return pid, strings.TrimSuffix(name, "\n"), err
}

// readSmall returns the first kilobyte of a file, without Go's poller.
func readSmall(path string) (string, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	var text [1024]byte
	n, err := unix.Read(fd, text[:])
	return string(text[:max(n, 0)]), err
}

// readJob returns the content of JobFD.
func readJob() ([]byte, error) {
	var info unix.Stat_t
	if err := unix.Fstat(JobFD, &info); err != nil {
		return nil, err
	}
	data := make([]byte, info.Size)
	for n := 0; n < len(data); {
		more, err := unix.Read(JobFD, data[n:])
		if err != nil || more == 0 {
			return nil, errors.Join(io.ErrUnexpectedEOF, err)
		}
		n += more
	}
	return data, nil
}

// explain prints the note for the model if the command failed.
func explain(job Job, code int) {
	if code != 0 && job.Note != "" {
		fmt.Fprintln(os.Stderr, note(job))
	}
}

// endsSoon waits for lateTime and returns the exit code of pid if it has ended by then.
func endsSoon(pid int) (code int, ended bool) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return 0, false
	}
	defer unix.Close(fd)
	timeout := unix.NsecToTimespec(int64(lateTime))
	_, _ = unix.Ppoll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, &timeout, nil) //nolint:gosec // a descriptor
	var status syscall.WaitStatus
	if got, err := syscall.Wait4(pid, &status, syscall.WNOHANG, nil); err != nil || got != pid {
		return 0, false
	}
	return codeOf(status), true
}

// forward forwards this process's signals to pid.
func forward(pid int) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2)
	for s := range signals {
		if s, ok := s.(syscall.Signal); ok {
			_ = syscall.Kill(pid, s)
		}
	}
}

// startCommand starts the job's command. If Job.Hide is set, it hides the command's memory before its program
// runs.
func startCommand(job Job, env []string) (pid int, err error) {
	attr := &syscall.ProcAttr{Env: env, Files: []uintptr{0, 1, 2}}
	if !job.Hide {
		return syscall.ForkExec(job.Command[0], job.Command[1:], attr)
	}
	attr.Sys = &syscall.SysProcAttr{Ptrace: true}
	if pid, err = syscall.ForkExec(job.Command[0], job.Command[1:], attr); err != nil {
		return 0, err
	}
	var status syscall.WaitStatus
	if _, err = syscall.Wait4(pid, &status, 0, nil); err == nil {
		err = hideMemory(pid)
	}
	if err == nil {
		err = syscall.PtraceDetach(pid)
	}
	if err != nil {
		_ = syscall.Kill(pid, syscall.SIGKILL)
		return 0, fmt.Errorf("can't hide the agent's memory: %w", err)
	}
	return pid, nil
}

// closeInherited closes the agent's descriptors that bubblewrap passed on: through a folder's descriptor, the
// command could escape the sandbox. Go's own descriptors have the close-on-exec flag.
func closeInherited() {
	const low = 64 // Go's own are below
	for fd := 3; fd < low; fd++ {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		switch {
		case err != nil || flags&unix.FD_CLOEXEC != 0:
		case fd == JobFD || fd == AliveFD:
			unix.CloseOnExec(fd)
		default:
			_ = unix.Close(fd)
		}
	}
	if unix.CloseRange(low, math.MaxUint32, 0) != nil { // kernels before 5.9
		for fd := low; fd < 1<<16; fd++ {
			_ = unix.Close(fd)
		}
	}
}

// wait waits for pid and returns its exit code, or 128 plus the number of the signal that ended it.
// Meanwhile, it reaps all orphans, which become children of the first process of a PID namespace.
func wait(pid int) int {
	for {
		var status syscall.WaitStatus
		got, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return exitFailed
		case got == pid && (status.Exited() || status.Signaled()):
			return codeOf(status)
		}
	}
}

// codeOf returns the exit code of a process that has ended.
func codeOf(status syscall.WaitStatus) int {
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}

// note returns the note for the model about a failed command.
func note(job Job) string {
	line := job.Note
	if job.Proxy == "" || job.NoteBlocked == "" {
		return line
	}
	if hosts := blocked(job.Proxy); len(hosts) > 0 {
		line += " " + strings.ReplaceAll(job.NoteBlocked, "%s", strings.Join(hosts, ", "))
	}
	return line
}
