// Package assistant schedules messages: it owns the rows and queues of the chats, and
// runs one turn at a time in each chat. Tasks that a turn or the user delegates to
// other sessions of the chat run in parallel (delegate.go).
//
// It doesn't depend on agents, the database or windows; Config provides the functions
// that it calls. Every change to a chat's row goes through this package, so that
// concurrent writers never overwrite each other.
package assistant

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// Config holds the dependencies of a Service.
type Config struct {
	// Chats and Queued hold the chats and the queued prompts that earlier runs of the app stored. Queued prompts wait
	// until the user sends a message or resumes the queue.
	Chats  []backend.Chat
	Queued []backend.QueuedPrompt
	// Prompt runs a turn: it sends text and its attachments to the turn's session. It returns the completed turn, with
	// SentAt set if an agent received the prompt, and a summary. When ctx ends, Prompt stops the turn and returns
	// promptly. Turns of different sessions of a chat may run concurrently.
	Prompt func(ctx context.Context, turn backend.Turn, text string, with []backend.Attachment) (backend.Turn, backend.TurnSummary)
	// Content returns the metadata of stored content, such as an attached image. If Content is nil, messages with
	// images can't be sent.
	Content func(ctx context.Context, id string) (backend.Content, error)
	// CheckAttachments returns an error if the chat's model or agent doesn't support the attachments, as far as that is
	// known before sending. If CheckAttachments is nil, all attachments are accepted. The only method of the Service
	// that it may call is Get.
	CheckAttachments func(chatID string, with []backend.Attachment) error
	// Sandbox returns the sandbox for a new chat with the given model or agent. If Sandbox is nil, new chats have no
	// sandbox.
	Sandbox func(providerID string) backend.Sandbox
	// Writable returns an error if no message can be sent to the chat now. If Writable is nil, messages can always be
	// sent. The only method of the Service that it may call is Get.
	Writable func(chatID string) error
	// Publish queues events. It never blocks.
	Publish func(events ...backend.Event)
	// Commit publishes events and returns when they are durable, or returns an error if they couldn't be stored.
	Commit func(ctx context.Context, events ...backend.Event) error
}

// Service holds all chats of the app. Its methods are safe for concurrent use.
type Service struct {
	cfg Config

	mu     sync.Mutex
	byID   map[string]*conversation
	queued map[string]*conversation  // by id of a queued prompt
	tasks  map[string]*delegatedTask // by id of the block
	closed bool
	turns  sync.WaitGroup
}

// errQuit is the cancellation cause of turns that end because the app quits.
var errQuit = errors.New("VoxPilot quits")

// New returns a Service with the given dependencies. It starts no turn.
func New(cfg Config) *Service {
	c := &Service{cfg: cfg, byID: map[string]*conversation{}, queued: map[string]*conversation{}, tasks: map[string]*delegatedTask{}}
	for _, chat := range cfg.Chats {
		c.byID[chat.ID] = c.newConversation(chat)
	}
	for _, q := range cfg.Queued {
		if v := c.byID[q.ChatID]; v != nil {
			v.queue = append(v.queue, q)
			c.queued[q.ID] = v
		}
	}
	return c
}

// Create creates a chat in folder. The model or agent with the ID providerID answers the chat's
// messages. A new chat never starts in backend.ModeBypass, even if mode requests it.
func (s *Service) Create(ctx context.Context, folder, providerID, title string, mode backend.PermissionMode) (backend.Chat, error) {
	return s.CreateWith(ctx, folder, providerID, title, mode, func(backend.Chat) ([]backend.Event, error) { return nil, nil })
}

// newChat returns the row of a new chat.
func (s *Service) newChat(folder, providerID, title string, mode backend.PermissionMode) backend.Chat {
	if mode != backend.ModeAcceptEdits {
		mode = backend.ModeAsk
	}
	now := backend.Now()
	chat := backend.Chat{
		ID: backend.NewID(), Title: title, Folder: folder, ProviderID: providerID, PermissionMode: mode,
		CreatedAt: now, UpdatedAt: now,
	}
	if s.cfg.Sandbox != nil {
		chat.Sandbox = s.cfg.Sandbox(providerID)
	}
	return chat
}

// Get returns the chat's current row. It doesn't wait while the row is being written.
func (s *Service) Get(id string) (backend.Chat, error) {
	v, err := s.conversation(id)
	if err != nil {
		return backend.Chat{}, err
	}
	return *v.row.Load(), nil
}

