package engine

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/trust"
)

// untrustedMessage says why a chat's agent is not started.
var untrustedMessage = backend.Say("You haven't trusted what this folder can run. Review it in VoxPilot. Your message is saved and goes out when you trust the folder.")

// trusted says why a chat's agent may not run in the folder as it is now, or nil; the
// user is then asked (agent.Config.Trusted).
func (g *agents) trusted(ctx context.Context, chatID, folder string) *agent.LaunchError {
	refusal := &agent.LaunchError{Cause: backend.CauseUntrusted, Message: untrustedMessage}
	chat, err := g.e.Chats.Get(chatID)
	if err != nil {
		return refusal // it was deleted
	}
	asked, err := g.e.Trust.Check(ctx, g.e.starter(chat, folder))
	if err != nil {
		g.e.Log.Warn("the folder could not be looked at", "chat", chatID, "err", err)
	}
	if asked {
		return refusal
	}
	return nil
}

// starter says for whom an agent of the chat would start in the folder.
func (e *Engine) starter(chat backend.Chat, folder string) trust.Starter {
	by := trust.Starter{ChatID: chat.ID, Folder: folder, Agent: "Copilot", Agents: trust.Copilot}
	if p, err := e.Setup.Profile(chat.ProviderID); err == nil {
		by.Agent, by.Agents = p.Name, trust.Everyone
	}
	return by
}

// goOn has the agents of chats try again that waited for trust.
func (g *agents) goOn(chatIDs []string) {
	for _, id := range chatIDs {
		if a, err := g.Running(id); err == nil && a.Connection().State == backend.NeedsTrust {
			g.e.tasks.Go(a.Retry)
		}
	}
}
