package assistant

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// The queue of a chat: messages sent while another one is being answered.

func (v *conversation) send(ctx context.Context, text string, with []backend.Attachment, along func(id string) []backend.Event) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.deleted {
		return "", errNoChat
	}
	if err := v.checkStart(with); err != nil {
		return "", err
	}
	q := backend.QueuedPrompt{
		ID: backend.NewID(), ChatID: v.chat.ID, Text: text, Attachments: with, Pos: v.nextPos(), CreatedAt: backend.Now(),
	}
	var more []backend.Event
	if along != nil {
		more = along(q.ID)
	}
	if v.running == nil && len(v.queue) == 0 && !v.isHeld {
		return q.ID, v.start(ctx, q, more...)
	}
	chat := v.chat
	chat.Archived = false
	if along == nil {
		chat.Draft, chat.DraftAttachments = "", nil
	}
	events := append([]backend.Event{{Queued: &q}, {Chat: &chat}}, v.claim(ctx, q, false)...)
	queue, unpaused := unpause(v.queue)
	events = slices.Concat(events, unpaused, more)
	if err := v.service.commit(ctx, backend.Say("Couldn't queue the message."), events...); err != nil {
		return "", err
	}
	v.setChat(chat)
	v.queue = append(queue, q)
	v.service.mu.Lock()
	v.service.queued[q.ID] = v
	v.service.mu.Unlock()
	if err := v.next(ctx); err != nil {
		v.pause() // no error, because the message is stored: the user would send it again
	}
	return q.ID, nil
}

func (v *conversation) sendNext(ctx context.Context, text string, commit func(ctx context.Context, events ...backend.Event) error) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.deleted {
		return errNoChat
	}
	q := backend.QueuedPrompt{ID: backend.NewID(), ChatID: v.chat.ID, Text: text, Pos: 1, CreatedAt: backend.Now()}
	if len(v.queue) > 0 {
		q.Pos = v.queue[0].Pos - 1
	}
	if err := commit(ctx, backend.Event{Queued: &q}); err != nil {
		// The message may be stored despite the error: commit also fails if the turn that the message replies to
		// has ended meanwhile.
		v.service.cfg.Publish(backend.Event{QueuedDeleted: &backend.Deleted{ID: q.ID, ChatID: v.chat.ID}})
		return err
	}
	v.queue, v.nextID = slices.Insert(v.queue, 0, q), q.ID
	v.service.mu.Lock()
	v.service.queued[q.ID] = v
	v.service.mu.Unlock()
	_ = v.startNext(ctx) // on failure the queue is paused
	return nil
}

func (v *conversation) resume(ctx context.Context) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.deleted {
		return errNoChat
	}
	queue, events := unpause(v.queue)
	if len(events) > 0 {
		if err := v.service.commit(ctx, backend.Say("Couldn't resume the queue."), events...); err != nil {
			return err
		}
		v.queue = queue
	}
	return v.startNext(ctx)
}

func (v *conversation) edit(ctx context.Context, id, text string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	i, err := v.queueIndex(id)
	if err != nil {
		return err
	}
	q := v.queue[i]
	if err := checkPrompt(text, len(q.Attachments) > 0); err != nil {
		return err
	}
	q.Text = text
	if err := v.service.commit(ctx, backend.Say("Couldn't edit the message."), backend.Event{Queued: &q}); err != nil {
		return err
	}
	v.queue[i] = q
	return nil
}

func (v *conversation) remove(ctx context.Context, id string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	i, err := v.queueIndex(id)
	if err != nil {
		return err
	}
	gone := backend.Event{QueuedDeleted: &backend.Deleted{ID: id, ChatID: v.chat.ID}}
	if err := v.service.commit(ctx, backend.Say("Couldn't remove the message."), append(v.release(ctx, v.queue[i]), gone)...); err != nil {
		return err
	}
	v.drop(i)
	if v.editedID == id {
		v.editedID = ""
	}
	_ = v.startNext(ctx) // on failure the queue is paused
	return nil
}

// beginEdit holds back a prompt while the user edits it.
func (v *conversation) beginEdit(id string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	_, err := v.queueIndex(id)
	if err == nil {
		v.editedID = id
	}
	return err
}

// endEdit releases the prompt with the given ID if the user was editing it. If id is "", it releases
// whichever prompt was being edited.
func (v *conversation) endEdit(ctx context.Context, id string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.deleted || v.editedID == "" || id != "" && v.editedID != id {
		return nil
	}
	v.editedID = ""
	if v.service.isClosed() {
		return nil
	}
	return v.startNext(ctx)
}

// move moves the prompt with the given ID in front of another one, whose ID is the parameter before. If that ID is "",
// the prompt moves to the end of the queue.
func (v *conversation) move(ctx context.Context, id, before string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.deleted {
		return errNoChat
	}
	from, to := v.indexOf(id), len(v.queue)
	if before != "" {
		to = v.indexOf(before)
	}
	if from < 0 || to < 0 {
		return errNotQueued
	}
	queue, events := moveInQueue(v.queue, from, to)
	if len(events) == 0 {
		return nil
	}
	if err := v.service.commit(ctx, backend.Say("Couldn't move the message."), events...); err != nil {
		return err
	}
	v.queue = queue
	return nil
}

