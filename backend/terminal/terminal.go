// Package terminal runs commands for an agent and keeps what they write: the
// end of it, up to a limit, as valid UTF-8. A command has a session of its own
// and is ended with everything that it started.
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

// Spec is a command that is to be run.
type Spec struct {
	// Command is a program. Without Args it may also be a whole line, which is
	// left to the user's shell.
	Command string
	Args    []string
	Env     []string // "NAME=value", in addition to what all commands get
	Dir     string   // absolute
	Limit   int      // bytes of output that the agent may have; 0 is DefaultLimit
	// Changed is told that the command wrote something or ended; it must not
	// block. nil tells nobody.
	Changed func()
}

// Limits of the output that is kept of a command. At least DefaultLimit is kept
// for the user to see, however little the agent wants of it.
const (
	DefaultLimit = 1 << 20
	MaxLimit     = 8 << 20
)

// MaxOpen is how many commands a session may have at once. Those that ended and
// were not released give way to new ones.
const MaxOpen = 32

// Config is what all commands of a session have in common.
type Config struct {
	// Env is their environment, complete.
	Env []string
	// Through is a program and its first arguments that each command is started
	// through; none starts them directly. It becomes the program that its further
	// arguments name.
	Through []string
}

// Set holds the commands of one session. Its methods are safe for concurrent
// use.
type Set struct {
	cfg Config

	mu       sync.Mutex
	open     []*Terminal // oldest first
	released map[string]bool
	closed   bool
	ending   sync.WaitGroup
}

// NewSet makes an empty set.
func NewSet(cfg Config) *Set { return &Set{cfg: cfg, released: map[string]bool{}} }

// Start runs a command. Errors are *backend.Error.
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

// Get is the terminal with the id.
func (s *Set) Get(id string) (*Terminal, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.index(id); i >= 0 {
		return s.open[i], nil
	}
	return nil, errUnknown(id)
}

// Release ends the command with all that it started and forgets its output. It
// may be said again.
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

// drop ends the i-th command in the background and forgets it. s.mu is held.
func (s *Set) drop(i int) {
	t := s.open[i]
	s.open = slices.Delete(s.open, i, i+1)
	s.released[t.id] = true
	s.ending.Go(t.finish)
}

// Close ends all commands with everything that they started, and returns when
// they are gone. No other is run afterwards.
func (s *Set) Close() {
	s.mu.Lock()
	s.closed = true
	for len(s.open) > 0 {
		s.drop(0)
	}
	s.mu.Unlock()
	s.ending.Wait()
}

// Exit is how a command ended.
type Exit struct {
	Code   *int   // nil where a signal ended it
	Signal string // such as SIGTERM; "" where it ended by itself
}

// Terminal is a command that runs or ran. Its methods are safe for concurrent
// use.
type Terminal struct {
	id      string
	limit   int
	changed func()
	cmd     *exec.Cmd
	group   process.Group
	out     *os.File // what it writes comes from here

	gone chan struct{} // closed when its process is no more: its number may be another's
	done chan struct{} // closed when its output is there as well; then exit is set
	over chan struct{} // closed when nobody writes any more
	exit Exit

	ending sync.Mutex // one at a time

	mu  sync.Mutex
	buf tail
}

// markVar is an environment variable by which everything that a command started
// is known, also what has left its session.
const markVar = "VOXPILOT_TERMINAL"

// ID names the terminal.
func (t *Terminal) ID() string { return t.id }

// PID is the process of the command.
func (t *Terminal) PID() int { return t.cmd.Process.Pid }

// How long a command may take to end after it was asked to, and its last output
// to come after it ended: what it left running may hold its output open.
const (
	graceTerm   = 2 * time.Second
	graceOutput = 250 * time.Millisecond
)

// start runs the command. The goroutine that waits for it keeps the thread that
// started it: on Linux it is sent SIGTERM when that thread ends, which is to be
// when VoxPilot does.
func start(cfg Config, spec Spec) (*Terminal, error) {
	t := &Terminal{
		id: "term_" + backend.NewID(), limit: DefaultLimit, changed: spec.Changed,
		gone: make(chan struct{}), done: make(chan struct{}), over: make(chan struct{}),
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
	t.group = process.Group{Variable: markVar + "=" + t.id, Gone: t.gone}

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

// run starts the command and follows it to its end.
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
	go func() {
		defer close(t.over)
		_, _ = io.Copy(t, t.out)
		_ = t.out.Close()
	}()
	_ = t.cmd.Wait()
	t.group.Ended = time.Now()
	close(t.gone)
	select {
	case <-t.over:
	case <-time.After(graceOutput):
	}
	t.exit.Signal = signalOf(t.cmd.ProcessState)
	if t.exit.Signal == "" {
		code := t.cmd.ProcessState.ExitCode()
		t.exit.Code = &code
	}
	close(t.done)
	t.notifyChanged()
}

func (t *Terminal) notifyChanged() {
	if t.changed != nil {
		t.changed()
	}
}

// Write takes what the command writes.
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

// Exit is how the command ended, nil while it runs.
func (t *Terminal) Exit() *Exit {
	if !t.exited() {
		return nil
	}
	return &t.exit
}

// Output is the end of what the command wrote: as much as the agent wanted when
// it was started, and at most limit bytes where limit is not 0. truncated says
// that there was more.
func (t *Terminal) Output(limit int) (text string, truncated bool) {
	if limit <= 0 || limit > t.limit {
		limit = t.limit
	}
	return t.Tail(limit)
}

// Tail is the last limit bytes of what is kept of the output, without regard to
// what the agent wanted of it.
func (t *Terminal) Tail(limit int) (text string, truncated bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.buf.text(limit, t.exited())
}

// Done is closed when the command has ended.
func (t *Terminal) Done() <-chan struct{} { return t.done }

// Over is closed when nothing more can be written: the command and what it left
// running have ended or closed their output.
func (t *Terminal) Over() <-chan struct{} { return t.over }

// Wait returns when the command has ended, or when ctx has.
func (t *Terminal) Wait(ctx context.Context) (Exit, error) {
	select {
	case <-t.done:
		return t.exit, nil
	case <-ctx.Done():
		return Exit{}, ctx.Err()
	}
}

// Kill ends the command with everything that it started, and returns when it
// has ended. It is asked first, and killed where that does not help. Its output
// stays.
func (t *Terminal) Kill() {
	t.ending.Lock()
	defer t.ending.Unlock()
	asked, end := t.group.Ask(), time.Now().Add(graceTerm)
	for wait := time.Millisecond; asked && time.Now().Before(end); wait = min(2*wait, 100*time.Millisecond) {
		if closed(t.gone) && len(t.group.Members()) == 0 {
			break
		}
		time.Sleep(wait) // nothing tells when what it started has ended
	}
	t.group.Kill()
	<-t.done
}

// finish is Kill, and the end of its output.
func (t *Terminal) finish() {
	t.Kill()
	select {
	case <-t.over:
	case <-time.After(graceOutput):
		// Something that cannot be ended holds it open.
		_ = t.out.SetReadDeadline(time.Now())
		<-t.over
	}
	t.group.Close()
}

// errNoProgram says that a program was not found.
var errNoProgram = errors.New("no such program")
