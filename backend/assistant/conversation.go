package assistant

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/voxpilot/voxpilot/backend"
)

// conversation is a chat with its row, queue, running turn and delegated tasks.
type conversation struct {
	service *Service

	mu           sync.Mutex
	chat         backend.Chat           // as stored
	queue        []backend.QueuedPrompt // in sending order
	nextID       string                 // id of the queued reply to a rejection
	editedID     string                 // id of the queued message being edited; it and the messages behind it wait
	running      *run
	tasks        map[string]*delegatedTask // by id of the block
	locked       map[string]bool           // sessions that must not start a task
	isHeld       bool                      // must not start a turn or a task (Service.Hold)
	deleted      bool                      // deleted or being deleted: starts no turn and no task
	activity     activity
	waitTimes    waitTimes
	changedFiles map[string]bool // paths of files changed since the chat was last idle

	row atomic.Pointer[backend.Chat] // copy of chat for readers that must not wait for mu, which is held during writes
}

func (s *Service) newConversation(chat backend.Chat) *conversation {
	v := &conversation{service: s, locked: map[string]bool{}, deleted: chat.DeletedAt > 0}
	v.setChat(chat)
	return v
}

// setChat replaces the row of the conversation's chat. The caller must also store or publish the new row, and must hold
// v.mu.
func (v *conversation) setChat(chat backend.Chat) {
	v.chat = chat
	v.row.Store(&chat)
}

// run is a running turn.
type run struct {
	turn   backend.Turn
	cancel context.CancelCauseFunc
	over   bool // the turn has ended, except for its delegated tasks
	done   chan struct{}
}

// errStopped is the cancellation cause of turns and tasks that were stopped on purpose. Either the user stopped them,
// or their chat is being deleted, or the turn that delegated them has ended.
var errStopped = errors.New("stopped on purpose")

func (v *conversation) stop() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.stopTasks(errStopped, nil)
	if v.running != nil {
		v.pause() // now, so that messages sent from here on aren't paused
		v.running.cancel(errStopped)
	}
}

// end marks the conversation as deleted, so that it starts nothing new. It then stops the running turn and
// all tasks, and waits until they have ended. It returns CodeUnavailable if ctx ends first.
func (v *conversation) end(ctx context.Context) error {
	v.mu.Lock()
	v.deleted = true
	var ends []<-chan struct{}
	for _, w := range v.stopTasks(errStopped, nil) {
		ends = append(ends, w.done)
	}
	if r := v.running; r != nil {
		r.cancel(errStopped)
		ends = append(ends, r.done)
	}
	v.mu.Unlock()
	for _, ended := range ends {
		select {
		case <-ended:
		case <-ctx.Done():
			return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This chat hasn't stopped yet. Try again in a moment.")}
		}
	}
	return nil
}

// start commits the user's message and its turn, and then runs the turn. The same commit also contains the given
// events, which come before the message. The caller must hold v.mu.
func (v *conversation) start(ctx context.Context, q backend.QueuedPrompt, first ...backend.Event) error {
	if !v.service.enter() {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot is closing. Your message wasn't sent; it stays in the message field.")}
	}
	now := backend.Now()
	turn := backend.Turn{ID: backend.NewID(), ChatID: v.chat.ID, Session: backend.SessionMain, OrchestratorID: v.chat.OrchestratorID, State: backend.TurnRunning, StartedAt: now}
	item := backend.Item{
		ID: q.ID, ChatID: v.chat.ID, TurnID: turn.ID, Session: backend.SessionMain,
		Kind: backend.ItemUser, CreatedAt: now, EndedAt: now, Attachments: q.Attachments,
	}
	chat := v.chat
	chat.TurnState, chat.TurnSince, chat.Detail, chat.UpdatedAt = backend.TurnRunning, now, backend.Message{}, now
	if len(first) == 0 { // sent from the composer
		chat.Draft, chat.DraftAttachments = "", nil
	}
	chat.Archived = false
	if chat.Title == "" && !chat.TitleByUser {
		chat.Title = titleOf(q)
	}
	events := slices.Concat(first, []backend.Event{{Turn: &turn}, {Item: &item}})
	if q.Text != "" {
		events = append(events, backend.Event{Text: &backend.Text{ItemID: q.ID, ChatID: chat.ID, Text: q.Text, Size: int64(len(q.Text))}})
	}
	events = append(append(events, v.claim(ctx, q, true)...), backend.Event{Chat: &chat})
	if err := v.service.commit(ctx, backend.Say("Couldn't send the message."), events...); err != nil {
		v.service.turns.Done()
		return err
	}
	v.setChat(chat)
	turnCtx, cancel := context.WithCancelCause(context.Background())
	v.running = &run{turn: turn, cancel: cancel, done: make(chan struct{})}
	v.waitTimes.begin(turn.ID, "")
	go v.run(turnCtx, v.running, q)
	return nil
}

