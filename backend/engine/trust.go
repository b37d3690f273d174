package engine

import (
	"github.com/voxpilot/voxpilot/backend/trust"
)

// newTrust makes the desk that asks for the user's trust in folders.
func (e *Engine) newTrust() *trust.Desk {
	return trust.NewDesk(trust.DeskConfig{
		Publish: e.Feed.Publish, Commit: e.Feed.Commit, Trusted: e.Store.Trusted, Redact: e.Redacted, Log: e.Log,
		OnTrusted: func(_ string, chatIDs []string) { e.Agents.goOn(chatIDs) },
	})
}
