// Package apptest runs the app without a window, for tests: it gets what a page
// would be told, pulls what a page would pull, and waits for facts.
package apptest

import (
	"context"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/data"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/update"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/process"
)

// Main runs the tests of a package that run the app. The program of the tests is
// also the agents and the commands that the app starts; also makes it what else the
// tests need. It fails where a goroutine is left.
func Main(m *testing.M, also ...func()) {
	process.ExecIfRequested()
	environment.PrintIfRequested()
	workspace.DetachIfRequested()
	fakeagent.RunIfRequested()
	if engine.GitHubBase == nil { // an app that a test starts has that of the test
		engine.GitHubBase = func(string) (web, api string) { return "http://127.0.0.1:9", "http://127.0.0.1:9" } // nobody's
	}
	for _, do := range also {
		do()
	}
	// The keyring's connection to the bus and the rotation of a log file are
	// made once and never end; the libraries know no way to end them.
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/godbus/dbus/v5.(*Conn).inWorker"),
		goleak.IgnoreAnyFunction("github.com/godbus/dbus/v5.newConn.func1"),
		goleak.IgnoreAnyFunction("gopkg.in/natefinch/lumberjack%2ev2.(*Logger).millRun"))
}

// Build is what the apps of tests were built with.
var Build = engine.Build{Version: "0.0.0+test"}

// Window is a page without a webview.
type Window struct {
	App *engine.API

	T       *testing.T
	data    http.Handler
	close   func(context.Context) error
	once    sync.Once
	mu      sync.Mutex
	cond    *sync.Cond
	seen    []backend.Event
	save    func(name string) (string, error)
	install func(*update.Package)
}

// Open starts the app on the data directory dir.
func Open(t *testing.T, dir string) *Window {
	t.Helper()
	return OpenWith(t, dir, "/bin/sh") // the files of whoever runs the tests are not read
}

// OpenWith is Open for a user with this login shell.
func OpenWith(t *testing.T, dir, shell string) *Window {
	t.Helper()
	t.Setenv("SHELL", shell)
	w := Watch(t)
	a := w.New(dir)
	w.Begin(a, func(ctx context.Context) error {
		a.BeginClose()
		return a.Close(ctx, func() {})
	})
	return w
}

// New makes an app on dir that w is the window of.
func (w *Window) New(dir string) *engine.API {
	return engine.New(engine.Config{
		Dir: dir, Build: Build, Emit: w.Emit, SaveFile: w.saveFile, Language: func() string { return "" },
		Opened: func(func(...backend.Event)) {}, Closed: func() {}, Install: w.installs, ShowChat: func(chatID string) {
			w.Emit(backend.Batch{Events: []backend.Event{{Navigation: &backend.Navigation{For: backend.NavigateChat, ChatID: chatID}}}})
		},
	})
}

// Watch makes a Window of an app that the caller makes: it is to be told what the
// app emits, and begun.
func Watch(t *testing.T) *Window {
	w := &Window{T: t, save: func(string) (string, error) { return "", nil }, install: func(*update.Package) {}}
	w.cond = sync.NewCond(&w.mu)
	return w
}

// Attach makes w the page of the app, whose database is not open yet. end ends the
// app, at the latest with the test.
func (w *Window) Attach(a *engine.API, end func(context.Context) error) {
	w.App, w.data, w.close = a, data.New(a, Licences), end
	w.T.Cleanup(w.Close)
}

// Begin is Attach, and opens the database; it returns when that was tried.
func (w *Window) Begin(a *engine.API, end func(context.Context) error) {
	w.Attach(a, end)
	a.Start()
	_, _ = a.EngineIn(engine.OpenTime)
}

// Licences is what /data/licences answers from: nothing.
var Licences fs.FS = fstest.MapFS{}

// Close ends the app. It must have ended well.
func (w *Window) Close() {
	w.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), engine.EndTime)
		defer cancel()
		if err := w.close(ctx); err != nil {
			w.T.Error(err)
		}
	})
}

// Emit takes what the app emits.
func (w *Window) Emit(b backend.Batch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, b.Events...)
	w.cond.Broadcast()
}

// Saves has the app's question where to write a file answered.
func (w *Window) Saves(answer func(name string) (path string, err error)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.save = answer
}

func (w *Window) saveFile(name string) (string, error) {
	w.mu.Lock()
	answer := w.save
	w.mu.Unlock()
	return answer(name)
}

