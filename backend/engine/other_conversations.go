package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/otherprograms"
	"github.com/voxpilot/voxpilot/internal/process"
)

func newOthers(e *Engine) *otherprograms.Manager {
	return otherprograms.New(otherprograms.Config{
		Dir: filepath.Join(e.Dir, "conversations"),
		Programs: func() map[backend.OtherProgram]otherprograms.Program {
			home, err := os.UserHomeDir()
			if err != nil {
				e.Log.Warn("couldn't find the home directory", "err", err)
				return nil
			}
			env := e.environ()
			return otherprograms.Programs(home, func(key string) string {
				for _, kv := range env {
					if name, value, _ := strings.Cut(kv, "="); process.SameVar(name, key) {
						return value
					}
				}
				return ""
			})
		},
		Create: func(ctx context.Context, folder, title string, eventsFor func(backend.Chat) ([]backend.Event, error)) (backend.Chat, error) {
			id := e.DefaultModel().AgentID
			if e.Setup.IsCustomAgent(id) { // only the Copilot CLI imports conversations
				id = backend.ProviderCopilot
			}
			chat, err := e.Chats.CreateWith(ctx, folder, id, title, e.Setup.Settings().Mode, eventsFor)
			if err != nil || chat.Title == "" {
				return chat, err
			}
			// Copilot would name the chat after the next message, because its session starts with that message.
			if err := e.Chats.Change(ctx, chat.ID, func(c *backend.Chat) { c.TitleByUser = true }); err != nil {
				e.Log.Warn("couldn't keep the title of a conversation", "chat", chat.ID, "err", err)
			}
			return chat, nil
		},
		Chat: e.Chats.Get, Change: e.Chats.Change, Hold: e.Chats.Hold,
		Delete: func(chat backend.Chat) {
			<-e.Agents.remove(chat.ID)
			_ = e.deleteChat(chat) // logged
		},
		Commit: e.Bus.Commit, Publish: e.Bus.Publish, Log: e.Log,
	})
}

// checkRead returns CodeUnavailable while a session or a conversation is being read into the chat.
func (e *Engine) checkRead(chatID string) error {
	if err := e.Imports.Writable(chatID); err != nil {
		return err
	}
	return e.Others.Writable(chatID)
}

// OpenOtherConversation opens a conversation of another program in a chat (otherprograms.Manager.Open).
func (a *API) OpenOtherConversation(program, id string) (chat backend.Chat, err error) {
	err = a.Call(func(ctx context.Context, e *Engine) error {
		chat, err = e.Others.Open(ctx, backend.OtherProgram(program), id)
		return err
	})
	return chat, err
}
