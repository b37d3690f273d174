package agent_test

import (
	"context"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
)

// turn is a turn of the agent, started by a call to Prompt in the background.
type turn struct {
	w      *env
	id     string
	cancel context.CancelFunc
	done   chan agent.Result

	session, prompt string
	state           backend.TurnState // state of the ended turn
}

func (w *env) start(session, text string, with ...backend.Attachment) *turn {
	ctx, cancel := context.WithCancel(context.Background())
	w.t.Cleanup(cancel)
	tu := &turn{w: w, id: backend.NewID(), cancel: cancel, done: make(chan agent.Result, 1), session: session, prompt: text}
	w.mu.Lock()
	w.turns = append(w.turns, tu)
	w.mu.Unlock()
	go func() {
		r := w.agent.Prompt(ctx, backend.Turn{ID: tu.id, ChatID: "chat", Session: session, State: backend.TurnRunning}, text, with...)
		w.mu.Lock()
		tu.state = r.State
		w.mu.Unlock()
		tu.done <- r
	}()
	return tu
}

func (tu *turn) result() agent.Result {
	tu.w.t.Helper()
	select {
	case r := <-tu.done:
		return r
	case <-time.After(patience):
		tu.w.t.Fatalf("the prompt did not return; connection: %+v", tu.w.agent.Connection())
		return agent.Result{}
	}
}

func (w *env) expectEnd(tu *turn, want backend.TurnState) agent.Result {
	w.t.Helper()
	r := tu.result()
	if r.State != want {
		w.t.Fatalf("the turn ended as %s (%s, %v), want %s", r.State, r.StopReason, r.Err, want)
	}
	return r
}

func (w *env) promptAndExpect(text string, want backend.TurnState) *turn {
	w.t.Helper()
	tu := w.start(backend.SessionMain, text)
	w.expectEnd(tu, want)
	return tu
}
