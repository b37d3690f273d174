package agent

import (
	"context"
	"errors"
	"fmt"
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
	graceEOF  = 4 * time.Second
	graceTERM = 2 * time.Second
)

// markVar is an environment variable with a value of its own for each process.
// It is how the commands that an agent started are known after it died: they
// run in sessions of their own and no longer have it as their parent.
const markVar = "VOXPILOT_AGENT"

// scrubbed are environment variables that an agent must not inherit. With the
// first one set, the Copilot CLI asks for no permission and does not say so;
// with the second one it comes to that after a plan.
var scrubbed = []string{"COPILOT_ALLOW_ALL", "COPILOT_PLAN_THEN_AUTOPILOT", markVar}

// process is a running agent: its pipes, its exit, its tree.
type process struct {
	pid     int // 0 where we did not start it
	started backend.Millis
	stdin   io.WriteCloser // what it reads
	stdout  io.ReadCloser  // what it writes
	stderr  *stderrTail
	mark    string    // value of markVar
	cmd     *exec.Cmd // nil where we did not start it
	input   *os.File  // its standard input
	socket  *socket   // nil where we talk through pipes
	record  string    // the file that Reap would read
	tree    tree      // what the system needs to end all of it

	exited chan struct{} // closed when the process has exited; then exit is set
	exit   exitStatus
}

// exitStatus is how a process ended.
type exitStatus struct {
	code   *int
	signal string
	// notRun is the reason why the program did not even run.
	notRun string
	// lost is the reason why an agent that runs elsewhere is not reached.
	lost string
}

// spec is how a process is started.
type spec struct {
	path    string
	args    []string // {socket} stands for a Unix socket and {port} for a free port: the process is then reached there
	address string   // host:port of a process that runs already; then there is no path
	env     []string // complete; what an agent must not inherit is taken out
	// redact takes secrets out of what the process writes to stderr; nil where it
	// can hold none.
	redact func(string) string
}

// startProcess starts the program of l in folder, or connects to the process
// that it names. records is a directory for what Reap has to know; "" keeps
// nothing.
func startProcess(l spec, folder, records string, log *slog.Logger) (*process, error) {
	p := &process{mark: backend.NewID(), stderr: &stderrTail{redact: l.redact}, exited: make(chan struct{})}
	if l.address != "" {
		p.started = backend.Now()
		p.talkTo(endpoint{network: "tcp", address: l.address}, nil)
		return p, nil
	}
	args, at, err := withEndpoint(l.args)
	if err != nil {
		return nil, err
	}
	cmd, err := p.command(l.path, args)
	if err != nil {
		at.remove()
		return nil, err
	}
	cmd.Dir = folder
	cmd.Env = append(scrub(l.env), markVar+"="+p.mark)

	var open []*os.File // closed again where the start fails
	fail := func(err error) (*process, error) {
		for _, f := range open {
			_ = f.Close()
		}
		p.strike()
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
	p.cmd, p.input, p.stdin, p.stdout = cmd, inW, inW, outR

	p.enroll(records, log)
	if err := p.run(func() { _, _ = io.Copy(p.stderr, errR) }, errR); err != nil {
		return fail(err)
	}
	p.enroll(records, log)
	_ = inR.Close()
	_ = outW.Close()
	_ = errW.Close()
	if at.network != "" {
		_ = outR.Close()
		p.talkTo(at, p.exited)
		go func() {
			<-p.exited
			at.remove()
		}()
	}
	return p, nil
}

// run starts the command and a goroutine that waits for it. The goroutine
// keeps the thread that started the process: on Linux the child is sent
// SIGTERM when that thread ends, which is to be when VoxPilot does.
func (p *process) run(readStderr func(), stderr *os.File) error {
	started := make(chan error)
	go func() {
		unlock := p.tree.lockThread()
		defer unlock()
		err := p.cmd.Start()
		if err == nil {
			err = p.adopt()
		}
		if err != nil {
			started <- err
			return
		}
		p.pid, p.started = p.cmd.Process.Pid, backend.Now()
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
		p.exit = p.status()
		close(p.exited)
	}()
	return <-started
}

func (p *process) status() exitStatus {
	var s exitStatus
	state := p.cmd.ProcessState
	if state == nil {
		return s
	}
	if s.signal = signalOf(state); s.signal == "" {
		code := state.ExitCode()
		s.code = &code
		if code == exitNoExec {
			if _, why, ok := strings.Cut(p.stderr.String(), execFailed); ok {
				s.notRun = strings.TrimSpace(why)
			}
		}
	}
	return s
}

// String says how the process ended, for a person.
func (s exitStatus) String() string {
	switch {
	case s.lost != "":
		return s.lost
	case s.signal != "":
		return "it was ended by " + s.signal
	case s.code != nil:
		return fmt.Sprintf("exit code %d", *s.code)
	}
	return "it ended"
}

// stop ends the process: it closes stdin and gives it time to end by itself,
// then asks, then kills. One that is reached by TCP does not end because its
// client goes: it is asked at once. Where ctx ends first it is killed. stop
// returns when the process is gone; sweep ends what it left behind.
func (p *process) stop(ctx context.Context) {
	if p.remote() {
		p.hangUp()
		return
	}
	_ = p.stdin.Close()
	_ = p.input.Close()
	if p.socket == nil && p.exitsWithin(ctx, graceEOF) {
		return
	}
	if ctx.Err() == nil {
		p.terminate()
		if p.exitsWithin(ctx, graceTERM) {
			return
		}
	}
	p.kill()
}

// kill ends the process and everything it started at once.
func (p *process) kill() {
	select {
	case <-p.exited: // its pid may be another's by now
		return
	default:
	}
	if p.remote() {
		p.hangUp()
		return
	}
	p.killTree()
	<-p.exited
}

// remote says whether the agent runs without us: we only talk to it.
func (p *process) remote() bool { return p.cmd == nil }

func (p *process) exitsWithin(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-p.exited:
		return true
	case <-t.C:
	case <-ctx.Done():
	}
	return false
}

// scrub is env without what an agent must not inherit.
func scrub(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.ContainsFunc(scrubbed, func(s string) bool { return sameVar(s, name) })
	})
}

// checkFolder reports why folder cannot be worked in.
func checkFolder(folder string) error {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("the folder %s is not there any more", folder)
	case err != nil:
		return fmt.Errorf("the folder %s cannot be opened (%w)", folder, err)
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder any more", folder)
	}
	return nil
}
