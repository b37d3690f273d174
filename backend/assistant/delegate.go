package assistant

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Delegation is a task delegated to a named session of a chat.
type Delegation struct {
	ChatID string
	// TurnID is the ID of the delegating turn, which must be the chat's running turn. It is "" if the user delegates
	// the task. ToolCallID is the ID of the tool call by which the turn delegates the task, or "" if there is none.
	TurnID      string
	ToolCallID  string
	SessionName string
	Prompt      string
	// Progress receives short progress lines. It may be nil and must not block.
	Progress func(text string)
	// Started is called when the task's block and turn are stored, before the session receives the prompt. It
	// may be nil.
	Started func()
	// Ended is called before Delegate returns. It receives the turn that ran the task, and the turn's summary. It may
	// be nil.
	Ended func(turn backend.Turn, did backend.TurnSummary)
}

// delegatedTask is a running Delegation.
type delegatedTask struct {
	item     backend.Item // the block
	turn     backend.Turn
	caller   string // turn that delegated it; "" if the user did
	progress func(text string)
	cancel   context.CancelCauseFunc
	done     chan struct{}
}

// errCallerInterrupted is the cancellation cause of a task whose delegating turn was interrupted.
var errCallerInterrupted = errors.New("what gave the work was interrupted")

// Delegate runs a task in a session, creating the session if it doesn't exist, and returns when the
// task has ended. The returned Block holds the result for the caller. The block and its turn are
// durable before the session receives anything.
//
// Tasks for the same session run one after another; tasks for different sessions run in parallel. When ctx
// or the delegating turn ends, the task is stopped. While the agent waits for a sign-in, the task waits
// too; if the agent gives up, the task ends with Block.Error.
//
// A prompt that doesn't come from the user is never sent as a slash command.
//
// An error means that the task wasn't started: CodeInvalid (name or prompt), CodeTooLarge,
// CodeNotFound (chat), CodeUnavailable (the turn has ended, the chat is held, the session is being
// renamed, or VoxPilot is closing), CodeStorage.
func (s *Service) Delegate(ctx context.Context, d Delegation) (backend.Block, error) {
	v, err := s.conversation(d.ChatID)
	if err != nil {
		return backend.Block{}, err
	}
	if d.SessionName, err = SessionName(d.SessionName); err != nil {
		return backend.Block{}, err
	}
	if err := checkPrompt(d.Prompt, false); err != nil {
		return backend.Block{}, err
	}
	if d.TurnID != "" {
		d.Prompt = escapeSlashCommand(d.Prompt)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w, err := v.begin(ctx, cancel, d)
	if err != nil {
		return backend.Block{}, err
	}
	defer s.turns.Done()
	if d.Started != nil {
		d.Started()
	}
	turn, did := s.cfg.Prompt(ctx, w.turn, d.Prompt, nil)
	block, turn := v.finish(ctx, w, turn, did)
	if d.Ended != nil {
		d.Ended(turn, did)
	}
	return block, nil
}

// begin commits the block and the turn for d, and registers the task as running.
func (v *conversation) begin(ctx context.Context, cancel context.CancelCauseFunc, d Delegation) (*delegatedTask, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch r := v.running; {
	case v.deleted:
		return nil, errNoChat
	case d.TurnID != "" && (r == nil || r.turn.ID != d.TurnID || r.over):
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The answer that this task belongs to has already ended, so the task wasn't started.")}
	case v.isHeld:
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This chat is still going back to an earlier message. Try again in a moment.")}
	case v.locked[d.SessionName]:
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The session is being renamed, so the task wasn't started. Try again in a moment.")}
	case !v.service.enter():
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot is closing, so the task wasn't started.")}
	}
	now := backend.Now()
	w := &delegatedTask{caller: d.TurnID, progress: d.Progress, cancel: cancel, done: make(chan struct{})}
	w.item = backend.Item{
		ID: backend.NewID(), ChatID: v.chat.ID, TurnID: d.TurnID, Session: d.SessionName,
		Kind: backend.ItemBlock, Open: true, CreatedAt: now,
	}
	w.turn = backend.Turn{
		ID: backend.NewID(), ChatID: v.chat.ID, Session: d.SessionName, BlockID: w.item.ID,
		State: backend.TurnRunning, StartedAt: now,
	}
	prompt := cutBytes(d.Prompt, backend.MaxBlockPrompt)
	w.item.Block = &backend.Block{ToolCallID: d.ToolCallID, SessionName: d.SessionName, TurnID: w.turn.ID, Prompt: prompt}
	turn, item := w.turn, w.item
	events := []backend.Event{{Turn: &turn}, {Item: &item}}
	if prompt != d.Prompt {
		events = append(events, backend.Event{Content: &backend.Content{
			ID: backend.NewID(), ItemID: item.ID, ChatID: item.ChatID, Type: backend.ContentText,
			Size: int64(len(d.Prompt)), Version: 1, Lines: strings.Count(d.Prompt, "\n") + 1, Body: []byte(d.Prompt),
		}})
	}
	chat := v.chat
	if d.TurnID == "" {
		chat.UpdatedAt = now
		if !v.isBusy() {
			chat.TurnState, chat.TurnSince, chat.Detail = backend.TurnRunning, now, backend.Message{}
		}
		events = append(events, backend.Event{Chat: &chat})
	}
	if err := v.service.commit(ctx, backend.Say("Couldn't start the task."), events...); err != nil {
		v.service.turns.Done()
		return nil, err
	}
	v.setChat(chat)
	if v.tasks == nil {
		v.tasks = map[string]*delegatedTask{}
	}
	v.tasks[item.ID] = w
	v.waitTimes.begin(turn.ID, d.TurnID)
	v.service.mu.Lock()
	v.service.tasks[item.ID] = w
	v.service.mu.Unlock()
	return w, nil
}

// finish records the result of a task and returns its completed block and turn.
func (v *conversation) finish(ctx context.Context, w *delegatedTask, turn backend.Turn, did backend.TurnSummary) (backend.Block, backend.Turn) {
	turn.EndedAt = backend.Now()
	turn.Waited = v.waitTimes.end(turn.ID, turn.EndedAt)
	switch cause := context.Cause(ctx); {
	case turn.State == backend.TurnStopped && (errors.Is(cause, errQuit) || errors.Is(cause, errCallerInterrupted)):
		turn.State = backend.TurnInterrupted
	case turn.State == backend.TurnInterrupted && errors.Is(cause, errStopped):
		turn.State, turn.Error = backend.TurnStopped, nil // stopped on purpose
	}
	block := *w.item.Block
	block.StopReason, block.Error = turn.StopReason, turn.Error
	block.Summary = cutBytes(strings.TrimSpace(did.Message), backend.MaxSummary)
	block.Files = did.Files[:min(len(did.Files), backend.MaxChanges)]
	block.Commands = did.Commands[:min(len(did.Commands), backend.MaxChanges)]
	item := w.item
	item.Open, item.EndedAt, item.Waited, item.Block = false, turn.EndedAt, turn.Waited, &block

	v.mu.Lock()
	defer v.mu.Unlock()
	v.service.cfg.Publish(backend.Event{Turn: &turn}, backend.Event{Item: &item})
	delete(v.tasks, item.ID)
	v.noteChangedFiles(did)
	if w.caller == "" { // also for a deleted chat, which can be restored
		chat := v.endTurn(turn)
		v.service.cfg.Publish(backend.Event{Chat: &chat})
	}
	v.service.mu.Lock()
	delete(v.service.tasks, item.ID)
	v.service.mu.Unlock()
	close(w.done)
	return block, turn
}

// stopTasks cancels tasks with the given cause and returns them: those delegated by the caller's turn, or
// all of the chat's tasks if caller is nil. The caller of stopTasks must hold v.mu.
func (v *conversation) stopTasks(cause error, caller *run) (stopped []*delegatedTask) {
	for _, w := range v.tasks {
		if caller == nil || w.caller == caller.turn.ID {
			w.cancel(cause)
			stopped = append(stopped, w)
		}
	}
	return stopped
}

// StopBlock stops the task whose block has the given item ID. It returns CodeNotFound
// if the task has ended.
func (s *Service) StopBlock(itemID string) error {
	if w := s.taskOf(itemID); w != nil {
		w.cancel(errStopped)
		return nil
	}
	return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This task has already ended.")}
}

// taskOf returns the running task of a block, or nil if the task has ended.
func (s *Service) taskOf(itemID string) *delegatedTask {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tasks[itemID]
}

// StopSession stops all tasks of the named session, including waiting ones.
func (s *Service) StopSession(chatID, session string) {
	v, err := s.conversation(chatID)
	if err != nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, w := range v.tasks {
		if w.item.Session == session {
			w.cancel(errStopped)
		}
	}
}

// Turn returns the id of the turn that is currently answering the user, or "" if there is none. No other
// turn can delegate tasks.
func (s *Service) Turn(chatID string) string {
	v, err := s.conversation(chatID)
	if err != nil {
		return ""
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.running == nil || v.running.over {
		return ""
	}
	return v.running.turn.ID
}

// WhileIdle calls the function do if none of the named sessions has a task. It prevents new tasks in these sessions
// until the function returns. If one of the sessions has a running or waiting task, or is in another WhileIdle call,
// WhileIdle returns CodeUnavailable.
func (s *Service) WhileIdle(chatID string, do func() error, names ...string) error {
	v, err := s.conversation(chatID)
	if err != nil {
		return err
	}
	v.mu.Lock()
	busy := slices.ContainsFunc(names, func(name string) bool { return v.locked[name] })
	for _, w := range v.tasks {
		busy = busy || slices.Contains(names, w.item.Session)
	}
	if busy {
		v.mu.Unlock()
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The session is running. Stop it, or wait for it to finish.")}
	}
	rest := func(on bool) {
		for _, name := range names {
			v.locked[name] = on
		}
	}
	rest(true)
	v.mu.Unlock()
	defer func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		rest(false)
	}()
	return do()
}

// progress is called with changed items. If the item is a running tool of a delegated task, progress calls the task's
// Progress function with the session's name and the tool's title.
func (s *Service) progress(it backend.Item) {
	if it.ParentID == "" || it.Tool == nil || it.Tool.Title == "" || !it.Open {
		return
	}
	if w := s.taskOf(it.ParentID); w != nil && w.item.ChatID == it.ChatID && w.progress != nil {
		w.progress(w.item.Session + ": " + firstLine(it.Tool.Title, 120))
	}
}

// maxName is the maximum length of a session's name in characters.
const maxName = 40

// SessionName normalizes name for use as a session's name. If the name can't be used, it returns a CodeInvalid error
// whose message tells the user why.
func SessionName(name string) (string, error) {
	invalid := func(message backend.Message) (string, error) {
		return "", &backend.Error{Code: backend.CodeInvalid, Message: message}
	}
	name = norm.NFC.String(strings.TrimSpace(name))
	switch {
	case name == "":
		return invalid(backend.Say("Enter a session name."))
	case utf8.RuneCountInString(name) > maxName:
		return invalid(backend.Say("A session name can have at most %d characters.", maxName))
	case strings.EqualFold(name, backend.SessionMain):
		return invalid(backend.Say("The name “main” is reserved for the session that answers you. Choose another name."))
	}
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("._- ", r) {
			return invalid(backend.Say("A session name can contain only letters, digits, spaces and . _ -, not %q.", r))
		}
	}
	return name, nil
}

// escapeSlashCommand returns text in a form that no agent mistakes for a slash command
// from the user, such as one that disables permission requests. If the first visible
// character can start a command, text gets a prefix. Such characters are recognized in
// all their Unicode forms and after invisible characters.
func escapeSlashCommand(text string) string {
	for _, r := range norm.NFKC.String(text[:min(len(text), commandLookahead)]) {
		switch {
		case unicode.IsSpace(r), !unicode.IsPrint(r), unicode.IsMark(r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
			continue
		case strings.ContainsRune(commandChars, r):
			return taskPrefix + text
		}
		return text
	}
	return taskPrefix + text // nothing visible so far
}

const (
	// commandLookahead is the number of bytes of a text that are checked for a command.
	commandLookahead = 4096
	// commandChars are characters that start a command in agents. They are the slash and its lookalikes,
	// the "!" of a shell command, and the "&" of a prompt that the Copilot CLI delegates to the cloud agent.
	commandChars = "&/\\!∕⁄⧸⟋╱𝈺"
	taskPrefix   = "Task: "
)

// cutBytes returns text, truncated to at most limit bytes. Truncated text ends with cutMark.
func cutBytes(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return excerpt.Head(text, limit-len(cutMark)) + cutMark
}
