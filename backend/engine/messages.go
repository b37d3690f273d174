package engine

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/backend/typed"
)

// SendMessage sends a message that was written outside the window. If it creates a chat for the message, it calls
// onCreated with the chat before it sends the message, and deletes the chat if sending fails. If the user must trust
// the chat's folder before the agent can start, the window comes to the front.
func (a *API) SendMessage(m backend.QuickMessage, onCreated func(backend.Chat)) error {
	switch {
	case strings.TrimSpace(m.Text) == "":
		return backend.Invalid("Enter a message first.")
	case len(m.Text) > backend.MaxPromptBytes:
		return &backend.Error{Code: backend.CodeTooLarge, Message: backend.Say("This message is larger than 1 MB. Shorten it, or put the text in a file and mention the file.")}
	case m.Mode == backend.ModeBypass:
		return backend.Invalid("A new chat can't start with “Allow everything”.")
	}
	if instead := typed.Instead(m.Text, a.declaredIn(m.ChatID)); !instead.IsZero() {
		return &backend.Error{Code: backend.CodeInvalid, Message: instead}
	}
	if m.ChatID != "" {
		a.outsideChats.await(m.ChatID)
		_, err := a.Send(m.ChatID, m.Text, nil)
		return err
	}
	chat, err := a.CreateChat(m.Folder, cmp.Or(m.AgentID, backend.ProviderCopilot))
	if err != nil {
		return err
	}
	onCreated(chat)
	if m.OrchestratorID != chat.OrchestratorID {
		err = a.SetOrchestrator(chat.ID, m.OrchestratorID)
	}
	if err == nil && m.Mode != "" && m.Mode != chat.PermissionMode {
		err = a.SetPermissionMode(chat.ID, m.Mode)
	}
	if err == nil {
		a.outsideChats.await(chat.ID)
		_, err = a.Send(chat.ID, m.Text, nil)
	}
	if err != nil {
		return errors.Join(err, a.Call(func(ctx context.Context, e *Engine) error { return e.Chats.Delete(ctx, chat.ID) }))
	}
	return nil
}

// declaredIn returns the slash commands that a chat's agent has declared, or nil if they aren't known.
func (a *API) declaredIn(chatID string) (commands []backend.Choice) {
	_ = a.Call(func(ctx context.Context, e *Engine) error { // if this fails, sending also fails and reports the error
		sessions, err := e.Store.Sessions(ctx, chatID)
		for _, s := range sessions {
			commands = append(commands, s.Commands...)
		}
		return err
	})
	return commands
}

// outsideChats tracks chats that received a message from outside the window: from the quick prompt or a command line.
// If the user must trust a chat's folder before the agent starts, the chat is shown in the window, because only the
// window can ask for trust.
type outsideChats struct {
	show func(chatID string)

	mu    sync.Mutex
	chats map[string]bool
}

// await starts tracking the chat.
func (o *outsideChats) await(chatID string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.chats == nil {
		o.chats = map[string]bool{}
	}
	o.chats[chatID] = true
}

// observe follows the overview (overview.Overview.Follow). It shows a tracked chat in the window when its
// folder needs trust. It stops tracking a chat when the chat is shown, its agent is ready or its turn has ended.
func (o *outsideChats) observe(_ overview.State, e backend.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch t, c := e.Turn, e.Connection; {
	case t != nil && t.BlockID == "" && t.State != backend.TurnRunning:
		delete(o.chats, t.ChatID)
	case c == nil || !o.chats[c.ChatID]:
	case c.State == backend.ConnectionNeedsTrust:
		delete(o.chats, c.ChatID)
		go o.show(c.ChatID)
	case c.State == backend.ConnectionReady:
		delete(o.chats, c.ChatID)
	}
}
