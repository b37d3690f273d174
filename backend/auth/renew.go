package auth

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// renewBefore is the remaining lifetime at which a token is renewed. On renewal, GitHub
// immediately revokes the old token, which also affects running agents that use it.
const renewBefore = 5 * time.Minute

// renewal is the result of an attempt to renew a token.
type renewal int

const (
	impossible renewal = iota // the token can't be renewed
	unanswered                // no conclusive answer from GitHub
	renewed
)

// askAbout asks GitHub about the token in c. If the grant has a refresh token, askAbout renews a token that has
// expired, expires soon or is rejected. The returned credential contains the token to use.
func (m *Manager) askAbout(ctx context.Context, c *credential) (*credential, answer) {
	tried, outcome := false, impossible
	if end := c.grant.Expires; end != 0 && !time.UnixMilli(int64(end)).After(time.Now().Add(renewBefore)) {
		tried = true
		c, outcome = m.renew(ctx, c)
	}
	a := m.ask(ctx, c.grant.Token)
	if a.verdict == refused && !tried {
		if c, outcome = m.renew(ctx, c); outcome == renewed {
			a = m.ask(ctx, c.grant.Token)
		}
	}
	if a.verdict == refused && outcome == unanswered {
		a.verdict = unreachable // the refresh token may still be valid
		a.message = m.messageFor(a)
	}
	return c, a
}

// renew exchanges a sign-in's refresh token for a new token pair. The new pair is stored before
// anything else is done, because GitHub has already invalidated the old one.
func (m *Manager) renew(ctx context.Context, c *credential) (*credential, renewal) {
	if c.source != backend.SourceStored || c.grant.Refresh == "" {
		return c, impossible
	}
	if m.cfg.ReadOnly {
		return c, unanswered
	}
	select {
	case m.renewing <- struct{}{}:
		defer func() { <-m.renewing }()
	case <-ctx.Done():
		return c, unanswered
	}
	now, locked, _ := m.stored(ctx)
	switch {
	case !locked.IsZero():
		return c, unanswered
	case now == nil || now.login.ID != c.login.ID:
		return c, impossible // signed out meanwhile
	case now.grant.Token != c.grant.Token:
		return now, renewed // already renewed by another caller
	}
	if end := now.grant.RefreshExpires; end != 0 && end <= backend.Now() {
		return c, impossible
	}
	g, outcome := m.askRenewal(ctx, now.grant)
	if outcome != renewed {
		return c, outcome
	}
	place, err := m.storeGrant(now.login, g)
	if err != nil {
		m.cfg.Log.Error("couldn't store a renewed sign-in", "err", err)
	} else if now.login.Key != place {
		now.login.Key = place
		m.remember(now.login)
	}
	now.grant = g
	m.cfg.Log.Info("sign-in renewed", "login", now.login.Login)
	return now, renewed
}

func (m *Manager) askRenewal(ctx context.Context, old grant) (grant, renewal) {
	form := url.Values{"client_id": {old.ClientID}, "grant_type": {"refresh_token"}, "refresh_token": {old.Refresh}}
	body, status, err := m.post(ctx, m.web+"/login/oauth/access_token", form)
	if err != nil {
		m.noAnswer(err)
		return grant{}, unanswered
	}
	var said tokenAnswer
	switch {
	case json.Unmarshal(body, &said) != nil || said.AccessToken == "" && said.Error == "" || status >= 500:
		m.cfg.Log.Warn("GitHub is temporarily unavailable for renewing the sign-in", "status", status)
		return grant{}, unanswered
	case said.AccessToken == "":
		m.cfg.Log.Warn("GitHub rejected the renewal of the sign-in", "status", status, "error", line(said.Error, 100))
		return grant{}, impossible
	}
	g := said.grant(old.ClientID)
	if g.Refresh == "" {
		g.Refresh, g.RefreshExpires = old.Refresh, old.RefreshExpires
	}
	m.redact(g)
	return g, renewed
}

// tokenAnswer is GitHub's response to a token request.
type tokenAnswer struct {
	AccessToken      string `json:"access_token"`
	ExpiresIn        int64  `json:"expires_in"` // seconds; 0 means no expiry
	RefreshToken     string `json:"refresh_token"`
	RefreshExpiresIn int64  `json:"refresh_token_expires_in"`
	Error            string `json:"error"`
	Interval         int64  `json:"interval"` // with slow_down: the new interval in seconds
}

func (t tokenAnswer) grant(clientID string) grant {
	g := grant{Token: t.AccessToken, Refresh: t.RefreshToken, ClientID: clientID}
	end := func(seconds int64) backend.Millis {
		if seconds <= 0 || seconds > maxSeconds {
			return 0
		}
		return backend.Now() + backend.Millis(seconds*1000)
	}
	g.Expires, g.RefreshExpires = end(t.ExpiresIn), end(t.RefreshExpiresIn)
	return g
}

// maxSeconds is the longest plausible lifetime of a token in seconds: ten years. A token with a longer lifetime counts
// as having no expiry.
const maxSeconds = 10 * 365 * 24 * 3600

// post sends a form to GitHub and returns the body and the status of the response. Both the time and the size
// of the response are limited.
func (m *Manager) post(ctx context.Context, address string, form url.Values) (body []byte, status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, 0, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", m.userAgent())
	resp, err := m.client.Do(req)
	if err != nil {
		return nil, 0, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	return body, resp.StatusCode, err
}
