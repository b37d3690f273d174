package agent_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/agent/replay"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// patience is the maximum time that a test waits for an expected event. It only limits how long a failing test
// hangs; it isn't used for measurements.
const patience = 60 * time.Second

// env simulates the app around one agent: it records published events and answers requests.
type env struct {
	t      *testing.T
	folder string
	home   string
	agent  *agent.Agent

	mu      sync.Mutex
	changed chan struct{} // closed and replaced on each event
	turns   []*turn
	events  []backend.Event
	asks    chan pendingRequest // requests for which the env has no policy
	policy  func(p backend.Permission) (optionKind string)
	fail    error // the error that Commit returns, or nil
	log     *strings.Builder
	restart func() // calls open with the original arguments

	traits                  // of the agent
	model  *practice.Server // the agent's model, if it uses one
}

// pendingRequest is a permission request waiting for the test's answer.
type pendingRequest struct {
	permission backend.Permission
	ctx        context.Context
	answer     chan string // the kind of the option; "" means no decision
}

// newEnv returns an env with an agent in a new folder. The change function adjusts the agent's Config and may be
// nil.
func newEnv(t *testing.T, launch func(w *env) agent.Launch, change func(*env, *agent.Config)) *env {
	t.Helper()
	w := newEmptyEnv(t)
	w.open(launch, change)
	return w
}

// newEmptyEnv returns an env without an agent.
func newEmptyEnv(t *testing.T) *env {
	t.Helper()
	return &env{
		t: t, folder: t.TempDir(), home: t.TempDir(),
		changed: make(chan struct{}), asks: make(chan pendingRequest, 20), log: &strings.Builder{},
	}
}

// open creates the env's agent, as the app does when it starts.
func (w *env) open(launch func(w *env) agent.Launch, change func(*env, *agent.Config)) {
	w.t.Helper()
	cfg := agent.Config{
		ChatID: "chat", Folder: w.folder, Version: "test", Sessions: w.sessions(),
		Launch:  func(context.Context) (agent.Launch, *agent.LaunchError) { return launch(w), nil },
		Publish: w.publish, Commit: w.commit, Ask: w.ask,
		Log: slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	if change != nil {
		change(w, &cfg)
	}
	a := agent.New(cfg)
	w.agent = a
	w.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := a.Close(ctx); err != nil {
			w.t.Error(err)
		}
		if w.t.Failed() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.t.Log(w.log.String())
		}
	})
}

// close shuts the app down.
func (w *env) close() {
	w.t.Helper()
	if err := w.agent.Close(context.Background()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *env) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.Write(p)
}

// fake returns a function that returns a Launch for the fake agent with script s.
func fake(s fakeagent.Script) func(*env) agent.Launch {
	return func(w *env) agent.Launch {
		path, args, env := fakeagent.Command(s)
		return agent.Launch{Path: path, Args: args, Env: append(append(os.Environ(), env...), "COPILOT_HOME="+w.home), Home: w.home}
	}
}

func (w *env) publish(events ...backend.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, events...)
	close(w.changed)
	w.changed = make(chan struct{})
}

func (w *env) commit(_ context.Context, events ...backend.Event) error {
	w.mu.Lock()
	fail := w.fail
	w.mu.Unlock()
	if fail == nil {
		w.publish(events...)
	}
	return fail
}

var decisions = map[backend.OptionKind]backend.Decision{
	backend.OptionAllowOnce:    backend.DecisionAllowedOnce,
	backend.OptionAllowAlways:  backend.DecisionAlwaysAllowed,
	backend.OptionRejectOnce:   backend.DecisionRejected,
	backend.OptionRejectAlways: backend.DecisionRejected,
}

func (w *env) ask(ctx context.Context, p backend.Permission) (backend.Permission, bool) {
	w.publish(backend.Event{Permission: &p})
	var kind string
	w.mu.Lock()
	policy := w.policy
	if policy != nil {
		kind = policy(p)
	}
	w.mu.Unlock()
	if policy == nil {
		to := make(chan string, 1)
		w.asks <- pendingRequest{p, ctx, to}
		select {
		case kind = <-to:
		case <-ctx.Done():
			return p, false
		}
	}
	for _, o := range p.Options {
		if string(o.Kind) == kind {
			p.OptionID, p.Decision = o.ID, decisions[o.Kind]
			return p, true
		}
	}
	return p, false
}

func alwaysChoose(kind string) func(backend.Permission) string {
	return func(backend.Permission) string { return kind }
}

func (w *env) setPolicy(kind string) { w.decide(alwaysChoose(kind)) }

// decide answers all further permission requests, one after another, with options of the kinds that policy returns.
func (w *env) decide(policy func(backend.Permission) string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.policy = policy
}

