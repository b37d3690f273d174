package engine

import (
	"context"

	"github.com/voxpilot/voxpilot/backend/trust"
)

// newTrust makes the desk that asks for the user's trust in folders.
func (e *Engine) newTrust() *trust.Desk {
	return trust.NewDesk(trust.DeskConfig{
		Publish: e.Feed.Publish, Commit: e.Feed.Commit, Trusted: e.Store.Trusted, Redact: e.Redacted, Log: e.Log,
		OnTrusted: func(_ string, chatIDs []string) { e.Agents.goOn(chatIDs) },
	})
}

// TrustFolder has agents run what is in a folder as the request with this id
// (TrustRequest.ID) showed it. Where the folder has changed since, it is refused and
// another request comes.
func (a *API) TrustFolder(id string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Trust.Trust(ctx, id) })
}

// ForgetFolder takes back the trust in a folder (TrustedFolder.Key): the user is
// asked again before the next agent starts there.
func (a *API) ForgetFolder(key string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Trust.Forget(ctx, key) })
}
