package engine_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/fakegithub"
)

// octocat is the owner of the tokens in these tests.
var octocat = fakegithub.User{Login: "voxpilot-test", Name: "The Octocat"}

const (
	oldToken = "gho_marked0000000000000000000000000000old"
	newToken = "gho_marked0000000000000000000000000000new"
)

// signedOutCLI is the configuration of a Copilot CLI that isn't signed in.
const signedOutCLI = `{"loggedInUsers":[]}`

// fakeGitHub starts a fake GitHub server and makes the app use it. The Copilot CLI isn't signed in.
func fakeGitHub(t *testing.T) *fakegithub.Server {
	t.Helper()
	gh, err := fakegithub.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gh.Codes(10*time.Millisecond, time.Minute)
	base, id := engine.GitHubBase, apptest.Build.ClientID
	engine.GitHubBase, apptest.Build.ClientID = gh.Base, fakegithub.ClientID
	t.Cleanup(func() {
		engine.GitHubBase, apptest.Build.ClientID = base, id
		if err := gh.Close(); err != nil {
			t.Error(err)
		}
	})
	home := t.TempDir()
	noErr(t, os.WriteFile(filepath.Join(home, "config.json"), []byte(signedOutCLI), 0o600))
	t.Setenv("COPILOT_HOME", home)
	t.Setenv("GH_HOST", "")
	t.Setenv("COPILOT_GH_HOST", "")
	t.Setenv("PATH", "/usr/bin:/bin") // without gh
	return gh
}

// waitForConnection waits for a connection state of the chat that meets the given condition. It first skips the given
// number of events, and returns the number to skip in the next call.
func (w *appEnv) waitForConnection(chat backend.Chat, from int, what string, wanted func(backend.Connection) bool) (backend.Connection, int) {
	w.T.Helper()
	n := 0
	e := w.WaitFor(what, func(e backend.Event) bool {
		n++
		return n > from && e.Connection != nil && e.Connection.ChatID == chat.ID && wanted(*e.Connection)
	})
	return *e.Connection, n
}

func needsLogin(c backend.Connection) bool { return c.State == backend.ConnectionNeedsLogin }

func (w *appEnv) waitForAccount(what string, wanted func(backend.Account) bool) backend.Account {
	w.T.Helper()
	return *w.WaitFor(what, func(e backend.Event) bool { return e.Account != nil && wanted(*e.Account) }).Account
}

// signIn signs the user in by device flow: octocat approves the code on the fake GitHub server, which then issues the
// given token.
func (w *appEnv) signIn(gh *fakegithub.Server, token string) {
	w.T.Helper()
	before := len(w.Events())
	noErr(w.T, w.App.SignIn())
	n := 0
	signIn := func(state backend.SignInState) func(backend.Event) bool {
		n = 0
		return func(e backend.Event) bool {
			n++
			return n > before && e.SignIn != nil && e.SignIn.State == state
		}
	}
	in := w.WaitFor("a code", signIn(backend.SignInWaiting)).SignIn
	if in.Code == "" || !strings.HasPrefix(in.URL, gh.URL) {
		w.T.Errorf("the sign-in waits with %+v", in)
	}
	noErr(w.T, gh.Approve(fakegithub.Approval{User: octocat, Token: token}))
	w.WaitFor("the sign-in to end", signIn(backend.SignInDone))
	w.T.Cleanup(func() { _ = w.App.SignOut() }) // leaves nothing in the keychain
}

func noErr(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func endProcess(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	noErr(t, err)
}

func TestGitHub_UnreachableWaits(t *testing.T) {
	gh := fakeGitHub(t)
	gh.Grant(oldToken, octocat)
	t.Setenv("GH_TOKEN", oldToken)
	online, calls := filepath.Join(t.TempDir(), "online"), filepath.Join(t.TempDir(), "calls")
	t.Setenv(copilot.PathVar, apptest.FakeAgentProgram(t, fakeagent.Script{Refuse: map[string]int{"session/new": -32000}, RefuseUntil: online, Calls: calls}))
	gh.Set(fakegithub.Cut)
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "go")
	w.waitForConnection(chat, 0, "a second try", func(c backend.Connection) bool {
		return c.State == backend.ConnectionWaiting && c.Cause == backend.CauseOffline && c.Attempt == 2
	})
	data, err := os.ReadFile(calls)
	if n := strings.Count(string(data), `"initialize"`); err != nil || n != 1 {
		t.Errorf("while GitHub was out of reach it was started %d times, %v", n, err)
	}
	noErr(t, os.WriteFile(online, nil, 0o600))
	gh.Set(fakegithub.None)
	w.WaitForDone("the turn, by itself", 1)
}

