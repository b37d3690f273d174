package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

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

const maxAvatar = 1 << 20 // bytes

// avatarTypes are what the page is given; the first bytes decide, not what the
// server says.
var avatarTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// picture is the user's, as it was fetched.
type picture struct {
	from    string // its address
	body    []byte
	mime    string
	version string
}

// fetchAvatar gets the user's picture in the background, where it is another
// than the one that is there. The page never asks a foreign server for it.
func (d *Desk) fetchAvatar(address string) {
	d.mu.Lock()
	same := d.picture.from == address
	if same && d.account.State == backend.AccountValid {
		d.show(d.picture.version)
	}
	if !same {
		d.picture = picture{from: address}
		d.show("")
	}
	d.mu.Unlock()
	if same || !d.maySee(address) {
		return
	}
	d.goes(func() {
		p := picture{from: address}
		body, err := d.getAvatar(address)
		if err != nil {
			d.cfg.Log.Info("the picture of the account could not be fetched", "err", err)
			p.from = "" // It is tried again with the next check.
		} else if mime := http.DetectContentType(body); slices.Contains(avatarTypes, mime) {
			sum := sha256.Sum256(body)
			p.body, p.mime, p.version = body, mime, hex.EncodeToString(sum[:8])
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.picture.from == address { // nobody signed out meanwhile
			d.picture = p
			d.show(p.version)
		}
	})
}

// show publishes the account with a picture. It is called with the lock held.
func (d *Desk) show(version string) {
	account := d.account
	account.Avatar = version
	d.publish(account)
}

// maySee says whether a picture may be fetched from an address: by https, and
// by http only where GitHub itself is asked by it.
func (d *Desk) maySee(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && strings.HasPrefix(d.api, "http://")
}

func (d *Desk) getAvatar(address string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(d.life, askTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", d.userAgent())
	resp, err := d.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAvatar+1))
	switch {
	case err != nil:
		return nil, err
	case resp.StatusCode != http.StatusOK:
		return nil, errors.New(resp.Status)
	case len(body) > maxAvatar:
		return nil, nil // It will not be shorter the next time.
	}
	return body, nil
}
