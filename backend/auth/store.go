package auth

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/keychain"
)

// storeTime is the time limit for storing a token in the keychain, and for storing the result of a device flow. It
// applies even if the caller's context has ended, because the token must not be lost.
const storeTime = 10 * time.Second

// storeGrant stores a grant in the keychain and returns the place where it was stored. It takes no context, so that the
// token isn't lost if the caller is canceled.
func (m *Manager) storeGrant(login backend.Login, g grant) (backend.KeyStorage, error) {
	secret, err := json.Marshal(g)
	if err != nil {
		return backend.KeyNone, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	return m.cfg.Keys.Set(ctx, entryOf(login), string(secret))
}

// UseToken signs in with a pasted token once GitHub has confirmed it.
func (m *Manager) UseToken(ctx context.Context, token string) error {
	token = cleanToken(token)
	if !isPasted(token) {
		return &backend.Error{Code: backend.CodeInvalid, Message: pastedTokenMessage(token)}
	}
	m.cfg.Redact(token)
	asking, cancel := context.WithTimeout(ctx, askTime/2) // the caller's time limit covers the whole sign-in
	a := m.ask(asking, token)
	cancel()
	switch a.verdict {
	case known:
	case refused:
		return &backend.Error{Code: backend.CodeAuth, Message: backend.Say("GitHub doesn't recognize this token. It may be incomplete, expired, or for a GitHub host other than %s.", m.host)}
	case forbidden:
		return &backend.Error{Code: backend.CodeAuth, Message: a.message}
	case rateLimited:
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("GitHub is rate-limiting requests, so VoxPilot couldn't check the token and didn't save it. Try again in a few minutes.")}
	case serverError, unexpected, unreachable:
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't check the token with GitHub, so it wasn't saved. Check your network, or try again later."), Detail: a.message.String()}
	}
	if err := m.storeSignIn(ctx, grant{Token: token}, backend.LoginToken, a); err != nil {
		return err
	}
	m.CancelSignIn()
	return nil
}

// storeSignIn stores a token as the sign-in for the GitHub host, replacing any other sign-in. The keychain is written
// first, so that a row never refers to a missing token.
func (m *Manager) storeSignIn(ctx context.Context, g grant, kind backend.LoginKind, a answer) error {
	login := backend.Login{ID: m.host + "/" + a.login, Host: m.host, Login: a.login, Kind: kind, CreatedAt: backend.Now()}
	before, _, err := m.cfg.Keys.Get(ctx, entryOf(login))
	if err != nil {
		before = "" // none, or none that can be restored
	}
	if login.Key, err = m.storeGrant(login, g); err != nil {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't save the sign-in. Try again."), Detail: err.Error()}
	}
	if err := m.cfg.Commit(ctx, backend.Event{Login: &login}); err != nil {
		m.putBack(login, before)
		return &backend.Error{Code: backend.CodeStorage, Message: backend.Say("Couldn't save the sign-in because VoxPilot can't write to its database. Everything saved earlier is safe."), Detail: err.Error()}
	}
	for _, other := range m.replace(login) {
		m.remove(ctx, other)
	}
	if m.isSkipped(backend.SourceStored) {
		if err := m.cfg.Pin(ctx, backend.SourceStored); err != nil {
			_ = m.Recheck(ctx) // stored, but another one is in use
			return err
		}
	}
	m.begin(lookupResult{cred: &credential{source: backend.SourceStored, grant: g, login: login}}, &a)
	return nil
}

// putBack undoes a change to login's keychain entry: it restores the previous value, or deletes the entry
// if that value is "".
func (m *Manager) putBack(login backend.Login, previous string) {
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	var err error
	if previous == "" {
		err = m.cfg.Keys.Delete(ctx, entryOf(login))
	} else {
		_, err = m.cfg.Keys.Set(ctx, entryOf(login), previous)
	}
	if err != nil && !errors.Is(err, keychain.ErrNotFound) {
		m.cfg.Log.Error("couldn't restore the keychain entry", "account", login.ID, "err", err)
	}
}

// replace makes login the sign-in for its host and returns the host's previous sign-ins.
func (m *Manager) replace(login backend.Login) (others []backend.Login) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.logins = slices.DeleteFunc(m.logins, func(l backend.Login) bool { return l.ID == login.ID })
	for _, l := range m.logins {
		if l.Host == login.Host {
			others = append(others, l)
		}
	}
	m.logins = append(m.logins, login)
	return others
}

// remove deletes a sign-in from the keychain and from the database. If the keychain is unavailable, it
// returns false and the row stays, as a record that the token is still in the keychain.
func (m *Manager) remove(ctx context.Context, login backend.Login) bool {
	err := m.cfg.Keys.Delete(ctx, entryOf(login))
	// A sign-in in memory is deleted even if the keychain is unavailable.
	if err != nil && !errors.Is(err, keychain.ErrNotFound) && login.Key != backend.KeyMemory {
		m.cfg.Log.Warn("couldn't remove a sign-in from the keychain", "account", login.ID, "err", err)
		return false
	}
	m.forget(login)
	return true
}

