package engine

import (
	"context"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/sessionindex"
	"github.com/voxpilot/voxpilot/backend/sessionsearch"
	"github.com/voxpilot/voxpilot/internal/process"
)

func (e *Engine) newSessionIndex() *sessionindex.Index {
	return sessionindex.New(sessionindex.Config{
		Cache: filepath.Join(e.Dir, "cli-sessions.json"), Homes: e.sessionHomes, Temporary: e.Branch.Marked, Owners: e.sessionOwners,
		IsOwn: process.IsOwn, Log: e.Log,
	})
}

func (e *Engine) newSessionSearch() *sessionsearch.Indexer {
	return sessionsearch.New(sessionsearch.Config{
		Sessions: func(ctx context.Context) (backend.CLISessions, error) {
			return e.SessionIndex.List(ctx, sessionindex.Query{})
		},
		Store: e.Store, Enabled: func() bool { return e.Setup.Settings().SearchSessions }, Log: e.Log,
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

// sessionOwners returns the chats that use the given agent sessions in home, by session ID. Deleted chats don't count.
func (e *Engine) sessionOwners(ctx context.Context, home string, ids []string) (map[string]string, error) {
	owners, err := e.Store.SessionOwners(ctx, ids)
	chats, same := map[string]string{}, map[string]bool{}
	for _, o := range owners {
		is, known := same[o.Home]
		if !known {
			is = sessionfiles.SameHome(o.Home, home)
			same[o.Home] = is
		}
		if chat, err := e.Chats.Get(o.ChatID); is && err == nil && chat.DeletedAt == 0 && chats[o.ACPID] == "" {
			chats[o.ACPID] = o.ChatID
		}
	}
	return chats, err
}

// changesOwners reports whether an event may change the result of sessionOwners.
func changesOwners(ev backend.Event) bool {
	return ev.Session != nil || ev.SessionDeleted != nil || ev.Chat != nil || ev.ChatDeleted != nil
}
