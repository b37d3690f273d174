// Package terminal runs commands for an agent and stores the end of their output, up to a limit, as
// valid UTF-8. Each command runs in its own process session (on Windows, in its own job) and is stopped
// together with all its child processes.
package terminal

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/process"
)

// Spec describes a command to run.
type Spec struct {
	// Command is a program. Without Args, it may also be a command line, which the user's shell runs.
	Command string
	Args    []string
	Env     []string // "NAME=value", in addition to Config.Env
	Dir     string   // absolute path of the working directory
	Limit   int      // maximum output for the agent in bytes; 0 means DefaultLimit
	// Changed is called when the command has written output or ended. It must not block and may be nil.
	Changed func()
}

// Limits in bytes on the stored output per command. At least DefaultLimit is stored for the user, even
// if the agent wants less.
const (
	DefaultLimit = 1 << 20
	MaxLimit     = 8 << 20
)

// MaxOpen is the maximum number of commands per session. Ended commands that weren't
// released are dropped to make room for new ones.
const MaxOpen = 32

// Config is the common configuration of a session's commands.
type Config struct {
	// Env is the complete environment of the commands.
	Env []string
	// Through is the program that starts each command, followed by its first arguments; nil if there is none. That
	// program replaces itself with the command, which follows as its remaining arguments.
	Through []string
}

// Set holds the commands of one session. It is safe for concurrent use.
type Set struct {
	cfg Config

	mu       sync.Mutex
	open     []*Terminal     // oldest first
	released map[string]bool // IDs of terminals that are no longer open
	closed   bool
	ending   sync.WaitGroup
}

// NewSet creates an empty set.
func NewSet(cfg Config) *Set { return &Set{cfg: cfg, released: map[string]bool{}} }

// Start runs a command. Errors are of type *backend.Error.
func (s *Set) Start(spec Spec) (*Terminal, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Plain("The session has ended, so it can't run commands.")}
	}
	if len(s.open) >= MaxOpen {
		i := slices.IndexFunc(s.open, (*Terminal).exited)
		if i < 0 {
			return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Plain("Too many commands are running in this session. Wait for one to finish, or stop one.")}
		}
		s.drop(i)
	}
	t, err := start(s.cfg, spec)
	if err != nil {
		return nil, err
	}
	s.open = append(s.open, t)
	return t, nil
}

// Get returns the terminal with the given ID, or CodeNotFound if there is none.
func (s *Set) Get(id string) (*Terminal, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.index(id); i >= 0 {
		return s.open[i], nil
	}
	return nil, errUnknown(id)
}

// Release removes a command from the set, discards its output, and stops it with all its child processes in the
// background. Repeated calls have no effect. For an unknown ID, Release returns CodeNotFound.
func (s *Set) Release(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.index(id)
	switch {
	case i >= 0:
		s.drop(i)
		return nil
	case s.released[id]:
		return nil
	}
	return errUnknown(id)
}

func errUnknown(id string) error {
	return &backend.Error{Code: backend.CodeNotFound, Message: backend.Plain("Unknown terminal " + id + ".")}
}

func (s *Set) index(id string) int {
	return slices.IndexFunc(s.open, func(t *Terminal) bool { return t.id == id })
}

// drop stops the i-th command in the background and removes it. The caller must hold s.mu.
func (s *Set) drop(i int) {
	t := s.open[i]
	s.open = slices.Delete(s.open, i, i+1)
	s.released[t.id] = true
	s.ending.Go(t.finish)
}

// Close stops all commands with their child processes and returns when they have exited. No command can be
// started afterward.
func (s *Set) Close() {
	s.mu.Lock()
	s.closed = true
	for len(s.open) > 0 {
		s.drop(0)
	}
	s.mu.Unlock()
	s.ending.Wait()
}

// Exit is a command's exit status.
type Exit struct {
	Code   *int   // nil if it was ended by a signal
	Signal string // such as SIGTERM; "" if it exited normally
}

// Terminal is a running or ended command. It is safe for concurrent use.
type Terminal struct {
	id      string
	limit   int
	changed func()
	cmd     *exec.Cmd
	group   process.Group
	out     *os.File // read end of its output

	processExited chan struct{} // closed when the process has exited: its PID may be reused
	done          chan struct{} // closed after the exit, once the output has been read; exit is set by then
	drained       chan struct{} // closed when all output of the first graceOutput after the exit has been read
	over          chan struct{} // closed when no process can write further output
	exit          Exit

	ending sync.Mutex // serializes Kill

	mu  sync.Mutex
	buf tail
}

// markVar is the name of the environment variable that identifies all child processes of a command, even those that
// have left its session.
const markVar = "VOXPILOT_TERMINAL"

// ID returns the terminal's ID.
func (t *Terminal) ID() string { return t.id }

// PID returns the process ID of the command.
func (t *Terminal) PID() int { return t.cmd.Process.Pid }

// Time limits for a command to exit after VoxPilot has asked it to, and for its output to end after the command has
// exited. Child processes may keep the output open.
const (
	graceTerm   = 2 * time.Second
	graceOutput = 250 * time.Millisecond
)

