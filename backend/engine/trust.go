package engine

import (
	"context"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/trust"
)

// newTrust creates the manager that asks the user to trust folders.
func (e *Engine) newTrust() *trust.Manager {
	return trust.NewManager(trust.ManagerConfig{
		Publish: e.Bus.Publish, Commit: e.Bus.Commit, Trusted: e.Store.Trusted, Redact: e.Redacted, Log: e.Log,
		OnTrusted: func(_ string, chatIDs []string) { e.Agents.retryTrusted(chatIDs) },
	})
}

// untrustedMessage is shown if a chat's agent isn't started because the user hasn't trusted the chat's folder.
var untrustedMessage = backend.Say("You haven't trusted the files in this folder that can run code. Review them in VoxPilot. Your message is saved and will be sent when you trust the folder.")

// checkTrust returns nil if a chat's agent may run in the folder in its current state. Otherwise it returns the error
// to show until the user trusts the folder (agent.Config.CheckTrust). It asks the user for trust, unless the chat was
// opened without running the folder's code.
func (g *agents) checkTrust(ctx context.Context, chatID, folder string) *agent.LaunchError {
	refusal := &agent.LaunchError{Cause: backend.CauseUntrusted, Message: untrustedMessage}
	chat, err := g.e.Chats.Get(chatID)
	if err != nil {
		return refusal // the chat was deleted
	}
	if chat.Sandbox.Masked {
		if g.e.wholeAgents.Check(ctx, g.e.trustStarter(chat, folder)) == nil {
			return nil
		}
		return refusal // the user isn't asked: followConnection restarts the agent, which then masks the new code
	}
	asked, err := g.e.Trust.Check(ctx, g.e.trustStarter(chat, folder))
	if err != nil {
		g.e.Log.Warn("couldn't check the folder", "chat", chatID, "err", err)
	}
	if asked {
		return refusal
	}
	return nil
}

// StarterOf returns a description of the agent that the chat would start in its folder.
func (e *Engine) StarterOf(chat backend.Chat) trust.Starter { return e.trustStarter(chat, chat.Folder) }

// trustStarter returns a description of the agent that the chat would start in the given folder.
func (e *Engine) trustStarter(chat backend.Chat, folder string) trust.Starter {
	by := trust.Starter{ChatID: chat.ID, Folder: folder, Agent: "Copilot", Agents: trust.Copilot}
	if p, err := e.Setup.CustomAgent(chat.ProviderID); err == nil {
		by.Agent, by.Agents = p.Name, trust.Everyone
	}
	return by
}

// retryTrusted starts the agents of the given chats that were waiting for the user to trust their folder. It leaves
// other agents alone.
func (g *agents) retryTrusted(chatIDs []string) {
	for _, id := range chatIDs {
		if a, err := g.Running(id); err == nil && a.Connection().State == backend.ConnectionNeedsTrust {
			g.e.tasks.Go(a.Retry)
		}
	}
}

// editOf returns the edit to a protected file that the user's answer to a permission request allows. Allowing the
// edit also means trusting the code that the edited file runs. editOf returns nil if the answer doesn't allow such
// an edit, or if the user hasn't seen the whole edit.
func (e *Engine) editOf(ctx context.Context, permissionID, optionID string, always bool) *trust.Edit {
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
	var shown []trust.ShownFile
	for _, f := range files {
		if f.More > 0 || f.ContentID == "" {
			return nil
		}
		diff, content, err := e.Store.Content(ctx, f.ContentID, 0, 0)
		if err != nil || content.Type != backend.ContentDiff {
			return nil
		}
		shown = append(shown, trust.ShownFile{Path: f.Path, Diff: diff})
	}
	return e.Trust.ExpectEdit(e.trustStarter(chat, chat.Folder), shown)
}

// askPermission decides on an agent's permission request (agent.Config.Ask). It first checks whether the edits that the
// user allowed earlier have been made, because the request may be for the same file. Unless the request is for reading
// or searching, it also makes Undo record the files that the tool would edit.
func (e *Engine) askPermission(ctx context.Context, p backend.Permission) (decided backend.Permission, ok bool) {
	if e.Trust.Edits(p.ChatID) {
		e.Trust.TakeEdits(e.ctx, p.ChatID)
	}
	if p.Kind != backend.ToolRead && p.Kind != backend.ToolSearch {
		e.Undo.Keep(p.ChatID, p.Names...)
	}
	p.Marks = slices.Clone(p.Marks)
	for i, mark := range p.Marks {
		if mark.Kind == backend.MarkDelete {
			p.Marks[i].CanRestore = e.Undo.CanRestore(p.ChatID, mark.Of, mark.Files)
		}
	}
	return e.Permissions.Ask(ctx, p)
}

// takeEdits makes Trust check in the background whether the edits that the user allowed in a chat have been made. It is
// called when a tool call or turn has ended.
func (e *Engine) takeEdits(chatID string) {
	if e.Trust.Edits(chatID) {
		e.inBackground(func() { e.Trust.TakeEdits(e.ctx, chatID) })
	}
}
