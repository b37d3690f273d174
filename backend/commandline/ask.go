package commandline

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/backend/platform/instance"
	"github.com/voxpilot/voxpilot/backend/store"
)

// cliQuestions holds the unanswered questions from command lines, by chat ID.
type cliQuestions struct {
	mu     sync.Mutex
	byChat map[string]*cliQuestion
}

// cliQuestion holds the part of a question's state that hasn't been reported to the command line yet.
type cliQuestion struct {
	changed chan struct{} // capacity 1
	mu      sync.Mutex
	notes   []string
	last    string // the latest note
	ended   *backend.Turn
	deleted bool   // the chat was deleted
	trust   string // error message if the user must first trust the folder; otherwise ""
}

func (q *cliQuestions) begin(chatID string) *cliQuestion {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.byChat == nil {
		q.byChat = map[string]*cliQuestion{}
	}
	one := &cliQuestion{changed: make(chan struct{}, 1)}
	q.byChat[chatID] = one
	return one
}

func (q *cliQuestions) end(chatID string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.byChat, chatID)
}

// observe passes an event to the question that it concerns. It is a follower of the overview: see Overview.Follow.
func (q *cliQuestions) observe(_ overview.State, e backend.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.byChat) == 0 {
		return
	}
	switch {
	case e.Turn != nil && e.Turn.BlockID == "" && e.Turn.State != backend.TurnRunning:
		q.byChat[e.Turn.ChatID].change(func(one *cliQuestion) { one.ended = cmp.Or(one.ended, e.Turn) })
	case e.Permission != nil && e.Permission.State == backend.PermissionOpen:
		q.byChat[e.Permission.ChatID].note(noteOf(*e.Permission))
	case e.Connection != nil && e.Connection.State == backend.ConnectionNeedsTrust:
		q.byChat[e.Connection.ChatID].change(func(one *cliQuestion) { one.trust = untrustedMessage })
	case e.Connection != nil && !e.Connection.Message.IsZero() && slices.Contains(
		[]backend.ConnectionState{backend.ConnectionWaiting, backend.ConnectionNeedsLogin, backend.ConnectionFailed}, e.Connection.State):
		q.byChat[e.Connection.ChatID].note(e.Connection.Message.String())
	case e.Chat != nil && e.Chat.TurnState == backend.TurnRunning && !e.Chat.Detail.IsZero():
		q.byChat[e.Chat.ID].note(e.Chat.Detail.String())
	case e.ChatDeleted != nil:
		q.byChat[e.ChatDeleted.ID].change(func(one *cliQuestion) { one.deleted = true })
	}
}

// untrustedMessage is the error message for a question that VoxPilot can't send until the user trusts the chat's
// folder.
const untrustedMessage = "you haven't trusted the files in this folder that can run code. Review them in VoxPilot's window. Your question is saved and will be answered there when you trust the folder"

// noteOf returns the note for the terminal about an open request.
func noteOf(p backend.Permission) string {
	if p.Question != nil && p.Question.Plan != "" {
		return "Open VoxPilot to approve a plan: " + p.Title
	}
	if p.Question != nil {
		return "Open VoxPilot to answer a question: " + p.Title
	}
	return "Open VoxPilot to answer a permission request: " + describeRequest(p)
}

// describeRequest returns a one-line description of a request.
func describeRequest(p backend.Permission) string {
	switch of := cmp.Or(p.Command, p.Path); {
	case of == "":
		return p.Title
	case p.Kind == backend.ToolExecute:
		return "run " + of
	default:
		if n := p.Others(); n == 1 {
			of += " and 1 more file"
		} else if n > 1 {
			of += fmt.Sprintf(" and %d more files", n)
		}
		if p.Title == "" || p.Title == of {
			return of
		}
		return p.Title + " (" + of + ")"
	}
}

// change updates a question and wakes its reader. It does nothing if the receiver is nil, which means
// that the chat has no question.
func (one *cliQuestion) change(change func(*cliQuestion)) {
	if one == nil {
		return
	}
	one.mu.Lock()
	change(one)
	one.mu.Unlock()
	select {
	case one.changed <- struct{}{}:
	default:
	}
}

