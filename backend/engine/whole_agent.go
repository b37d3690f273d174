package engine

import (
	"context"
	"reflect"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/wholeagent"
)

// newWholeAgents creates the manager of agents that run in the sandbox as a whole.
func newWholeAgents(e *Engine) *wholeagent.Manager {
	return wholeagent.New(wholeagent.Config{
		Trust: e.Trust, Sandbox: e.sandbox, Starter: e.StarterOf, Custom: e.Setup.CustomAgent,
		GuardFiles: func(chatID string) []string {
			if e.guard == nil {
				return nil
			}
			return e.guard.Files(chatID)
		},
		Get: e.Chats.Get, Log: e.Log,
		Change: func(ctx context.Context, chatID string, do func(*backend.Chat)) error {
			return e.Chats.Change(ctx, chatID, do)
		},
	})
}

// reviewTrust asks the user whether to trust the folder of a chat in its current state. If the chat was opened without
// running the folder's code, its agent restarts. Otherwise, a running agent continues.
func (e *Engine) reviewTrust(ctx context.Context, chatID string) error {
	chat, err := e.Chats.Get(chatID)
	if err != nil {
		return err
	}
	if !chat.Sandbox.Masked {
		_, err = e.Trust.Check(ctx, e.trustStarter(chat, chat.Folder))
		return err
	}
	chat.Sandbox.Masked = false
	if err := e.setSandbox(ctx, chatID, chat.Sandbox); err != nil {
		return err
	}
	e.tasks.Go(func() {
		a, err := e.Agents.ensure(e.ctx, chatID)
		if err != nil {
			e.Log.Warn("couldn't restart the agent to review its folder", "chat", chatID, "err", err)
			return
		}
		a.Retry()
	})
	return nil
}

// sandboxChanged marks the chat's agent for a restart with its next message if the chat's sandbox options have changed
// and the agent runs, or ran, in the sandbox as a whole.
func (g *agents) sandboxChanged(was, now backend.Chat) {
	if (g.e.wholeAgents.Runs(was) || g.e.wholeAgents.Runs(now)) && !reflect.DeepEqual(was.Sandbox, now.Sandbox) {
		g.outdateChat(now.ID)
	}
}

// outdateChat marks the chat's agent, if there is one, for a restart with its next message.
func (g *agents) outdateChat(chatID string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stale[chatID] = g.byChat[chatID] != nil
}
