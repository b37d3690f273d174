// Package quick is the quick prompt: a small window in a process of its own, and
// the app's side of it.
package quick

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
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/internal/atomicfile"
	"github.com/voxpilot/voxpilot/internal/process"
)

// Prompt is the app's side of the quick prompt: a small process of its own, since
// Wails has one window in each. It is started when it is wanted, stays hidden for
// a while after it was used, and ends with this one: its input ends then.
type Prompt struct {
	api      *engine.API
	ask      func(backend.Navigation) // has the window show something
	idleTime time.Duration            // how long the process is kept after it was used
	start    func() (*child, error)   // startQuick

	mu      sync.Mutex
	process *child        // nil where none runs
	idle    *time.Timer   // ends it
	opening []func(error) // who waits for the window
	text    *string       // what was not sent; nil while it was not read
	closed  bool
	tasks   sync.WaitGroup // of processes that run, and of what they send
}

// New is the quick prompt of an app, without a process yet. ask has its window
// show something.
func New(api *engine.API, ask func(backend.Navigation)) *Prompt {
	return &Prompt{api: api, ask: ask, idleTime: defaultIdleTime, start: startProcess}
}

const (
	defaultIdleTime = 10 * time.Minute
	openTime        = 30 * time.Second // for the window to be there
	writeTime       = 2 * time.Second  // for an order to be taken
	endTime         = 5 * time.Second  // for the process to end after its input
)

var errNotOpened = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't open the quick prompt. Use VoxPilot's window instead, and see the log for details.")}

// Open opens the quick prompt, and returns when it is there.
func (q *Prompt) Open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	opened := make(chan error, 1)
	if err := q.Show(func(err error) { opened <- err }); err != nil {
		return err
	}
	select {
	case err := <-opened:
		return err
	case <-ctx.Done():
		return errNotOpened
	}
}

// Show has the process show its window, and starts it where none runs. opened is
// told when the window is there, or why it is not; it must not block.
func (q *Prompt) Show(opened func(error)) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot is closing.")}
	}
	q.api.Log.Debug("the quick prompt is asked for", "warm", q.process != nil)
	if q.idle != nil {
		q.idle.Stop()
	}
	show := q.view()
	show.Text = q.savedText()
	if q.process != nil && q.process.language != show.Language { // a page speaks one language
		q.endProcess()
	}
	order := backend.QuickCommand{Show: &show}
	if q.process == nil || q.process.send(order) != nil {
		q.endProcess()
		p, err := q.start()
		if err != nil {
			q.api.Log.Error("the quick prompt cannot be started", "err", err)
			return errNotOpened
		}
		p.language, q.process = show.Language, p
		q.tasks.Go(func() { q.follow(p) })
		if err := p.send(order); err != nil {
			q.api.Log.Error("the quick prompt takes no order", "err", err)
			return errNotOpened
		}
	}
	q.opening = append(q.opening, opened)
	return nil
}

// endProcess ends the process that runs, if any.
func (q *Prompt) endProcess() {
	if q.process != nil {
		q.process.end()
		q.process = nil
	}
}

// follow does what a process says until it has ended.
func (q *Prompt) follow(p *child) {
	lines := bufio.NewReader(p.out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var said backend.QuickEvent
		if err := json.Unmarshal(line, &said); err != nil {
			q.api.Log.Warn("the quick prompt says what is no JSON", "err", err)
			continue
		}
		q.handle(p, said)
	}
	q.mu.Lock()
	p.end()
	q.mu.Unlock()
	err := p.wait()
	p.idleTimer.Stop()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.process == p {
		q.process = nil
		q.notifyOpened(errNotOpened)
	}
	if err != nil {
		q.api.Log.Warn("the quick prompt has ended", "err", err)
	}
}

