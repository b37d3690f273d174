// Package process runs programs beside VoxPilot and ends each with all that it
// started: agents, which are reached by pipes, a socket or a port, and helpers
// that are asked something and end.
//
//   - process.go, process_*.go, processes_windows.go: an agent's process, its tree
//     and the ladder by which it ends; tcp*.go: one that is reached by TCP or by a
//     socket; stderr.go: what it wrote there.
//   - exec*.go, again_*.go, through_*.go: children start through this program, so
//     that they inherit nothing.
//   - helper*.go: programs that run for a moment.
//   - group_*.go: a command and all that it started; job_windows.go: the job object
//     that has them on Windows.
//   - reap.go: what a VoxPilot that was killed left behind.
package process

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// The ladder by which a process ends. The Copilot CLI needs 2.1 s after its
// stdin was closed while a turn runs.
const (
	GraceEOF  = 4 * time.Second
	graceTERM = 2 * time.Second
)

// MarkVar is an environment variable with a value of its own for each process.
// It is how the commands that an agent started are known after it died: they
// run in sessions of their own and no longer have it as their parent.
const MarkVar = "VOXPILOT_AGENT"

// scrubbedVars are environment variables that an agent must not inherit. With the
// first one set, the Copilot CLI asks for no permission and does not say so;
// with the second one it comes to that after a plan.
var scrubbedVars = []string{"COPILOT_ALLOW_ALL", "COPILOT_PLAN_THEN_AUTOPILOT", MarkVar}

// Process is a running agent: its pipes, its exit, its tree.
type Process struct {
	PID     int // 0 where we did not start it
	Started backend.Millis
	Stdin   io.WriteCloser // what it reads
	Stdout  io.ReadCloser  // what it writes
	Stderr  *Stderr
	Mark    string    // value of markVar
	cmd     *exec.Cmd // nil where we did not start it
	input   *os.File  // its standard input
	socket  *socket   // nil where we talk through pipes
	record  string    // the file that Reap would read
	tree    tree      // what the system needs to end all of it

	Exited chan struct{} // closed when the process has exited; then exit is set
	Exit   ExitStatus
}

// ExitStatus is how a process ended.
type ExitStatus struct {
	Code   *int
	Signal string
	// NotRun is the reason why the program did not even run.
	NotRun string
	// connectionLost is the reason why an agent that runs elsewhere is not reached.
	connectionLost backend.Message
}

// Spec is how a process is started.
type Spec struct {
	Path    string
	Args    []string // {socket} stands for a Unix socket and {port} for a free port: the process is then reached there
	Address string   // host:port of a process that runs already; then there is no path
	Env     []string // complete; what an agent must not inherit is taken out
	// Redact takes secrets out of what the process writes to stderr; nil where it
	// can hold none.
	Redact func(string) string
}