func TestToken_EnvironmentNotInherited(t *testing.T) {
	gh := fakeGitHub(t)
	gh.Grant(oldToken, octocat)
	for _, name := range []string{"GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN"} {
		t.Setenv(name, oldToken)
	}
	t.Setenv("GH_HOST", "octo.ghe.com")
	program, envFile := newRecordingAgent(t, fakeagent.Script{})
	t.Setenv(copilot.PathVar, program)
	w := newAppEnv(t, t.TempDir())
	if slices.ContainsFunc(os.Environ(), func(v string) bool { return strings.Contains(v, oldToken) }) {
		t.Error("what VoxPilot starts inherits the token")
	}
	if !slices.Contains(w.App.Tokens.Environ(), "GITHUB_TOKEN="+oldToken) {
		t.Error("a VoxPilot that takes this one's place does not get the token")
	}
	a := w.waitForAccount("the account", func(a backend.Account) bool { return a.State == backend.AccountValid })
	if a.Source != backend.SourceEnv || a.Variable != "GH_TOKEN" || a.Host != "octo.ghe.com" {
		t.Errorf("the account is %+v", a)
	}
	tokens := func() (found []string) {
		env, err := os.ReadFile(envFile)
		noErr(t, err)
		for line := range strings.Lines(string(env)) {
			if name, value, _ := strings.Cut(line, "="); strings.Contains(value, oldToken) || name == "GH_HOST" {
				found = append(found, name)
			}
		}
		slices.Sort(found)
		return found
	}
	w.Send(w.Chat(backend.ProviderCopilot), "go")
	w.WaitForDone("the turn", 1)
	if got := tokens(); !slices.Equal(got, []string{environment.TokenVar, "GH_HOST"}) {
		t.Errorf("the agent has %v", got)
	}

	// The CLI's own sign-in is selected: the CLI receives no token, and nothing is checked.
	apptest.UseSignedInHome(t, os.Getenv("COPILOT_HOME"))
	settings := backend.DefaultSettings()
	settings.SignIn = backend.SourceCLI
	noErr(t, w.App.SaveSettings(settings))
	w.waitForAccount("the CLI's own login", func(a backend.Account) bool { return a.Source == backend.SourceCLI })
	w.Send(w.Chat(backend.ProviderCopilot), "go")
	w.WaitForDone("the turn", 2)
	if got := tokens(); !slices.Equal(got, []string{"GH_HOST"}) {
		t.Errorf("with its own login the agent has %v", got)
	}
}

func TestToken_CustomAgentGetsItIfNeeded(t *testing.T) {
	gh := fakeGitHub(t)
	gh.Grant(oldToken, octocat)
	t.Setenv("GH_TOKEN", oldToken)
	t.Setenv("COPILOT_GH_HOST", "octo.ghe.com")
	program, envFile := newRecordingAgent(t, fakeagent.Script{})
	w := newAppEnv(t, t.TempDir())
	p, err := w.App.SaveProfile(backend.CustomAgent{Name: "Other", Command: program, GitHub: true}, nil)
	noErr(t, err)
	chat := w.Chat(p.ID)
	w.Send(chat, "go")
	w.WaitForDone("the turn", 1)
	env, err := os.ReadFile(envFile)
	noErr(t, err)
	for _, want := range []string{environment.TokenVar + "=" + oldToken, "COPILOT_GH_HOST=octo.ghe.com"} {
		if !strings.Contains(string(env), want+"\n") {
			t.Errorf("it has not got %s", strings.TrimSuffix(want, oldToken))
		}
	}
	gh.Revoke(oldToken)
	c, seen := w.waitForConnection(chat, 0, "it is ready", func(c backend.Connection) bool { return c.State == backend.ConnectionReady })
	endProcess(t, c.PID)
	w.waitForConnection(chat, seen, "a sign-in is asked for", needsLogin)
}

