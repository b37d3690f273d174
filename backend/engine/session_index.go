package engine

import (
	"context"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sessionindex"
	"github.com/voxpilot/voxpilot/internal/process"
)

func (e *Engine) newSessionIndex() *sessionindex.Index {
	return sessionindex.New(sessionindex.Config{
		Cache: filepath.Join(e.Dir, "cli-sessions.json"), Homes: e.sessionHomes, Temporary: e.Branch.Marked, Owners: e.sessionOwners,
		IsOwn: process.IsOwn, Log: e.Log,
	})
}

// sessionHomes returns the home directories, except the default one, in which the Copilot CLI may have sessions.
func (e *Engine) sessionHomes(ctx context.Context) ([]string, error) {
	homes, err := e.Store.SessionHomes(ctx)
	if chosen := e.Setup.Settings().CopilotHome; chosen != "" {
		homes = append(homes, chosen)
	}
	return append(homes, e.Setup.CustomAgentHomes()...), err
}

// sessionOwners returns the chats that use the given agent sessions, by session ID. Deleted chats don't count.
func (e *Engine) sessionOwners(ctx context.Context, ids []string) (map[string]string, error) {
	owners, err := e.Store.SessionOwners(ctx, ids)
	chats := map[string]string{}
	for _, o := range owners {
		if chat, err := e.Chats.Get(o.ChatID); err == nil && chat.DeletedAt == 0 && chats[o.ACPID] == "" {
			chats[o.ACPID] = o.ChatID
		}
	}
	return chats, err
}

// changesOwners reports whether an event may change the result of sessionOwners.
func changesOwners(ev backend.Event) bool {
	return ev.Session != nil || ev.SessionDeleted != nil || ev.Chat != nil || ev.ChatDeleted != nil
}
