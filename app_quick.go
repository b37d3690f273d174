package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/process"
)

// QuickPrompt opens the quick prompt, as its global shortcut does.
func (a *App) QuickPrompt() error { return a.quick.show(func(error) {}) }

// quick is the app's side of the quick prompt: a small process of its own, since
// Wails has one window in each. It is started when it is wanted, stays hidden for
// a while after it was used, and ends with this one: its input ends then.
type quick struct {
	app   *App
	keep  time.Duration                 // how long the process is kept after it was used
	start func() (*quickProcess, error) // startQuick

	mu      sync.Mutex
	process *quickProcess // nil where none runs
	idle    *time.Timer   // ends it
	opening []func(error) // who waits for the window
	text    *string       // what was not sent; nil while it was not read
	closed  bool
	tasks   sync.WaitGroup // of processes that run, and of what they send
}

// newQuick is the quick prompt of a, without a process yet.
func newQuick(a *App) *quick { return &quick{app: a, keep: quickKept, start: startQuick} }

const (
	quickKept   = 10 * time.Minute
	quickTime   = 30 * time.Second // for the window to be there
	quickWrites = 2 * time.Second  // for an order to be taken
	quickEnds   = 5 * time.Second  // for the process to end after its input
)

var errNoQuick = &backend.Error{Code: backend.CodeUnavailable, Message: "The quick prompt could not be opened. VoxPilot's window works; its log says more."}

// open opens the quick prompt, and returns when it is there.
func (q *quick) open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, quickTime)
	defer cancel()
	opened := make(chan error, 1)
	if err := q.show(func(err error) { opened <- err }); err != nil {
		return err
	}
	select {
	case err := <-opened:
		return err
	case <-ctx.Done():
		return errNoQuick
	}
}

// show has the process show its window, and starts it where none runs. opened is
// told when the window is there, or why it is not; it must not block.
func (q *quick) show(opened func(error)) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return &backend.Error{Code: backend.CodeUnavailable, Message: "VoxPilot is closing."}
	}
	q.app.log.Debug("the quick prompt is asked for", "warm", q.process != nil)
	if q.idle != nil {
		q.idle.Stop()
	}
	show := q.app.quickShow()
	show.Text = q.kept()
	if q.process != nil && q.process.language != show.Language { // a page speaks one language
		q.drop()
	}
	order := backend.QuickOrder{Show: &show}
	if q.process == nil || q.process.tell(order) != nil {
		q.drop()
		p, err := q.start()
		if err != nil {
			q.app.log.Error("the quick prompt cannot be started", "err", err)
			return errNoQuick
		}
		p.language, q.process = show.Language, p
		q.tasks.Go(func() { q.follow(p) })
		if err := p.tell(order); err != nil {
			q.app.log.Error("the quick prompt takes no order", "err", err)
			return errNoQuick
		}
	}
	q.opening = append(q.opening, opened)
	return nil
}

// drop ends the process that runs, if any.
func (q *quick) drop() {
	if q.process != nil {
		q.process.end()
		q.process = nil
	}
}

// follow does what a process says until it has ended.
func (q *quick) follow(p *quickProcess) {
	lines := bufio.NewReader(p.out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var said backend.QuickSaid
		if err := json.Unmarshal(line, &said); err != nil {
			q.app.log.Warn("the quick prompt says what is no JSON", "err", err)
			continue
		}
		q.hear(p, said)
	}
	q.mu.Lock()
	p.end()
	q.mu.Unlock()
	err := p.wait()
	p.late.Stop()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.process == p {
		q.process = nil
		q.opened(errNoQuick)
	}
	if err != nil {
		q.app.log.Warn("the quick prompt has ended", "err", err)
	}
}

func (q *quick) hear(p *quickProcess, said backend.QuickSaid) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.process != p {
		return
	}
	switch {
	case said.Shown:
		q.app.log.Debug("the quick prompt is shown")
		q.opened(nil)
	case said.Draft != nil:
		q.keepText(said.Draft.Text)
	case said.Send != nil:
		q.tasks.Go(func() { q.send(p, *said.Send) })
	case said.Open && q.app.openEngine() == nil: // no window could show the text
		q.app.mu.Lock()
		why := q.app.storage.Message
		q.app.mu.Unlock()
		_ = p.tell(backend.QuickOrder{Failed: why}) // where it has ended, the text is kept
	case said.Open:
		q.app.showAsked(backend.Asked{For: backend.AskedNewChat, Text: q.kept()})
		q.taken(p)
	case said.Closed:
		q.app.log.Debug("the quick prompt is closed")
		if q.idle != nil {
			q.idle.Stop()
		}
		q.idle = time.AfterFunc(q.keep, func() { q.unused(p) })
	}
}

