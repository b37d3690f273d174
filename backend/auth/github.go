package auth

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"time"
	"unicode"

	"github.com/voxpilot/voxpilot/backend"
)

const (
	askTime   = 10 * time.Second // per request to GitHub
	maxAnswer = 1 << 20          // bytes
)

// newClient returns the HTTP client for GitHub. A token is sent only to its own host:
// redirects to another host aren't followed.
func newClient(through func(*http.Transport) http.RoundTripper) *http.Client {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		transport = &http.Transport{Proxy: http.ProxyFromEnvironment}
	}
	transport = transport.Clone()
	transport.TLSHandshakeTimeout = askTime / 2
	// An idle connection may have died unnoticed during sleep or a network change, so each request uses a
	// new one.
	transport.DisableKeepAlives = true
	var trip http.RoundTripper = transport
	if through != nil {
		trip = through(transport)
	}
	return &http.Client{Transport: trip, CheckRedirect: func(next *http.Request, via []*http.Request) error {
		if first := via[0].URL; len(via) > 3 || next.URL.Host != first.Host || next.URL.Scheme != first.Scheme {
			return http.ErrUseLastResponse
		}
		return nil
	}}
}

// verdict classifies GitHub's answer about a token.
type verdict int

const (
	unreachable verdict = iota // no answer
	known                      // valid: it belongs to a user
	refused                    // invalid or expired
	forbidden                  // valid, but GitHub denies its user access
	rateLimited                // GitHub is rate-limiting requests
	serverError                // GitHub has a server error
	unexpected                 // the answer isn't from GitHub
)

// isConclusive reports whether GitHub's answer settles the token's validity.
func (v verdict) isConclusive() bool { return v == known || v == refused || v == forbidden }

// answer is the result of a request to GitHub about a token.
type answer struct {
	verdict verdict
	login   string
	name    string
	avatar  string          // URL of the avatar
	expires backend.Millis  // expiry of the token, if GitHub sent it
	message backend.Message // for the user, empty if there is no problem
	at      backend.Millis
}

// ask asks GitHub which user a token belongs to. Without a token, it only checks whether GitHub is reachable. In that
// case, the answer of a reachable GitHub has the verdict refused or rateLimited.
func (m *Manager) ask(ctx context.Context, token string) answer {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	a := m.askUser(ctx, token)
	a.at = backend.Now()
	a.message = m.messageFor(a)
	return a
}

func (m *Manager) askUser(ctx context.Context, token string) answer {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, m.api+"/user", nil)
	if err != nil {
		return m.noAnswer(err)
	}
	req.Header.Set("Accept", "application/vnd.github+json")
	req.Header.Set("X-GitHub-Api-Version", "2022-11-28")
	req.Header.Set("User-Agent", m.userAgent())
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := m.client.Do(req)
	if err != nil {
		return m.noAnswer(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return m.noAnswer(err)
	}
	a := judge(resp, body)
	m.cfg.Log.Info("looked up the token's account at GitHub", "host", m.host, "status", resp.StatusCode, "login", a.login)
	return a
}

func (m *Manager) userAgent() string { return "VoxPilot/" + m.cfg.Version }

func (m *Manager) noAnswer(err error) answer {
	m.cfg.Log.Warn("can't reach GitHub", "host", m.host, "err", err)
	var untrusted *tls.CertificateVerificationError
	if errors.As(err, &untrusted) {
		return answer{verdict: unreachable, message: untrustedServerMessage}
	}
	return answer{verdict: unreachable, message: unreachableMessage}
}

// judge interprets the answer to a request for a token's user. A proxy or a captive portal may sit between VoxPilot and
// GitHub, so an answer that doesn't look like GitHub's is inconclusive.
func judge(resp *http.Response, body []byte) answer {
	var said struct {
		Login     string `json:"login"`
		Name      string `json:"name"`
		AvatarURL string `json:"avatar_url"`
		Message   string `json:"message"`
	}
	isJSON := json.Unmarshal(body, &said) == nil
	ours := isJSON && said.Message != "" || resp.Header.Get("X-GitHub-Request-Id") != ""
	message := line(said.Message, 200)
	switch code := resp.StatusCode; {
	case code == http.StatusOK && isJSON && said.Login != "":
		return answer{
			verdict: known, login: line(said.Login, 100), name: line(said.Name, 200), avatar: said.AvatarURL,
			expires: expiry(resp.Header.Get("GitHub-Authentication-Token-Expiration")),
		}
	case code == http.StatusUnauthorized && ours:
		return answer{verdict: refused}
	case (code == http.StatusForbidden || code == http.StatusTooManyRequests) && isLimited(resp, said.Message):
		return answer{verdict: rateLimited}
	case code == http.StatusForbidden && ours:
		return answer{verdict: forbidden, message: backend.Plain(message)}
	case code >= 500:
		return answer{verdict: serverError, message: backend.Plain(fmt.Sprint(code))}
	default:
		return answer{verdict: unexpected, message: backend.Plain(fmt.Sprint(code))}
	}
}

func isLimited(resp *http.Response, message string) bool {
	return resp.StatusCode == http.StatusTooManyRequests || resp.Header.Get("Retry-After") != "" ||
		resp.Header.Get("X-RateLimit-Remaining") == "0" || strings.Contains(strings.ToLower(message), "rate limit")
}

// expiry parses the value of the HTTP header with a token's expiry time. It returns 0 if the value isn't a valid time.
func expiry(header string) backend.Millis {
	for _, layout := range []string{"2006-01-02 15:04:05 MST", "2006-01-02 15:04:05 -0700", time.RFC3339} {
		if t, err := time.Parse(layout, header); err == nil {
			return backend.Millis(t.UnixMilli())
		}
	}
	return 0
}

// line converts text from an external source to a single line. The parameter longest is the maximum length in runes: a
// longer line is cut, and "…" is appended.
func line(s string, longest int) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	return s
}

const githubHost = "github.com"

// hostVars are the environment variables that specify GitHub's host, in the order in which the Copilot CLI reads them.
var hostVars = []string{"COPILOT_GH_HOST", "GH_HOST"}

// hostOf returns the user's GitHub host. An invalid value counts as unset, so that a
// token is never sent to an unintended host.
func hostOf(getenv func(string) string) string {
	for _, name := range hostVars {
		value := strings.TrimSpace(getenv(name))
		if value == "" {
			continue
		}
		if !strings.Contains(value, "://") {
			value = "https://" + value
		}
		if u, err := url.Parse(value); err == nil && u.Hostname() != "" && u.User == nil {
			return strings.ToLower(u.Host)
		}
	}
	return githubHost
}

// addresses returns the base URLs of a host's web pages and API. The host is
// github.com, GitHub Enterprise Cloud with data residency, or an Enterprise Server.
func addresses(host string) (web, api string) {
	web = "https://" + host
	switch {
	case host == githubHost:
		return web, "https://api.github.com"
	case strings.HasSuffix(host, ".ghe.com"):
		return web, "https://api." + host
	default:
		return web, web + "/api/v3"
	}
}

// keychainName returns the user-visible name of the system keychain.
func keychainName() string {
	switch runtime.GOOS {
	case "darwin":
		return "macOS Keychain"
	case "windows":
		return "Windows Credential Manager"
	default:
		return "Secret Service"
	}
}
