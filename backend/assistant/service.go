// Package assistant decides who answers a message and when: it keeps the
// chats' rows, the queue of each chat, and runs one turn at a time in each. What
// a turn, or the user, gives to other sessions of the chat runs beside it
// (delegate.go).
//
// It knows nothing of agents, databases or windows; newApp hands it funcs.
// Every change of a chat's row goes through this package, so that two writers
// never overwrite one another.
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

// Config is what Chats needs of the rest of the app.
type Config struct {
	// Chats and Queued are those kept from earlier runs. What is queued waits
	// until the user sends again.
	Chats  []backend.Chat
	Queued []backend.QueuedPrompt
	// Prompt carries a turn out: it sends text, and what goes with it, to the
	// turn's session and returns the turn as it ended, with SentAt where an agent
	// got it, and what came of it. When ctx ends it stops the turn and returns
	// soon. Turns of different sessions of a chat may run at once.
	Prompt func(ctx context.Context, turn backend.Turn, text string, with []backend.Attachment) (backend.Turn, backend.TurnSummary)
	// Content is what is known of a body, such as that of an image that goes with
	// a message; nil knows none.
	Content func(ctx context.Context, id string) (backend.Content, error)
	// Takes says why who answers the chat does not take what goes with a message,
	// as far as that is known before it is sent; nil takes everything. It must not
	// call Chats, but for Get.
	Takes func(chatID string, with []backend.Attachment) error
	// Publish queues events; it never blocks.
	Publish func(events ...backend.Event)
	// Commit returns when the events are durable, or with the reason why not.
	Commit func(ctx context.Context, events ...backend.Event) error
}

// Service are all chats of the app. Its methods are safe for concurrent use.
type Service struct {
	cfg Config

	mu     sync.Mutex
	byID   map[string]*conversation
	queued map[string]*conversation  // by the id of a queued prompt
	tasks  map[string]*delegatedTask // by the id of the block
	closed bool
	turns  sync.WaitGroup
}

// errQuit is the cause of the turns that end because the app does.
var errQuit = errors.New("VoxPilot quits")

// New makes the Chats of an app. It starts no turn.
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

// Create adds a chat in folder that providerID answers. mode says what its
// agents may do without asking; no chat begins with backend.ModeBypass.
func (s *Service) Create(ctx context.Context, folder, providerID, title string, mode backend.PermissionMode) (backend.Chat, error) {
	if mode != backend.ModeAcceptEdits {
		mode = backend.ModeAsk
	}
	now := backend.Now()
	chat := backend.Chat{
		ID: backend.NewID(), Title: title, Folder: folder, ProviderID: providerID, PermissionMode: mode,
		CreatedAt: now, UpdatedAt: now,
	}
	if err := s.commit(ctx, backend.Say("Couldn't create the chat."), backend.Event{Chat: &chat}); err != nil {
		return backend.Chat{}, err
	}
	s.mu.Lock()
	s.byID[chat.ID] = s.newConversation(chat)
	s.mu.Unlock()
	return chat, nil
}

// Get is the chat's row as it is kept now. It waits for nothing, also while the
// row is being written.
func (s *Service) Get(id string) (backend.Chat, error) {
	v, err := s.conversation(id)
	if err != nil {
		return backend.Chat{}, err
	}
	return *v.row.Load(), nil
}

// HasFolder says whether a chat was begun in folder: the user trusts it.
func (s *Service) HasFolder(folder string) bool {
	for _, v := range s.all() {
		if v.row.Load().Folder == folder {
			return true
		}
	}
	return false
}

// Running is how many chats are at work.
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

