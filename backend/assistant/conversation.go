package assistant

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// conversation is one chat: its row, its queue, its running turn and the work
// of its sessions.
type conversation struct {
	all *Chats

	mu      sync.Mutex
	chat    backend.Chat     // as it is kept
	queue   []backend.Queued // in the order they are sent
	running *run
	works   map[string]*work // by the id of the block
	resting map[string]bool  // sessions that may not begin to work
	gone    bool             // deleted, or being deleted: starts no turn and changes no row

	row atomic.Pointer[backend.Chat] // chat, for those who must not wait for mu, which is held while rows are written
}

func (c *Chats) newConversation(chat backend.Chat) *conversation {
	v := &conversation{all: c, resting: map[string]bool{}, gone: chat.DeletedAt > 0}
	v.keep(chat)
	return v
}

// keep takes the chat's row as it is kept from now on. v.mu is held.
func (v *conversation) keep(chat backend.Chat) {
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

func (v *conversation) send(ctx context.Context, text string) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.gone {
		return "", errNoChat
	}
	id := backend.NewID()
	if v.running == nil && len(v.queue) == 0 {
		return id, v.start(ctx, id, text)
	}
	q := backend.Queued{ID: id, ChatID: v.chat.ID, Text: text, Pos: v.nextPos(), CreatedAt: backend.Now()}
	chat := v.chat
	chat.Archived = false
	chat.Draft = ""
	events := []backend.Event{{Queued: &q}, {Chat: &chat}}
	queue, unpaused := unpause(v.queue)
	events = append(events, unpaused...)
	if err := v.all.commit(ctx, "The message could not be queued.", events...); err != nil {
		return "", err
	}
	v.keep(chat)
	v.queue = append(queue, q)
	v.all.mu.Lock()
	v.all.queued[id] = v
	v.all.mu.Unlock()
	if err := v.next(ctx); err != nil {
		v.pause() // the message is kept: an error would have it sent twice
	}
	return id, nil
}

func (v *conversation) resume(ctx context.Context) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.gone {
		return errNoChat
	}
	queue, events := unpause(v.queue)
	if len(events) > 0 {
		if err := v.all.commit(ctx, "The queue could not be resumed.", events...); err != nil {
			return err
		}
		v.queue = queue
	}
	if err := v.next(ctx); err != nil {
		v.pause()
		return err
	}
	return nil
}

func (v *conversation) edit(ctx context.Context, id, text string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.gone {
		return errNoChat
	}
	i := v.indexOf(id)
	if i < 0 {
		return errNotQueued
	}
	q := v.queue[i]
	q.Text = text
	if err := v.all.commit(ctx, "The message could not be changed.", backend.Event{Queued: &q}); err != nil {
		return err
	}
	v.queue[i] = q
	return nil
}

func (v *conversation) remove(ctx context.Context, id string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.gone {
		return errNoChat
	}
	i := v.indexOf(id)
	if i < 0 {
		return errNotQueued
	}
	gone := backend.Event{QueuedGone: &backend.Gone{ID: id, ChatID: v.chat.ID}}
	if err := v.all.commit(ctx, "The message could not be removed.", gone); err != nil {
		return err
	}
	v.drop(i)
	return nil
}

func (v *conversation) stop() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.stopWorks(errStopped, nil)
	if v.running != nil {
		v.pause() // now: what the user sends from here on goes out
		v.running.cancel(errStopped)
	}
}

// end stops the running turn and all work for good and waits for them.
func (v *conversation) end(ctx context.Context) error {
	v.mu.Lock()
	v.gone = true
	var ends []<-chan struct{}
	for _, w := range v.stopWorks(errStopped, nil) {
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
			return &backend.Error{Code: backend.CodeUnavailable, Message: "The chat is still stopping. Try again in a moment."}
		}
	}
	return nil
}

// next starts the head of the queue where the chat is free. v.mu is held.
func (v *conversation) next(ctx context.Context) error {
	if v.running != nil || len(v.queue) == 0 || v.queue[0].Paused {
		return nil
	}
	head := v.queue[0]
	if err := v.start(ctx, head.ID, head.Text, backend.Event{QueuedGone: &backend.Gone{ID: head.ID, ChatID: v.chat.ID}}); err != nil {
		return err
	}
	v.drop(0)
	return nil
}

// start commits the user's message and its turn, with the events in front, and
// then lets the turn run. v.mu is held.
func (v *conversation) start(ctx context.Context, id, text string, first ...backend.Event) error {
	if !v.all.enter() {
		return &backend.Error{Code: backend.CodeUnavailable, Message: "VoxPilot is closing. The message is kept in the composer."}
	}
	now := backend.Now()
	turn := backend.Turn{ID: backend.NewID(), ChatID: v.chat.ID, Session: backend.SessionMain, MainID: v.chat.MainID, State: backend.TurnRunning, StartedAt: now}
	item := backend.Item{
		ID: id, ChatID: v.chat.ID, TurnID: turn.ID, Session: backend.SessionMain,
		Kind: backend.ItemUser, CreatedAt: now, EndedAt: now,
	}
	chat := v.chat
	chat.TurnState, chat.TurnSince, chat.Detail, chat.Draft, chat.UpdatedAt = backend.TurnRunning, now, "", "", now
	chat.Archived = false
	if chat.Title == "" && !chat.TitleByUser {
		chat.Title = Title(text)
	}
	size := int64(len(text))
	events := slices.Concat(first, []backend.Event{
		{Turn: &turn},
		{Item: &item},
		{Text: &backend.Text{ItemID: id, ChatID: chat.ID, Text: text, Size: size}},
		{Chat: &chat},
	})
	if err := v.all.commit(ctx, "The message could not be sent.", events...); err != nil {
		v.all.turns.Done()
		return err
	}
	v.keep(chat)
	turnCtx, cancel := context.WithCancelCause(context.Background())
	v.running = &run{turn: turn, cancel: cancel, done: make(chan struct{})}
	go v.run(turnCtx, v.running, text)
	return nil
}

