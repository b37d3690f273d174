package auth_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/auth"
	"github.com/voxpilot/voxpilot/internal/fakegithub"
	"github.com/voxpilot/voxpilot/internal/keychain"
	"github.com/voxpilot/voxpilot/internal/keychain/keychaintest"
)

// newNetworkEnv returns an env in which the manager reaches the fake GitHub over the
// network, with its default client.
func newNetworkEnv(t *testing.T) *env {
	t.Helper()
	keychaintest.UseWorking(t)
	w := newEnv(t)
	server, err := fakegithub.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.github = server
	w.open(func(c *auth.Config) { c.Client, c.Base = nil, server.Base })
	return w
}

// control sends the fake server a command over HTTP, as a separate process would, and
// returns the response.
func (w *env) control(c fakegithub.Command) (seen fakegithub.Report) {
	w.t.Helper()
	body, err := json.Marshal(c)
	if err != nil {
		w.t.Fatal(err)
	}
	resp, err := http.Post(w.github.URL+"/_control", "application/json", bytes.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || json.NewDecoder(resp.Body).Decode(&seen) != nil {
		w.t.Fatalf("%+v: %s", c, resp.Status)
	}
	return seen
}

func TestNetwork_SignsInOverHTTPS(t *testing.T) {
	w := newNetworkEnv(t)
	defer http.DefaultClient.CloseIdleConnections()
	w.control(fakegithub.Command{Do: "codes", Interval: 1, Lasts: 600})
	w.manager.Start()
	if err := w.manager.SignIn(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.waitForAccount("there is a code", func(backend.Account) bool { return w.currentSignIn().State == backend.SignInWaiting })
	if seen := w.control(fakegithub.Command{Do: "slow_down", Times: 0}); seen.Code != w.currentSignIn().Code {
		t.Errorf("the server waits for %q, the window shows %q", seen.Code, w.currentSignIn().Code)
	}
	w.control(fakegithub.Command{Do: "approve", Approval: fakegithub.Approval{User: octocat, Token: storedToken}})
	w.waitForAccount("the picture is there", func(a backend.Account) bool { return a.State == backend.AccountValid && a.Avatar != "" })
	if token := w.mustCheck(); token.Secret != storedToken || !token.Verified {
		t.Errorf("the token is verified %v", token.Verified)
	}
	w.control(fakegithub.Command{Do: "trouble", Trouble: fakegithub.Cut})
	if token := w.mustCheck(); token.Verified || token.Reachable {
		t.Errorf("verified %v, reachable %v", token.Verified, token.Reachable)
	}
	w.control(fakegithub.Command{Do: "trouble"})
	w.control(fakegithub.Command{Do: "revoke"})
	if _, refusal := w.check(); refusal == nil || refusal.Cause != backend.CauseNotSignedIn {
		t.Errorf("of a token that was revoked: %+v", refusal)
	}
}

func TestNetwork_TokenSentToItsHostOnly(t *testing.T) {
	keychaintest.UseWorking(t)
	w := newEnv(t)
	w.env["GH_TOKEN"] = envToken
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("another host was asked for %s", r.URL)
	}))
	defer other.Close()
	to := ""
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			fmt.Fprint(rw, `{"login":"octocat"}`)
			return
		}
		http.Redirect(rw, r, to, http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	w.open(func(c *auth.Config) {
		c.Client, c.Base = nil, func(string) (string, string) { return server.URL, server.URL }
	})
	for address, verified := range map[string]bool{other.URL + "/user": false, server.URL + "/user": false, server.URL + "/moved": true} {
		to = address
		if token := w.mustCheck(); token.Verified != verified {
			t.Errorf("led to %s, the token is verified %v", address, token.Verified)
		}
	}
}

// TestNetwork_UntrustedCertificateNamed checks the message about an untrusted certificate. Such a certificate occurs if
// a company intercepts TLS connections.
func TestNetwork_UntrustedCertificateNamed(t *testing.T) {
	keychaintest.UseWorking(t)
	w := newEnv(t)
	w.env["GH_TOKEN"] = envToken
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("what nobody trusts got a request")
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	w.open(func(c *auth.Config) {
		c.Client, c.Base = nil, func(string) (string, string) { return server.URL, server.URL }
	})
	if token := w.mustCheck(); token.Verified || token.Reachable {
		t.Errorf("the token is verified %v, GitHub reachable %v", token.Verified, token.Reachable)
	}
	w.expectState(backend.AccountUnverified, "certificate")
	r := w.manager.RefusalCause(context.Background())
	w.expectRefusal(&r, backend.CauseOffline, "certificate")
}

func TestNetwork_UsesEnvironmentProxy(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.String() != "http://github.invalid/api/v3/user" {
			t.Errorf("the proxy was asked for %s", r.URL)
		}
		fmt.Fprint(rw, `{"login":"octocat"}`)
	}))
	defer proxy.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self) // the proxy is read from the environment once per process
	cmd.Env = append(os.Environ(), sceneVar+"=proxy", "HTTP_PROXY="+proxy.URL, "NO_PROXY=", "no_proxy=", "REQUEST_METHOD=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// checkThroughProxy checks a token at a GitHub host that doesn't exist, so that only a proxy can answer.
func checkThroughProxy() error {
	manager := auth.New(configFor(func(name string) string {
		if name == "GH_TOKEN" {
			return envToken
		}
		return ""
	}))
	defer manager.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	token, refusal := manager.Check(ctx)
	if refusal != nil {
		return errors.New(refusal.Message.String())
	}
	if !token.Verified {
		return errors.New("GitHub was not reached")
	}
	return nil
}

// configFor returns a config with which a separate process can't reach GitHub directly.
func configFor(getenv func(string) string) auth.Config {
	return auth.Config{
		Keys:         &keychain.Fallback{},
		Getenv:       getenv,
		Settings:     backend.DefaultSettings,
		ClientID:     fakegithub.ClientID,
		CLILogin:     func(context.Context) (string, bool) { return "", true },
		Base:         func(string) (string, string) { return "http://github.invalid", "http://github.invalid/api/v3" },
		Publish:      func(...backend.Event) {},
		Commit:       func(context.Context, ...backend.Event) error { return nil },
		Pin:          func(context.Context, backend.TokenSource) error { return nil },
		Redact:       func(string) {},
		TokenChanged: func(bool) {},
		Log:          slog.New(slog.DiscardHandler),
	}
}