// sendNow moves a prompt to the head of the queue and stops the running turn, so that
// the prompt is sent next.
func (v *conversation) sendNow(ctx context.Context, id string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	i, err := v.queueIndex(id)
	if err != nil {
		return err
	}
	if err := v.checkStart(v.queue[i].Attachments); err != nil {
		return err
	}
	if v.editedID == id {
		v.editedID = ""
	}
	queue, events := moveInQueue(v.queue, i, 0)
	if head := &queue[0]; head.Paused {
		head.Paused = false
		q := *head
		events = append(events, backend.Event{Queued: &q})
	}
	if len(events) > 0 {
		if err := v.service.commit(ctx, backend.Say("Couldn't send the message."), events...); err != nil {
			return err
		}
		v.queue = queue
	}
	if v.running != nil {
		v.running.cancel(errStopped) // the next message then starts
		return nil
	}
	return v.startNext(ctx)
}

// moveInQueue moves the element queue[from] in front of the element queue[to], or to the end if there is no such
// element. It returns the new queue and the events that record the change. The messages are renumbered from the
// position number of the previous head on.
func moveInQueue(queue []backend.QueuedPrompt, from, to int) ([]backend.QueuedPrompt, []backend.Event) {
	queue = slices.Clone(queue)
	first := queue[0].Pos
	q := queue[from]
	queue = slices.Delete(queue, from, from+1)
	if to > from {
		to--
	}
	queue = slices.Insert(queue, to, q)
	var events []backend.Event
	for i := range queue {
		if pos := first + int64(i); queue[i].Pos != pos {
			queue[i].Pos = pos
			q := queue[i]
			events = append(events, backend.Event{Queued: &q})
		}
	}
	return queue, events
}

// next starts a turn for the head of the queue, unless a turn is running, the chat is held, or the head is paused or
// being edited. The caller must hold v.mu.
func (v *conversation) next(ctx context.Context) error {
	if v.running != nil || v.isHeld || len(v.queue) == 0 || v.queue[0].Paused || v.queue[0].ID == v.editedID {
		return nil
	}
	head := v.queue[0]
	if err := v.checkStart(head.Attachments); err != nil {
		return err
	}
	if err := v.start(ctx, head, backend.Event{QueuedDeleted: &backend.Deleted{ID: head.ID, ChatID: v.chat.ID}}); err != nil {
		return err
	}
	v.drop(0)
	return nil
}

// startNext does the same as the method next, but pauses the queue if an error occurs. The caller must hold v.mu.
func (v *conversation) startNext(ctx context.Context) error {
	err := v.next(ctx)
	if err != nil {
		v.pause()
	}
	return err
}

// pause pauses the queue until the user sends a message or resumes the queue. The
// caller must hold v.mu.
func (v *conversation) pause() { v.pauseFrom(0) }

// pauseFrom pauses the queued messages from index n on. The caller must hold v.mu.
func (v *conversation) pauseFrom(n int) {
	for i := n; i < len(v.queue); i++ {
		if v.queue[i].Paused {
			continue
		}
		v.queue[i].Paused = true
		q := v.queue[i]
		v.service.cfg.Publish(backend.Event{Queued: &q})
	}
}

// queueIndex returns the index of a prompt in the queue. It returns an error if the
// chat is deleted or the prompt isn't queued. The caller must hold v.mu.
func (v *conversation) queueIndex(id string) (int, error) {
	if v.deleted {
		return 0, errNoChat
	}
	i := v.indexOf(id)
	if i < 0 {
		return 0, errNotQueued
	}
	return i, nil
}

func (v *conversation) indexOf(id string) int {
	return slices.IndexFunc(v.queue, func(q backend.QueuedPrompt) bool { return q.ID == id })
}

func (v *conversation) drop(i int) {
	v.service.mu.Lock()
	delete(v.service.queued, v.queue[i].ID)
	v.service.mu.Unlock()
	v.queue = slices.Delete(v.queue, i, i+1)
}

func (v *conversation) nextPos() int64 {
	if n := len(v.queue); n > 0 {
		return v.queue[n-1].Pos + 1
	}
	return 1
}

// unpause returns the queue with all prompts unpaused, and the events that record the change.
func unpause(queue []backend.QueuedPrompt) ([]backend.QueuedPrompt, []backend.Event) {
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

// checkPrompt returns an error if text can't be sent as a message. withMore is true if there are attachments; in that
// case, text may be empty.
func checkPrompt(text string, withMore bool) error {
	switch {
	case strings.TrimSpace(text) == "" && !withMore:
		return backend.Invalid("Enter a message first.")
	case len(text) > backend.MaxPromptBytes:
		return &backend.Error{
			Code:    backend.CodeTooLarge,
			Message: backend.Say("The message is %.1f MB. The limit is 1 MB. Put the text in a file in the folder and mention the file instead.", float64(len(text))/1e6),
		}
	case !utf8.ValidString(text):
		return backend.Invalid("The message contains data that isn't text. Paste it again as plain text.")
	}
	return nil
}
