// Package process runs agents, which are connected by pipes, a socket or a port, and stops each one along with all
// its descendants. It also runs short-lived helper programs.
//
//   - process.go, process_*.go, processes_windows.go: an agent's process, its tree
//     and the steps of stopping it; tcp*.go: connections by TCP or Unix socket;
//     stderr.go: its stderr.
//   - exec*.go: children start through this program, so
//     that they inherit only the standard streams.
//   - helper*.go: short-lived programs.
//   - group_*.go: a command and its descendants; job_windows.go: their job object
//     on Windows.
//   - info*.go: running processes of any program.
//   - reap.go: processes left behind when VoxPilot was killed.
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

// Time limits for the steps of stopping a process. The Copilot CLI needs 2.1 s to exit
// after its stdin is closed during a turn.
const (
	GraceEOF  = 4 * time.Second // after closing its stdin
	graceTERM = 2 * time.Second // after SIGTERM
)

// MarkVar is an environment variable with a unique value for each agent process. It
// identifies the commands of an agent that has exited: they run in separate sessions
// and no longer have the agent as their parent.
const MarkVar = "VOXPILOT_AGENT"

// scrubbedVars are environment variables that agents must not inherit. With the first one set, the
// Copilot CLI silently skips all permission requests; with the second one, it skips them after a plan.
var scrubbedVars = []string{"COPILOT_ALLOW_ALL", "COPILOT_PLAN_THEN_AUTOPILOT", MarkVar}

// Process is a running agent: its pipes, exit status and process tree.
type Process struct {
	PID       int // 0 if VoxPilot didn't start it
	Started   backend.Millis
	Stdin     io.WriteCloser // input of the agent
	Stdout    io.ReadCloser  // output of the agent
	Stderr    *Stderr
	Mark      string    // value of MarkVar
	cmd       *exec.Cmd // nil if VoxPilot didn't start it
	input     *os.File  // the program's standard input; Stdin may be a connection instead
	socket    *socket   // nil if connected by pipes
	record    string    // path of the record that Reap reads; "" if there is none
	sandboxed bool      // it runs in a sandbox: see Wrapper
	tree      tree      // system-specific state for finding and stopping its descendants

	Exited chan struct{} // closed when the process has exited, after Exit is set
	Exit   ExitStatus
}

// ExitStatus describes how a process ended.
type ExitStatus struct {
	Code   *int   // exit code; nil if a signal killed the process, or for a remote agent
	Signal string // name of the signal that killed the process, or ""
	// NotRun is the reason the program couldn't be started at all.
	NotRun string
	// connectionLost is the reason the connection to a remote agent ended.
	connectionLost backend.Message
}

// Spec describes how to start a process.
type Spec struct {
	Path    string
	Args    []string // {socket} and {port} stand for a Unix socket and a free port, through which the process is then reached
	Address string   // host:port of a process that is already running; Path is then empty
	Env     []string // complete; variables that agents must not inherit are removed
	// Redact removes secrets from the process's stderr. If it is nil, there are no secrets to remove.
	Redact func(string) string
	// Wrap starts the process in a sandbox; if it is nil, the process starts without one.
	Wrap Wrapper
}

// Wrapper returns the program that starts a process in a sandbox, with its arguments and environment. The parameter
// write lists the folders in which the sandbox must let the process write. Wrapper is called at most once per start.
// The returned program has one child, whose only child is the process.
type Wrapper func(path string, args, env, write []string) (outerPath string, outerArgs, outerEnv []string, err error)

// Start starts the program given by spec, with folder as its working directory, or connects to the address in spec.
// It writes a record for Reap to the directory given by records; if that is "", it writes none.
func Start(spec Spec, folder, records string, log *slog.Logger) (*Process, error) {
	p := &Process{Mark: backend.NewID(), Stderr: &Stderr{redact: spec.Redact}, Exited: make(chan struct{})}
	if spec.Address != "" {
		p.Started = backend.Now()
		p.connectTo(endpoint{network: "tcp", address: spec.Address}, nil)
		return p, nil
	}
	args, at, err := withEndpoint(spec.Args)
	if err != nil {
		return nil, err
	}
	path, env := spec.Path, Scrub(spec.Env)
	if spec.Wrap != nil {
		var write []string
		if at.dir != "" {
			write = append(write, at.dir)
		}
		if path, args, env, err = spec.Wrap(path, args, env, write); err != nil {
			at.remove()
			return nil, err
		}
		p.sandboxed = true
	}
	cmd, err := p.command(path, args)
	if err != nil {
		at.remove()
		return nil, err
	}
	cmd.Dir = folder
	cmd.Env = append(env, MarkVar+"="+p.Mark)

	var open []*os.File // closed if the start fails
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
		cmd.Stdout = errW // its output isn't protocol data
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

// run starts the command and a goroutine that waits for its exit. That goroutine stays
// on the thread that started the process: on Linux the child receives SIGTERM when that
// thread ends, which must not happen before VoxPilot exits.
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
		// Descendants may keep stderr open; the process's own output has arrived by now.
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

// String returns a description of how the process ended.
func (s ExitStatus) String() string { return s.Message().String() }

// Message returns a user-facing description of how the process ended.
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

// Stop stops the process: it closes stdin and waits, then sends SIGTERM, and finally SIGKILL. A process with a
// socket or port doesn't exit when its client disconnects, so it gets SIGTERM without the first wait. If ctx ends,
// the process is killed. Stop returns when the process has exited; Sweep stops its leftovers. For a remote agent,
// Stop only closes the connection.
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

// Kill kills the process and all its descendants, and waits until the process has exited. For a remote agent, it
// only closes the connection.
func (p *Process) Kill() {
	select {
	case <-p.Exited: // its pid may be reused
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

// IsAgent reports whether a process that List has returned is the agent itself. In a sandbox, that isn't the process
// that VoxPilot started.
func (p *Process) IsAgent(q backend.Process) bool {
	return q.PID == p.PID || p.sandboxed && q.ParentPID == os.Getpid()
}

// Remote reports whether VoxPilot only connected to the agent and didn't start it.
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

// Scrub returns env without the variables that agents must not inherit.
func Scrub(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.ContainsFunc(scrubbedVars, func(s string) bool { return SameVar(s, name) })
	})
}

// CheckFolder returns an error if folder can't be used as a working directory.
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