// run runs a turn and records its result. It then starts the next queued prompt, or pauses the queue.
func (v *conversation) run(ctx context.Context, r *run, q backend.QueuedPrompt) {
	defer v.service.turns.Done()
	defer close(r.done)
	defer r.cancel(nil)
	turn, did := v.service.cfg.Prompt(ctx, r.turn, q.Text, q.Attachments)
	v.endTasks(ctx, r, turn.State)
	turn.EndedAt = backend.Now()
	turn.Waited = v.waitTimes.end(turn.ID, turn.EndedAt)
	quit := errors.Is(context.Cause(ctx), errQuit) && turn.State == backend.TurnStopped
	if quit {
		turn.State = backend.TurnInterrupted
	}

	v.mu.Lock()
	defer v.mu.Unlock()
	v.running = nil
	if quit && turn.SentAt == 0 {
		// No agent got the message. The turn stays in the running state, so that the next start returns
		// the message to the head of the queue, as after a crash (store, recover.go).
		v.pause()
		return
	}
	v.noteChangedFiles(did)
	chat := v.endTurn(turn)
	v.service.cfg.Publish(backend.Event{Turn: &turn}, backend.Event{Chat: &chat})
	// After a failure, the user probably no longer wants the next message sent. If the agent only exited or lost
	// its sign-in, the message is still wanted and waits for the agent. If the user stopped the turn, the messages
	// queued by then are already paused.
	goesOn := turn.State == backend.TurnDone || turn.State == backend.TurnInterrupted || endedBySignIn(turn) || errors.Is(context.Cause(ctx), errStopped)
	// The user's reply to a rejected request is sent in any case: the rejection itself may be why the agent
	// stopped or failed.
	if len(v.queue) > 0 && v.queue[0].ID == v.nextID && !goesOn {
		goesOn = true
		if turn.State == backend.TurnFailed {
			v.pauseFrom(1)
		}
	}
	if v.deleted || v.service.isClosed() || !goesOn {
		v.pause()
		return
	}
	if err := v.next(context.Background()); err != nil {
		// The messages stay queued. If the database can't be written, the event bus reports that.
		v.pause()
	}
}

// noteChangedFiles adds the files listed in a turn's summary to the chat's changed files. The caller must hold v.mu.
func (v *conversation) noteChangedFiles(did backend.TurnSummary) {
	if v.changedFiles == nil {
		v.changedFiles = map[string]bool{}
	}
	for _, file := range did.Files {
		v.changedFiles[file.Path] = true
	}
}

// endTurn updates the chat's row after a turn. If nothing else is running, the row
// shows the turn's result. The caller must hold v.mu.
func (v *conversation) endTurn(turn backend.Turn) backend.Chat {
	chat := v.chat
	chat.UpdatedAt, chat.Unread = turn.EndedAt, turn.State != backend.TurnStopped
	if !v.isBusy() {
		chat.TurnState, chat.TurnSince, chat.Detail = turn.State, turn.EndedAt, backend.Message{}
		switch {
		case turn.Error != nil:
			chat.Detail = brief(turn.Error.Message, maxReason)
		case turn.State == backend.TurnDone:
			chat.Detail = finishedMessage(len(v.changedFiles))
		}
		v.changedFiles = nil
	}
	v.setChat(chat)
	if !v.isRunning() {
		v.activity.reset() // later events of the ended turn are ignored
	}
	return chat
}