// Start starts the program of l in folder, or connects to the process
// that it names. records is a directory for what Reap has to know; "" keeps
// nothing.
func Start(l Spec, folder, records string, log *slog.Logger) (*Process, error) {
	p := &Process{Mark: backend.NewID(), Stderr: &Stderr{redact: l.Redact}, Exited: make(chan struct{})}
	if l.Address != "" {
		p.Started = backend.Now()
		p.connectTo(endpoint{network: "tcp", address: l.Address}, nil)
		return p, nil
	}
	args, at, err := withEndpoint(l.Args)
	if err != nil {
		return nil, err
	}
	cmd, err := p.command(l.Path, args)
	if err != nil {
		at.remove()
		return nil, err
	}
	cmd.Dir = folder
	cmd.Env = append(Scrub(l.Env), MarkVar+"="+p.Mark)

	var open []*os.File // closed again where the start fails
	fail := func(err error) (*Process, error) {
		for _, f := range open {
			_ = f.Close()
		}
		p.RemoveRecord()
		at.remove()
		return nil, err
	}
	pipe := func() (r, w *os.File, err error) {
		if r, w, err = os.Pipe(); err == nil {
			open = append(open, r, w)
		}
		return r, w, err
	}
	inR, inW, err := pipe()
	if err != nil {
		return fail(err)
	}
	outR, outW, err := pipe()
	if err != nil {
		return fail(err)
	}
	errR, errW, err := pipe()
	if err != nil {
		return fail(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inR, outW, errW
	if at.network != "" {
		cmd.Stdout = errW // what it prints there is no protocol
	}
	p.cmd, p.input, p.Stdin, p.Stdout = cmd, inW, inW, outR

	p.writeRecord(records, log)
	if err := p.run(func() { _, _ = io.Copy(p.Stderr, errR) }, errR); err != nil {
		return fail(err)
	}
	p.writeRecord(records, log)
	_ = inR.Close()
	_ = outW.Close()
	_ = errW.Close()
	if at.network != "" {
		_ = outR.Close()
		p.connectTo(at, p.Exited)
		go func() {
			<-p.Exited
			at.remove()
		}()
	}
	return p, nil
}

// run starts the command and a goroutine that waits for it. The goroutine
// keeps the thread that started the process: on Linux the child is sent
// SIGTERM when that thread ends, which is to be when VoxPilot does.
func (p *Process) run(readStderr func(), stderr *os.File) error {
	started := make(chan error)
	go func() {
		unlock := LockThread()
		defer unlock()
		err := p.cmd.Start()
		if err == nil {
			err = p.adopt()
		}
		if err != nil {
			started <- err
			return
		}
		p.PID, p.Started = p.cmd.Process.Pid, backend.Now()
		started <- nil

		read := make(chan struct{})
		go func() { defer close(read); readStderr() }()
		_ = p.cmd.Wait()
		// What the process started may hold its stderr open; what it wrote
		// itself is there by now.
		select {
		case <-read:
		case <-time.After(500 * time.Millisecond):
		}
		_ = stderr.Close()
		<-read
		p.Exit = p.status()
		close(p.Exited)
	}()
	return <-started
}

func (p *Process) status() ExitStatus {
	var s ExitStatus
	state := p.cmd.ProcessState
	if state == nil {
		return s
	}
	if s.Signal = signalOf(state); s.Signal == "" {
		code := state.ExitCode()
		s.Code = &code
		if code == exitNoExec {
			if _, why, ok := strings.Cut(p.Stderr.String(), execFailed); ok {
				s.NotRun = strings.TrimSpace(why)
			}
		}
	}
	return s
}

// String says how the process ended.
func (s ExitStatus) String() string { return s.Message().String() }

// Message says how the process ended, for a person.
func (s ExitStatus) Message() backend.Message {
	switch {
	case !s.connectionLost.IsZero():
		return s.connectionLost
	case s.Signal != "":
		return backend.Say("it was killed by %s", s.Signal)
	case s.Code != nil:
		return backend.Say("exit code %d", *s.Code)
	}
	return backend.Say("it exited")
}

// Stop ends the process: it closes stdin and gives it time to end by itself,
// then asks, then kills. One that is reached by TCP does not end because its
// client goes: it is asked at once. Where ctx ends first it is killed. stop
// returns when the process is gone; sweep ends what it left behind.
func (p *Process) Stop(ctx context.Context) {
	if p.Remote() {
		p.hangUp()
		return
	}
	_ = p.Stdin.Close()
	_ = p.input.Close()
	if p.socket == nil && p.exitsWithin(ctx, GraceEOF) {
		return
	}
	if ctx.Err() == nil {
		p.terminate()
		if p.exitsWithin(ctx, graceTERM) {
			return
		}
	}
	p.Kill()
}

// Kill ends the process and everything it started at once.
func (p *Process) Kill() {
	select {
	case <-p.Exited: // its pid may be another's by now
		return
	default:
	}
	if p.Remote() {
		p.hangUp()
		return
	}
	p.killTree()
	<-p.Exited
}

// Remote says whether the agent runs without us: we only talk to it.
func (p *Process) Remote() bool { return p.cmd == nil }

func (p *Process) exitsWithin(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-p.Exited:
		return true
	case <-t.C:
	case <-ctx.Done():
	}
	return false
}

// Scrub is env without what an agent must not inherit.
func Scrub(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.ContainsFunc(scrubbedVars, func(s string) bool { return SameVar(s, name) })
	})
}

// CheckFolder reports why folder cannot be worked in.
func CheckFolder(folder string) error {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return backend.Problem("the folder %s no longer exists", folder)
	case err != nil:
		return backend.Problem("can't open the folder %s (%w)", folder, err)
	case !info.IsDir():
		return backend.Problem("%s is no longer a folder", folder)
	}
	return nil
}
