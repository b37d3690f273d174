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

// blank returns the account in its initial state, before anything is known about the sign-in.
func (m *Manager) blank() backend.Account {
	return backend.Account{
		State: backend.AccountUnknown, Host: m.host, Keychain: keychainName(), DeviceFlow: m.clientID() != "",
	}
}

// clientID returns the client ID of the OAuth app for the host, or "" if there is none.
// The built-in one is valid only for github.com.
func (m *Manager) clientID() string {
	if id := m.cfg.Settings().ClientID; id != "" {
		return id
	}
	if m.host == githubHost {
		return m.cfg.ClientID
	}
	return ""
}

// describe derives the account from the result of a lookup and from GitHub's answer, which is nil if GitHub wasn't
// asked.
func (m *Manager) describe(f lookupResult, a *answer) backend.Account {
	account := m.blank()
	account.Found = f.sources
	switch c := f.cred; {
	case !f.locked.IsZero():
		account.State, account.Message, account.Source = backend.AccountLocked, f.locked, backend.SourceGH
		if f.locked == lockedMessage {
			login, _ := m.newestLogin()
			account.Source, account.Login, account.Kind, account.Key = backend.SourceStored, login.Login, login.Kind, login.Key
		}
	case c == nil:
		f.describeSignedOut(&account)
	case c.source == backend.SourceCLI:
		account.State, account.Source, account.Login = backend.AccountOwn, c.source, c.own
	default:
		account.Source, account.Variable, account.Program = c.source, c.variable, c.program
		account.Login, account.Kind, account.Key = c.login.Login, c.login.Kind, c.login.Key
		account.State = backend.AccountUnverified
		if a != nil {
			m.fill(&account, c, *a)
		}
	}
	return account
}

// describeSignedOut sets the state and the message of an account without a usable token. The state is
// AccountWrongKind if the only token found is of a kind that Copilot doesn't support, and AccountSignedOut
// otherwise. The message explains such a token or a lost sign-in.
func (f lookupResult) describeSignedOut(account *backend.Account) {
	account.State = backend.AccountSignedOut
	switch {
	case f.lost != "":
		account.Message = missingMessage(f.lost)
	case f.wrong != nil:
		account.State, account.Message = backend.AccountWrongKind, unsupportedMessage(f.wrong)
		account.Source, account.Variable = f.wrong.source, f.wrong.variable
	}
}

// fill adds GitHub's answer to account, along with details from an earlier answer about the same token.
func (m *Manager) fill(account *backend.Account, c *credential, a answer) {
	account.CheckedAt, account.Message = a.at, a.message
	m.mu.Lock()
	if c.identity() == m.used && m.account.Source == c.source {
		account.Login, account.Name, account.Avatar, account.ExpiresAt = m.account.Login, m.account.Name, m.account.Avatar, m.account.ExpiresAt
	}
	m.mu.Unlock()
	switch a.verdict {
	case known:
		account.State, account.Login, account.Name = backend.AccountValid, a.login, a.name
		account.ExpiresAt = a.expires
	case refused:
		account.State, account.Message = backend.AccountExpired, rejectedMessage(c)
	default: // unverified
	}
	switch {
	case c.grant.Refresh != "":
		account.ExpiresAt = c.grant.RefreshExpires // it is renewed automatically until then
	case c.grant.Expires != 0:
		account.ExpiresAt = c.grant.Expires
	}
}

// publish publishes the account if it changed. The caller must hold m.mu.
func (m *Manager) publish(account backend.Account) {
	if m.closed || reflect.DeepEqual(account, m.account) {
		return
	}
	m.account = account
	m.cfg.Publish(backend.Event{Account: &account})
}

const maxAvatar = 1 << 20 // bytes

// avatarTypes are the types of images that are passed to the page. The type of an image is detected from its content,
// not taken from the server's header.
var avatarTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// picture is the user's avatar as downloaded.
type picture struct {
	from    string // URL
	body    []byte
	mime    string
	version string // hash of body, published so that the page reloads a changed picture; "" if there is none
}

// fetchAvatar downloads the avatar from the given address in the background, unless it has already been downloaded, and
// publishes its version. The page loads the avatar from VoxPilot, never from that address.
func (m *Manager) fetchAvatar(address string) {
	m.mu.Lock()
	same := m.picture.from == address
	if same && m.account.State == backend.AccountValid {
		m.publishAvatar(m.picture.version)
	}
	if !same {
		m.picture = picture{from: address}
		m.publishAvatar("")
	}
	m.mu.Unlock()
	if same || !m.isAvatarAllowed(address) {
		return
	}
	m.background(func() {
		p := picture{from: address}
		body, err := m.getAvatar(address)
		if err != nil {
			m.cfg.Log.Info("couldn't download the account's picture", "err", err)
			p.from = "" // retry with the next check
		} else if mime := http.DetectContentType(body); slices.Contains(avatarTypes, mime) {
			sum := sha256.Sum256(body)
			p.body, p.mime, p.version = body, mime, hex.EncodeToString(sum[:8])
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.picture.from == address { // not signed out meanwhile
			m.picture = p
			m.publishAvatar(p.version)
		}
	})
}

// publishAvatar publishes the account with the given avatar version. The caller must hold m.mu.
func (m *Manager) publishAvatar(version string) {
	account := m.account
	account.Avatar = version
	m.publish(account)
}

// isAvatarAllowed reports whether an avatar may be fetched from the given address. The address must use HTTPS; HTTP is
// allowed only if GitHub's API also uses it.
func (m *Manager) isAvatarAllowed(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && strings.HasPrefix(m.api, "http://")
}

func (m *Manager) getAvatar(address string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(m.life, askTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", m.userAgent())
	resp, err := m.client.Do(req)
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
		return nil, nil // too large, so a retry is pointless
	}
	return body, nil
}
