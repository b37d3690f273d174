package auth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/cli/oauth/api"
	"github.com/cli/oauth/device"

	"github.com/voxpilot/voxpilot/backend"
)

// scopes are the OAuth scopes of the device flow. They suffice to identify the user, which is all that Copilot needs;
// many organizations don't grant an app any further scopes.
var scopes = []string{"read:user"}

const (
	minInterval = time.Second
	maxInterval = time.Minute
	codeTime    = 15 * time.Minute // lifetime of a code if GitHub doesn't specify one
	maxCodeTime = time.Hour
)

// flow is a device-code sign-in in progress.
type flow struct {
	ctx    context.Context // ends when the flow is canceled
	cancel context.CancelFunc
}

// SignIn starts a device flow and returns immediately. It cancels any other flow in progress. Progress is reported by
// SignIn events. The error is CodeInvalid if there is no client ID for the host.
func (m *Manager) SignIn(context.Context) error {
	clientID := m.clientID()
	if clientID == "" {
		return backend.Invalid("This build can't sign in to %s with a code because it has no client ID for that host. Sign in another way, or set a client ID in Settings.", m.host)
	}
	f := &flow{}
	f.ctx, f.cancel = context.WithCancel(m.life)
	m.mu.Lock()
	before := m.flow
	m.flow = f
	m.publishSignIn(backend.SignIn{State: backend.SignInStarting})
	m.mu.Unlock()
	if before != nil {
		before.cancel()
	}
	m.background(func() {
		defer f.cancel()
		end := m.signInByCode(f, clientID)
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.flow == f {
			m.flow = nil
			m.publishSignIn(end)
		}
	})
	return nil
}

// CancelSignIn cancels the device flow in progress, or clears the result of the last one.
func (m *Manager) CancelSignIn() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.flow != nil {
		m.flow.cancel()
		m.flow = nil
	}
	if m.signIn.State != "" && m.signIn.State != backend.SignInNone {
		m.publishSignIn(backend.SignIn{State: backend.SignInNone})
	}
}

// publishSignIn publishes the state of a sign-in. The caller must hold m.mu.
func (m *Manager) publishSignIn(s backend.SignIn) {
	m.signIn = s
	if !m.closed {
		m.cfg.Publish(backend.Event{SignIn: &s})
	}
}

// signInByCode runs a device flow from its first request to its result.
func (m *Manager) signInByCode(f *flow, clientID string) backend.SignIn {
	forms := &poster{manager: m, ctx: f.ctx}
	code, err := device.RequestCode(forms, m.web+"/login/device/code", clientID, scopes)
	if err != nil {
		return m.noCode(err)
	}
	m.cfg.Redact(code.DeviceCode)
	if !isUserCode(code.UserCode) || code.DeviceCode == "" {
		return failedSignIn(backend.Say("The response from %s doesn't look like GitHub's. Check your network, proxy and GH_HOST.", m.host))
	}
	lasts := time.Duration(code.ExpiresIn) * time.Second
	if lasts <= 0 {
		lasts = codeTime
	}
	lasts = min(lasts, maxCodeTime)
	code.ExpiresIn = int(lasts / time.Second)
	interval := min(max(time.Duration(code.Interval)*time.Second, minInterval), maxInterval)
	code.Interval = int(interval / time.Second)

	m.mu.Lock()
	if m.flow == f {
		m.publishSignIn(backend.SignIn{
			State: backend.SignInWaiting, Code: code.UserCode, URL: m.pageFor(code.VerificationURI),
			ExpiresAt: backend.Now() + backend.Millis(lasts.Milliseconds()),
		})
	}
	m.mu.Unlock()

	ctx, cancel := context.WithTimeout(f.ctx, lasts)
	defer cancel()
	forms = &poster{manager: m, ctx: ctx, polls: true, interval: interval}
	_, err = device.Wait(ctx, forms, m.web+"/login/oauth/access_token", device.WaitOptions{ClientID: clientID, DeviceCode: code})
	if err != nil {
		return noToken(err)
	}
	g := forms.last.grant(clientID)
	m.redact(g)
	return m.finish(f.ctx, g)
}

// finish asks GitHub for the user of a grant and then stores the grant. It retries the request, because otherwise a
// network failure could lose a sign-in whose code the user has already entered.
func (m *Manager) finish(ctx context.Context, g grant) backend.SignIn {
	ctx, cancel := context.WithTimeout(ctx, codeTime)
	defer cancel()
	a := m.ask(ctx, g.Token)
	for wait := time.Second; a.verdict != known && a.verdict != refused && a.verdict != forbidden; wait = min(2*wait, 30*time.Second) {
		select {
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.Canceled) {
				return backend.SignIn{State: backend.SignInNone}
			}
			return backend.SignIn{State: backend.SignInUnreachable, Message: a.message}
		case <-time.After(wait):
		}
		a = m.ask(ctx, g.Token)
	}
	if a.verdict != known {
		return failedSignIn(backend.Sentences(backend.Say("GitHub approved the sign-in but rejected the resulting token."), a.message))
	}
	keeping, kept := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer kept()
	if err := m.storeSignIn(keeping, g, backend.LoginDevice, a); err != nil {
		return failedSignIn(backend.MessageOf(err))
	}
	return backend.SignIn{State: backend.SignInDone}
}