// isSkipped reports whether a token from source would currently be ignored, because
// another source is pinned or precedes it.
func (m *Manager) isSkipped(source backend.TokenSource) bool {
	if pinned := m.cfg.Settings().SignIn; pinned != "" {
		return pinned != source
	}
	for _, earlier := range order {
		if earlier == source {
			return false
		}
		var f lookupResult
		if c, locked := m.findAt(m.life, earlier, &f, false); c != nil || !locked.IsZero() {
			return true
		}
	}
	return false
}

// begin applies a sign-in or sign-out and discards checks in progress.
func (m *Manager) begin(f lookupResult, a *answer) {
	m.mu.Lock()
	m.turn++
	turn := m.turn
	m.mu.Unlock()
	m.invalidateCheck()
	m.settle(turn, f, a, bySignIn)
	m.recheck() // lists the other sources
}

// SignOut deletes VoxPilot's own sign-in from the keychain and the database; no other account replaces it. If the token
// in use has another source, the error explains how to sign out of that source.
func (m *Manager) SignOut(ctx context.Context) error {
	m.CancelSignIn()
	m.mu.Lock()
	account := m.account
	var mine []backend.Login
	for _, l := range m.logins {
		if l.Host == m.host {
			mine = append(mine, l)
		}
	}
	m.mu.Unlock()
	if account.Source != backend.SourceStored && account.Source != "" {
		return &backend.Error{Code: backend.CodeInvalid, Message: signOutHint(account)}
	}
	for _, login := range mine {
		if !m.remove(ctx, login) {
			return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't remove your sign-in from the system keychain. If the keychain is locked, unlock it, then sign out again.")}
		}
	}
	err := m.pinAfterSignOut(ctx)
	m.mu.Lock()
	m.picture = picture{}
	m.mu.Unlock()
	m.begin(lookupResult{}, nil)
	return err
}

// pinAfterSignOut pins VoxPilot's own sign-in after a sign-out if another account would be used
// otherwise: a user who signs out doesn't expect to be switched to another account.
func (m *Manager) pinAfterSignOut(ctx context.Context) error {
	if m.cfg.Settings().SignIn == backend.SourceStored {
		return nil
	}
	if f := m.findCredential(ctx, false); f.cred == nil && f.locked.IsZero() {
		return nil
	}
	return m.cfg.Pin(ctx, backend.SourceStored)
}

// SignedInByCLI must be called when a sign-in that the Copilot CLI ran has ended. If ok is true, the sign-in succeeded,
// and the manager selects the CLI's login. SignedInByCLI works in the background.
func (m *Manager) SignedInByCLI(ok bool) {
	m.background(func() {
		if !ok {
			_ = m.Recheck(m.life)
			return
		}
		if m.isSkipped(backend.SourceCLI) {
			if err := m.cfg.Pin(m.life, backend.SourceCLI); err != nil {
				m.cfg.Log.Error("couldn't select the Copilot CLI's login", "err", err)
			}
		}
		f := m.findCredential(m.life, true)
		if f.cred == nil || f.cred.source != backend.SourceCLI {
			_ = m.Recheck(m.life)
			return
		}
		m.begin(f, nil)
	})
}

// wrongKind returns a description of a token that Copilot never accepts, or an empty
// message if Copilot may accept the token, in which case GitHub decides.
func wrongKind(token string) backend.Message {
	if len(token) > maxToken || strings.IndexFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) >= 0 {
		return backend.Say("text with characters that aren't allowed in tokens")
	}
	prefix, _, _ := strings.Cut(token, "_")
	switch prefix {
	case "ghp":
		return backend.Say("a classic personal access token (ghp_), which Copilot doesn't support")
	case "ghs":
		return backend.Say("an app installation token (ghs_), which doesn't belong to a person")
	case "ghr":
		return backend.Say("a refresh token (ghr_), which can't be used to sign in")
	}
	return backend.Message{}
}

// maxToken is the maximum length in bytes of an accepted token. GitHub's tokens are shorter.
const maxToken = 1000

// isPasted reports whether a token is of a kind that users can paste to sign in.
func isPasted(token string) bool {
	for _, prefix := range []string{"github_pat_", "gho_", "ghu_"} {
		if rest, ok := strings.CutPrefix(token, prefix); ok {
			return rest != "" && len(token) <= maxToken && isWord(rest)
		}
	}
	return false
}

func isWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '_'
	}) < 0
}

func isFineGrained(token string) bool { return strings.HasPrefix(token, "github_pat_") }

// cleanToken removes the spaces and line breaks that come with copied text.
func cleanToken(token string) string { return strings.Join(strings.Fields(token), "") }