// unused ends a process that was not used for long.
func (q *quick) unused(p *quickProcess) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.process == p {
		q.drop()
	}
}

// opened tells those who wait for the window.
func (q *quick) opened(err error) {
	for _, opened := range q.opening {
		opened(err)
	}
	q.opening = nil
}

// send sends what the user wrote, and tells the process whether that was taken.
func (q *quick) send(p *quickProcess, m backend.QuickMessage) {
	err := q.app.sendMessage(m, func(backend.Chat) {})
	q.mu.Lock()
	defer q.mu.Unlock()
	if err == nil {
		q.taken(p)
		return
	}
	q.app.log.Warn("a message of the quick prompt could not be sent", "err", err)
	q.keepText(m.Text)
	_ = p.tell(backend.QuickOrder{Failed: err.Error()}) // where it has ended, the text is kept
}

// taken has the window go away: its text is in a chat now.
func (q *quick) taken(p *quickProcess) {
	q.keepText("")
	_ = p.tell(backend.QuickOrder{Sent: true}) // where it has ended, nothing is to be told
}

// textName is the file of the text that was not sent.
const textName = "quick-prompt.txt"

// maxKept bounds it.
const maxKept = 4 * backend.MaxPromptBytes

// kept is the text that was not sent.
func (q *quick) kept() string {
	if q.text == nil {
		text, err := os.ReadFile(filepath.Join(q.app.dir, textName))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			q.app.log.Warn("the text of the quick prompt cannot be read", "err", err)
		}
		kept := string(text[:min(len(text), maxKept)])
		q.text = &kept
	}
	return *q.text
}

func (q *quick) keepText(text string) {
	if text == q.kept() || len(text) > maxKept {
		return
	}
	q.text = &text
	path := filepath.Join(q.app.dir, textName)
	var err error
	if text == "" {
		err = os.Remove(path)
	} else {
		err = replaceFile(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		q.app.log.Warn("the text of the quick prompt is not kept", "err", err)
	}
}

// close ends the process, and returns when it has ended and nothing is sent any
// more.
func (q *quick) close() {
	q.mu.Lock()
	q.closed = true
	if q.idle != nil {
		q.idle.Stop()
	}
	q.drop()
	q.opened(errNoQuick)
	q.mu.Unlock()
	q.tasks.Wait()
}

// quickProcess is a process of the quick prompt.
type quickProcess struct {
	in       io.WriteCloser
	out      io.Reader
	wait     func() error // until it has ended, once nothing more is to be read
	kill     func()
	language string      // of its page
	late     *time.Timer // kills it where it does not end; nil while it is to run
}

// tell gives it an order.
func (p *quickProcess) tell(o backend.QuickOrder) error {
	line, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if in, ok := p.in.(interface{ SetWriteDeadline(at time.Time) error }); ok {
		_ = in.SetWriteDeadline(time.Now().Add(quickWrites)) // one that hangs does not hang the app
	}
	_, err = p.in.Write(append(line, '\n'))
	return err
}

// end ends it: it goes when its input does, or is killed.
func (p *quickProcess) end() {
	if p.late == nil {
		_ = p.in.Close()
		p.late = time.AfterFunc(quickEnds, p.kill)
	}
}

// startQuick starts the process of the quick prompt.
func startQuick() (*quickProcess, error) {
	cmd, err := process.Again(quickArg)
	if err != nil {
		return nil, err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	cmd.Env = quickEnv(os.Environ())
	started, ended := make(chan error), make(chan error, 1)
	read := make(chan struct{}) // Wait closes what is read, so it comes after that
	go func() {
		runtime.LockOSThread() // on Linux the process is told to end with the thread that started it
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			<-read
			ended <- cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return &quickProcess{
		in: in, out: out, kill: func() { _ = cmd.Process.Kill() },
		wait: func() error { close(read); return <-ended },
	}, nil
}
