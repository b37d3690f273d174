package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/trust"
)

// maxSuspects is how many hooks and settings a banner names.
const maxSuspects = 5

// newTrust makes the desk that asks for the user's trust in folders.
func (e *engine) newTrust() *trust.Desk {
	return trust.NewDesk(trust.DeskConfig{
		Publish: e.feed.Publish, Commit: e.feed.Commit, Trusted: e.store.Trusted, Log: e.app.log,
		OnTrusted: func(_ string, chatIDs []string) { e.agents.goOn(chatIDs) },
	})
}

// TrustFolder has agents run what is in a folder as the request with this id
// (TrustRequest.ID) showed it. Where the folder has changed since, it is refused and
// another request comes.
func (a *App) TrustFolder(id string) error {
	return a.call(func(ctx context.Context, e *engine) error { return e.trust.Trust(ctx, id) })
}

// ForgetFolder takes back the trust in a folder (TrustedFolder.Key): the user is
// asked again before the next agent starts there.
func (a *App) ForgetFolder(key string) error {
	return a.call(func(ctx context.Context, e *engine) error { return e.trust.Forget(ctx, key) })
}

// untrustedMessage says why a chat's agent is not started.
const untrustedMessage = "You haven't trusted what this folder can run. Review it in VoxPilot. Your message is saved and goes out when you trust the folder."

// trusted says why a chat's agent may not run in the folder as it is now, or nil; the
// user is then asked (agent.Config.Trusted).
func (g *agents) trusted(ctx context.Context, chatID, folder string) *agent.LaunchError {
	refusal := &agent.LaunchError{Cause: backend.CauseUntrusted, Message: untrustedMessage}
	chat, err := g.e.chats.Get(chatID)
	if err != nil {
		return refusal // it was deleted
	}
	by := trust.Starter{ChatID: chatID, Folder: folder, Agent: "Copilot", Agents: trust.Copilot}
	if p, err := g.e.profile(chat.ProviderID); err == nil {
		by.Agent, by.Agents = p.Name, trust.Everyone
	}
	asked, err := g.e.trust.Check(ctx, by)
	if err != nil {
		g.e.app.log.Warn("the folder could not be looked at", "chat", chatID, "err", err)
	}
	if asked {
		return refusal
	}
	return nil
}

// goOn has the agents of chats try again that waited for trust.
func (g *agents) goOn(chatIDs []string) {
	for _, id := range chatIDs {
		if a, err := g.running(id); err == nil && a.Connection().State == backend.NeedsTrust {
			g.e.tasks.Go(a.Retry)
		}
	}
}

// tellTrust tells the desk which chats have no process any more, or wait for
// nothing. A chat that comes to wait for trust when the user has answered already
// tries again.
func (g *agents) tellTrust(chatID string, events []backend.Event) {
	for _, e := range events {
		if e.Connection == nil {
			continue
		}
		switch e.Connection.State {
		case backend.Idle: // stopped by the user, or closed: deleted, or to be replaced
			g.e.trust.Settled(chatID)
		case backend.Waiting, backend.NeedsLogin, backend.Failed:
			g.e.trust.Ended(chatID)
		case backend.NeedsTrust:
			if !g.e.trust.Waits(chatID) {
				g.goOn([]string{chatID})
			}
		case backend.Checking, backend.Starting, backend.Restoring, backend.Ready:
		}
	}
}

// suspects are the hooks and settings of a folder that may answer a request in the
// user's place (agent.Config.Suspects).
func (e *engine) suspects(folder string) (lines []string) {
	found, err := trust.Inventory(e.ctx, folder, trust.Everyone)
	if err != nil {
		e.app.log.Warn("the folder's hooks and settings could not be read", "err", err)
		return nil
	}
	for _, entry := range found.Entries {
		if entry.Answers() && len(lines) < maxSuspects {
			lines = append(lines, strings.TrimSpace(entry.File+" "+entry.Key))
		}
	}
	return lines
}

// protected says why an edit of a file is asked for in every mode
// (permission.Config.Protected). A chat may work in a folder of VoxPilot's own,
// as the practice chat does: that folder is not protected from it.
func (e *engine) protected(folder, file string) backend.Protection {
	home, _ := os.UserHomeDir() // without one there are no files of the user's shells
	own := []string{e.app.dir}
	if real, err := filepath.EvalSymlinks(e.app.dir); err == nil {
		own = append(own, real)
	}
	g := trust.Guard{Home: home, Agent: []string{cmp.Or(e.cliHome(), filepath.Join(home, ".copilot"))}}
	if !slices.ContainsFunc(own, func(dir string) bool { return trust.Below(dir, folder) && trust.Below(folder, file) }) {
		g.Data = own
	}
	return g.Protected(file)
}