func TestSignOut_StopsAgentsWithToken(t *testing.T) {
	gh := fakeGitHub(t)
	program := apptest.FakeAgentProgram(t, fakeagent.Script{})
	t.Setenv(copilot.PathVar, program)
	w := newAppEnv(t, t.TempDir())
	w.signIn(gh, newToken)
	other, err := w.App.SaveProfile(backend.CustomAgent{Name: "Other", Command: program}, nil)
	noErr(t, err)
	chat, beside := w.Chat(backend.ProviderCopilot), w.Chat(other.ID)
	w.Send(chat, "go")
	w.Send(beside, "go")
	w.WaitForDone("both turns", 2)
	_, seen := w.waitForConnection(chat, 0, "it is ready", func(c backend.Connection) bool { return c.State == backend.ConnectionReady })
	noErr(t, w.App.SignOut())
	_, seen = w.waitForConnection(chat, seen, "it is stopped", func(c backend.Connection) bool {
		return c.State == backend.ConnectionIdle && c.Cause == backend.CauseStopped && c.PID == 0
	})
	for _, e := range w.Events() {
		if e.Connection != nil && e.Connection.ChatID == beside.ID && e.Connection.State == backend.ConnectionIdle {
			t.Error("an agent without the token was stopped")
		}
	}
	w.Send(chat, "go on")
	w.waitForConnection(chat, seen, "a sign-in is asked for", needsLogin)
}

func TestSignOut_CLILoginStays(t *testing.T) {
	fakeGitHub(t)
	home := apptest.UseSignedInHome(t, os.Getenv("COPILOT_HOME"))
	calls := filepath.Join(t.TempDir(), "calls")
	for _, c := range []struct {
		name    string
		script  fakeagent.Script
		forgets bool
	}{
		{"it does", fakeagent.Script{Calls: calls, Answer: map[string]string{"logout": "{}"}}, true},
		{"it only says so", fakeagent.Script{Answer: map[string]string{"logout": "{}"}}, false},
		{"it cannot", fakeagent.Script{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			apptest.UseSignedInHome(t, home)
			program := apptest.FakeAgentProgram(t, c.script)
			if c.forgets && runtime.GOOS == "windows" {
				t.Skip("the stand-in for the CLI is no shell script, which could do this as well")
			}
			if c.forgets { // the agent loses its sign-in when it is launched, which happens only for signing out
				body, err := os.ReadFile(program)
				noErr(t, err)
				noErr(t, os.WriteFile(program, []byte(strings.Replace(string(body), "\nexec ", "\necho "+apptest.Quote(signedOutCLI)+" >"+apptest.Quote(filepath.Join(home, "config.json"))+"\nexec ", 1)), 0o700)) //nolint:gosec // must be executable
			}
			t.Setenv(copilot.PathVar, program)
			w := newAppEnv(t, t.TempDir())
			w.waitForAccount("the CLI's own login", func(a backend.Account) bool { return a.Source == backend.SourceCLI && a.Login == "octocat" })
			err := w.App.SignOut()
			if !c.forgets {
				if err == nil || !strings.Contains(err.Error(), "/logout") {
					t.Errorf("it ended with %v", err)
				}
				return
			}
			noErr(t, err)
			w.waitForAccount("nobody is signed in", func(a backend.Account) bool { return a.State == backend.AccountSignedOut })
			if data, err := os.ReadFile(calls); err != nil || !strings.Contains(string(data), `"logout"`) {
				t.Errorf("the CLI was told %s, %v", data, err)
			}
		})
	}
}

func TestAvatar_ServedAsImage(t *testing.T) {
	gh := fakeGitHub(t)
	var none string
	w := newAppEnv(t, t.TempDir())
	if code := w.Get("/data/avatar", &none); code != 404 {
		t.Errorf("without an account it answers %d", code)
	}
	w.signIn(gh, newToken)
	w.waitForAccount("a picture", func(a backend.Account) bool { return a.Avatar != "" })
	var picture string
	if code := w.Get("/data/avatar", &picture); code != 200 || !strings.HasPrefix(picture, "\x89PNG") {
		t.Errorf("it answers %d, %q", code, picture)
	}
}
