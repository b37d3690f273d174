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

// doorFile is the socket of an agent's door in the folder of its run.
const doorFile = "door"

// knockTime is the time that a client has for its request.
const knockTime = 10 * time.Second

// door runs prepared commands for a whole agent, outside of the agent's sandbox: see inside.DoorPath. Each
// command runs at most once.
type door struct {
	sandbox *Sandbox
	server  *net.UnixListener
	tasks   sync.WaitGroup

	mu     sync.Mutex
	closed bool
	works  map[string]work // by key
	conns  map[net.Conn]bool
}

// work is a command that the agent may start.
type work struct {
	shell, line string // the path of bash, and the line that it runs
	dir         string
	env         []string
}

// openDoor listens on a socket, whose path may be longer than a socket's.
func (s *Sandbox) openDoor(path string) (*door, error) {
	fd, err := openParent(path)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	server, err := net.ListenUnix("unix", &net.UnixAddr{Name: fdPath(fd, doorFile), Net: "unix"})
	if err != nil {
		return nil, err
	}
	server.SetUnlinkOnClose(false) // the folder of the run is removed
	d := &door{sandbox: s, server: server, works: map[string]work{}, conns: map[net.Conn]bool{}}
	d.tasks.Go(d.accept)
	return d, nil
}

// offer lets the agent start w once, until the run r ends, and returns the line of shell that does.
func (d *door) offer(w work, r *run) string {
	key := strings.ToLower(rand.Text())[:inside.KeySize]
	d.mu.Lock()
	d.works[key] = w
	d.mu.Unlock()
	ended := r.ended
	r.ended = func() {
		d.withdraw(key)
		if ended != nil {
			ended()
		}
	}
	return "exec " + insideProgram + " " + inside.DoorArg + " " + key
}

func (d *door) withdraw(key string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.works, key)
}

// Outside lets the agent run a command once outside of any sandbox, in dir with env. It returns the line of
// shell that the agent must run instead, and a function that withdraws it.
func (a *Agent) Outside(command, dir string, env []string) (line string, discard func(), err error) {
	shell := program(get(env, "PATH"), dir, "bash")
	if shell == "" {
		return "", nil, errors.New("bash isn't installed")
	}
	key := strings.ToLower(rand.Text())[:inside.KeySize]
	a.door.mu.Lock()
	a.door.works[key] = work{shell, command, dir, env}
	a.door.mu.Unlock()
	return "exec " + insideProgram + " " + inside.DoorArg + " " + key, func() { a.door.withdraw(key) }, nil
}

// close ends the running commands and stops the door.
func (d *door) close() {
	d.mu.Lock()
	d.closed = true
	for conn := range d.conns {
		_ = conn.Close()
	}
	d.mu.Unlock()
	_ = d.server.Close()
	d.tasks.Wait()
}

func (d *door) accept() {
	for {
		conn, err := d.server.AcceptUnix()
		d.mu.Lock()
		closed := d.closed
		if err == nil && !closed {
			d.conns[conn] = true
		}
		d.mu.Unlock()
		switch {
		case closed:
			if err == nil {
				_ = conn.Close()
			}
			return
		case err != nil:
			time.Sleep(knockTime / 1000) // such as too many open files
		default:
			d.tasks.Go(func() {
				d.serve(conn)
				d.mu.Lock()
				delete(d.conns, conn)
				d.mu.Unlock()
				_ = conn.Close()
			})
		}
	}
}

// serve runs the command that a client asks for.
func (d *door) serve(conn *net.UnixConn) {
	key, streams, err := receive(conn)
	defer func() {
		for _, f := range streams {
			_ = f.Close()
		}
	}()
	if err != nil || len(streams) != 3 {
		return
	}
	d.mu.Lock()
	w, ok := d.works[key]
	delete(d.works, key)
	d.mu.Unlock()
	if !ok {
		return
	}
	code, err := w.run(conn, streams)
	if err != nil {
		d.sandbox.cfg.Log.Warn("couldn't start a command of an agent in the sandbox", "err", err)
		return
	}
	_, _ = conn.Write([]byte{code})
}

// receive reads a key and the descriptors sent with it.
func receive(conn *net.UnixConn) (key string, streams []*os.File, err error) {
	_ = conn.SetReadDeadline(time.Now().Add(knockTime))
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
		err = errors.Join(err, errors.New("a bad request"))
	}
	return string(text[:n]), streams, err
}

// signals are the signals that a client may send to its command.
var signals = []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2}

// run runs the command and returns its exit code, or 128 and the number of the signal that ended it. It
// kills the command when the client is gone. The command ends with VoxPilot.
func (w work) run(conn net.Conn, streams []*os.File) (byte, error) {
	cmd := exec.Command(w.shell, "-c", w.line) //nolint:noctx // ends with the connection
	cmd.Dir, cmd.Env = w.dir, append([]string{}, w.env...)
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
	// The process isn't reaped before exited is closed, so that its PID can't be reused for a signal.
	var info unix.Siginfo
	for unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	close(exited)
	_ = conn.SetReadDeadline(time.Now())
	<-gone
	_ = cmd.Wait() // the state says more
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return byte(128 + int(status.Signal())), nil
	}
	return byte(status.ExitStatus()), nil
}

// fdPath returns a short path of a file in the folder with the descriptor fd.
func fdPath(fd int, name string) string { return "/proc/self/fd/" + strconv.Itoa(fd) + "/" + name }
