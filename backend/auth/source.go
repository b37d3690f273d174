package auth

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/keychain"
)

// order is that of the sources: the first that has a token is used.
var order = []backend.TokenSource{backend.SourceEnv, backend.SourceStored, backend.SourceGH, backend.SourceCLI}

// envVars have a token, as the Copilot CLI reads them.
var envVars = []string{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"}

// credential is a token and where it comes from.
type credential struct {
	source   backend.TokenSource
	grant    grant         // its Token is "" of SourceCLI
	variable string        // of SourceEnv
	login    backend.Login // of SourceStored
	program  string        // of SourceGH
	own      string        // of SourceCLI: the login, where it is known
}

// identity tells one token from another without being one. The zero value is
// that of none.
type identity [sha256.Size]byte

func (c *credential) identity() identity {
	if c == nil {
		return identity{}
	}
	return sha256.Sum256([]byte(string(c.source) + " " + c.grant.Token + c.own))
}

// lookupResult is what a look at the sources came to.
type lookupResult struct {
	cred    *credential     // nil where there is none that can be used
	locked  backend.Message // why it cannot be said whether there is one; for a person
	wrong   *unusableToken  // the first token of a kind that Copilot takes from nobody
	lost    string          // the login of a sign-in whose token is not there any more
	sources []backend.TokenSource
}

// unusableToken is a token that was passed over.
type unusableToken struct {
	source   backend.TokenSource
	variable string
	reason   backend.Message
}

// findCredential goes through the sources. Unless all is set it stops at the first that
// has a token, and found is not filled.
func (m *Manager) findCredential(ctx context.Context, all bool) lookupResult {
	pinned := m.cfg.Settings().SignIn
	var f lookupResult
	for _, source := range order {
		allowed := pinned == "" || pinned == source
		if !allowed && !all {
			continue
		}
		c, locked := m.findAt(ctx, source, &f, allowed)
		if c != nil || !locked.IsZero() {
			f.sources = append(f.sources, source)
		}
		if !allowed || f.cred != nil || !f.locked.IsZero() {
			continue
		}
		f.cred, f.locked = c, locked
		switch {
		case c == nil && locked.IsZero():
		case !all:
			return f
		case source != backend.SourceCLI:
			m.publishProvisional(f, false) // The others may take their time.
		}
	}
	// Where it cannot be told whether the CLI has a login, it may be tried, but
	// nobody can say that there is one.
	f.sources = slices.DeleteFunc(f.sources, func(s backend.TokenSource) bool {
		return s == backend.SourceCLI && !m.cliHasLogin(ctx)
	})
	return f
}

// findAt looks at one source. allowed says whether what is wrong with it matters.
func (m *Manager) findAt(ctx context.Context, source backend.TokenSource, f *lookupResult, allowed bool) (c *credential, locked backend.Message) {
	fits := func(token string, bad unusableToken) bool {
		if bad.reason = wrongKind(token); bad.reason.IsZero() {
			m.cfg.Redact(token)
			return true
		}
		if allowed && f.wrong == nil {
			f.wrong = &bad
		}
		return false
	}
	switch source {
	case backend.SourceEnv:
		for _, name := range envVars {
			token := strings.TrimSpace(m.cfg.Getenv(name))
			// The CLI passes over what it does not take, too.
			if token != "" && fits(token, unusableToken{source: source, variable: name}) {
				return &credential{source: source, grant: grant{Token: token}, variable: name}, backend.Message{}
			}
		}
	case backend.SourceStored:
		c, locked, lost := m.stored(ctx)
		if lost != "" && allowed {
			f.lost = lost
		}
		return c, locked
	case backend.SourceGH:
		token, program, hangs := m.askGH(ctx)
		if hangs && m.isUsable(backend.SourceGH) {
			return nil, ghTimeoutMessage
		}
		if token != "" && fits(token, unusableToken{source: source}) {
			return &credential{source: source, grant: grant{Token: token}, program: program}, backend.Message{}
		}
	case backend.SourceCLI:
		login, known := "", false
		if m.cfg.CLILogin != nil {
			login, known = m.cfg.CLILogin(ctx)
		}
		if login != "" || !known {
			return &credential{source: source, own: login}, backend.Message{}
		}
	}
	return nil, backend.Message{}
}

func (m *Manager) cliHasLogin(ctx context.Context) bool {
	if m.cfg.CLILogin == nil {
		return false
	}
	login, known := m.cfg.CLILogin(ctx)
	return known && login != ""
}

// isUsable says whether a source was chosen, or was in use until now: that it
// cannot be asked must then not bring another account in.
func (m *Manager) isUsable(source backend.TokenSource) bool {
	if m.cfg.Settings().SignIn == source {
		return true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.account.Source == source
}

// grant is what GitHub gave at a sign-in, as it is in the keychain.
type grant struct {
	Token          string         `json:"token"`
	Expires        backend.Millis `json:"expires,omitempty"`
	Refresh        string         `json:"refresh,omitempty"`
	RefreshExpires backend.Millis `json:"refreshExpires,omitempty"`
	ClientID       string         `json:"clientId,omitempty"` // that it was given to: only that one can renew it
}

// redact keeps all that is secret in it out of the log.
func (m *Manager) redact(g grant) {
	for _, secret := range []string{g.Token, g.Refresh} {
		if secret != "" {
			m.cfg.Redact(secret)
		}
	}
}

func entryOf(login backend.Login) keychain.Entry {
	return keychain.Entry{Service: keychain.Service, Account: login.ID}
}

// newestLogin is the newest sign-in with the host.
func (m *Manager) newestLogin() (newest backend.Login, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, l := range m.logins {
		if l.Host == m.host && (!ok || l.CreatedAt >= newest.CreatedAt) {
			newest, ok = l, true
		}
	}
	return newest, ok
}

// stored reads the sign-in that VoxPilot keeps. One whose token is gone is
// forgotten, and its login is lost.
func (m *Manager) stored(ctx context.Context) (c *credential, locked backend.Message, lost string) {
	login, ok := m.newestLogin()
	if !ok {
		return nil, backend.Message{}, ""
	}
	secret, place, err := m.cfg.Keys.Get(ctx, entryOf(login))
	switch {
	case errors.Is(err, keychain.ErrNotFound):
		m.forget(login)
		return nil, backend.Message{}, login.Login
	case errors.Is(err, keychain.ErrUnavailable) && login.Key == backend.KeyMemory:
		m.forget(login) // It was never anywhere but in the memory of an earlier run.
		return nil, backend.Message{}, login.Login
	case err != nil:
		m.cfg.Log.Warn("the sign-in could not be read from the keychain", "err", err)
		return nil, lockedMessage, ""
	}
	var g grant
	if err := json.Unmarshal([]byte(secret), &g); err != nil || g.Token == "" {
		m.cfg.Log.Warn("what the keychain has is no sign-in of VoxPilot's", "account", login.ID)
		m.forget(login)
		return nil, backend.Message{}, login.Login
	}
	m.redact(g)
	if place != login.Key {
		login.Key = place
		m.remember(login)
	}
	return &credential{source: backend.SourceStored, grant: g, login: login}, backend.Message{}, ""
}

// remember keeps the row of a sign-in that is there.
func (m *Manager) remember(login backend.Login) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.IndexFunc(m.logins, func(l backend.Login) bool { return l.ID == login.ID }); i >= 0 {
		m.logins[i] = login
		m.cfg.Publish(backend.Event{Login: &login})
	}
}

// forget removes the row of a sign-in whose token is gone.
func (m *Manager) forget(login backend.Login) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := len(m.logins)
	m.logins = slices.DeleteFunc(m.logins, func(l backend.Login) bool { return l.ID == login.ID })
	if len(m.logins) < before {
		m.cfg.Publish(backend.Event{LoginDeleted: &backend.Deleted{ID: login.ID}})
	}
}