func (q *Prompt) handle(p *child, said backend.QuickEvent) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.process != p {
		return
	}
	switch {
	case said.Shown:
		q.api.Log.Debug("the quick prompt is shown")
		q.notifyOpened(nil)
	case said.Draft != nil:
		q.saveText(said.Draft.Text)
	case said.Send != nil:
		q.tasks.Go(func() { q.send(p, *said.Send) })
	case said.Open:
		if e, storage := q.api.Current(); e == nil { // no window could show the text
			_ = p.send(backend.QuickCommand{Failed: storage.Message}) // where it has ended, the text is kept
			return
		}
		q.ask(backend.Navigation{For: backend.NavigateNewChat, Text: q.savedText()})
		q.accepted(p)
	case said.Closed:
		q.api.Log.Debug("the quick prompt is closed")
		if q.idle != nil {
			q.idle.Stop()
		}
		q.idle = time.AfterFunc(q.idleTime, func() { q.endIdle(p) })
	}
}

// endIdle ends a process that was not used for long.
func (q *Prompt) endIdle(p *child) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.process == p {
		q.endProcess()
	}
}

// notifyOpened tells those who wait for the window.
func (q *Prompt) notifyOpened(err error) {
	for _, opened := range q.opening {
		opened(err)
	}
	q.opening = nil
}

// send sends what the user wrote, and tells the process whether that was taken.
func (q *Prompt) send(p *child, m backend.QuickMessage) {
	err := q.api.SendMessage(m, func(backend.Chat) {})
	q.mu.Lock()
	defer q.mu.Unlock()
	if err == nil {
		q.accepted(p)
		return
	}
	q.api.Log.Warn("a message of the quick prompt could not be sent", "err", err)
	q.saveText(m.Text)
	_ = p.send(backend.QuickCommand{Failed: backend.MessageOf(err)}) // where it has ended, the text is kept
}

// accepted has the window go away: its text is in a chat now.
func (q *Prompt) accepted(p *child) {
	q.saveText("")
	_ = p.send(backend.QuickCommand{Sent: true}) // where it has ended, nothing is to be told
}

// textName is the file of the text that was not sent.
const textName = "quick-prompt.txt"

// maxSavedText bounds it.
const maxSavedText = 4 * backend.MaxPromptBytes

// savedText is the text that was not sent.
func (q *Prompt) savedText() string {
	if q.text == nil {
		text, err := os.ReadFile(filepath.Join(q.api.Dir, textName))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			q.api.Log.Warn("the text of the quick prompt cannot be read", "err", err)
		}
		kept := string(text[:min(len(text), maxSavedText)])
		q.text = &kept
	}
	return *q.text
}

func (q *Prompt) saveText(text string) {
	if text == q.savedText() || len(text) > maxSavedText {
		return
	}
	q.text = &text
	path := filepath.Join(q.api.Dir, textName)
	var err error
	if text == "" {
		err = os.Remove(path)
	} else {
		err = atomicfile.Write(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		q.api.Log.Warn("the text of the quick prompt is not kept", "err", err)
	}
}

// Close ends the process, and returns when it has ended and nothing is sent any
// more.
func (q *Prompt) Close() {
	q.mu.Lock()
	q.closed = true
	if q.idle != nil {
		q.idle.Stop()
	}
	q.endProcess()
	q.notifyOpened(errNotOpened)
	q.mu.Unlock()
	q.tasks.Wait()
}

// child is a process of the quick prompt.
type child struct {
	in        io.WriteCloser
	out       io.Reader
	wait      func() error // until it has ended, once nothing more is to be read
	kill      func()
	language  string      // of its page
	idleTimer *time.Timer // kills it where it does not end; nil while it is to run
}

// send gives it an order.
func (p *child) send(o backend.QuickCommand) error {
	line, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if in, ok := p.in.(interface{ SetWriteDeadline(at time.Time) error }); ok {
		_ = in.SetWriteDeadline(time.Now().Add(writeTime)) // one that hangs does not hang the app
	}
	_, err = p.in.Write(append(line, '\n'))
	return err
}

// end ends it: it goes when its input does, or is killed.
func (p *child) end() {
	if p.idleTimer == nil {
		_ = p.in.Close()
		p.idleTimer = time.AfterFunc(endTime, p.kill)
	}
}

// startProcess starts the process of the quick prompt.
func startProcess() (*child, error) {
	cmd, err := process.SelfCommand(arg)
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
	cmd.Env = environ(os.Environ())
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
	return &child{
		in: in, out: out, kill: func() { _ = cmd.Process.Kill() },
		wait: func() error { close(read); return <-ended },
	}, nil
}