// run carries a turn out and records how it ended.
func (v *conversation) run(ctx context.Context, r *run, text string) {
	defer v.all.turns.Done()
	defer close(r.done)
	defer r.cancel(nil)
	turn, _ := v.all.cfg.Prompt(ctx, r.turn, text)
	v.endWorks(ctx, r, turn.State)
	turn.EndedAt = backend.Now()
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
	chat := v.chat
	chat.TurnState, chat.TurnSince, chat.UpdatedAt = turn.State, turn.EndedAt, turn.EndedAt
	chat.Unread = turn.State != backend.TurnStopped
	chat.Detail = ""
	if turn.Error != nil {
		chat.Detail = firstLine(turn.Error.Message, 120)
	}
	v.keep(chat)
	events := []backend.Event{{Turn: &turn}, {Chat: &chat}}
	v.all.cfg.Publish(events...)
	// After a failure the next message would most likely not be what the user
	// wants any more; after the death of an agent it is, and after the end of its
	// sign-in, for which it waits. What waited when the user stopped was paused
	// then.
	goesOn := turn.State == backend.TurnDone || turn.State == backend.TurnInterrupted || lostSignIn(turn) || errors.Is(context.Cause(ctx), errStopped)
	if v.gone || v.all.isClosed() || !goesOn {
		v.pause()
		return
	}
	if err := v.next(context.Background()); err != nil {
		// The messages stay queued, and the feed says that the database
		// cannot be written.
		v.pause()
	}
}

// lostSignIn says whether a turn ended because the agent's sign-in did. A main AI
// whose key is refused is no such case: nothing would hold the next turn back.
func lostSignIn(turn backend.Turn) bool {
	return turn.Error != nil && turn.Error.Code == backend.CodeAuth && turn.MainID == ""
}

// endWorks ends the work that the turn gave to sessions and that it did not wait
// for. It returns when that has ended.
func (v *conversation) endWorks(ctx context.Context, r *run, state backend.TurnState) {
	cause := context.Cause(ctx)
	if state == backend.TurnInterrupted {
		cause = errDied
	} else if cause == nil {
		cause = errStopped
	}
	v.mu.Lock()
	r.over = true
	given := v.stopWorks(cause, r)
	v.mu.Unlock()
	for _, w := range given {
		<-w.done
	}
}

// pause makes the queue wait until the user sends or resumes. v.mu is held.
func (v *conversation) pause() {
	for i := range v.queue {
		if v.queue[i].Paused {
			continue
		}
		v.queue[i].Paused = true
		q := v.queue[i]
		v.all.cfg.Publish(backend.Event{Queued: &q})
	}
}

func (c *Chats) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

func (v *conversation) indexOf(id string) int {
	return slices.IndexFunc(v.queue, func(q backend.Queued) bool { return q.ID == id })
}

func (v *conversation) drop(i int) {
	v.all.mu.Lock()
	delete(v.all.queued, v.queue[i].ID)
	v.all.mu.Unlock()
	v.queue = slices.Delete(v.queue, i, i+1)
}

func (v *conversation) nextPos() int64 {
	if n := len(v.queue); n > 0 {
		return v.queue[n-1].Pos + 1
	}
	return 1
}

// unpause is the queue with nothing paused, and the events that say so.
func unpause(queue []backend.Queued) ([]backend.Queued, []backend.Event) {
	queue = slices.Clone(queue)
	var events []backend.Event
	for i := range queue {
		if queue[i].Paused {
			queue[i].Paused = false
			q := queue[i]
			events = append(events, backend.Event{Queued: &q})
		}
	}
	return queue, events
}

func checkPrompt(text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return &backend.Error{Code: backend.CodeInvalid, Message: "Write a message first."}
	case len(text) > backend.MaxPromptBytes:
		return &backend.Error{
			Code:    backend.CodeTooLarge,
			Message: fmt.Sprintf("The message is %.1f MB long. The limit is 1 MB: put the text into a file in the folder and name the file instead.", float64(len(text))/1e6),
		}
	case !utf8.ValidString(text):
		return &backend.Error{Code: backend.CodeInvalid, Message: "The message holds bytes that are not text. Paste it again as plain text."}
	}
	return nil
}

// Title makes a chat's title of its first message: the first line that says
// something, without Markdown's marks, at most 60 letters, cut between words.
func Title(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#>*-` "))
		if line != "" {
			return firstLine(strings.Join(strings.Fields(line), " "), 60)
		}
	}
	return "New chat"
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