func failedSignIn(message backend.Message) backend.SignIn {
	return backend.SignIn{State: backend.SignInFailed, Message: message}
}

// noCode returns the result of a sign-in that failed before it received a code.
func (m *Manager) noCode(err error) backend.SignIn {
	var said *api.Error
	switch {
	case errors.Is(err, context.Canceled):
		return backend.SignIn{State: backend.SignInNone}
	case errors.Is(err, device.ErrUnsupported):
		return failedSignIn(backend.Say("This client ID can't be used to sign in with a code. Check it in Settings, or sign in another way."))
	case errors.As(err, &said) && said.ResponseCode == http.StatusTooManyRequests:
		return failedSignIn(backend.Say("GitHub is rate-limiting requests. Get a new code in a few minutes."))
	case errors.As(err, &said) && said.ResponseCode < 500:
		return failedSignIn(backend.Say("Couldn't get a code from GitHub (%s). Sign in another way.", line(said.Error(), 200)))
	default:
		m.cfg.Log.Warn("couldn't get a sign-in code", "host", m.host, "err", err)
		return backend.SignIn{State: backend.SignInUnreachable, Message: backend.Say("Can't reach GitHub.")}
	}
}

// noToken returns the result of a sign-in that received a code but no token.
func noToken(err error) backend.SignIn {
	var said *api.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return backend.SignIn{State: backend.SignInExpired, Message: backend.Say("The code has expired.")}
	case errors.Is(err, context.Canceled):
		return backend.SignIn{State: backend.SignInNone}
	case errors.As(err, &said):
		switch said.Code {
		case "expired_token", "incorrect_device_code":
			return backend.SignIn{State: backend.SignInExpired, Message: backend.Say("The code has expired.")}
		case "access_denied":
			return backend.SignIn{State: backend.SignInDenied, Message: backend.Say("The sign-in wasn't approved on GitHub.")}
		}
	}
	return failedSignIn(backend.Say("GitHub ended the sign-in (%s). Get a new code, or sign in another way.", line(err.Error(), 200)))
}

var userCode = regexp.MustCompile(`^[A-Za-z0-9-]{4,20}$`)

func isUserCode(code string) bool { return userCode.MatchString(code) }

// pageFor returns the page where the user enters the code. It is always on GitHub's own host, whatever
// address GitHub's answer contains.
func (m *Manager) pageFor(address string) string {
	if strings.HasPrefix(address, m.web+"/") {
		return address
	}
	return m.web + "/login/device"
}

// poster sends the form requests of a device flow. While it polls, it is more patient than the library:
// network failures, server errors and repeated "slow_down" answers don't end a sign-in whose code is still
// valid. (RFC 8628, section 3.5, allows any number of such answers.) poster reports all of these to the
// library as "authorization_pending".
type poster struct {
	manager  *Manager
	ctx      context.Context
	polls    bool
	interval time.Duration // current polling interval required by GitHub
	extra    time.Duration // wait before the next poll in addition to the library's
	last     tokenAnswer
}

func (p *poster) PostForm(address string, form url.Values) (*http.Response, error) {
	if p.extra > 0 {
		select {
		case <-p.ctx.Done():
			return nil, p.ctx.Err()
		case <-time.After(p.extra):
		}
	}
	body, status, err := p.manager.post(p.ctx, address, form)
	if p.polls {
		if p.ctx.Err() != nil {
			return nil, p.ctx.Err()
		}
		body, status = p.retryUnreachable(body, status, err)
	} else if err != nil {
		return nil, err
	}
	kind := "application/json"
	if !json.Valid(body) {
		kind = "text/plain" // makes the library use the status
	}
	return &http.Response{
		StatusCode: status,
		Header:     http.Header{"Content-Type": {kind}},
		Body:       io.NopCloser(bytes.NewReader(body)),
	}, nil
}

var notYet = []byte(`{"error":"authorization_pending"}`)

func (p *poster) retryUnreachable(body []byte, status int, err error) ([]byte, int) {
	p.last = tokenAnswer{}
	switch {
	case err != nil:
		p.manager.cfg.Log.Info("couldn't poll GitHub for the sign-in code", "err", err)
		return notYet, http.StatusOK
	case json.Unmarshal(body, &p.last) != nil || p.last.AccessToken == "" && p.last.Error == "" || status >= 500:
		p.manager.cfg.Log.Info("GitHub is temporarily unavailable for polling the sign-in code", "status", status)
		return notYet, http.StatusOK
	case p.last.Error == "slow_down":
		asked := time.Duration(min(p.last.Interval, maxSeconds)) * time.Second
		longer := min(max(asked, p.interval+5*time.Second), maxInterval)
		p.extra += longer - p.interval
		p.interval = longer
		return notYet, http.StatusOK
	}
	return body, status
}