// HasFolder reports whether folder is a chat's folder, which implies that the user chose it.
func (s *Service) HasFolder(folder string) bool {
	for _, v := range s.all() {
		if v.row.Load().Folder == folder {
			return true
		}
	}
	return false
}

// Running returns the number of chats in which a turn or a task is running.
func (s *Service) Running() (n int) {
	for _, v := range s.all() {
		v.mu.Lock()
		if v.running != nil || len(v.tasks) > 0 {
			n++
		}
		v.mu.Unlock()
	}
	return n
}

// Change calls the function change to modify the chat's row, and commits the row and the given events atomically.
func (s *Service) Change(ctx context.Context, id string, change func(*backend.Chat), with ...backend.Event) error {
	v, err := s.conversation(id)
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.deleted {
		return errNoChat // its row must not be restored
	}
	next := v.chat
	change(&next)
	if reflect.DeepEqual(next, v.chat) && len(with) == 0 {
		return nil
	}
	if err := s.commit(ctx, backend.Say("Couldn't save the change."), append(with, backend.Event{Chat: &next})...); err != nil {
		return err
	}
	v.setChat(next)
	return nil
}

// Delete stops the chat's turn and tasks and permanently deletes the chat with all its
// data, unlike Discard. Files changed by the agent stay as they are.
func (s *Service) Delete(ctx context.Context, id string) error {
	v, err := s.conversation(id)
	if err != nil {
		return err
	}
	err = v.end(ctx)
	v.mu.Lock()
	defer v.mu.Unlock()
	if err == nil {
		err = s.commit(ctx, backend.Say("Couldn't delete the chat."), backend.Event{ChatDeleted: &backend.Deleted{ID: id, ChatID: id}})
	}
	if err != nil {
		v.deleted = v.chat.DeletedAt > 0 // it still exists, and is usable unless it was discarded
		return err
	}
	for len(v.queue) > 0 {
		v.drop(0)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byID, id)
	return nil
}

// Send sends the user's text and attachments immediately if the chat is idle and its queue is empty, or else
// queues them. Either way, the message is durable when Send returns its id. A paused queue is resumed.
//
// Errors: CodeInvalid (empty, or an invalid attachment), CodeTooLarge (over backend.MaxPromptBytes or
// backend.MaxAttachments), CodeNotFound (the chat or an image), CodeUnavailable (the model or agent doesn't
// support an attachment, the chat can't send messages now, or VoxPilot is closing), CodeStorage.
func (s *Service) Send(ctx context.Context, chatID, text string, with ...backend.Attachment) (string, error) {
	v, err := s.conversation(chatID)
	if err != nil {
		return "", err
	}
	if err := s.checkWritable(chatID); err != nil {
		return "", err
	}
	if err := checkPrompt(text, len(with) > 0); err != nil {
		return "", err
	}
	if with, err = s.checkAttachments(ctx, chatID, with); err != nil {
		return "", err
	}
	return v.send(ctx, text, with, nil)
}

// SendAlong is like Send, but leaves the draft as it is and commits additional events together with the message. The
// function events returns these events; its argument is the message's ID.
func (s *Service) SendAlong(ctx context.Context, chatID, text string, events func(id string) []backend.Event) (string, error) {
	v, err := s.conversation(chatID)
	if err != nil {
		return "", err
	}
	if err := s.checkWritable(chatID); err != nil {
		return "", err
	}
	if err := checkPrompt(text, false); err != nil {
		return "", err
	}
	return v.send(ctx, text, nil, events)
}

// SendNext queues a message at the head of the queue, to be sent when the running turn has ended. The function commit
// receives the events that make the message durable, and must commit them together with the caller's own changes.
//
// Errors: the same as for Send, and any error from commit.
func (s *Service) SendNext(ctx context.Context, chatID, text string, commit func(ctx context.Context, events ...backend.Event) error) error {
	v, err := s.conversation(chatID)
	if err != nil {
		return err
	}
	if err := s.checkWritable(chatID); err != nil {
		return err
	}
	if err := checkPrompt(text, false); err != nil {
		return err
	}
	return v.sendNext(ctx, text, commit)
}

