// Package apptest runs the app without a window, for tests: it receives the events that
// the app sends to the page, reads /data as the page does, and waits for events.
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
	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/backend/update"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/process"
)

// Main implements TestMain for packages whose tests start the app. The test binary also serves as the agents and
// commands that the app starts. Each function in runIfRequested must check whether the binary was started as one of
// them and, if so, run it and exit. Main fails if goroutines leak.
func Main(m *testing.M, runIfRequested ...func()) {
	guard.RunIfRequested()
	process.ExecIfRequested()
	environment.PrintIfRequested()
	workspace.DetachIfRequested()
	fakeagent.RunIfRequested()
	if engine.GitHubBase == nil { // not set to a fake GitHub by the test that started this process
		engine.GitHubBase = func(string) (web, api string) { return "http://127.0.0.1:9", "http://127.0.0.1:9" } // nothing listens there
	}
	for _, do := range runIfRequested {
		do()
	}
	// The keyring's bus connection and the rotation of a log file are created once and
	// never end; the libraries offer no way to stop them.
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/godbus/dbus/v5.(*Conn).inWorker"),
		goleak.IgnoreAnyFunction("github.com/godbus/dbus/v5.newConn.func1"),
		goleak.IgnoreAnyFunction("gopkg.in/natefinch/lumberjack%2ev2.(*Logger).millRun"))
}

// Build is the build information of the apps that tests run.
var Build = engine.Build{Version: "0.0.0+test"}

// Window stands in for the app's page and needs no webview.
type Window struct {
	App *engine.API

	T       *testing.T
	data    http.Handler
	close   func(context.Context) error
	once    sync.Once
	mu      sync.Mutex
	cond    *sync.Cond
	events  []backend.Event
	save    func(name string) (string, error)
	install func(*update.Package)
}

// Open starts the app with the data directory dir.
func Open(t *testing.T, dir string) *Window {
	t.Helper()
	return OpenWith(t, dir, "/bin/sh") // doesn't read the user's own shell files
}

// OpenWith is like Open, with the given login shell.
func OpenWith(t *testing.T, dir, shell string) *Window {
	t.Helper()
	t.Setenv("SHELL", shell)
	w := NewWindow(t)
	a := w.NewAPI(dir)
	w.Start(a, func(ctx context.Context) error {
		a.BeginClose()
		return a.Close(ctx, func() {})
	})
	return w
}

// NewAPI returns an API that uses dir as its data directory and sends its events to w.
func (w *Window) NewAPI(dir string) *engine.API {
	return engine.New(engine.Config{
		Dir: dir, Build: Build, Emit: w.Emit, SaveFile: w.saveFile, Language: func() string { return "" },
		Opened: func(func(...backend.Event)) {}, Closed: func() {}, Install: w.installs, ShowChat: func(chatID string) {
			w.Emit(backend.Batch{Events: []backend.Event{{Navigation: &backend.Navigation{For: backend.NavigateChat, ChatID: chatID}}}})
		},
	})
}

// NewWindow returns a Window for an app that the caller creates. The caller must pass the
// app's events to Emit and call Start or Attach.
func NewWindow(t *testing.T) *Window {
	w := &Window{T: t, save: func(string) (string, error) { return "", nil }, install: func(*update.Package) {}}
	w.cond = sync.NewCond(&w.mu)
	return w
}

// Attach connects w to an app whose database isn't open yet. When the test ends, the given function is called to stop
// the app, unless Close has already called it.
func (w *Window) Attach(a *engine.API, end func(context.Context) error) {
	w.App, w.data, w.close = a, data.New(a, Licenses), end
	w.T.Cleanup(w.Close)
}

// Start calls Attach and opens the database. It returns when opening has succeeded or failed.
func (w *Window) Start(a *engine.API, end func(context.Context) error) {
	w.Attach(a, end)
	a.Start()
	_, _ = a.EngineIn(engine.OpenTime)
}

// Licenses is the file system with the licenses for /data/licences. It is empty unless a test sets it.
var Licenses fs.FS = fstest.MapFS{}

