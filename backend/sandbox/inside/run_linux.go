package inside

import (
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// exitFailed is the exit code if the command wasn't started.
const exitFailed = 125

// RunIfRequested runs this process's job and exits, if its arguments ask for it. It must be called at the
// start of main.
func RunIfRequested() {
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
	default:
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "VoxPilot's sandbox didn't start the command:", err)
		code = exitFailed
	}
	os.Exit(code)
}

// start replaces this process with bubblewrap, the given command, for the run in dir. The descriptors are
// those of Shell lines in the package sandbox.
func start(dir string, bwrap []string) error {
	for _, f := range []struct {
		name string
		fd   int
		mode int
	}{{ArgsFile, ArgsFD, unix.O_RDONLY}, {AliveFile, AliveFD, unix.O_RDWR}, {JobFile, JobFD, unix.O_RDONLY}} {
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
	if _, err := unix.Write(AliveFD, []byte(Started)); err != nil {
		return err
	}
	return unix.Exec(bwrap[0], bwrap, os.Environ())
}

// run runs the job on JobFD as the first process of a PID namespace, and returns its exit code.
func run() (int, error) {
	// Landlock, the filter and the keyring hold for this thread and the command that it starts.
	runtime.LockOSThread()
	closeInherited()
	// Without this, the command could open the descriptors of this process.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return 0, err
	}
	data, err := io.ReadAll(os.NewFile(JobFD, JobFile))
	if err != nil {
		return 0, err
	}
	job, err := Decode(data)
	if err != nil {
		return 0, err
	}
	env, err := relay(job, os.Environ())
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
	pid, err := syscall.ForkExec(job.Command[0], job.Command[1:], &syscall.ProcAttr{Env: env, Files: []uintptr{0, 1, 2}})
	if err != nil {
		return 0, err
	}
	go forward(pid)
	code := wait(pid)
	if code != 0 && job.Note != "" {
		fmt.Fprintln(os.Stderr, note(job))
	}
	return code, nil
}

// forward passes signals for this process on to pid.
func forward(pid int) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2)
	for s := range signals {
		if s, ok := s.(syscall.Signal); ok {
			_ = syscall.Kill(pid, s)
		}
	}
}

// closeInherited closes the descriptors of the agent's that bubblewrap passed on: through that of a folder,
// the command could leave the sandbox. Those of Go itself have the close-on-exec flag.
func closeInherited() {
	const low = 256 // Go's own are below
	for fd := 3; fd < low; fd++ {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		switch {
		case err != nil || flags&unix.FD_CLOEXEC != 0:
		case fd == JobFD:
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

// wait returns the exit code of pid, or 128 and the signal that ended it. Until then, it reaps all orphans,
// which belong to the first process of a PID namespace.
func wait(pid int) int {
	for {
		var status syscall.WaitStatus
		got, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case err == syscall.EINTR: //nolint:errorlint // an error of the system
		case err != nil:
			return exitFailed
		case got != pid:
		case status.Signaled():
			return 128 + int(status.Signal())
		case status.Exited():
			return status.ExitStatus()
		}
	}
}

// note returns the line for the model about a failed command.
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
