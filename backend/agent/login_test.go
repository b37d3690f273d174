package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/need"
)

// cliEnv returns the environment for a Copilot CLI without a login.
func cliEnv(home string) []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if !strings.HasPrefix(name, "COPILOT_") && name != "GH_TOKEN" && name != "GITHUB_TOKEN" && name != "GH_HOST" {
			env = append(env, v)
		}
	}
	return append(env, "COPILOT_HOME="+home)
}

// githubForCLI serves the part of GitHub that the Copilot CLI needs to sign in. The server approves the
// code once the approved channel is closed.
func githubForCLI(t *testing.T, approved <-chan struct{}) (url string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var answer map[string]any
		switch r.URL.Path {
		case "/login/device/code":
			answer = map[string]any{
				"device_code": "device", "user_code": "7K4P-QX2M", "interval": 1, "expires_in": 900,
				"verification_uri": "https://github.test/login/device",
			}
		case "/login/oauth/access_token":
			select {
			case <-approved:
				answer = map[string]any{"access_token": "gho_theclisown", "token_type": "bearer"}
			default:
				answer = map[string]any{"error": "authorization_pending"}
			}
		case "/copilot_internal/user":
			answer = map[string]any{"login": "octocat"}
		default:
			answer = map[string]any{}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestLogin_CopilotAnnouncesMethod(t *testing.T) {
	cli := copilotCLI(t)
	path, args, err := copilot.LoginProgram(t.Context(), cli, copilot.Args(), cliEnv(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "program", path, cli)
	equalDeep(t, "arguments", args, []string{"login"})
}

func TestLogin_CopilotShowsCodeAndSucceeds(t *testing.T) {
	if os.Getenv("VOXPILOT_DESKTOP") != "private" {
		need.Missing(t, "the CLI puts its token into the keychain: run it by build/withx.sh")
	}
	cli, home, approved := copilotCLI(t), filepath.Join(t.TempDir(), "home"), make(chan struct{})
	url := githubForCLI(t, approved)
	if login, known := copilot.CLILogin(home); login != "" || !known {
		t.Errorf("before: %q is signed in, known: %v", login, known)
	}
	shown := false
	err := copilot.Login(t.Context(), cli, []string{"login", "--device-code", "--host", url}, cliEnv(home), func(text string) {
		code, address := copilot.LoginPrompt(text)
		if !shown && code != "" {
			shown = true
			equal(t, "code", code, "7K4P-QX2M")
			equal(t, "address", address, "https://github.test/login/device")
			close(approved)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if !shown {
		t.Error("no code was shown")
	}
	login, known := copilot.CLILogin(home)
	equal(t, "login", login, "octocat")
	equal(t, "known", known, true)
}

func TestLogin_CopilotWithoutKeychainFails(t *testing.T) {
	cli, home, approved := copilotCLI(t), t.TempDir(), make(chan struct{})
	if runtime.GOOS != "linux" {
		t.Skip("the keychain of other systems cannot be taken away")
	}
	close(approved)
	var wrote string
	env := append(cliEnv(home), "DBUS_SESSION_BUS_ADDRESS=unix:path="+filepath.Join(home, "none"))
	err := copilot.Login(t.Context(), cli, []string{"login", "--device-code", "--host", githubForCLI(t, approved)}, env, func(text string) { wrote = text })
	var failed *backend.Error
	if !errors.As(err, &failed) || !strings.Contains(failed.Message.String(), "store it in the system keychain") {
		t.Errorf("the error is %v; it wrote %q", err, wrote)
	}
	if walked := filepath.WalkDir(home, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if strings.Contains(string(b), "gho_theclisown") {
			t.Errorf("%s has the token", path)
		}
		return err
	}); walked != nil {
		t.Error(walked)
	}
	if login, _ := copilot.CLILogin(home); login != "" {
		t.Errorf("%q is signed in", login)
	}
}

func TestLogin_CancelEndsProgram(t *testing.T) {
	cli := copilotCLI(t)
	ctx, giveUp := context.WithCancel(t.Context())
	err := copilot.Login(ctx, cli, []string{"login", "--device-code", "--host", githubForCLI(t, nil)}, cliEnv(t.TempDir()), func(text string) {
		if code, _ := copilot.LoginPrompt(text); code != "" {
			giveUp()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestLogin_ReportsOutputWithoutTerminalCodes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	last := ""
	script := `for i in $(seq 3000); do echo "line $i"; done; printf '\033]52;c;QUJD\007\033[1mbold\033[0m\r\nthe end \033[3'; exit 3`
	err := copilot.Login(t.Context(), "/bin/sh", []string{"-c", script}, os.Environ(), func(text string) {
		if len(text) > 4000 {
			t.Errorf("%d bytes are told", len(text))
		}
		last = text
	})
	if !strings.HasSuffix(last, "\nline 3000\nbold\nthe end") || !strings.HasPrefix(last, "line ") {
		t.Errorf("the last that was told is %q", last)
	}
	var failed *backend.Error
	if !errors.As(err, &failed) || failed.Code != backend.CodeAuth {
		t.Errorf("the error is %v", err)
	}
}

func TestLoginPrompt_FindsURLAndCode(t *testing.T) {
	for _, c := range []struct{ text, code, url string }{
		{"To authenticate, visit https://github.com/login/device and enter code ABCD-1234\nWaiting for authorization...", "ABCD-1234", "https://github.com/login/device"},
		{"If it doesn't open automatically, visit:\nhttps://github.com/login/oauth/authorize?client_id=Ov23&state=AAAA-BBBB\nWaiting", "", "https://github.com/login/oauth/authorize?client_id=Ov23&state=AAAA-BBBB"},
		{"Open https://x.ghe.com/login/device.", "", "https://x.ghe.com/login/device"},
		{"Login failed.", "", ""},
	} {
		code, url := copilot.LoginPrompt(c.text)
		equal(t, "code in "+c.text, code, c.code)
		equal(t, "address in "+c.text, url, c.url)
	}
}

func TestCLILogin_ReadsConfig(t *testing.T) {
	for _, c := range []struct {
		config, login string
		known         bool
	}{
		{"// Managed.\n{\"loggedInUsers\":[{\"host\":\"https://github.com\",\"login\":\"a\"}],\"lastLoggedInUser\":{\"host\":\"https://github.com\",\"login\":\"b\"}}", "b", true},
		{`{"loggedInUsers":[{"host":"https://github.com","login":"a"}]}`, "a", true},
		{`{"logged_in_users":[{"host":"https://github.com","login":"a"}],"last_logged_in_user":{"host":"https://github.com","login":"c"}}`, "c", true},
		{`{"loggedInUsers":[],"firstLaunchAt":"2026-03-11T00:00:00.000Z"}`, "", true},
		{`{"firstLaunchAt":"2026-03-11T00:00:00.000Z"}`, "", false}, // it may be stored in another way
		{`{"loggedIn`, "", false},
	} {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, "config.json"), []byte(c.config), 0o600); err != nil {
			t.Fatal(err)
		}
		login, known := copilot.CLILogin(home)
		equal(t, "login of "+c.config, login, c.login)
		equal(t, "known of "+c.config, known, c.known)
	}
}

func TestLogout_TimeoutSuggestsNextStep(t *testing.T) {
	t.Parallel()
	w := newEmptyEnv(t)
	l := fake(fakeagent.Script{Silent: []string{"logout"}})(w)
	late, end := context.WithTimeout(context.Background(), 2*time.Second)
	defer end()
	err := agent.Logout(late, l, "1.2.3", slog.New(slog.DiscardHandler))
	if backend.CodeOf(err) != backend.CodeAgent || !strings.Contains(err.Error(), "type /logout") {
		t.Errorf("it ended with %v", err)
	}
}
