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

// conversation is one chat: its row, its queue, its running turn and the work
// of its sessions.
type conversation struct {
	service *Service

	mu           sync.Mutex
	chat         backend.Chat           // as it is kept
	queue        []backend.QueuedPrompt // in the order they are sent
	nextID       string                 // the id of the queued message that goes out after a rejection
	editedID     string                 // the id of the queued message that the user edits now; it waits, and so does what is behind it
	running      *run
	tasks        map[string]*delegatedTask // by the id of the block
	locked       map[string]bool           // sessions that may not begin to work
	deleted      bool                      // deleted, or being deleted: starts no turn and changes no row
	activity     activity
	waitTimes    waitTimes
	changedFiles map[string]bool // files, since it was at rest

	row atomic.Pointer[backend.Chat] // chat, for those who must not wait for mu, which is held while rows are written
}

func (s *Service) newConversation(chat backend.Chat) *conversation {
	v := &conversation{service: s, locked: map[string]bool{}, deleted: chat.DeletedAt > 0}
	v.setChat(chat)
	return v
}

// setChat takes the chat's row as it is kept from now on. v.mu is held.
func (v *conversation) setChat(chat backend.Chat) {
	v.chat = chat
	v.row.Store(&chat)
}

// run is a turn under way.
type run struct {
	turn   backend.Turn
	cancel context.CancelCauseFunc
	over   bool // it has ended, but for what it gave to sessions
	done   chan struct{}
}

// errStopped is the cause of a turn that the user stopped.
var errStopped = errors.New("stopped by the user")

func (v *conversation) stop() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.stopTasks(errStopped, nil)
	if v.running != nil {
		v.pause() // now: what the user sends from here on goes out
		v.running.cancel(errStopped)
	}
}

// end stops the running turn and all work for good and waits for them.
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
			return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The chat is still stopping. Try again in a moment.")}
		}
	}
	return nil
}

// start commits the user's message and its turn, with the events in front, and
// then lets the turn run. v.mu is held.
func (v *conversation) start(ctx context.Context, q backend.QueuedPrompt, first ...backend.Event) error {
	if !v.service.enter() {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot is closing. Your message stays in the composer.")}
	}
	now := backend.Now()
	turn := backend.Turn{ID: backend.NewID(), ChatID: v.chat.ID, Session: backend.SessionMain, OrchestratorID: v.chat.OrchestratorID, State: backend.TurnRunning, StartedAt: now}
	item := backend.Item{
		ID: q.ID, ChatID: v.chat.ID, TurnID: turn.ID, Session: backend.SessionMain,
		Kind: backend.ItemUser, CreatedAt: now, EndedAt: now, Attachments: q.Attachments,
	}
	chat := v.chat
	chat.TurnState, chat.TurnSince, chat.Detail, chat.UpdatedAt = backend.TurnRunning, now, backend.Message{}, now
	if len(first) == 0 { // it comes from the composer
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

// run carries a turn out and records how it ended.
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
		// No agent got the message. Its turn is left as one that runs, and the
		// next start takes it for what it is: the message goes back to the head
		// of the queue (store, recover.go), as it does after a crash.
		v.pause()
		return
	}
	v.noteChangedFiles(did)
	chat := v.endTurn(turn)
	v.service.cfg.Publish(backend.Event{Turn: &turn}, backend.Event{Chat: &chat})
	// After a failure the next message would most likely not be what the user
	// wants any more; after the death of an agent it is, and after the end of its
	// sign-in, for which it waits. What waited when the user stopped was paused
	// then.
	goesOn := turn.State == backend.TurnDone || turn.State == backend.TurnInterrupted || endedBySignIn(turn) || errors.Is(context.Cause(ctx), errStopped)
	// The reply to a rejection belongs to the turn: an agent may call the rejection a
	// stop by the user, and may fail because of it.
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
		// The messages stay queued, and the event bus says that the database
		// cannot be written.
		v.pause()
	}
}

// noteChangedFiles notes the files that were changed. v.mu is held.
func (v *conversation) noteChangedFiles(did backend.TurnSummary) {
	if v.changedFiles == nil {
		v.changedFiles = map[string]bool{}
	}
	for _, file := range did.Files {
		v.changedFiles[file.Path] = true
	}
}

// endTurn has the chat's row say that the turn has ended, and what came of it where
// nothing else is done any more. v.mu is held.
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
		v.activity.reset() // what is heard of from here on does not count
	}
	return chat
}

// endedBySignIn says whether a turn ended because the agent's sign-in did. A main AI
// whose key is refused is no such case: nothing would hold the next turn back.
func endedBySignIn(turn backend.Turn) bool {
	return turn.Error != nil && turn.Error.Code == backend.CodeAuth && turn.OrchestratorID == ""
}

// endTasks ends the work that the turn gave to sessions and that it did not wait
// for. It returns when that has ended.
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

// firstLine is the first line of text, at most limit letters, cut between
// words where that leaves at least half of it.
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

// brief is a message of one line and at most limit letters: one that has more loses
// its key.
func brief(m backend.Message, limit int) backend.Message {
	if line := firstLine(m.String(), limit); line != m.String() {
		return backend.Plain(line)
	}
	return m
}

// waitTimes measures how long the turns of a chat wait for the user's decisions.
// Waits of one turn that overlap count once.
type waitTimes struct {
	mu    sync.Mutex
	turns map[string]*turnWait // turns that run, by id
}

// turnWait is how long a turn has waited.
type turnWait struct {
	caller    string // the turn that gave it its work, "" if none did
	isWaiting bool
	since     backend.Millis
	total     backend.Millis
}

// begin measures a turn. What a turn that was given work waits for, the turn that
// gave it waits for too; caller is that one's id, or "".
func (w *waitTimes) begin(turnID, caller string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.turns == nil {
		w.turns = map[string]*turnWait{}
	}
	w.turns[turnID] = &turnWait{caller: caller}
}

// end stops measuring the turn and returns how long it has waited until at.
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

// note notes that a request came or was decided; asks are those that are open since.
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