func (one *cliQuestion) note(text string) {
	one.change(func(one *cliQuestion) {
		if text != one.last {
			one.last = text
			one.notes = append(one.notes, text)
		}
	})
}

// ask handles `voxpilot ask`: it sends the prompt to a new chat and, once the turn has ended, responds with the
// turn's last message. If the client disconnects, the turn is stopped. If the user must first trust the folder, which
// isn't possible in a terminal, ask returns an error with CodeUntrusted and the chat continues in the window.
func (s *Server) ask(ctx context.Context, r instance.Request, more func(instance.Response) error) error {
	e, err := s.api.EngineIn(engine.OpenTime)
	if err != nil {
		return err
	}
	b := e.DefaultModel()
	m := backend.QuickMessage{Text: r.Text, Folder: folderOf(r, r.Dir), AgentID: b.QuickAgent(), OrchestratorID: b.OrchestratorID, Mode: e.Setup.Settings().Mode}
	var chat backend.Chat
	var one *cliQuestion
	err = s.api.SendMessage(m, func(made backend.Chat) { chat, one = made, s.questions.begin(made.ID) })
	defer func() { s.questions.end(chat.ID) }()
	if err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return cmp.Or(e.Chats.Stop(chat.ID), ctx.Err())
		case <-one.changed:
		}
		one.mu.Lock()
		notes, turn, gone, trust := one.notes, one.ended, one.deleted, one.trust
		one.notes = nil
		one.mu.Unlock()
		for _, text := range notes {
			if err := more(instance.Response{Note: text}); err != nil {
				break // the client disconnected, and ctx ends
			}
		}
		switch {
		case turn != nil:
			return writeAnswer(ctx, e, *turn, more)
		case trust != "":
			return &backend.Error{Code: backend.CodeUntrusted, Message: backend.Plain(trust)}
		case gone:
			return &backend.Error{Code: backend.CodeNotFound, Message: backend.Plain("The chat was deleted before it got an answer.")}
		}
	}
}

// writeAnswer sends the last message of a turn, if it has one, in responses passed to the callback more. If the turn
// wasn't completed, writeAnswer returns the reason as an error.
func writeAnswer(ctx context.Context, e *engine.Engine, turn backend.Turn, more func(instance.Response) error) error {
	var last string
	err := e.Store.Read(ctx, func(v *store.ReadTx) error {
		err := v.EachItem(ctx, turn.ChatID, "", func(item backend.Item) error {
			if item.TurnID == turn.ID && item.Kind == backend.ItemMessage {
				last = item.ID
			}
			return nil
		})
		if err != nil || last == "" {
			return err
		}
		return v.WriteText(ctx, &answerWriter{send: more}, last)
	})
	switch {
	case err != nil:
		return err
	case turn.State == backend.TurnDone:
		return nil
	case turn.Error != nil:
		return turn.Error
	case turn.State == backend.TurnStopped:
		return &backend.Error{Code: backend.CodeInterrupted, Message: backend.Say("The answer was stopped.")}
	}
	return &backend.Error{Code: backend.CodeInterrupted, Message: backend.Say("The answer was interrupted.")}
}

// answerWriter is a writer that sends its input as responses of at most answerPiece bytes, split at character
// boundaries.
type answerWriter struct {
	send func(instance.Response) error
	rest []byte // an incomplete character
}

// answerPiece is the maximum size in bytes of the text in one response.
const answerPiece = 64 << 10

func (w *answerWriter) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	for n := wholeLetters(w.rest); n > 0; n = wholeLetters(w.rest) {
		if err := w.send(instance.Response{Text: string(w.rest[:n])}); err != nil {
			return 0, err
		}
		w.rest = w.rest[n:]
	}
	return len(p), nil
}

// wholeLetters returns the size in bytes of the next piece of text to send. If text ends with an incomplete
// character, that character isn't part of the piece.
func wholeLetters(text []byte) int {
	end := min(len(text), answerPiece)
	for n := 1; n <= min(end, utf8.UTFMax); n++ {
		if utf8.RuneStart(text[end-n]) {
			if !utf8.FullRune(text[end-n : end]) {
				return end - n
			}
			break
		}
	}
	return end
}
