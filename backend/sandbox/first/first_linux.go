// Package first is the first process of a sandbox: a small program that bubblewrap starts in new namespaces, in which
// everything is read-only. It mounts the files and folders to which the command may write, hides those that the command
// must not see, and gives up the right to mount. It then adds Landlock and a system call filter, forwards connections
// from 127.0.0.1 to the proxy, runs the command, and explains a failure to the model. Package inside describes the job
// of this process.
//
// bubblewrap could also make these mounts, but it reads the list of all mounts for each one. That takes 10 ms for a
// typical folder, compared with less than 1 ms for this program.
//
// Most commands are short, and starting Go's runtime takes longer than all of this. The part up to the start of the
// command is therefore written in C and runs before Go's runtime. The runtime starts only if the command fails, runs
// for more than a few milliseconds or has its memory hidden. None of Go's threads has the rights that the C part has
// given up.
//
// The program has two more uses: it starts bubblewrap for a whole agent, and in an agent's sandbox it makes VoxPilot
// run a command outside.
package first

// #cgo LDFLAGS: -static
// #cgo CFLAGS: -O2 -Wall -Wextra -Werror -fstack-protector-strong -D_FORTIFY_SOURCE=2
// #include "first_linux.h"
import "C"

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/backend/sandbox/inside"
)

// exitFailed is the exit code of this process if it couldn't start the command.
const exitFailed = C.EXIT_FAILED

// init does the work of this process and exits. It does nothing if the process's arguments don't request that.
func init() {
	var code int
	var err error
	switch {
	case C.voxpilot_first.state != C.FIRST_NONE:
		code, err = run()
	case len(os.Args) > 3 && os.Args[1] == inside.StartArg:
		err = start(os.Args[2], os.Args[3:])
	case len(os.Args) == 3 && os.Args[1] == inside.LaunchArg:
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

// start replaces this process with bubblewrap, which then executes a run. The parameter dir is the run's folder, and
// bwrap is bubblewrap's command line. start opens the same descriptors as the shell lines of package sandbox.
func start(dir string, bwrap []string) error {
	for _, f := range []struct {
		name string
		fd   int
		mode int
	}{{inside.AliveFile, inside.AliveFD, unix.O_RDWR}, {inside.JobFile, inside.JobFD, unix.O_RDONLY}} {
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
	if _, err := unix.Write(inside.AliveFD, []byte(inside.Started+strconv.Itoa(os.Getpid())+".")); err != nil {
		return err
	}
	return unix.Exec(bwrap[0], bwrap, os.Environ())
}

// run does the part of the job that remains after the C part, and returns the command's exit code.
func run() (int, error) {
	state := &C.voxpilot_first
	job, err := inside.Decode(C.GoBytes(unsafe.Pointer(state.job), C.int(state.size)))
	if err != nil {
		return 0, err
	}
	if state.state == C.FIRST_ENDED {
		code := codeOf(syscall.WaitStatus(state.status))
		explain(job, code)
		return code, nil
	}
	for i, fd := range unsafe.Slice(state.sockets, len(job.Relays)) {
		go serve(open(int(fd)), job.Proxy, job.Relays[i].To)
	}
	pid := int(state.pid)
	if state.state == C.FIRST_READY {
		if pid, err = startHidden(job); err != nil {
			return 0, err
		}
	}
	go forward(pid)
	code := wait(pid)
	explain(job, code)
	return code, nil
}

// explain prints the note for the model if the command failed or the proxy blocked a site. Without the note, a blocked
// site could go unnoticed, because the exit code of a pipeline is that of its last command.
func explain(job inside.Job, code int) {
	if job.Note == "" || code == 0 && !relayed.Load() {
		return
	}
	text, blocked := note(job)
	if code != 0 || blocked {
		fmt.Fprintln(os.Stderr, text)
	}
}

// forward relays the signals for this process to the process with the ID pid.
func forward(pid int) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2)
	for s := range signals {
		if s, ok := s.(syscall.Signal); ok {
			_ = syscall.Kill(pid, s)
		}
	}
}

// startHidden starts the job's command. It hides the memory of the command's process before the program in it runs.
func startHidden(job inside.Job) (pid int, err error) {
	env := job.Env
	if len(env) == 0 {
		env = os.Environ()
	}
	attr := &syscall.ProcAttr{Env: env, Files: []uintptr{0, 1, 2}, Sys: &syscall.SysProcAttr{Ptrace: true}}
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

// wait waits until the process with the ID pid has ended. It returns the process's exit code, or 128 plus the number of
// the signal that ended it. Meanwhile, it reaps all orphans, because these become children of the first process of a
// PID namespace.
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

// note returns the note for the model, and whether the proxy blocked a site.
func note(job inside.Job) (line string, isBlocked bool) {
	if job.Proxy == "" || job.NoteBlocked == "" {
		return job.Note, false
	}
	hosts := blocked(job.Proxy)
	if len(hosts) == 0 {
		return job.Note, false
	}
	return job.Note + " " + strings.ReplaceAll(job.NoteBlocked, "%s", strings.Join(hosts, ", ")), true
}