// Installs has do called instead of an update being installed.
func (w *Window) Installs(do func(*update.Package)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.install = do
}

func (w *Window) installs(p *update.Package) {
	w.mu.Lock()
	do := w.install
	w.mu.Unlock()
	do(p)
}

// Engine is the open engine of the app.
func (w *Window) Engine() *engine.Engine {
	w.T.Helper()
	e, err := w.App.Engine()
	if err != nil {
		w.T.Fatal(err)
	}
	return e
}

// Until waits for an event that was emitted, or will be, and is as wanted.
func (w *Window) Until(what string, wanted func(backend.Event) bool) backend.Event {
	w.T.Helper()
	late := time.AfterFunc(time.Minute, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.seen = append(w.seen, backend.Event{})
		w.cond.Broadcast()
	})
	defer late.Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := 0; ; i++ {
		for i >= len(w.seen) {
			w.cond.Wait()
		}
		e := w.seen[i]
		if e == (backend.Event{}) {
			w.T.Fatalf("waited in vain: %s", what)
		}
		w.mu.Unlock() // it may ask the app, which emits meanwhile
		found := wanted(e)
		w.mu.Lock()
		if found {
			return e
		}
	}
}

// Events are those that were emitted by now.
func (w *Window) Events() []backend.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.seen)
}

// Asked waits for the nth time that the window is asked to show something.
func (w *Window) Asked(n int) backend.Navigation {
	w.T.Helper()
	return *w.Until("the window is asked to show something", func(e backend.Event) bool {
		if e.Navigation != nil {
			n--
		}
		return n == 0
	}).Navigation
}

// Chat is a new chat that providerID answers.
func (w *Window) Chat(providerID string) backend.Chat {
	w.T.Helper()
	chat, err := w.App.CreateChat(w.T.TempDir(), providerID)
	if err != nil {
		w.T.Fatal(err)
	}
	return chat
}

// Send sends a message in a chat and returns its id.
func (w *Window) Send(chat backend.Chat, text string) (id string) {
	w.T.Helper()
	id, err := w.App.Send(chat.ID, text, nil)
	if err != nil {
		w.T.Fatal(err)
	}
	return id
}

// Done waits until n turns have ended well.
func (w *Window) Done(what string, n int) {
	w.T.Helper()
	ended := map[string]bool{}
	w.Until(what, func(e backend.Event) bool {
		if e.Turn != nil && e.Turn.State != backend.TurnRunning {
			if e.Turn.State != backend.TurnDone {
				w.T.Errorf("a turn ended as %s: %+v", e.Turn.State, e.Turn.Error)
			}
			ended[e.Turn.ID] = true
		}
		return len(ended) == n
	})
}

// Get pulls path of /data into what into points to, as text where that is a *string, and returns the status.
func (w *Window) Get(path string, into any) int {
	w.T.Helper()
	r := httptest.NewRecorder()
	w.data.ServeHTTP(r, httptest.NewRequestWithContext(w.T.Context(), http.MethodGet, path, nil))
	if raw, ok := into.(*string); ok {
		*raw = r.Body.String()
	} else if err := json.Unmarshal(r.Body.Bytes(), into); err != nil {
		w.T.Fatalf("%s: %v in %s", path, err, r.Body)
	}
	return r.Code
}

// Snapshot pulls a snapshot.
func (w *Window) Snapshot(path string) backend.Snapshot {
	w.T.Helper()
	var s backend.Snapshot
	if code := w.Get(path, &s); code != http.StatusOK {
		w.T.Fatalf("%s answers %d", path, code)
	}
	return s
}

// Text is the text of a chat's items of one kind, in order, from a snapshot.
func (w *Window) Text(chatID string, kind backend.ItemKind) (texts []string) {
	w.T.Helper()
	byItem := map[string]string{}
	var order []string
	for _, e := range w.Snapshot("/data/chat?id=" + chatID).Events {
		if e.Item != nil && e.Item.Kind == kind {
			order = append(order, e.Item.ID)
		}
		if e.Text != nil {
			byItem[e.Text.ItemID] += e.Text.Text
		}
	}
	for _, id := range order {
		texts = append(texts, byItem[id])
	}
	return texts
}

// Calls are what something was told, in order.
type Calls struct {
	mu    sync.Mutex
	calls []string
}

// Note adds a call.
func (c *Calls) Note(call string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls, call)
}

// Take is what was told since the last time.
func (c *Calls) Take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	calls := c.calls
	c.calls = nil
	return calls
}