// SaveDraft stores the user's unsent text and attachments.
func (s *Service) SaveDraft(ctx context.Context, id, text string, with []backend.Attachment) error {
	if len(text) > 4*backend.MaxPromptBytes {
		return &backend.Error{Code: backend.CodeTooLarge, Message: backend.Say("The text is too long to save as a draft.")}
	}
	with, err := checkAttachments(with)
	if err != nil {
		return err
	}
	return s.Change(ctx, id, func(chat *backend.Chat) { chat.Draft, chat.DraftAttachments = text, with })
}

// Resume resumes a paused queue.
func (s *Service) Resume(ctx context.Context, chatID string) error {
	v, err := s.conversation(chatID)
	if err != nil {
		return err
	}
	return v.resume(ctx)
}

// Stop stops the chat's running turn and all tasks of its sessions, and pauses the queue.
func (s *Service) Stop(chatID string) error {
	v, err := s.conversation(chatID)
	if err != nil {
		return err
	}
	v.stop()
	return nil
}

// EditQueued replaces the text of a queued prompt. The prompt's attachments stay the same.
func (s *Service) EditQueued(ctx context.Context, id, text string) error {
	v, err := s.holder(id)
	if err != nil {
		return err
	}
	return v.edit(ctx, id, text)
}

// BeginEdit holds back a queued prompt while the user edits it, because the stored text may be outdated. The prompts
// behind it wait, too. Only one prompt per chat is held back: BeginEdit releases a prompt that it held back earlier.
func (s *Service) BeginEdit(id string) error {
	v, err := s.holder(id)
	if err != nil {
		return err
	}
	return v.beginEdit(id)
}

// EndEdit releases the prompt with the given ID if BeginEdit held it back, or all such prompts if id is "".
// A newly loaded page passes "".
func (s *Service) EndEdit(ctx context.Context, id string) error {
	var errs []error
	for _, v := range s.all() {
		errs = append(errs, v.endEdit(ctx, id))
	}
	return errors.Join(errs...)
}

// RemoveQueued removes a queued prompt.
func (s *Service) RemoveQueued(ctx context.Context, id string) error {
	v, err := s.holder(id)
	if err != nil {
		return err
	}
	return v.remove(ctx, id)
}

// MoveQueued moves a queued prompt in front of another one, whose ID is the parameter before. If that ID is "", the
// prompt moves to the end of the queue. Both prompts must belong to the same chat.
func (s *Service) MoveQueued(ctx context.Context, id, before string) error {
	v, err := s.holder(id)
	if err != nil {
		return err
	}
	return v.move(ctx, id, before)
}

// SendQueuedNow moves a queued prompt to the head of the queue and stops the running turn to send it.
// The other prompts keep their order, and paused ones stay paused.
func (s *Service) SendQueuedNow(ctx context.Context, id string) error {
	v, err := s.holder(id)
	if err != nil {
		return err
	}
	return v.sendNow(ctx, id)
}

// Close interrupts all running turns and prevents new ones. A turn whose message hasn't reached an agent stays open,
// and its message is queued when the app starts again. Close returns nil when all turns have ended, or ctx's error if
// ctx ends first.
func (s *Service) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	for _, v := range s.all() {
		v.mu.Lock()
		v.stopTasks(errQuit, nil)
		if v.running != nil {
			v.running.cancel(errQuit)
		}
		v.mu.Unlock()
	}
	done := make(chan struct{})
	go func() { s.turns.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// enter counts a new turn in s.turns; the caller must call s.turns.Done when the turn
// ends. It returns false if the app is closing.
func (s *Service) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.turns.Add(1)
	return true
}

func (s *Service) all() []*conversation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.byID))
}

func (s *Service) conversation(id string) (*conversation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.byID[id]; v != nil {
		return v, nil
	}
	return nil, errNoChat
}

var errNoChat = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This chat no longer exists.")}

func (s *Service) holder(queuedID string) (*conversation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.queued[queuedID]; v != nil {
		return v, nil
	}
	return nil, errNotQueued
}

var errNotQueued = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This message is no longer in the queue. It was sent or removed.")}

func (s *Service) commit(ctx context.Context, failed backend.Message, events ...backend.Event) error {
	if err := s.cfg.Commit(ctx, events...); err != nil {
		return &backend.Error{Code: backend.CodeStorage, Message: backend.Say("%s VoxPilot can't write to its database. Everything saved earlier is safe.", failed), Detail: err.Error()}
	}
	return nil
}
