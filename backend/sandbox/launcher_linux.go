package sandbox

import (
	"crypto/rand"
	"errors"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/backend/sandbox/inside"
)

// launcherFile is the name of an agent's launcher socket in the folder of its run.
const launcherFile = "launcher"

// requestTime is the time limit for a client's request.
const requestTime = 10 * time.Second

// launcher starts an agent's prepared commands outside the agent's sandbox (see inside.LauncherPath). Each command runs
// at most once.
type launcher struct {
	sandbox *Sandbox
	server  *net.UnixListener
	tasks   sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	commands map[string]launch // by key
	conns    map[net.Conn]bool
}

// launch is a command that the launcher can start for the agent.
type launch struct {
	shell, line string // the path of bash, and the line that it runs
	dir         string
	env         []string
}

// openLauncher starts a launcher that listens on a socket at path. The path may be longer than the system's limit for
// the address of a socket.
func (s *Sandbox) openLauncher(path string) (*launcher, error) {
	fd, err := openParent(path)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	server, err := net.ListenUnix("unix", &net.UnixAddr{Name: fdPath(fd, launcherFile), Net: "unix"})
	if err != nil {
		return nil, err
	}
	server.SetUnlinkOnClose(false) // the folder of the run is removed
	l := &launcher{sandbox: s, server: server, commands: map[string]launch{}, conns: map[net.Conn]bool{}}
	l.tasks.Go(l.accept)
	return l, nil
}

// offer lets the agent start a command once, before the run r ends. It returns the shell line that starts the command.
func (l *launcher) offer(c launch, r *run) string {
	key := strings.ToLower(rand.Text())[:inside.KeySize]
	l.mu.Lock()
	l.commands[key] = c
	l.mu.Unlock()
	ended := r.ended
	r.ended = func() {
		l.withdraw(key)
		if ended != nil {
			ended()
		}
	}
	return "exec " + insideProgram + " " + inside.LaunchArg + " " + key
}

// withdraw removes the command with the given key, unless it has already been started.
func (l *launcher) withdraw(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.commands, key)
}

// Outside prepares a command that the agent may run once outside any sandbox, in the folder dir and with the
// environment env. It returns the shell line that the agent must run instead of the command, and a function that
// withdraws the permission.
func (a *Agent) Outside(command, dir string, env []string) (line string, discard func(), err error) {
	shell := program(get(env, "PATH"), dir, "bash")
	if shell == "" {
		return "", nil, errors.New("bash isn't installed")
	}
	key := strings.ToLower(rand.Text())[:inside.KeySize]
	a.launcher.mu.Lock()
	a.launcher.commands[key] = launch{shell, command, dir, env}
	a.launcher.mu.Unlock()
	return "exec " + insideProgram + " " + inside.LaunchArg + " " + key, func() { a.launcher.withdraw(key) }, nil
}

// close kills the running commands and stops the launcher.
func (l *launcher) close() {
	l.mu.Lock()
	l.closed = true
	for conn := range l.conns {
		_ = conn.Close()
	}
	l.mu.Unlock()
	_ = l.server.Close()
	l.tasks.Wait()
}

// accept accepts and serves clients until the launcher is closed.
func (l *launcher) accept() {
	for {
		conn, err := l.server.AcceptUnix()
		l.mu.Lock()
		closed := l.closed
		if err == nil && !closed {
			l.conns[conn] = true
		}
		l.mu.Unlock()
		switch {
		case closed:
			if err == nil {
				_ = conn.Close()
			}
			return
		case err != nil:
			time.Sleep(requestTime / 1000) // for example, too many files are open
		default:
			l.tasks.Go(func() {
				l.serve(conn)
				l.mu.Lock()
				delete(l.conns, conn)
				l.mu.Unlock()
				_ = conn.Close()
			})
		}
	}
}

// serve runs the command that a client requests.
func (l *launcher) serve(conn *net.UnixConn) {
	key, streams, err := receive(conn)
	defer func() {
		for _, f := range streams {
			_ = f.Close()
		}
	}()
	if err != nil || len(streams) != 3 {
		return
	}
	l.mu.Lock()
	c, ok := l.commands[key]
	delete(l.commands, key)
	l.mu.Unlock()
	if !ok {
		return
	}
	code, err := c.run(conn, streams)
	if err != nil {
		l.sandbox.cfg.Log.Warn("couldn't start a command of an agent in the sandbox", "err", err)
		return
	}
	_, _ = conn.Write([]byte{code})
}

// receive reads a request: a key and the three standard streams sent with it.
func receive(conn *net.UnixConn) (key string, streams []*os.File, err error) {
	_ = conn.SetReadDeadline(time.Now().Add(requestTime))
	defer func() { _ = conn.SetReadDeadline(time.Time{}) }()
	text, rights := make([]byte, inside.KeySize), make([]byte, unix.CmsgSpace(3*4))
	n, nRights, flags, _, err := conn.ReadMsgUnix(text, rights)
	if err != nil {
		return "", nil, err
	}
	messages, err := unix.ParseSocketControlMessage(rights[:nRights])
	for _, message := range messages {
		fds, failed := unix.ParseUnixRights(&message)
		err = errors.Join(err, failed)
		for _, fd := range fds {
			streams = append(streams, os.NewFile(uintptr(fd), "stream"))
		}
	}
	if flags&unix.MSG_CTRUNC != 0 || n != inside.KeySize {
		err = errors.Join(err, errors.New("bad request"))
	}
	return string(text[:n]), streams, err
}

// signals are the signals that a client may send to its command.
var signals = []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2}

// run runs the command and returns its exit code, or 128 plus the number of the signal that ended it. If the client
// disconnects first, run kills the command. If VoxPilot exits first, the kernel kills the command.
func (c launch) run(conn net.Conn, streams []*os.File) (byte, error) {
	cmd := exec.Command(c.shell, "-c", c.line) //nolint:noctx // ends with the connection
	cmd.Dir, cmd.Env = c.dir, append([]string{}, c.env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = streams[0], streams[1], streams[2]
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread() // the kernel kills the command when the thread that started it ends
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	for _, f := range streams {
		_ = f.Close()
	}
	pid := cmd.Process.Pid
	exited, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		one := make([]byte, 1)
		for {
			_, err := conn.Read(one)
			select {
			case <-exited:
				return
			default:
			}
			if err != nil {
				_ = syscall.Kill(-pid, syscall.SIGKILL)
				return
			}
			if s := syscall.Signal(one[0]); slices.Contains(signals, s) {
				_ = syscall.Kill(-pid, s)
			}
		}
	}()
	// The process isn't reaped before exited is closed, so that no signal can reach another process with the
	// same PID.
	var info unix.Siginfo
	for unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	close(exited)
	_ = conn.SetReadDeadline(time.Now())
	<-gone
	_ = cmd.Wait() // cmd.ProcessState has the result
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return byte(128 + int(status.Signal())), nil
	}
	return byte(status.ExitStatus()), nil
}

// fdPath returns a short path for a file in a folder. The folder is open as the descriptor fd, and name is the name of
// the file.
func fdPath(fd int, name string) string { return "/proc/self/fd/" + strconv.Itoa(fd) + "/" + name }
