package engine

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/commitmessage"
	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/backend/repository"
	"github.com/voxpilot/voxpilot/backend/review"
)

func (e *Engine) newRepository() *repository.Manager {
	return repository.New(repository.Config{
		LoginPath: e.LoginPath, Env: e.environ, Chat: e.Chats.Get, Publish: e.Bus.Publish, Redact: e.Redacted, Log: e.Log,
		NameChat: func() bool { return e.Setup.Settings().NameChat },
		Trusted:  func(ctx context.Context, chat backend.Chat) bool { return e.Trust.Trusted(ctx, e.StarterOf(chat)) },
		Blocks: func(ctx context.Context, chatID, path, version string, blocks [][4]int) (now [][4]int, from string, err error) {
			return e.Review.Blocks(ctx, review.Request{ChatID: chatID, Source: "working", Path: path, Version: version}, blocks)
		},
		Files: func(ctx context.Context, chatID string) ([]backend.ReviewFile, error) {
			list, err := e.Review.Files(ctx, review.Request{ChatID: chatID, Source: "working"})
			return list.Files, err
		},
	})
}

func (e *Engine) newCommitMessages() *commitmessage.Manager {
	return commitmessage.New(commitmessage.Config{
		Chat: e.Chats.Get, Contents: e.Repository.Contents, Sessions: e.Store.Sessions,
		Forks: func(chat backend.Chat) bool { return !e.Setup.IsCustomAgent(chat.ProviderID) },
		Mark:  e.Branch.Mark, Remove: e.Branch.Remove, Agent: e.Agents.toDraft,
		Provider: e.Setup.ProviderWithKey, Stream: e.router.models.Stream, Publish: e.Bus.Publish, Log: e.Log,
	})
}

// draftPrefix is the prefix of the IDs under which the guard and the sandbox know the agents that draft commit
// messages.
const draftPrefix = "draft-"

// toDraft returns the parameters for starting an agent that drafts a commit message for a chat
// (commitmessage.Config.Agent). It is started in the same way as the chat's own agent, but only if the user trusts the
// folder.
func (g *agents) toDraft(chat backend.Chat) commitmessage.Start {
	e, id := g.e, draftPrefix+backend.NewID()
	return commitmessage.Start{
		Name: e.trustStarter(chat, chat.Folder).Agent,
		Config: agent.Config{
			ChatID: chat.ID, Folder: chat.Folder, Version: e.Config.Build.Version,
			Launch: func(ctx context.Context) (agent.Launch, *agent.LaunchError) { return g.launchAs(ctx, chat.ID, id) },
			SignInCause: func(ctx context.Context) (backend.Cause, backend.Message) {
				if r := e.Auth.RefusalCause(ctx); g.usesGitHub(chat.ID) && r.Cause != backend.CauseNone {
					return r.Cause, r.Message
				}
				return backend.CauseNotSignedIn, backend.Message{}
			},
			CheckTrust: func(ctx context.Context, _ string) *agent.LaunchError {
				if e.Trust.Trusted(ctx, e.StarterOf(chat)) {
					return nil
				}
				return &agent.LaunchError{Cause: backend.CauseUntrusted, Message: untrustedMessage}
			},
			RecordsDir: e.records(), Trace: e.trace, Log: e.Log,
		},
		Started: func(a *agent.Agent) {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.drafting[id] = a
		},
		Ended: func() {
			g.mu.Lock()
			delete(g.drafting, id)
			g.mu.Unlock()
			if e.guard == nil {
				return
			}
			if err := e.guard.Forget(id); err != nil {
				e.Log.Warn("couldn't delete the guard's plugin of a draft", "chat", chat.ID, "err", err)
			}
		},
	}
}

// decideForDraft returns the decision on an event that the guard of a drafting agent reports. It denies all tool calls.
func (g *agents) decideForDraft(ctx context.Context, id string, call guard.Call) guard.Answer {
	g.mu.Lock()
	a := g.drafting[id]
	g.mu.Unlock()
	if a != nil && call.Event != guard.ToolCall {
		return a.Guard(ctx, call) // the agent records that its guard is active
	}
	return guard.Answer{Decision: guard.Denied, Reason: "VoxPilot denies all tool calls for this request. Answer with text only."}
}
