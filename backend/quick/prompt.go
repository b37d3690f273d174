// Package quick implements the quick prompt: a small window in a separate process, and
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
	"strings"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/internal/atomicfile"
	"github.com/voxpilot/voxpilot/internal/process"
)

// Prompt is the app's side of the quick prompt. The quick prompt runs in a separate process because Wails supports only
// one window per process. The process is started on demand and stays hidden for a while after use. It exits when its
// input is closed, at the latest when the app exits.
type Prompt struct {
	api      *engine.API
	ask      func(backend.Navigation) // makes the app's window navigate
	idleTime time.Duration            // time for which an unused process is kept
	start    func() (*child, error)   // startProcess, except in tests

	mu      sync.Mutex
	process *child        // nil if none is running
	idle    *time.Timer   // stops the process if it stays unused
	opening []func(error) // callers waiting for the window
	text    *string       // unsent text; nil until loaded
	closed  bool
	tasks   sync.WaitGroup // running processes and sends
}

// New creates the quick prompt for the app, without starting its process. The Prompt calls the app through api. It
// makes the app's window navigate by calling the function ask.
func New(api *engine.API, ask func(backend.Navigation)) *Prompt {
	return &Prompt{api: api, ask: ask, idleTime: defaultIdleTime, start: startProcess}
}

const (
	defaultIdleTime = 10 * time.Minute
	openTime        = 30 * time.Second // for opening the window
	writeTime       = 2 * time.Second  // for writing a command
	endTime         = 5 * time.Second  // for the process to exit after its input is closed
)

var errNotOpened = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't open the quick prompt. Use VoxPilot's window instead, and see the log in Settings > Doctor.")}

// Open opens the quick prompt. It returns once the window is visible or has failed to open.
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

// Show makes the quick prompt's process show its window, starting the process if needed. If Show succeeds, it calls the
// callback later, when the window is visible or has failed to open. The callback must not block.
func (q *Prompt) Show(opened func(error)) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot is closing.")}
	}
	q.api.Log.Debug("quick prompt requested", "warm", q.process != nil)
	if q.idle != nil {
		q.idle.Stop()
	}
	show := q.view()
	show.Text = q.savedText()
	if q.process != nil && q.process.language != show.Language { // the language of a page can't change
		q.endProcess()
	}
	order := backend.QuickCommand{Show: &show}
	if q.process == nil || q.process.send(order) != nil {
		q.endProcess()
		p, err := q.start()
		if err != nil {
			q.api.Log.Error("couldn't start the quick prompt", "err", err)
			return errNotOpened
		}
		p.language, q.process = show.Language, p
		q.tasks.Go(func() { q.follow(p) })
		if err := p.send(order); err != nil {
			q.api.Log.Error("couldn't send a command to the quick prompt", "err", err)
			return errNotOpened
		}
	}
	q.opening = append(q.opening, opened)
	return nil
}

// endProcess stops the current process, if any. The caller must hold q.mu.
func (q *Prompt) endProcess() {
	if q.process != nil {
		q.process.end()
		q.process = nil
	}
}

// follow handles the events from a process until it exits.
func (q *Prompt) follow(p *child) {
	lines := bufio.NewReader(p.out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var said backend.QuickEvent
		if err := json.Unmarshal(line, &said); err != nil {
			q.api.Log.Warn("the quick prompt sent invalid JSON", "err", err)
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
		q.api.Log.Warn("quick prompt exited", "err", err)
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
		q.api.Log.Debug("quick prompt shown")
		q.notifyOpened(nil)
	case said.Draft != nil:
		q.saveText(said.Draft.Text)
	case said.Send != nil:
		q.tasks.Go(func() { q.send(p, *said.Send) })
	case said.Open:
		if e, storage := q.api.Current(); e == nil { // the app's window couldn't show the text
			_ = p.send(backend.QuickCommand{Failed: storage.Message}) // if it has exited, the text is stored
			return
		}
		q.ask(backend.Navigation{For: backend.NavigateNewChat, Text: q.savedText()})
		q.accepted(p)
	case said.Closed:
		q.api.Log.Debug("quick prompt closed")
		if q.idle != nil {
			q.idle.Stop()
		}
		q.idle = time.AfterFunc(q.idleTime, func() { q.endIdle(p) })
	}
}

// endIdle stops the process p, which hasn't been used for a while. It does nothing if another process has replaced p.
func (q *Prompt) endIdle(p *child) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.process == p {
		q.endProcess()
	}
}

// notifyOpened calls the callbacks that wait for the window to open, and passes err to each. err is nil if the
// window opened. The caller must hold q.mu.
func (q *Prompt) notifyOpened(err error) {
	for _, opened := range q.opening {
		opened(err)
	}
	q.opening = nil
}

// send sends the user's message to a chat and reports the result to the process p.
func (q *Prompt) send(p *child, m backend.QuickMessage) {
	err := q.api.SendMessage(m, func(backend.Chat) {})
	q.mu.Lock()
	defer q.mu.Unlock()
	if err == nil {
		q.accepted(p)
		return
	}
	q.api.Log.Warn("couldn't send a message from the quick prompt", "err", err)
	q.saveText(m.Text)
	_ = p.send(backend.QuickCommand{Failed: backend.MessageOf(err)}) // if it has exited, the text is stored
}

// accepted clears the saved text and hides the window. It is called when a chat or the app's window has received the
// text. The caller must hold q.mu.
func (q *Prompt) accepted(p *child) {
	q.saveText("")
	_ = p.send(backend.QuickCommand{Sent: true}) // it may have exited
}

// textName is the name of the file that stores the unsent text.
const textName = "quick-prompt.txt"

// maxSavedText is the maximum size of the unsent text in bytes.
const maxSavedText = 4 * backend.MaxPromptBytes

// savedText returns the unsent text, reading it from the file on first use. The caller must hold q.mu.
func (q *Prompt) savedText() string {
	if q.text == nil {
		text, err := os.ReadFile(filepath.Join(q.api.Dir, textName))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			q.api.Log.Warn("couldn't read the text of the quick prompt", "err", err)
		}
		// The limit may cut a character in the middle.
		saved := strings.ToValidUTF8(string(text[:min(len(text), maxSavedText)]), "")
		q.text = &saved
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
		q.api.Log.Warn("couldn't save the text of the quick prompt", "err", err)
	}
}

// Close stops the process and returns when it has exited and all sends are done.
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

// child is a running quick prompt process.
type child struct {
	in        io.WriteCloser
	out       io.Reader
	wait      func() error // waits for the exit, after all output has been read
	kill      func()
	language  string      // of the process's page
	idleTimer *time.Timer // kills the process if it doesn't exit; nil while it should run
}

// send sends a command to the process.
func (p *child) send(o backend.QuickCommand) error {
	line, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if in, ok := p.in.(interface{ SetWriteDeadline(at time.Time) error }); ok {
		_ = in.SetWriteDeadline(time.Now().Add(writeTime)) // so that a hanging process doesn't block the app
	}
	_, err = p.in.Write(append(line, '\n'))
	return err
}

// end closes the process's input, which makes it exit, and kills the process if it doesn't exit within endTime. The
// caller must hold the Prompt's mu.
func (p *child) end() {
	if p.idleTimer == nil {
		_ = p.in.Close()
		p.idleTimer = time.AfterFunc(endTime, p.kill)
	}
}

// startProcess starts a quick prompt process.
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
	read := make(chan struct{}) // Wait closes the output, so it must come after reading
	go func() {
		runtime.LockOSThread() // on Linux, the process is killed when its parent thread exits
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
