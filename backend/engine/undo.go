package engine

import (
	"context"
	"os"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/sessionimport"
	"github.com/voxpilot/voxpilot/backend/undo"
)

func (e *Engine) newUndo(ctx context.Context) *undo.Manager {
	return undo.New(ctx, undo.Config{
		Dir: e.Dir, LoginPath: e.LoginPath, Store: e.Store, Chat: func(id string) (backend.Chat, error) { return e.Chats.Get(id) },
		Publish: e.Bus.Publish, Commit: e.Bus.Commit, Log: e.Log,
		Trusted: func(ctx context.Context, chat backend.Chat) bool { return e.Trust.Trusted(ctx, e.StarterOf(chat)) },
		Limits:  func() (int, int) { s := e.Setup.Settings(); return s.UndoDays, s.UndoGB },
		Reports: e.isCopilot, Private: e.agentHomes,
		Foreign: func(turn backend.Turn) bool { return sessionimport.IsImported(turn) || e.Others.Has(turn) },
		Swept:   func(ctx context.Context) { e.Branch.Swept(ctx) },
	})
}

// agentHomes returns the folders in which the Copilot CLI stores its settings and sessions: the default one, those in
// the environment and the settings, those of a chat's sessions, and that of its custom agent.
func (e *Engine) agentHomes(chatID string) []string {
	homes := []string{sessionfiles.HomeDir(""), sessionfiles.HomeDir(os.Getenv("COPILOT_HOME")), sessionfiles.HomeDir(e.cliHome())}
	sessions, err := e.Store.Sessions(e.ctx, chatID)
	if err != nil {
		e.Log.Warn("couldn't read the sessions of a chat", "chat", chatID, "err", err)
	}
	for _, s := range sessions {
		if s.Home != "" {
			homes = append(homes, s.Home)
		}
	}
	if chat, err := e.Chats.Get(chatID); err == nil {
		if agent, err := e.Setup.CustomAgent(chat.ProviderID); err == nil && agent.Home != "" {
			homes = append(homes, agent.Home)
		}
	}
	return homes
}

// isCopilot reports whether a chat's agent is the Copilot CLI. Its sessions can be forked, and it reports each tool
// call before the call runs.
func (e *Engine) isCopilot(chat backend.Chat) bool { return !e.Setup.IsCustomAgent(chat.ProviderID) }
