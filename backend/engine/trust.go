package engine

import (
	"context"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/trust"
)

// newTrust makes the desk that asks for the user's trust in folders.
func (e *Engine) newTrust() *trust.Desk {
	return trust.NewDesk(trust.DeskConfig{
		Publish: e.Feed.Publish, Commit: e.Feed.Commit, Trusted: e.Store.Trusted, Redact: e.Redacted, Log: e.Log,
		OnTrusted: func(_ string, chatIDs []string) { e.Agents.goOn(chatIDs) },
	})
}

// untrustedMessage says why a chat's agent is not started.
var untrustedMessage = backend.Say("You haven't trusted what this folder can run. Review it in VoxPilot. Your message is saved and will be sent when you trust the folder.")

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

// editAsked notes what the user allows with an answer in the window, where that is
// the edit of a protected file: it counts as trust in what the file then runs. It is
// nil where the answer allows no such edit, or not all of it was shown.
func (e *Engine) editAsked(ctx context.Context, permissionID, optionID string, always bool) *trust.Edit {
	p, ok := e.Permissions.Open(permissionID)
	if !ok || p.Protected == "" || p.Outside || p.Unclear || p.Kind != backend.ToolEdit && p.Kind != backend.ToolDelete {
		return nil
	}
	allows := always || slices.ContainsFunc(p.Options, func(o backend.Option) bool {
		return o.ID == optionID && (o.Kind == backend.OptionAllowOnce || o.Kind == backend.OptionAllowAlways)
	})
	chat, err := e.Chats.Get(p.ChatID)
	if !allows || err != nil {
		return nil
	}
	files := p.Files
	if len(files) == 0 {
		files = []backend.PermissionFile{{Path: p.Path, ContentID: p.ContentID}}
	}
	var shown []trust.Shown
	for _, f := range files {
		if f.More > 0 || f.ContentID == "" {
			return nil
		}
		diff, content, err := e.Store.Content(ctx, f.ContentID, 0, 0)
		if err != nil || content.Type != backend.ContentDiff {
			return nil
		}
		shown = append(shown, trust.Shown{Path: f.Path, Diff: diff})
	}
	return e.Trust.Allow(e.starter(chat, chat.Folder), shown)
}

// ask has a request of an agent decided (agent.Config.Ask). An edit that the user
// allowed before is looked at first: the next one may be of the same file.
func (e *Engine) ask(ctx context.Context, p backend.Permission) (decided backend.Permission, ok bool) {
	if e.Trust.Edits(p.ChatID) {
		e.Trust.Edited(e.ctx, p.ChatID)
	}
	return e.Permissions.Ask(ctx, p)
}
