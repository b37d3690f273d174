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

// asks are the questions of command lines that are being answered, by their
// chats.
type asks struct {
	mu     sync.Mutex
	byChat map[string]*asking
}

// asking is what has happened to one of them that was not told yet.
type asking struct {
	woken chan struct{} // has room for one
	mu    sync.Mutex
	notes []string
	last  string // of the notes that were made
	ended *backend.Turn
	gone  bool   // the chat was deleted
	trust string // why it waits for the user's trust; "" is not
}

func (a *asks) begin(chatID string) *asking {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.byChat == nil {
		a.byChat = map[string]*asking{}
	}
	one := &asking{woken: make(chan struct{}, 1)}
	a.byChat[chatID] = one
	return one
}

func (a *asks) end(chatID string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.byChat, chatID)
}

// see takes over what is news to a question (overview.follow).
func (a *asks) see(_ overview.View, e backend.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.byChat) == 0 {
		return
	}
	switch {
	case e.Turn != nil && e.Turn.BlockID == "" && e.Turn.State != backend.TurnRunning:
		a.byChat[e.Turn.ChatID].change(func(one *asking) { one.ended = cmp.Or(one.ended, e.Turn) })
	case e.Permission != nil && e.Permission.State == backend.PermissionOpen:
		a.byChat[e.Permission.ChatID].note("Permission needed: " + what(*e.Permission) + ". Open VoxPilot to answer.")
	case e.Connection != nil && e.Connection.State == backend.ConnectionNeedsTrust:
		a.byChat[e.Connection.ChatID].change(func(one *asking) { one.trust = untrustedAsk })
	case e.Connection != nil && !e.Connection.Message.IsZero() && slices.Contains(
		[]backend.ConnectionState{backend.ConnectionWaiting, backend.ConnectionNeedsLogin, backend.ConnectionFailed}, e.Connection.State):
		a.byChat[e.Connection.ChatID].note(e.Connection.Message.String())
	case e.Chat != nil && e.Chat.TurnState == backend.TurnRunning && !e.Chat.Detail.IsZero():
		a.byChat[e.Chat.ID].note(e.Chat.Detail.String())
	case e.ChatDeleted != nil:
		a.byChat[e.ChatDeleted.ID].change(func(one *asking) { one.gone = true })
	}
}

// untrustedAsk is what a question ends with that waits for the user's trust.
const untrustedAsk = "you haven't trusted what this folder can run. Review it in VoxPilot's window. Your question is saved, and is answered there when you trust the folder"

// what is what a request is for, in one line.
func what(p backend.Permission) string {
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

// change changes a question; nil is none of a command line.
func (one *asking) change(change func(*asking)) {
	if one == nil {
		return
	}
	one.mu.Lock()
	change(one)
	one.mu.Unlock()
	select {
	case one.woken <- struct{}{}:
	default:
	}
}

func (one *asking) note(text string) {
	one.change(func(one *asking) {
		if text != one.last {
			one.last = text
			one.notes = append(one.notes, text)
		}
	})
}

// ask answers `voxpilot ask`: a new chat is asked, and when its turn has ended,
// what was said last in it is the answer. Who hangs up stops it. If the folder needs
// the user's trust, nobody at a terminal can give it: the question ends there, and the
// chat goes on in the window.
func (s *Server) ask(ctx context.Context, r instance.Request, more func(instance.Answer) error) error {
	e, err := s.api.EngineIn(engine.OpenTime)
	if err != nil {
		return err
	}
	b := e.DefaultModel()
	m := backend.QuickMessage{Text: r.Text, Folder: folderOf(r, r.Dir), AgentID: b.QuickAgent(), OrchestratorID: b.MainID, Mode: e.Setup.Settings().Mode}
	var chat backend.Chat
	var one *asking
	err = s.api.SendMessage(m, func(made backend.Chat) { chat, one = made, s.asks.begin(made.ID) })
	defer func() { s.asks.end(chat.ID) }()
	if err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return cmp.Or(e.Chats.Stop(chat.ID), ctx.Err())
		case <-one.woken:
		}
		one.mu.Lock()
		notes, turn, gone, trust := one.notes, one.ended, one.gone, one.trust
		one.notes = nil
		one.mu.Unlock()
		for _, text := range notes {
			if err := more(instance.Answer{Note: text}); err != nil {
				break // who asked has hung up, and ctx ends
			}
		}
		switch {
		case turn != nil:
			return tellAnswer(ctx, e, *turn, more)
		case trust != "":
			return &backend.Error{Code: backend.CodeUntrusted, Message: backend.Plain(trust)}
		case gone:
			return &backend.Error{Code: backend.CodeNotFound, Message: backend.Plain("The chat was deleted before it got an answer.")}
		}
	}
}

// tellAnswer tells what was said last in a turn, or why it failed.
func tellAnswer(ctx context.Context, e *engine.Engine, turn backend.Turn, more func(instance.Answer) error) error {
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
		return v.WriteText(ctx, &teller{more: more}, last)
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

// teller tells text as answers, in whole letters.
type teller struct {
	more func(instance.Answer) error
	rest []byte // the beginning of a letter
}

// tellPiece is the size of the text of one answer.
const tellPiece = 64 << 10

func (t *teller) Write(p []byte) (int, error) {
	t.rest = append(t.rest, p...)
	for n := whole(t.rest); n > 0; n = whole(t.rest) {
		if err := t.more(instance.Answer{Text: string(t.rest[:n])}); err != nil {
			return 0, err
		}
		t.rest = t.rest[n:]
	}
	return len(p), nil
}

// whole is the size of the next piece of text, without a letter that is not all
// there yet.
func whole(text []byte) int {
	end := min(len(text), tellPiece)
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