// endedBySignIn reports whether a turn ended because the agent lost its sign-in. It returns false if an orchestrator's
// key was rejected: unlike a lost sign-in, this doesn't make the next turn wait until the user has fixed the problem.
func endedBySignIn(turn backend.Turn) bool {
	return turn.Error != nil && turn.Error.Code == backend.CodeAuth && turn.OrchestratorID == ""
}

// endTasks stops the delegated tasks that the turn didn't wait for and returns once they have ended.
func (v *conversation) endTasks(ctx context.Context, r *run, state backend.TurnState) {
	cause := context.Cause(ctx)
	if state == backend.TurnInterrupted {
		cause = errCallerInterrupted
	} else if cause == nil {
		cause = errStopped
	}
	v.mu.Lock()
	r.over = true
	given := v.stopTasks(cause, r)
	v.mu.Unlock()
	for _, w := range given {
		<-w.done
	}
}

func (s *Service) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// firstLine returns the first line of text, shortened to at most limit characters. It cuts the line at a word boundary,
// unless less than half of the permitted characters would remain.
func firstLine(text string, limit int) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	letters := []rune(text)
	if len(letters) <= limit {
		return text
	}
	cut := string(letters[:limit-1])
	if i := strings.LastIndexByte(cut, ' '); i > limit/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:.") + "…"
}

// brief returns a message with only the first line of m, shortened to at most limit characters. If this removes
// anything, the returned message has no translation key.
func brief(m backend.Message, limit int) backend.Message {
	if line := firstLine(m.String(), limit); line != m.String() {
		return backend.Plain(line)
	}
	return m
}

// waitTimes measures how long the turns of a chat wait for the user's decisions. Time in which several waits of a turn
// overlap counts only once.
type waitTimes struct {
	mu    sync.Mutex
	turns map[string]*turnWait // running turns by id
}

// turnWait is the waiting time of a turn.
type turnWait struct {
	caller    string // turn that delegated the task; "" if none did
	isWaiting bool
	since     backend.Millis
	total     backend.Millis
}

// begin starts measuring a turn. If the turn is a delegated task, caller is the ID of the delegating turn,
// and waits of the task also count as waits of that turn. Otherwise, caller is "".
func (w *waitTimes) begin(turnID, caller string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.turns == nil {
		w.turns = map[string]*turnWait{}
	}
	w.turns[turnID] = &turnWait{caller: caller}
}

// end stops measuring a turn and returns the turn's total waiting time in milliseconds. The parameter at is the time at
// which the turn ended.
func (w *waitTimes) end(turnID string, at backend.Millis) backend.Millis {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.turns[turnID]
	if t == nil {
		return 0
	}
	delete(w.turns, turnID)
	if t.isWaiting {
		t.total += max(0, at-t.since)
	}
	return t.total
}

// note updates the waiting times after a permission request was made or decided. p is that request, and
// asks contains the requests that are now open.
func (w *waitTimes) note(p backend.Permission, asks []backend.Permission) {
	w.mu.Lock()
	defer w.mu.Unlock()
	wait := map[*turnWait]bool{}
	for _, ask := range asks {
		for t := w.turns[ask.TurnID]; t != nil; t = w.turns[t.caller] {
			wait[t] = true
		}
	}
	for _, t := range w.turns {
		switch {
		case wait[t] && !t.isWaiting:
			t.since = p.CreatedAt
		case !wait[t] && t.isWaiting:
			t.total += max(0, cmp.Or(p.DecidedAt, p.CreatedAt)-t.since)
		}
		t.isWaiting = wait[t]
	}
}