// Close stops the app and fails the test on an error.
func (w *Window) Close() {
	w.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), engine.EndTime)
		defer cancel()
		if err := w.close(ctx); err != nil {
			w.T.Error(err)
		}
	})
}

// Emit receives a batch of events from the app.
func (w *Window) Emit(b backend.Batch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, b.Events...)
	w.cond.Broadcast()
}

// OnSaveFile sets the function that answers the app's save file dialogs.
func (w *Window) OnSaveFile(answer func(name string) (path string, err error)) {
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

// OnInstall makes the app call the given function instead of installing the update.
func (w *Window) OnInstall(do func(*update.Package)) {
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

// Engine returns the open engine of the app.
func (w *Window) Engine() *engine.Engine {
	w.T.Helper()
	e, err := w.App.Engine()
	if err != nil {
		w.T.Fatal(err)
	}
	return e
}

// WaitFor waits for an event, past or future, for which wanted returns true, and returns it. If none arrives within
// five minutes, it fails the test. The parameter what describes the event in the failure message.
func (w *Window) WaitFor(what string, wanted func(backend.Event) bool) backend.Event {
	w.T.Helper()
	late := time.AfterFunc(5*time.Minute, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.events = append(w.events, backend.Event{})
		w.cond.Broadcast()
	})
	defer late.Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := 0; ; i++ {
		for i >= len(w.events) {
			w.cond.Wait()
		}
		e := w.events[i]
		if e == (backend.Event{}) {
			w.T.Fatalf("timed out waiting for: %s", what)
		}
		w.mu.Unlock() // wanted may call the app, which emits events
		found := wanted(e)
		w.mu.Lock()
		if found {
			return e
		}
	}
}

// Events returns the events emitted so far.
func (w *Window) Events() []backend.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.events)
}

// WaitForNavigation waits for the app's nth navigation request to the window and returns it.
func (w *Window) WaitForNavigation(n int) backend.Navigation {
	w.T.Helper()
	return *w.WaitFor("the window is asked to show something", func(e backend.Event) bool {
		if e.Navigation != nil {
			n--
		}
		return n == 0
	}).Navigation
}

// Chat creates a chat that uses the provider with the given id.
func (w *Window) Chat(providerID string) backend.Chat {
	w.T.Helper()
	chat, err := w.App.CreateChat(w.T.TempDir(), providerID)
	if err != nil {
		w.T.Fatal(err)
	}
	return chat
}

// Send sends a message in a chat and returns the message's id.
func (w *Window) Send(chat backend.Chat, text string) (id string) {
	w.T.Helper()
	id, err := w.App.Send(chat.ID, text, nil)
	if err != nil {
		w.T.Fatal(err)
	}
	return id
}

// WaitForDone waits until n turns have ended. It fails the test if one of them didn't succeed, or on a timeout. The
// parameter what describes the turns in the message about a timeout.
func (w *Window) WaitForDone(what string, n int) {
	w.T.Helper()
	ended := map[string]bool{}
	w.WaitFor(what, func(e backend.Event) bool {
		if e.Turn != nil && e.Turn.State != backend.TurnRunning {
			if e.Turn.State != backend.TurnDone {
				w.T.Errorf("a turn ended as %s: %+v", e.Turn.State, e.Turn.Error)
			}
			ended[e.Turn.ID] = true
		}
		return len(ended) == n
	})
}

// Get reads a /data path and returns the HTTP status. It decodes the JSON in the response into *into. If into is a
// *string, it stores the response as text instead.
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

// Snapshot reads the snapshot at a /data path.
func (w *Window) Snapshot(path string) backend.Snapshot {
	w.T.Helper()
	var s backend.Snapshot
	if code := w.Get(path, &s); code != http.StatusOK {
		w.T.Fatalf("%s answers %d", path, code)
	}
	return s
}

// Text returns the texts of all items of the given kind in a chat's newest page, in order.
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

// Recorder records the names of calls in order. It is safe for concurrent use.
type Recorder struct {
	mu    sync.Mutex
	calls []string
}

// Record records a call.
func (c *Recorder) Record(call string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls, call)
}

// Take returns and clears the recorded calls.
func (c *Recorder) Take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	calls := c.calls
	c.calls = nil
	return calls
}
