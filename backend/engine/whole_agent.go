package engine

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/sandbox/runs"
	"github.com/voxpilot/voxpilot/backend/trust"
	"github.com/voxpilot/voxpilot/internal/process"
)

// isBoxed reports whether the chat's whole agent runs in the sandbox. Commands of other agents than the Copilot
// CLI can't be put in it one by one.
func (e *Engine) isBoxed(chat backend.Chat) bool {
	s := chat.Sandbox
	return s.On && (s.WholeAgent || s.Masked || e.Setup.IsCustomAgent(chat.ProviderID))
}

// wrapAgent adds the sandbox to the launch parameters of a chat whose whole agent runs in it. The agent never
// starts outside instead: the error contains a way to continue.
func (g *agents) wrapAgent(ctx context.Context, chat backend.Chat, l *agent.Launch) error {
	if chat.Sandbox.Masked {
		if err := g.mask(ctx, &chat); err != nil {
			return err
		}
	}
	if !g.e.isBoxed(chat) {
		return nil
	}
	if l.Address != "" {
		return noSandbox(backend.Say("VoxPilot doesn't start %s, so it can't run it in the sandbox. Turn off the sandbox for this chat, or have VoxPilot start the agent.", l.Name))
	}
	if _, problem := g.e.sandbox.Use(chat.ID); !problem.IsZero() {
		return noSandbox(backend.Say("The agent wasn't started, because the sandbox isn't available: %s Turn off the sandbox for this chat to start it outside.", problem))
	}
	start := runs.AgentStart{Folder: chat.Folder, Program: append([]string{filepath.Base(l.Path)}, l.Args...), Home: l.Home, Copilot: l.Guarded}
	if start.Home == "" && l.Guarded {
		home, _ := os.UserHomeDir() // without it, the CLI has no home either
		start.Home = cmp.Or(environmentValue(l.Env, "COPILOT_HOME"), filepath.Join(home, ".copilot"))
	}
	if g.e.guard != nil && l.Guarded {
		start.Read = g.e.guard.Files(chat.ID)
	}
	start.Read = append(start.Read, g.attached(chat.ID)...)
	g.mu.Lock()
	start.Mask = g.masks[chat.ID].Files
	g.mu.Unlock()
	l.Wrap = g.e.sandbox.WrapAgent(chat, start)
	return nil
}

func noSandbox(message backend.Message) error {
	return &launchError{agent.LaunchError{Cause: backend.CauseNoSandbox, Message: message}}
}

// environmentValue returns the value of a variable in env, or "". The last one counts.
func environmentValue(env []string, name string) string {
	for _, v := range slices.Backward(env) {
		if len(v) > len(name) && v[len(name)] == '=' && process.SameVar(v[:len(name)], name) {
			return v[len(name)+1:]
		}
	}
	return ""
}

// mask determines what the agent of a masked chat mustn't see. If the user trusts the whole folder by now, the
// chat is no longer masked.
func (g *agents) mask(ctx context.Context, chat *backend.Chat) error {
	k, err := g.e.Trust.Mask(ctx, g.e.trustStarter(*chat, chat.Folder))
	var known *backend.Error
	switch {
	case errors.As(err, &known):
		return noSandbox(known.Message)
	case err != nil:
		return err
	case k.IsEmpty():
		chat.Sandbox.Masked = false
		err = g.e.Chats.Change(ctx, chat.ID, func(c *backend.Chat) { c.Sandbox.Masked = false })
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.masks[chat.ID] = k
	return err
}

// isMasked returns nil if the agent of a masked chat sees none of the folder's untrusted code in its current
// state. Otherwise, it must start again.
func (g *agents) isMasked(ctx context.Context, by trust.Starter) *agent.LaunchError {
	now, err := g.e.Trust.Mask(ctx, by)
	g.mu.Lock()
	k := g.masks[by.ChatID]
	g.mu.Unlock()
	if err == nil && k.Covers(now) {
		return nil
	}
	g.e.Log.Info("the folder has code that isn't masked yet", "chat", by.ChatID, "err", err)
	return &agent.LaunchError{Cause: backend.CauseUntrusted, Message: untrustedMessage}
}

// openWithoutRunning opens the folder of a trust request without trusting it: its chats start their agents in
// the sandbox, without the files that run code.
func (e *Engine) openWithoutRunning(ctx context.Context, requestID string) error {
	if !e.sandbox.Offered() {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The sandbox isn't available on this computer.")}
	}
	return e.Trust.OpenWithoutRunning(ctx, requestID, func(chatIDs []string) error {
		for _, id := range chatIDs {
			chat, err := e.Chats.Get(id)
			if err != nil {
				continue // deleted
			}
			if p, err := e.Setup.CustomAgent(chat.ProviderID); err == nil && p.Address != "" {
				return backend.Invalid("VoxPilot doesn't start %s, so it can't run it in the sandbox.", p.Name)
			}
			if err := e.Chats.Change(ctx, id, func(c *backend.Chat) { c.Sandbox.On, c.Sandbox.Masked = true, true }); err != nil {
				return err
			}
		}
		return nil
	})
}

// reviewTrust asks again whether to trust the folder of a chat that was opened without running its code.
func (e *Engine) reviewTrust(ctx context.Context, chatID string) error {
	chat, err := e.Chats.Get(chatID)
	if err != nil || !chat.Sandbox.Masked {
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

// attached returns the files that the user attached in the chat and that an agent in the sandbox wouldn't see.
func (g *agents) attached(chatID string) []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.readable[chatID])
}

// showAttached makes a message's attachments readable for an agent in the sandbox, which restarts for that if
// necessary.
func (g *agents) showAttached(chatID string, with []backend.Attachment) {
	chat, err := g.e.Chats.Get(chatID)
	if err != nil || !g.e.isBoxed(chat) {
		return
	}
	for _, a := range with {
		if a.Path == "" || g.e.sandbox.Shows(chat, a.Path) {
			continue
		}
		g.mu.Lock()
		if !slices.Contains(g.readable[chatID], a.Path) {
			g.readable[chatID] = append(g.readable[chatID], a.Path)
			g.stale[chatID] = g.byChat[chatID] != nil
		}
		g.mu.Unlock()
	}
}

// sandboxChanged restarts, with its next message, a chat's agent that runs or ran in the sandbox as a whole.
func (g *agents) sandboxChanged(was, now backend.Chat) {
	if !g.e.isBoxed(was) && !g.e.isBoxed(now) || reflect.DeepEqual(was.Sandbox, now.Sandbox) {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stale[now.ID] = g.byChat[now.ID] != nil
}
