package agentauth

import (
	"context"
	"encoding/base64"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/charmbracelet/x/xpty"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/process"
)

const (
	// maxOutput is the number of bytes of a terminal's output that are kept for a window that is reloaded.
	maxOutput = 256 << 10
	// pace is the minimum time between two parts of the output. A program that writes more waits.
	pace = 30 * time.Millisecond
	// maxPart is the maximum number of bytes in a part.
	maxPart = 32 << 10
	// maxSize is the maximum number of columns and rows.
	maxSize = 1000
)

// marker is the environment variable by which the processes of a sign-in program are found on Linux, even in other
// process groups.
const marker = "VOXPILOT_SIGN_IN"

// maxInput is the number of pieces of input that wait for a program that doesn't read.
const maxInput = 100

func newTerminal() *terminal {
	return &terminal{id: backend.NewID(), input: make(chan string, maxInput)}
}

// terminal is a pseudo-terminal in which a sign-in program runs.
type terminal struct {
	id    string
	input chan string

	mu            sync.Mutex
	pty           xpty.Pty // nil before the start and after the end
	columns, rows int      // 0 until the window reports them
	tail          []byte   // the end of the output
	size          int64    // number of bytes of the whole output
}

// run runs a sign-in program and passes its output to the function publish. It returns when the program has exited and
// the processes that it left running were killed. The error is a *backend.Error if the program couldn't start or reported a failure.
func (t *terminal) run(ctx context.Context, l agent.Launch, method backend.AuthMethod, publish func(part backend.AgentTerminal)) error {
	failed := func(err error) error {
		return &backend.Error{Code: backend.CodeAgent, Message: backend.Say("Couldn't start the sign-in program: %s", err)}
	}
	cmd, err := process.Helper(ctx, method.Program, method.Args...)
	if err != nil {
		return failed(err)
	}
	group := &process.Group{Variable: marker + "=" + t.id}
	exited := make(chan struct{})
	group.Exited = exited
	cmd.Env = append(process.Scrub(l.Env), append(slices.Clone(method.Env), "TERM=xterm-256color", "COLORTERM=truecolor", group.Variable)...)
	cmd.Cancel = func() error { return nil } // the group is ended below
	control(cmd)

	runtime.LockOSThread() // Linux stops the program when the thread that started it ends
	defer runtime.UnlockOSThread()
	pty, err := t.open()
	if err != nil {
		return failed(err)
	}
	if err := pty.Start(cmd); err != nil {
		t.mu.Lock()
		t.pty = nil
		t.mu.Unlock()
		_ = pty.Close()
		return failed(err)
	}
	if err := group.Adopt(cmd); err != nil {
		_ = cmd.Process.Kill()
	}
	defer group.Close()
	read := make(chan struct{})
	go func() {
		defer close(read)
		t.read(pty, publish)
	}()
	go func() {
		for {
			select {
			case text := <-t.input:
				_, _ = pty.Write([]byte(text)) // may block until the terminal is closed
			case <-read:
				return
			}
		}
	}()
	stop := context.AfterFunc(ctx, func() { endGroup(group, exited) })
	err = xpty.WaitProcess(context.WithoutCancel(ctx), cmd)
	group.Ended = time.Now()
	close(exited)
	stop()
	group.Kill() // what the program left running
	t.close(pty, read)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if code := cmd.ProcessState.ExitCode(); code > 0 {
		return &backend.Error{Code: backend.CodeAgent, Message: backend.Say("The sign-in program ended with exit code %d.", code)}
	}
	return err
}

// endGroup asks a program and its processes to exit, and kills them after a second.
func endGroup(group *process.Group, exited <-chan struct{}) {
	group.Ask()
	select {
	case <-exited:
	case <-time.After(time.Second):
		group.Kill()
	}
}

// open opens the pseudo-terminal with the size that the window reported, or 80 by 24.
func (t *terminal) open() (xpty.Pty, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	columns, rows := t.columns, t.rows
	if columns == 0 {
		columns, rows = 80, 24
	}
	pty, err := xpty.NewPty(columns, rows)
	if err == nil {
		t.pty = pty
	}
	return pty, err
}

// close ends the reading, which a process that kept the terminal open could otherwise delay, and closes the terminal.
func (t *terminal) close(pty xpty.Pty, read <-chan struct{}) {
	release(pty)
	select {
	case <-read:
	case <-time.After(time.Second):
	}
	t.mu.Lock()
	t.pty = nil
	t.mu.Unlock()
	_ = pty.Close()
	select { // on macOS, a process that kept the terminal open can block the reading even then
	case <-read:
	case <-time.After(time.Second):
	}
}

func (t *terminal) read(pty xpty.Pty, publish func(part backend.AgentTerminal)) {
	buffer := make([]byte, maxPart)
	for {
		n, err := pty.Read(buffer)
		if n > 0 {
			publish(t.add(buffer[:n]))
			time.Sleep(pace)
		}
		if err != nil {
			return
		}
	}
}

// add appends a part to the output and returns it for the window.
func (t *terminal) add(part []byte) backend.AgentTerminal {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.size
	t.size += int64(len(part))
	t.tail = append(t.tail, part...)
	if over := len(t.tail) - maxOutput; over > 0 {
		t.tail = slices.Delete(t.tail, 0, over)
	}
	return backend.AgentTerminal{ID: t.id, Offset: at, Data: base64.StdEncoding.EncodeToString(part)}
}

func (t *terminal) output() backend.AgentTerminal {
	t.mu.Lock()
	defer t.mu.Unlock()
	return backend.AgentTerminal{ID: t.id, Offset: t.size - int64(len(t.tail)), Data: base64.StdEncoding.EncodeToString(t.tail)}
}

// write sends input to the program. It returns CodeNotFound if the program has ended, and CodeLimit if the program
// doesn't read its input.
func (t *terminal) write(input string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.pty == nil {
		return errClosed()
	}
	select {
	case t.input <- input:
		return nil
	default:
		return &backend.Error{Code: backend.CodeLimit, Message: backend.Say("The sign-in program doesn't read what you type.")}
	}
}

func (t *terminal) resize(columns, rows int) error {
	if columns < 1 || rows < 1 || columns > maxSize || rows > maxSize {
		return backend.Invalid("A terminal has from 1 to %d columns and rows.", maxSize)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.columns, t.rows = columns, rows
	if t.pty == nil {
		return nil
	}
	return t.pty.Resize(columns, rows)
}