// start starts a command. The goroutine that waits for the command stays on the thread that started it: on Linux, the
// command receives SIGTERM when that thread exits, which must happen only when VoxPilot exits.
func start(cfg Config, spec Spec) (*Terminal, error) {
	t := &Terminal{
		id: "term_" + backend.NewID(), limit: DefaultLimit, changed: spec.Changed,
		processExited: make(chan struct{}), done: make(chan struct{}), drained: make(chan struct{}), over: make(chan struct{}),
	}
	if spec.Limit > 0 {
		t.limit = min(spec.Limit, MaxLimit)
	}
	t.buf.keep = max(t.limit, DefaultLimit)
	if err := checkDir(spec.Dir); err != nil {
		return nil, err
	}
	env := append(slices.Concat(cfg.Env, spec.Env), markVar+"="+t.id)
	cmd, err := command(spec, env, cfg.Through)
	if err != nil {
		return nil, err
	}
	cmd.Dir, cmd.Env = spec.Dir, env
	r, w, err := os.Pipe()
	if err != nil {
		return nil, notStarted(err)
	}
	cmd.Stdout, cmd.Stderr = w, w
	t.cmd, t.out = cmd, r
	t.group = process.Group{Variable: markVar + "=" + t.id, Exited: t.processExited}

	started := make(chan error)
	go t.run(w, started)
	if err := <-started; err != nil {
		_ = r.Close()
		_ = w.Close()
		return nil, notStarted(err)
	}
	return t, nil
}

func notStarted(err error) error {
	return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Plain("Couldn't start the command: " + err.Error() + ".")}
}

func checkDir(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return &backend.Error{Code: backend.CodeInvalid, Message: backend.Plain("Can't run the command in " + dir + ": can't open the folder."), Detail: err.Error()}
	case !info.IsDir():
		return &backend.Error{Code: backend.CodeInvalid, Message: backend.Plain("Can't run the command in " + dir + ": it isn't a folder.")}
	}
	return nil
}

// run starts the command, sends the resulting error, which may be nil, to the channel named started, and waits for the
// command to exit.
func (t *Terminal) run(w *os.File, started chan<- error) {
	unlock := process.LockThread()
	defer unlock()
	err := t.cmd.Start()
	if err == nil {
		err = t.group.Adopt(t.cmd)
	}
	if err == nil {
		_ = w.Close()
	}
	started <- err
	if err != nil {
		return
	}
	go t.read()
	_ = t.cmd.Wait()
	t.group.Ended = time.Now()
	close(t.processExited)
	var timeout <-chan time.Time
	if t.out.SetReadDeadline(time.Now().Add(graceOutput)) != nil { // Windows has no deadlines for pipes
		timeout = time.After(graceOutput)
	}
	select {
	case <-t.over:
	case <-t.drained:
	case <-timeout:
	}
	t.exit.Signal = signalOf(t.cmd.ProcessState)
	if t.exit.Signal == "" {
		code := t.cmd.ProcessState.ExitCode()
		t.exit.Code = &code
	}
	close(t.done)
	t.notifyChanged()
}

// read reads the output until no process can write to it. The deadline that is set at the exit of the command
// interrupts it once. On a busy computer, output from before the exit may still be unread then.
func (t *Terminal) read() {
	defer close(t.over)
	_, err := io.Copy(t, t.out)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		_ = t.out.SetReadDeadline(time.Time{})
		t.drain()
		close(t.drained)
		_, _ = io.Copy(t, t.out)
	}
	_ = t.out.Close()
}

func (t *Terminal) notifyChanged() {
	if t.changed != nil {
		t.changed()
	}
}

// Write adds p to the command's output.
func (t *Terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	t.buf.add(p)
	t.mu.Unlock()
	t.notifyChanged()
	return len(p), nil
}

func (t *Terminal) exited() bool { return closed(t.done) }

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Exit returns the command's exit status, or nil while it is running.
func (t *Terminal) Exit() *Exit {
	if !t.exited() {
		return nil
	}
	return &t.exit
}

// Output returns the end of the command's output: at most limit bytes, and at most as many as the agent requested when
// it started the command. A limit of 0 has no effect. The result truncated is true if there was more.
func (t *Terminal) Output(limit int) (text string, truncated bool) {
	if limit <= 0 || limit > t.limit {
		limit = t.limit
	}
	return t.Tail(limit)
}

// Tail returns the end of the stored output, at most limit bytes, regardless of the agent's limit. The result
// truncated has the same meaning as in Output.
func (t *Terminal) Tail(limit int) (text string, truncated bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.buf.text(limit, t.exited())
}

// Done returns a channel that is closed when the command has ended.
func (t *Terminal) Done() <-chan struct{} { return t.done }

// Over returns a channel that is closed when no more output is possible: the command
// and its child processes have exited or closed their output.
func (t *Terminal) Over() <-chan struct{} { return t.over }

// Wait waits until the command has ended and returns its exit status, or an error if ctx ends first.
func (t *Terminal) Wait(ctx context.Context) (Exit, error) {
	select {
	case <-t.done:
		return t.exit, nil
	case <-ctx.Done():
		return Exit{}, ctx.Err()
	}
}

// Kill stops the command with all its child processes and returns when it has ended. It first asks the
// processes to exit and then kills those that remain. The output stays available.
func (t *Terminal) Kill() {
	t.ending.Lock()
	defer t.ending.Unlock()
	asked, end := t.group.Ask(), time.Now().Add(graceTerm)
	for wait := time.Millisecond; asked && time.Now().Before(end); wait = min(2*wait, 100*time.Millisecond) {
		if closed(t.processExited) && len(t.group.Members()) == 0 {
			break
		}
		time.Sleep(wait) // no event reports the exit of child processes
	}
	t.group.Kill()
	<-t.done
}

// finish kills the command, stops reading its output and frees its process group.
func (t *Terminal) finish() {
	t.Kill()
	select {
	case <-t.over:
	case <-time.After(graceOutput):
		// A process that can't be killed holds the output open.
		_ = t.out.SetReadDeadline(time.Now())
		<-t.over
	}
	t.group.Close()
}

// errNoProgram means that a program wasn't found.
var errNoProgram = errors.New("no such program")
