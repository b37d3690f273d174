//go:build unix

package environment_test

import (
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// loginFiles are the startup files of a login shell, which tests can rewrite.
type loginFiles struct {
	t    *testing.T
	file string
}

// newLoginFiles replaces the user's login shell with one that reads the returned
// startup files, which are empty at first.
func newLoginFiles(t *testing.T) loginFiles {
	t.Helper()
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "SSH_AUTH_SOCK"} {
		t.Setenv(name, "")
		t.Setenv(strings.ToLower(name), "")
	}
	before := *environment.ShellTime
	*environment.ShellTime = time.Minute
	t.Cleanup(func() { *environment.ShellTime = before })
	dir := t.TempDir()
	f := loginFiles{t: t, file: filepath.Join(dir, "files")}
	shell := filepath.Join(dir, "shell")
	if err := os.WriteFile(shell, []byte("#!/bin/sh\n. "+f.file+"\neval \"$4\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SHELL", shell)
	f.write("")
	return f
}

func (f loginFiles) write(format string, args ...any) {
	f.t.Helper()
	if err := os.WriteFile(f.file, fmt.Appendf(nil, format+"\n", args...), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

func TestEnvironment_LoginShellProxyUsed(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, _, _ := strings.Cut(r.Header.Get("Proxy-Authorization"), " ")
		_, _ = fmt.Fprintf(w, "%s by the proxy, %s", r.URL, user)
	}))
	defer proxy.Close()
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "trusted") }))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // it is expected to be rejected once
	secure.StartTLS()
	defer secure.Close()
	certificate := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	files := newLoginFiles(t)
	v := environment.New(t.Context(), slog.New(slog.DiscardHandler))
	client := &http.Client{Transport: v.WrapTransport(&http.Transport{})}
	defer client.CloseIdleConnections()
	get := func(address string) string {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := client.Do(req)
		if err != nil {
			return "no answer"
		}
		defer res.Body.Close()
		var b strings.Builder
		_ = res.Write(&b)
		_, body, _ := strings.Cut(b.String(), "\r\n\r\n")
		return body
	}
	const elsewhere = "http://nobody.invalid/x"
	v.Refresh()
	if got := get(elsewhere); got != "no answer" {
		t.Errorf("without a proxy: %q", got)
	}
	if got := get(secure.URL); got != "no answer" {
		t.Errorf("a certificate that nobody knows is trusted: %q", got)
	}
	files.write("export HTTP_PROXY=http://ann:pass@%s SSL_CERT_FILE=%s", strings.TrimPrefix(proxy.URL, "http://"), certificate)
	v.Refresh()
	if got := get(elsewhere); !strings.Contains(got, elsewhere+" by the proxy, Basic") {
		t.Errorf("with a proxy: %q", got)
	}
	if got := get(secure.URL); !strings.Contains(got, "trusted") {
		t.Errorf("with the certificate: %q", got)
	}
	files.write("exit 1")
	if shell := v.Refresh(); shell.Problem.IsZero() || len(shell.Vars) != 2 {
		t.Errorf("a shell that does not tell any more: %+v", shell)
	}
	files.write("export ALL_PROXY=%s NODE_EXTRA_CA_CERTS=%s NO_PROXY=nobody.invalid", proxy.URL, certificate)
	v.Refresh()
	if got := get(elsewhere); got != "no answer" {
		t.Errorf("what is to need no proxy: %q", got)
	}
	if got := get("http://other.invalid/"); !strings.Contains(got, "by the proxy") {
		t.Errorf("by ALL_PROXY: %q", got)
	}
	if got := get(secure.URL); !strings.Contains(got, "trusted") {
		t.Errorf("with the certificate for Node: %q", got)
	}
}

func TestEnvironment_AgentsFollowLoginShell(t *testing.T) {
	const show = `echo "proxy=$HTTPS_PROXY token=$GH_TOKEN"`
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Run(show)}})
	files := newLoginFiles(t)
	files.write("export HTTPS_PROXY=http://ann:first@proxy:1 GH_TOKEN=secret")
	shell := os.Getenv("SHELL")
	dir := t.TempDir()
	w := apptest.OpenWith(t, dir, shell)
	chat := w.Chat(backend.ProviderCopilot)
	asks := func(n int) {
		t.Helper()
		w.Send(chat, "go")
		request := w.WaitFor("the agent asks", func(e backend.Event) bool {
			if e.Permission != nil && e.Permission.State == backend.PermissionOpen {
				n--
			}
			return n == 0
		}).Permission
		if err := w.App.Answer(request.ID, request.Options[0].ID, false); err != nil {
			t.Fatal(err)
		}
	}
	asks(1)
	w.WaitForDone("the first turn", 1)
	files.write("export HTTPS_PROXY=http://ann:second@proxy:2")
	if err := w.App.RefreshEnvironment(); err != nil {
		t.Fatal(err)
	}
	asks(2)
	w.WaitForDone("the second turn", 2)
	var said []string
	for _, e := range w.Events() {
		if e.Content != nil && e.Content.Type == backend.ContentTerminal {
			var body string
			w.Get("/data/content?id="+e.Content.ID, &body)
			if line := strings.TrimSpace(body); line != "" && (len(said) == 0 || said[len(said)-1] != line) {
				said = append(said, line)
			}
		}
	}
	want := []string{"proxy=http://ann:first@proxy:1 token=", "proxy=http://ann:second@proxy:2 token="}
	if len(said) != 2 || !strings.Contains(said[0], want[0]) || !strings.Contains(said[1], want[1]) {
		t.Errorf("got %q", said)
	}
	var report string
	w.Get("/data/doctor", &report)
	if !strings.Contains(report, "HTTPS_PROXY=http://•••@proxy:2") || strings.Contains(report, "second") {
		t.Errorf("the doctor says %s", report)
	}
}
