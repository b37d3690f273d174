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

// order is the precedence of the sources: the first one with a token is used.
var order = []backend.TokenSource{backend.SourceEnv, backend.SourceStored, backend.SourceGH, backend.SourceCLI}

// envVars are the environment variables that may contain a token, in the order in which the Copilot CLI reads them.
var envVars = []string{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"}

// credential is a token with its source.
type credential struct {
	source   backend.TokenSource
	grant    grant         // Token is "" for SourceCLI
	variable string        // for SourceEnv
	login    backend.Login // for SourceStored
	program  string        // for SourceGH
	own      string        // for SourceCLI: the login, if known
}

// identity is a hash of a token and its source, which identifies the token without revealing it. For
// SourceCLI, it is based on the login instead. The zero value stands for no token.
type identity [sha256.Size]byte

func (c *credential) identity() identity {
	if c == nil {
		return identity{}
	}
	return sha256.Sum256([]byte(string(c.source) + " " + c.grant.Token + c.own))
}

// lookupResult is the result of searching the sources for a token.
type lookupResult struct {
	cred    *credential     // nil if there is no usable token
	locked  backend.Message // why the source can't be read; for the user
	wrong   *unusableToken  // first token of a kind that Copilot never accepts
	lost    string          // user name of a sign-in whose token is missing
	sources []backend.TokenSource
}

// unusableToken is a token that was skipped because Copilot doesn't support its kind.
type unusableToken struct {
	source   backend.TokenSource
	variable string
	reason   backend.Message
}

// findCredential searches the sources in order and selects the first token that it finds. If the user pinned a source,
// only a token from that source is selected. If the parameter all is true, findCredential also searches the other
// sources to list those that have a token, and publishes the account provisionally. Otherwise, the list of sources is
// incomplete.
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
			m.publishProvisional(f, false) // the other sources may be slow
		}
	}
	// If the CLI's login can't be determined, it may be tried but isn't listed as found.
	f.sources = slices.DeleteFunc(f.sources, func(s backend.TokenSource) bool {
		return s == backend.SourceCLI && !m.cliHasLogin(ctx)
	})
	return f
}

// findAt looks for a token in one source. If the source can't be read, for example because the keychain is
// locked, the result locked explains that to the user. allowed is true if a token from the source may be
// used; otherwise, problems with the source aren't recorded in f.
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
			// The CLI also skips unsupported tokens.
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

// isUsable reports whether source is pinned or is the source in use. If such a source
// fails, VoxPilot must not switch to another account.
func (m *Manager) isUsable(source backend.TokenSource) bool {
	if m.cfg.Settings().SignIn == source {
		return true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.account.Source == source
}

// grant is the result of a sign-in, as stored in the keychain.
type grant struct {
	Token          string         `json:"token"`
	Expires        backend.Millis `json:"expires,omitempty"`
	Refresh        string         `json:"refresh,omitempty"`
	RefreshExpires backend.Millis `json:"refreshExpires,omitempty"`
	ClientID       string         `json:"clientId,omitempty"` // client that received it; only it can renew the token
}

// redact keeps the secrets of a grant out of the log.
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

// newestLogin returns the newest stored sign-in for the host. ok is false if there is none.
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

// stored reads VoxPilot's own sign-in; c is nil if there is none. If the keychain can't be read, the result locked is a
// message for the user. If the token is missing from the keychain, stored deletes the sign-in's row, and the result
// lost is its user name.
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
		m.forget(login) // stored only in the memory of an earlier run
		return nil, backend.Message{}, login.Login
	case err != nil:
		m.cfg.Log.Warn("couldn't read the sign-in from the keychain", "err", err)
		return nil, lockedMessage, ""
	}
	var g grant
	if err := json.Unmarshal([]byte(secret), &g); err != nil || g.Token == "" {
		m.cfg.Log.Warn("the keychain entry isn't a VoxPilot sign-in", "account", login.ID)
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

// remember updates the row of a sign-in, unless it has been deleted meanwhile.
func (m *Manager) remember(login backend.Login) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.IndexFunc(m.logins, func(l backend.Login) bool { return l.ID == login.ID }); i >= 0 {
		m.logins[i] = login
		m.cfg.Publish(backend.Event{Login: &login})
	}
}

// forget deletes the row of a sign-in whose token is missing.
func (m *Manager) forget(login backend.Login) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := len(m.logins)
	m.logins = slices.DeleteFunc(m.logins, func(l backend.Login) bool { return l.ID == login.ID })
	if len(m.logins) < before {
		m.cfg.Publish(backend.Event{LoginDeleted: &backend.Deleted{ID: login.ID}})
	}
}

// ghTime is the time limit for gh, which waits forever if its keychain is locked.
const ghTime = 3 * time.Second

// askGH returns gh's token for the host, and the path of gh; each is "" if there is none. hangs is true
// if gh didn't answer in time, so that it is unknown whether gh has a token.
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
		cmd.Dir = home // VoxPilot's working directory may be a repository
	}
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		// Otherwise gh would just repeat the token of a variable.
		name, _, _ := strings.Cut(v, "=")
		return strings.HasSuffix(strings.ToUpper(name), "_TOKEN")
	})
	cmd.Env = append(cmd.Env, "GH_PROMPT_DISABLED=1")
	cmd.WaitDelay = time.Second // then don't wait for child processes that keep the output open
	hideWindow(cmd)
	out := limitedBuffer{max: maxToken + 100}
	cmd.Stdout = &out
	err := cmd.Run()
	if limited.Err() != nil {
		m.cfg.Log.Warn("gh didn't respond", "path", program)
		return "", program, true
	}
	if err != nil {
		m.cfg.Log.Info("gh has no token", "path", program, "err", err)
		return "", program, false
	}
	return strings.TrimSpace(string(out.buf)), program, false
}

// limitedBuffer stores the beginning of the data written to it, up to max bytes.
type limitedBuffer struct {
	max int
	buf []byte
}

func (l *limitedBuffer) Write(p []byte) (int, error) {
	l.buf = append(l.buf, p[:min(len(p), l.max-len(l.buf))]...)
	return len(p), nil
}
