package auth

import (
	"reflect"

	"github.com/voxpilot/voxpilot/backend"
)

// blank is the account of which nothing is known yet.
func (d *Desk) blank() backend.Account {
	return backend.Account{
		State: backend.AccountUnknown, Host: d.host, Keychain: keychainName(), DeviceFlow: d.clientID() != "",
	}
}

// clientID is that of the OAuth app for the host. The one that was built in is
// known to github.com alone.
func (d *Desk) clientID() string {
	if id := d.cfg.Settings().ClientID; id != "" {
		return id
	}
	if d.host == githubHost {
		return d.cfg.ClientID
	}
	return ""
}

// describe is the account as a look at the sources and GitHub's answer tell it;
// the answer is nil where GitHub was not asked.
func (d *Desk) describe(f finding, a *answer) backend.Account {
	account := d.blank()
	account.Found = f.found
	switch c := f.cred; {
	case !f.locked.IsZero():
		account.State, account.Message, account.Source = backend.AccountLocked, f.locked, backend.SourceGH
		if f.locked == lockedWords {
			login, _ := d.kept()
			account.Source, account.Login, account.Kind, account.Key = backend.SourceStored, login.Login, login.Kind, login.Key
		}
	case c == nil:
		f.nobody(&account)
	case c.source == backend.SourceCLI:
		account.State, account.Source, account.Login = backend.AccountOwn, c.source, c.own
	default:
		account.Source, account.Variable, account.Program = c.source, c.variable, c.program
		account.Login, account.Kind, account.Key = c.login.Login, c.login.Kind, c.login.Key
		account.State = backend.AccountUnverified
		if a != nil {
			d.fill(&account, c, *a)
		}
	}
	return account
}

// nobody makes the account one of nobody, and says what was there instead of a
// sign-in.
func (f finding) nobody(account *backend.Account) {
	account.State = backend.AccountSignedOut
	switch {
	case f.lost != "":
		account.Message = lostWords(f.lost)
	case f.wrong != nil:
		account.State, account.Message = backend.AccountWrongKind, notTaken(f.wrong)
		account.Source, account.Variable = f.wrong.source, f.wrong.variable
	}
}

// fill adds what GitHub said, and what it said of the same token before.
func (d *Desk) fill(account *backend.Account, c *credential, a answer) {
	account.CheckedAt, account.Message = a.at, a.message
	d.mu.Lock()
	if c.identity() == d.used && d.account.Source == c.source {
		account.Login, account.Name, account.Avatar, account.ExpiresAt = d.account.Login, d.account.Name, d.account.Avatar, d.account.ExpiresAt
	}
	d.mu.Unlock()
	switch a.verdict {
	case known:
		account.State, account.Login, account.Name = backend.AccountValid, a.login, a.name
		account.ExpiresAt = a.expires
	case refused:
		account.State, account.Message = backend.AccountExpired, refusedBy(c)
	default: // unverified
	}
	switch {
	case c.grant.Refresh != "":
		account.ExpiresAt = c.grant.RefreshExpires // Until then it is renewed by itself.
	case c.grant.Expires != 0:
		account.ExpiresAt = c.grant.Expires
	}
}

// publish shows an account that differs from the last. It is called with the
// lock held.
func (d *Desk) publish(account backend.Account) {
	if d.closed || reflect.DeepEqual(account, d.account) {
		return
	}
	d.account = account
	d.cfg.Publish(backend.Event{Account: &account})
}
