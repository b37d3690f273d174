package main

import (
	"cmp"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/trust"
)

// maxSuspects is how many hooks and settings a banner names.
const maxSuspects = 5

// newTrust makes the desk that asks for the user's trust in folders.
func (e *engine) newTrust() *trust.Desk {
	return trust.NewDesk(trust.DeskConfig{
		Publish: e.feed.Publish, Commit: e.feed.Commit, Trusted: e.store.Trusted, Redact: e.app.redacted, Log: e.app.log,
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

// trustText is the text of a file that a request for trust lists.
func (a *App) trustText(_ context.Context, e *engine, r *http.Request) (trust.Text, error) {
	return e.trust.Read(r.FormValue("id"), r.FormValue("file"))
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
