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

// listening returns a world whose GitHub is reached over the network with the manager's
// default client.
func listening(t *testing.T) *world {
	t.Helper()
	keychaintest.Works(t)
	w := newWorld(t)
	server, err := fakegithub.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.github = server
	w.open(func(c *auth.Config) { c.Client, c.Base = nil, server.Base })
	return w
}

// tells sends the fake server a command from a separate process.
func (w *world) tells(c fakegithub.Command) (seen fakegithub.Report) {
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
	w := listening(t)
	defer http.DefaultClient.CloseIdleConnections()
	w.tells(fakegithub.Command{Do: "codes", Interval: 1, Lasts: 600})
	w.desk.Start()
	if err := w.desk.SignIn(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.until("there is a code", func(backend.Account) bool { return w.nowSignIn().State == backend.SignInWaiting })
	if seen := w.tells(fakegithub.Command{Do: "slow_down", Times: 0}); seen.Code != w.nowSignIn().Code {
		t.Errorf("the server waits for %q, the window shows %q", seen.Code, w.nowSignIn().Code)
	}
	w.tells(fakegithub.Command{Do: "approve", Approval: fakegithub.Approval{User: octocat, Token: storedToken}})
	w.until("the picture is there", func(a backend.Account) bool { return a.State == backend.AccountValid && a.Avatar != "" })
	if token := w.mustCheck(); token.Secret != storedToken || !token.Verified {
		t.Errorf("the token is verified %v", token.Verified)
	}
	w.tells(fakegithub.Command{Do: "trouble", Trouble: fakegithub.Cut})
	if token := w.mustCheck(); token.Verified || token.Reachable {
		t.Errorf("verified %v, reachable %v", token.Verified, token.Reachable)
	}
	w.tells(fakegithub.Command{Do: "trouble"})
	w.tells(fakegithub.Command{Do: "revoke"})
	if _, refusal := w.check(); refusal == nil || refusal.Cause != backend.CauseNotSignedIn {
		t.Errorf("of a token that was revoked: %+v", refusal)
	}
}

func TestNetwork_TokenSentToItsHostOnly(t *testing.T) {
	keychaintest.Works(t)
	w := newWorld(t)
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

// A company may intercept TLS with its own certificate.
func TestNetwork_UntrustedCertificateNamed(t *testing.T) {
	keychaintest.Works(t)
	w := newWorld(t)
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
	w.wantState(backend.AccountUnverified, "certificate")
	r := w.desk.RefusalCause(context.Background())
	w.wantRefusal(&r, backend.CauseOffline, "certificate")
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

// throughAProxy asks a nonexistent host.
func throughAProxy() error {
	desk := auth.New(plain(func(name string) string {
		if name == "GH_TOKEN" {
			return envToken
		}
		return ""
	}))
	defer desk.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	token, refusal := desk.Check(ctx)
	if refusal != nil {
		return errors.New(refusal.Message.String())
	}
	if !token.Verified {
		return errors.New("GitHub was not reached")
	}
	return nil
}

// plain returns a config for a separate process, without a reachable GitHub.
func plain(getenv func(string) string) auth.Config {
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