// history returns the session's transcript as a list of turns.
func (w *env) history(_ context.Context, name string) (list []replay.Exchange, _ error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, tu := range w.turns {
		if tu.session != name || tu.state == "" {
			continue
		}
		e := replay.Exchange{Prompt: tu.prompt, State: tu.state}
		messages := map[string]bool{}
		for _, ev := range w.events {
			switch {
			case ev.Item != nil && ev.Item.TurnID == tu.id && ev.Item.Kind == backend.ItemMessage:
				messages[ev.Item.ID] = true
			case ev.Text != nil && messages[ev.Text.ItemID]:
				e.Answer += ev.Text.Text
			}
		}
		list = append(list, e)
	}
	return list, nil
}

// waitFor waits until the events so far meet the given condition.
func (w *env) waitFor(what string, see func(events []backend.Event) bool) {
	w.t.Helper()
	late := time.After(patience)
	for {
		w.mu.Lock()
		ok, grew := see(w.events), w.changed
		w.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-grew:
		case <-late:
			w.t.Fatalf("timed out waiting for %s; connection: %+v", what, w.agent.Connection())
		}
	}
}

func (w *env) waitForState(s backend.ConnectionState) backend.Connection {
	w.t.Helper()
	w.waitFor("the state "+string(s), func([]backend.Event) bool { return w.agent.Connection().State == s })
	return w.agent.Connection()
}

// nextRequest waits for the next permission request.
func (w *env) nextRequest() pendingRequest {
	w.t.Helper()
	select {
	case a := <-w.asks:
		return a
	case <-time.After(patience):
		w.t.Fatal("no permission was asked for")
		return pendingRequest{}
	}
}

// sessions returns the newest state of each session, as the app would load it at startup.
func (w *env) sessions() []backend.Session {
	w.mu.Lock()
	defer w.mu.Unlock()
	last := map[string]backend.Session{}
	for _, e := range w.events {
		if e.Session != nil {
			last[e.Session.Name] = *e.Session
		}
	}
	var out []backend.Session
	for _, s := range last {
		out = append(out, s)
	}
	return out
}

func (w *env) session() backend.Session {
	w.t.Helper()
	for _, s := range w.sessions() {
		if s.Name == backend.SessionMain {
			return s
		}
	}
	w.t.Fatal("there is no main session")
	return backend.Session{}
}

// waitForWritten waits until the agent has saved the text to its session files.
func (w *env) waitForWritten(text string) {
	w.t.Helper()
	if w.hasWritten != nil {
		waitFor(w.t, "the agent to keep "+text, func() bool { return w.hasWritten(w, text) })
	}
}

// requested reports whether the agent has sent its client a request with the given method.
func (w *env) requested(method string) bool {
	return slices.ContainsFunc(w.agent.Protocol(0, method, 0), func(f backend.ProtocolMessage) bool { return !f.Out && f.Method == method })
}

// assertRecap fails the test unless the model received the recap of a replaced session.
func (w *env) assertRecap(t *testing.T) {
	t.Helper()
	if w.model == nil {
		return
	}
	asked := w.model.Requests()
	if !slices.ContainsFunc(asked[len(asked)-1].Messages, func(m practice.Message) bool { return m.Role == "user" && strings.Contains(m.Text, recap) }) {
		t.Error("the agent was not told what was before")
	}
}

// assertRemembers fails the test unless the model's last request contains the given text as an earlier answer. If it
// doesn't, the restored session has lost its history.
func (w *env) assertRemembers(t *testing.T, text string) {
	t.Helper()
	if w.model == nil {
		return
	}
	asked := w.model.Requests()
	if !slices.ContainsFunc(asked[len(asked)-1].Messages, func(m practice.Message) bool { return m.Role == "assistant" && m.Text == text }) {
		t.Errorf("the agent does not know that it said %q", text)
	}
}

// states returns the connection states so far.
func (w *env) states() (out []backend.ConnectionState) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.events {
		if e.Connection != nil && (len(out) == 0 || out[len(out)-1] != e.Connection.State) {
			out = append(out, e.Connection.State)
		}
	}
	return out
}

func (w *env) path(name string) string { return filepath.Join(w.folder, name) }

func (w *env) read(name string) string {
	w.t.Helper()
	b, err := os.ReadFile(w.path(name))
	if errors.Is(err, os.ErrNotExist) {
		return ""
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return string(b)
}

func (w *env) write(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(w.path(name), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// assertAllClosed fails the test if an item is still open.
func (w *env) assertAllClosed() {
	w.t.Helper()
	for _, it := range w.items(nil) {
		if it.Open || it.EndedAt == 0 {
			w.t.Errorf("an item is open: %s %+v %+v", it.Kind, it.Item, it.Tool)
		}
	}
}
