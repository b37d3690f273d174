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

// finding is what a look at the sources came to.
type finding struct {
	cred   *credential     // nil where there is none that can be used
	locked backend.Message // why it cannot be said whether there is one; for a person
	wrong  *misfit         // the first token of a kind that Copilot takes from nobody
	lost   string          // the login of a sign-in whose token is not there any more
	found  []backend.TokenSource
}

// misfit is a token that was passed over.
type misfit struct {
	source   backend.TokenSource
	variable string
	why      backend.Message
}

// look goes through the sources. Unless all is set it stops at the first that
// has a token, and found is not filled.
func (d *Desk) look(ctx context.Context, all bool) finding {
	pinned := d.cfg.Settings().SignIn
	var f finding
	for _, source := range order {
		allowed := pinned == "" || pinned == source
		if !allowed && !all {
			continue
		}
		c, locked := d.lookAt(ctx, source, &f, allowed)
		if c != nil || !locked.IsZero() {
			f.found = append(f.found, source)
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
			d.glimpse(f, false) // The others may take their time.
		}
	}
	// Where it cannot be told whether the CLI has a login, it may be tried, but
	// nobody can say that there is one.
	f.found = slices.DeleteFunc(f.found, func(s backend.TokenSource) bool {
		return s == backend.SourceCLI && !d.cliHasLogin(ctx)
	})
	return f
}

// lookAt looks at one source. allowed says whether what is wrong with it matters.
func (d *Desk) lookAt(ctx context.Context, source backend.TokenSource, f *finding, allowed bool) (c *credential, locked backend.Message) {
	fits := func(token string, m misfit) bool {
		if m.why = wrongKind(token); m.why.IsZero() {
			d.cfg.Redact(token)
			return true
		}
		if allowed && f.wrong == nil {
			f.wrong = &m
		}
		return false
	}
	switch source {
	case backend.SourceEnv:
		for _, name := range envVars {
			token := strings.TrimSpace(d.cfg.Getenv(name))
			// The CLI passes over what it does not take, too.
			if token != "" && fits(token, misfit{source: source, variable: name}) {
				return &credential{source: source, grant: grant{Token: token}, variable: name}, backend.Message{}
			}
		}
	case backend.SourceStored:
		c, locked, lost := d.stored(ctx)
		if lost != "" && allowed {
			f.lost = lost
		}
		return c, locked
	case backend.SourceGH:
		token, program, hangs := d.askGH(ctx)
		if hangs && d.counts(backend.SourceGH) {
			return nil, ghHangs
		}
		if token != "" && fits(token, misfit{source: source}) {
			return &credential{source: source, grant: grant{Token: token}, program: program}, backend.Message{}
		}
	case backend.SourceCLI:
		login, known := "", false
		if d.cfg.CLILogin != nil {
			login, known = d.cfg.CLILogin(ctx)
		}
		if login != "" || !known {
			return &credential{source: source, own: login}, backend.Message{}
		}
	}
	return nil, backend.Message{}
}

func (d *Desk) cliHasLogin(ctx context.Context) bool {
	if d.cfg.CLILogin == nil {
		return false
	}
	login, known := d.cfg.CLILogin(ctx)
	return known && login != ""
}

// counts says whether a source was chosen, or was in use until now: that it
// cannot be asked must then not bring another account in.
func (d *Desk) counts(source backend.TokenSource) bool {
	if d.cfg.Settings().SignIn == source {
		return true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.account.Source == source
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
func (d *Desk) redact(g grant) {
	for _, secret := range []string{g.Token, g.Refresh} {
		if secret != "" {
			d.cfg.Redact(secret)
		}
	}
}

func entryOf(login backend.Login) keychain.Entry {
	return keychain.Entry{Service: keychain.Service, Account: login.ID}
}

// kept is the newest sign-in with the host.
func (d *Desk) kept() (newest backend.Login, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, l := range d.logins {
		if l.Host == d.host && (!ok || l.CreatedAt >= newest.CreatedAt) {
			newest, ok = l, true
		}
	}
	return newest, ok
}

// stored reads the sign-in that VoxPilot keeps. One whose token is gone is
// forgotten, and its login is lost.
func (d *Desk) stored(ctx context.Context) (c *credential, locked backend.Message, lost string) {
	login, ok := d.kept()
	if !ok {
		return nil, backend.Message{}, ""
	}
	secret, place, err := d.cfg.Keys.Get(ctx, entryOf(login))
	switch {
	case errors.Is(err, keychain.ErrNotFound):
		d.forget(login)
		return nil, backend.Message{}, login.Login
	case errors.Is(err, keychain.ErrUnavailable) && login.Key == backend.KeyMemory:
		d.forget(login) // It was never anywhere but in the memory of an earlier run.
		return nil, backend.Message{}, login.Login
	case err != nil:
		d.cfg.Log.Warn("the sign-in could not be read from the keychain", "err", err)
		return nil, lockedWords, ""
	}
	var g grant
	if err := json.Unmarshal([]byte(secret), &g); err != nil || g.Token == "" {
		d.cfg.Log.Warn("what the keychain has is no sign-in of VoxPilot's", "account", login.ID)
		d.forget(login)
		return nil, backend.Message{}, login.Login
	}
	d.redact(g)
	if place != login.Key {
		login.Key = place
		d.remember(login)
	}
	return &credential{source: backend.SourceStored, grant: g, login: login}, backend.Message{}, ""
}

// remember keeps the row of a sign-in that is there.
func (d *Desk) remember(login backend.Login) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.IndexFunc(d.logins, func(l backend.Login) bool { return l.ID == login.ID }); i >= 0 {
		d.logins[i] = login
		d.cfg.Publish(backend.Event{Login: &login})
	}
}

// forget removes the row of a sign-in whose token is gone.
func (d *Desk) forget(login backend.Login) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := len(d.logins)
	d.logins = slices.DeleteFunc(d.logins, func(l backend.Login) bool { return l.ID == login.ID })
	if len(d.logins) < before {
		d.cfg.Publish(backend.Event{LoginDeleted: &backend.Deleted{ID: login.ID}})
	}
}

// ghTime bounds gh: it waits for a keychain that is locked for ever.
const ghTime = 3 * time.Second

// askGH asks gh for the token that it has for the host. hangs says that gh did
// not answer in time, so that nothing is known.
func (d *Desk) askGH(ctx context.Context) (token, program string, hangs bool) {
	if d.cfg.GH == nil {
		return "", "", false
	}
	program = d.cfg.GH(ctx)
	if program == "" {
		return "", "", false
	}
	limited, cancel := context.WithTimeout(ctx, ghTime)
	defer cancel()
	cmd := exec.CommandContext(limited, program, "auth", "token", "--hostname", d.host)
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
	out := limit{max: maxToken + 100}
	cmd.Stdout = &out
	err := cmd.Run()
	if limited.Err() != nil {
		d.cfg.Log.Warn("gh did not answer", "path", program)
		return "", program, true
	}
	if err != nil {
		d.cfg.Log.Info("gh has no token", "path", program, "err", err)
		return "", program, false
	}
	return strings.TrimSpace(string(out.kept)), program, false
}

// limit keeps the beginning of what is written to it.
type limit struct {
	max  int
	kept []byte
}

func (l *limit) Write(p []byte) (int, error) {
	l.kept = append(l.kept, p[:min(len(p), l.max-len(l.kept))]...)
	return len(p), nil
}
