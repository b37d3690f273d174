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
	askTime   = 10 * time.Second // for one question to GitHub
	maxAnswer = 1 << 20          // bytes
)

// newClient is the client for GitHub. A token goes to its own host only: what
// leads elsewhere is no answer of GitHub's.
func newClient(through func(*http.Transport) http.RoundTripper) *http.Client {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		transport = &http.Transport{Proxy: http.ProxyFromEnvironment}
	}
	transport = transport.Clone()
	transport.TLSHandshakeTimeout = askTime / 2
	// After a sleep or a change of networks a connection may be dead without
	// anybody knowing: each question gets its own.
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

// verdict is what an answer of GitHub's says of a token.
type verdict int

const (
	unreachable verdict = iota // nothing answered
	known                      // it is somebody's
	refused                    // it is nobody's, or not any more
	forbidden                  // it is somebody's whom GitHub does not let in
	rateLimited                // GitHub asks for a pause
	serverError                // GitHub cannot answer now
	unexpected                 // what answered is not GitHub
)

// isConclusive tells whether GitHub has said something of the token.
func (v verdict) isConclusive() bool { return v == known || v == refused || v == forbidden }

// answer is what came of a question to GitHub.
type answer struct {
	verdict verdict
	login   string
	name    string
	avatar  string          // address of the picture
	expires backend.Millis  // of the token, where GitHub says so
	message backend.Message // for a person, "" where all is well
	at      backend.Millis
}

// ask asks GitHub whose a token is. Without a token it only finds out whether
// GitHub can be reached: it is then refused.
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
	m.cfg.Log.Info("asked GitHub whose the token is", "host", m.host, "status", resp.StatusCode, "login", a.login)
	return a
}

func (m *Manager) userAgent() string { return "VoxPilot/" + m.cfg.Version }

func (m *Manager) noAnswer(err error) answer {
	m.cfg.Log.Warn("GitHub cannot be reached", "host", m.host, "err", err)
	var untrusted *tls.CertificateVerificationError
	if errors.As(err, &untrusted) {
		return answer{verdict: unreachable, message: untrustedServerMessage}
	}
	return answer{verdict: unreachable, message: unreachableMessage}
}

// judge reads an answer to the question whose a token is. Between VoxPilot and
// GitHub there may be a proxy or a network that wants a sign-in of its own: what
// does not look like GitHub's says nothing about a token.
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

// expiry reads the time at which a token ends, 0 where it has none.
func expiry(header string) backend.Millis {
	for _, layout := range []string{"2006-01-02 15:04:05 MST", "2006-01-02 15:04:05 -0700", time.RFC3339} {
		if t, err := time.Parse(layout, header); err == nil {
			return backend.Millis(t.UnixMilli())
		}
	}
	return 0
}

// line is foreign text as one short line.
func line(s string, longest int) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	return s
}

const githubHost = "github.com"

// hostVars name GitHub's host, as the Copilot CLI reads them.
var hostVars = []string{"COPILOT_GH_HOST", "GH_HOST"}

// hostOf is the GitHub that the user works with. What is no host stands for
// none, so that a token is never sent to where nobody meant it to go.
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

// addresses are those of GitHub itself, of an enterprise with data residency,
// and of an Enterprise Server.
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

// keychainName is how a person calls the system's keychain.
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
