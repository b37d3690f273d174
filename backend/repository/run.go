package repository

import (
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
	"github.com/voxpilot/voxpilot/internal/process"
)

// graceTerm is the time within which a canceled program must exit before it is killed. graceOutput is the time for
// which run waits for the end of the output after the program has exited. The output can continue because a child process
// may still have it open.
const (
	graceTerm   = 2 * time.Second
	graceOutput = 250 * time.Millisecond
)

// markVar is the environment variable that marks a program and all processes that it starts, even those that leave its
// session.
const markVar = "VOXPILOT_GIT"

// program is a program to run in its own session without a terminal. It may start other programs.
type program struct {
	path   string
	args   []string
	dir    string
	env    []string
	input  *os.File  // nil for none
	stdout io.Writer // standard output; if it is nil, output receives it
	output io.Writer // receives the output of the program and of those that it starts, possibly even after run has returned
}

// run runs the program and returns its exit code. When ctx ends, run ends the program and all processes that it has
// started, and returns the error of ctx. run first asks them to exit, and then kills those that are left. Any other
// error means that the program couldn't be started.
func (p program) run(ctx context.Context) (code int, err error) {
	argv := append(process.Through(), append([]string{p.path}, p.args...)...)
	cmd := exec.Command(argv[0], argv[1:]...) //nolint:noctx // stopped through its process group
	cmd.Dir = p.dir
	mark := markVar + "=" + backend.NewID()
	cmd.Env = append(p.env, mark)
	if p.input != nil {
		cmd.Stdin = p.input
	}
	detached(cmd)
	exited := make(chan struct{})
	group := process.Group{Variable: mark, Exited: exited}
	out, err := newPipe(p.output)
	if err != nil {
		return -1, err
	}
	cmd.Stdout, cmd.Stderr = out.w, out.w
	pipes := []*pipe{out}
	if p.stdout != nil {
		own, err := newPipe(p.stdout)
		if err != nil {
			out.close()
			return -1, err
		}
		cmd.Stdout = own.w
		pipes = append(pipes, own)
	}
	started := make(chan error)
	go func() {
		// The goroutine stays on the thread that starts the program (see process.DieWithParent).
		unlock := process.LockThread()
		defer unlock()
		err := cmd.Start()
		if err == nil {
			err = group.Adopt(cmd)
		}
		started <- err
		if err == nil {
			_ = cmd.Wait()
			group.Ended = time.Now()
			close(exited)
		}
	}()
	if err := <-started; err != nil {
		for _, p := range pipes {
			p.close()
		}
		return -1, err
	}
	for _, p := range pipes {
		p.read()
	}
	select {
	case <-exited:
	case <-ctx.Done():
		stop(&group, exited)
		<-exited
	}
	for _, p := range pipes {
		p.wait(ctx)
	}
	group.Close() // on Windows, this also ends processes that the program left behind
	return cmd.ProcessState.ExitCode(), ctx.Err()
}

// stop ends the processes of a group. It first asks them to exit, so that git can remove its lock files. After
// graceTerm, it kills those that are left.
func stop(group *process.Group, exited <-chan struct{}) {
	asked, end := group.Ask(), time.Now().Add(graceTerm)
	for wait := time.Millisecond; asked && time.Now().Before(end); wait = min(2*wait, 50*time.Millisecond) {
		select {
		case <-exited:
			if len(group.Members()) == 0 {
				return
			}
		default:
		}
		time.Sleep(wait) // there is no event for the exit of child processes
	}
	group.Kill()
}

// pipe passes the output of a program to a writer.
type pipe struct {
	r, w *os.File
	to   io.Writer
	done chan struct{}
}

func newPipe(to io.Writer) (*pipe, error) {
	r, w, err := os.Pipe()
	return &pipe{r: r, w: w, to: to, done: make(chan struct{})}, err
}

// read starts to copy the output to the writer in the background. It must be called after the program was started.
func (p *pipe) read() {
	_ = p.w.Close()
	go func() {
		defer close(p.done)
		_, _ = io.Copy(p.to, p.r)
		_ = p.r.Close()
	}()
}

// wait waits until the output has ended, but no longer than graceOutput. Copying then continues in the background, so
// that a process that a hook left behind can still write its output. If ctx has ended, however, wait stops the copying.
func (p *pipe) wait(ctx context.Context) {
	select {
	case <-p.done:
		return
	case <-time.After(graceOutput):
	}
	if ctx.Err() != nil {
		_ = p.r.SetReadDeadline(time.Now())
		<-p.done
	}
}

func (p *pipe) close() {
	_, _ = p.w.Close(), p.r.Close()
}

// tail is a writer that keeps only the end of the text written to it, as valid UTF-8. It is safe for concurrent use.
type tail struct {
	mu      sync.Mutex
	most    int // maximum size of the end in bytes
	buf     []byte
	lost    bool
	changed func()
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	t.buf = append(t.buf, p...)
	if len(t.buf) > 2*t.most {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-t.most:]...)
		t.lost = true
	}
	t.mu.Unlock()
	if t.changed != nil {
		t.changed()
	}
	return len(p), nil
}

// String returns the end of the text, at most t.most bytes. If the beginning of the text is missing, the result starts
// with a whole line if possible.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.ToValidUTF8(string(t.buf), "\uFFFD")
	if len(text) <= t.most && !t.lost {
		return text
	}
	text = excerpt.Tail(text, t.most)
	if _, rest, ok := strings.Cut(text, "\n"); ok && rest != "" {
		return rest
	}
	return text
}