// ghTime bounds gh: it waits for a keychain that is locked for ever.
const ghTime = 3 * time.Second

// askGH asks gh for the token that it has for the host. hangs says that gh did
// not answer in time, so that nothing is known.
func (m *Manager) askGH(ctx context.Context) (token, program string, hangs bool) {
	if m.cfg.GH == nil {
		return "", "", false
	}
	program = m.cfg.GH(ctx)
	if program == "" {
		return "", "", false
	}
	limited, cancel := context.WithTimeout(ctx, ghTime)
	defer cancel()
	cmd := exec.CommandContext(limited, program, "auth", "token", "--hostname", m.host)
	if home, err := os.UserHomeDir(); err == nil {
		cmd.Dir = home // VoxPilot's own folder may be a repository
	}
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		// gh would only repeat the token of a variable.
		name, _, _ := strings.Cut(v, "=")
		return strings.HasSuffix(strings.ToUpper(name), "_TOKEN")
	})
	cmd.Env = append(cmd.Env, "GH_PROMPT_DISABLED=1")
	cmd.WaitDelay = time.Second // for what it has started
	hideWindow(cmd)
	out := limitedBuffer{max: maxToken + 100}
	cmd.Stdout = &out
	err := cmd.Run()
	if limited.Err() != nil {
		m.cfg.Log.Warn("gh did not answer", "path", program)
		return "", program, true
	}
	if err != nil {
		m.cfg.Log.Info("gh has no token", "path", program, "err", err)
		return "", program, false
	}
	return strings.TrimSpace(string(out.buf)), program, false
}

// limitedBuffer keeps the beginning of what is written to it.
type limitedBuffer struct {
	max int
	buf []byte
}

func (l *limitedBuffer) Write(p []byte) (int, error) {
	l.buf = append(l.buf, p[:min(len(p), l.max-len(l.buf))]...)
	return len(p), nil
}