// Change applies change to the chat's row and commits it, together with other
// events that are to hold with it or not at all.
func (s *Service) Change(ctx context.Context, id string, change func(*backend.Chat), with ...backend.Event) error {
	v, err := s.conversation(id)
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.deleted {
		return errNoChat // its row must not come back
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

// Delete stops the chat's turn and removes the chat and all that is its own, for
// good; see Discard.
// Files that the agent changed stay as they are.
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
		v.deleted = v.chat.DeletedAt > 0 // it is still there, and can be used unless it was discarded
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

// Send takes the user's text, and what goes with it: it is sent at once where the
// chat is free, and queued behind what runs or waits otherwise. Either way it is
// durable when Send returns its id. A queue that was paused goes on.
//
// Errors: CodeInvalid (empty, or an attachment that is none), CodeTooLarge (over
// backend.MaxPromptBytes or backend.MaxAttachments), CodeNotFound,
// CodeUnavailable (who answers does not take it), CodeStorage.
func (s *Service) Send(ctx context.Context, chatID, text string, with ...backend.Attachment) (string, error) {
	v, err := s.conversation(chatID)
	if err != nil {
		return "", err
	}
	if err := checkPrompt(text, len(with) > 0); err != nil {
		return "", err
	}
	if with, err = s.checkAttachments(ctx, chatID, with); err != nil {
		return "", err
	}
	return v.send(ctx, text, with)
}

// SendNext queues a message in front of all that waits. It is durable with what
// commit does, which gets the events that make it so, and goes out when the
// running turn has ended.
//
// Errors: those of Send, and of commit.
func (s *Service) SendNext(ctx context.Context, chatID, text string, commit func(ctx context.Context, events ...backend.Event) error) error {
	v, err := s.conversation(chatID)
	if err != nil {
		return err
	}
	if err := checkPrompt(text, false); err != nil {
		return err
	}
	return v.sendNext(ctx, text, commit)
}

// SaveDraft keeps what the user has not sent yet.
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

// Resume lets a paused queue go on.
func (s *Service) Resume(ctx context.Context, chatID string) error {
	v, err := s.conversation(chatID)
	if err != nil {
		return err
	}
	return v.resume(ctx)
}

// Stop ends the chat's running turn and all work of its sessions; what is
// queued is paused.
func (s *Service) Stop(chatID string) error {
	v, err := s.conversation(chatID)
	if err != nil {
		return err
	}
	v.stop()
	return nil
}

// EditQueued replaces the text of a prompt that waits. What goes with it stays.
func (s *Service) EditQueued(ctx context.Context, id, text string) error {
	v, err := s.holder(id)
	if err != nil {
		return err
	}
	return v.edit(ctx, id, text)
}

// BeginEdit has a prompt that waits go on waiting while the user edits it, and those
// behind it: what would be sent is not what the user sees. One at a time in a chat.
func (s *Service) BeginEdit(id string) error {
	v, err := s.holder(id)
	if err != nil {
		return err
	}
	return v.beginEdit(id)
}

// EndEdit lets a prompt go on that BeginEdit kept, and all of them where id is "",
// which is what a page says that begins anew.
func (s *Service) EndEdit(ctx context.Context, id string) error {
	var errs []error
	for _, v := range s.all() {
		errs = append(errs, v.endEdit(ctx, id))
	}
	return errors.Join(errs...)
}

// RemoveQueued removes a prompt that waits.
func (s *Service) RemoveQueued(ctx context.Context, id string) error {
	v, err := s.holder(id)
	if err != nil {
		return err
	}
	return v.remove(ctx, id)
}

// MoveQueued puts a prompt that waits in front of another one of its chat, or
// behind all where before is "".
func (s *Service) MoveQueued(ctx context.Context, id, before string) error {
	v, err := s.holder(id)
	if err != nil {
		return err
	}
	return v.move(ctx, id, before)
}

// SendQueuedNow sends a prompt that waits as the next, and stops what the chat
// answers now for it. The others keep their order; those that are paused stay so.
func (s *Service) SendQueuedNow(ctx context.Context, id string) error {
	v, err := s.holder(id)
	if err != nil {
		return err
	}
	return v.sendNow(ctx, id)
}

// Close ends every running turn as interrupted and starts no more. One whose
// message no agent got yet is not: its message waits after the next start. It returns
// when all have ended, or with ctx's error.
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

// enter counts a turn that is to begin, which c.turns is told of when it has
// ended. It is false where none may begin any more.
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
		return &backend.Error{Code: backend.CodeStorage, Message: backend.Say("%s The database can't be written. Nothing saved earlier is lost.", failed), Detail: err.Error()}
	}
	return nil
}
