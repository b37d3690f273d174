package assistant_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// env is an app around a Service. It records committed and published events and lets the test decide how each prompt
// ends.
type env struct {
	t       *testing.T
	chats   *assistant.Service
	prompts chan prompt

	mu            sync.Mutex
	events        []backend.Event
	fail          error
	before        func(backend.Event) error // called before each event is committed
	onChatRemoved func()                    // called when a chat is deleted
	noAgent       bool                      // no agent gets a prompt
	stopGate      chan struct{}             // if set, stopped turns end once it is closed
	turns         chan backend.Turn         // turns that ended
	summary       backend.TurnSummary       // summary of each turn
	failure       *backend.Error            // error of failed turns
}

type prompt struct {
	ctx  context.Context
	turn backend.Turn
	text string
	with []backend.Attachment
	end  chan backend.TurnState
}

func newEnv(t *testing.T, cfg assistant.Config) *env {
	w := &env{t: t, prompts: make(chan prompt, 10), turns: make(chan backend.Turn, 100)}
	cfg.Prompt, cfg.Publish, cfg.Commit = w.prompt, w.publish, w.commit
	w.chats = assistant.New(cfg)
	t.Cleanup(func() {
		if err := w.chats.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return w
}

func (w *env) prompt(ctx context.Context, turn backend.Turn, text string, with []backend.Attachment) (backend.Turn, backend.TurnSummary) {
	if !w.noAgent {
		turn.SentAt = backend.Now()
	}
	p := prompt{ctx, turn, text, with, make(chan backend.TurnState, 1)}
	w.prompts <- p
	select {
	case turn.State = <-p.end:
		if turn.State == backend.TurnFailed {
			turn.Error = w.failure
		}
	case <-ctx.Done():
		if w.stopGate != nil {
			<-w.stopGate
		}
		turn.State = backend.TurnStopped
	}
	return turn, w.summary
}

func (w *env) publish(events ...backend.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range events {
		w.events = append(w.events, e)
		if e.Turn != nil && e.Turn.State != backend.TurnRunning {
			w.turns <- *e.Turn
		}
		if e.ChatDeleted != nil && w.onChatRemoved != nil {
			w.onChatRemoved()
		}
	}
}

func (w *env) commit(_ context.Context, events ...backend.Event) error {
	w.mu.Lock()
	err := w.fail
	w.mu.Unlock()
	for _, e := range events {
		if err == nil && w.before != nil {
			err = w.before(e)
		}
	}
	if err == nil {
		w.publish(events...)
	}
	return err
}

func (w *env) setFail(err error) {
	w.mu.Lock()
	w.fail = err
	w.mu.Unlock()
}

// queue returns the texts of the queued prompts and the number of paused prompts, according to the recorded events.
func (w *env) queue() (texts []string, paused int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	byID := map[string]backend.QueuedPrompt{}
	var order []string
	for _, e := range w.events {
		if e.Queued != nil {
			if _, known := byID[e.Queued.ID]; !known {
				order = append(order, e.Queued.ID)
			}
			byID[e.Queued.ID] = *e.Queued
		}
		if e.QueuedDeleted != nil {
			delete(byID, e.QueuedDeleted.ID)
		}
	}
	for _, id := range order {
		if q, ok := byID[id]; ok {
			texts = append(texts, q.Text)
			if q.Paused {
				paused++
			}
		}
	}
	return texts, paused
}

func (w *env) create() backend.Chat {
	chat, err := w.chats.Create(w.t.Context(), "/home/me/app", backend.ProviderCopilot, "", backend.ModeAsk)
	if err != nil {
		w.t.Fatal(err)
	}
	return chat
}

func (w *env) send(chat backend.Chat, text string) string {
	id, err := w.chats.Send(w.t.Context(), chat.ID, text)
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

func TestMessage_SavedBeforeSend(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	w.setFail(errors.New("disk full"))
	if _, err := w.chats.Send(t.Context(), chat.ID, "hello"); backend.CodeOf(err) != backend.CodeStorage {
		t.Fatalf("Send on a full disk: %v", err)
	}
	select {
	case p := <-w.prompts:
		t.Fatalf("%q was sent without being kept", p.text)
	default:
	}
	w.setFail(nil)
	id := w.send(chat, "hello")
	p := <-w.prompts
	w.mu.Lock()
	var kept bool
	for _, e := range w.events {
		kept = kept || e.Text != nil && e.Text.ItemID == id && e.Text.Text == "hello"
	}
	w.mu.Unlock()
	if !kept || p.text != "hello" || p.turn.Session != backend.SessionMain {
		t.Errorf("kept %v, prompt %+v", kept, p)
	}
	p.end <- backend.TurnDone
	if turn := <-w.turns; turn.State != backend.TurnDone || turn.EndedAt == 0 {
		t.Errorf("the turn ended as %+v", turn)
	}
}

func TestQueue_SecondPromptWaits(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	w.send(chat, "one")
	first := <-w.prompts
	two := w.send(chat, "two")
	three := w.send(chat, "three")
	w.send(chat, "four")
	if first.ctx.Err() != nil {
		t.Fatal("the running turn was cancelled")
	}
	if texts, _ := w.queue(); strings.Join(texts, " ") != "two three four" {
		t.Fatalf("queue: %v", texts)
	}
	if err := w.chats.EditQueued(t.Context(), two, "two, better"); err != nil {
		t.Fatal(err)
	}
	if err := w.chats.RemoveQueued(t.Context(), three); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"two, better", "four"} {
		first.end <- backend.TurnDone
		<-w.turns
		first = <-w.prompts
		if first.text != want {
			t.Fatalf("sent %q, want %q", first.text, want)
		}
	}
	if err := w.chats.EditQueued(t.Context(), two, "too late"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("editing a prompt that was sent: %v", err)
	}
	first.end <- backend.TurnDone
	<-w.turns
}

func TestStop_PausesQueueUntilNextMessage(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	w.send(chat, "one")
	<-w.prompts
	w.send(chat, "two")
	if err := w.chats.Stop(chat.ID); err != nil {
		t.Fatal(err)
	}
	if turn := <-w.turns; turn.State != backend.TurnStopped {
		t.Fatalf("the turn ended as %s", turn.State)
	}
	w.send(chat, "three")
	if p := <-w.prompts; p.text != "two" {
		t.Errorf("sent %q before what waited", p.text)
	} else {
		p.end <- backend.TurnDone
	}
	<-w.turns
	p := <-w.prompts
	if p.text != "three" {
		t.Errorf("sent %q", p.text)
	}
	p.end <- backend.TurnDone
	<-w.turns
}

func TestQueue_ContinuesAfterCrashNotFailure(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	w.send(chat, "one")
	p := <-w.prompts
	w.send(chat, "two")
	w.send(chat, "three")
	p.end <- backend.TurnInterrupted
	<-w.turns
	p = <-w.prompts
	if p.text != "two" {
		t.Fatalf("sent %q", p.text)
	}
	p.end <- backend.TurnFailed
	<-w.turns
	if err := w.chats.Resume(t.Context(), chat.ID); err != nil {
		t.Fatal(err)
	}
	p = <-w.prompts
	if texts, paused := w.queue(); p.text != "three" || len(texts) != 0 || paused != 0 {
		t.Errorf("sent %q; queue %v", p.text, texts)
	}
	p.end <- backend.TurnDone
	<-w.turns
}

func TestTurn_FailureReasonInChatRow(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	w.failure = &backend.Error{Code: backend.CodeAgent, Message: backend.Plain(strings.TrimSpace(strings.Repeat("It could not be done. ", 15)))}
	chat := w.create()
	w.send(chat, "one")
	(<-w.prompts).end <- backend.TurnFailed
	<-w.turns
	if got, err := w.chats.Get(chat.ID); err != nil || got.Detail != w.failure.Message {
		t.Errorf("%q, %v", got.Detail, err)
	}
}

func TestQueue_PausesAfterSignInLoss(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	w.failure = &backend.Error{Code: backend.CodeAuth, Message: backend.Plain("It lost its sign-in.")}
	chat := w.create()
	w.send(chat, "one")
	p := <-w.prompts
	w.send(chat, "two")
	p.end <- backend.TurnFailed
	<-w.turns
	p = <-w.prompts // the agent waits for the sign-in; the queue doesn't
	if _, paused := w.queue(); p.text != "two" || paused != 0 {
		t.Errorf("sent %q; %d are paused", p.text, paused)
	}
	p.end <- backend.TurnDone
	<-w.turns
}

func TestStop_LaterMessageGoesOut(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	w.stopGate = make(chan struct{})
	chat := w.create()
	w.send(chat, "one")
	<-w.prompts
	if err := w.chats.Stop(chat.ID); err != nil {
		t.Fatal(err)
	}
	w.send(chat, "two")
	close(w.stopGate) // the agent has only now stopped
	if turn := <-w.turns; turn.State != backend.TurnStopped {
		t.Fatalf("the turn ended as %s", turn.State)
	}
	if texts, paused := w.queue(); paused != 0 {
		t.Fatalf("the queue is %v, %d of it paused", texts, paused)
	}
	p := <-w.prompts
	if p.text != "two" {
		t.Errorf("sent %q", p.text)
	}
	p.end <- backend.TurnDone
	<-w.turns
}

func TestMessage_SavedIsNotRefused(t *testing.T) {
	w := newEnv(t, assistant.Config{
		Chats:  []backend.Chat{{ID: "c", Title: "t", Folder: "/x", ProviderID: backend.ProviderCopilot}},
		Queued: []backend.QueuedPrompt{{ID: "q", ChatID: "c", Text: "old", Pos: 1, Paused: true}},
	})
	w.before = func(e backend.Event) error {
		if e.Turn != nil {
			return errors.New("disk full")
		}
		return nil
	}
	if _, err := w.chats.Send(t.Context(), "c", "new"); err != nil {
		t.Errorf("the message is in the queue, and Send says: %v", err)
	}
	if texts, paused := w.queue(); len(texts) != 2 || paused != 2 {
		t.Errorf("queue %v, %d paused", texts, paused)
	}
	w.before = nil
	if err := w.chats.Resume(t.Context(), "c"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"old", "new"} {
		p := <-w.prompts
		if p.text != want {
			t.Fatalf("sent %q, want %q", p.text, want)
		}
		p.end <- backend.TurnDone
		<-w.turns
	}
}
