package auth_test

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/auth"
	"github.com/voxpilot/voxpilot/internal/fakegithub"
	"github.com/voxpilot/voxpilot/internal/keychain/keychaintest"
)

const (
	envToken    = "github_pat_fakeenvironment0001"
	storedToken = "gho_fakestored000000000001"
	ghToken     = "gho_fakeghghghgh000000001"
)

// ghVar is the environment variable that sets the behavior of the fake gh.
const ghVar = "VOXPILOT_AUTH_GH"

// runFakeGH acts as gh: like the real one, it prints the token from GH_TOKEN if that is set. Otherwise, its argument
// determines whether it fails, hangs or prints something.
func runFakeGH(says string) {
	if args := strings.Join(os.Args[1:], " "); args != "auth token --hostname github.com" {
		os.Exit(64)
	}
	home, err := os.UserHomeDir()
	if here, _ := os.Getwd(); err == nil && !sameDir(here, home) {
		os.Exit(65) // in a repository, its settings could apply
	}
	if token := os.Getenv("GH_TOKEN"); token != "" {
		says = token
	}
	switch says {
	case "none":
		os.Stderr.WriteString("no oauth token found for github.com\n")
		os.Exit(1)
	case "flood":
		for {
			os.Stdout.WriteString(strings.Repeat("gho_", 1000))
		}
	case "hang":
		over := make(chan os.Signal, 1)
		signal.Notify(over, syscall.SIGTERM)
		<-over
	}
	os.Stdout.WriteString(says + "\n")
	os.Exit(0)
}

func sameDir(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(one, other)
}

// withGH returns a config change that installs a fake gh. For the behavior of the fake gh, see runFakeGH.
func withGH(t *testing.T, says string) func(*auth.Config) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(ghVar, says)
	return func(c *auth.Config) { c.GH = func(context.Context) string { return self } }
}

func withCLILogin(login string, known bool) func(*auth.Config) {
	return func(c *auth.Config) {
		c.CLILogin = func(context.Context) (string, bool) { return login, known }
	}
}

func TestSources_FirstWithTokenWins(t *testing.T) {
	for name, test := range map[string]struct {
		env, stored, gh, cli bool
		pinned               backend.TokenSource
		want                 backend.TokenSource // "" means a refusal
	}{
		"all":                {env: true, stored: true, gh: true, cli: true, want: backend.SourceEnv},
		"no variable":        {stored: true, gh: true, cli: true, want: backend.SourceStored},
		"gh before the CLI":  {gh: true, cli: true, want: backend.SourceGH},
		"the CLI's own":      {cli: true, want: backend.SourceCLI},
		"nothing":            {},
		"stored is pinned":   {env: true, stored: true, gh: true, cli: true, pinned: backend.SourceStored, want: backend.SourceStored},
		"gh is pinned":       {env: true, stored: true, gh: true, cli: true, pinned: backend.SourceGH, want: backend.SourceGH},
		"the CLI is pinned":  {env: true, stored: true, gh: true, cli: true, pinned: backend.SourceCLI, want: backend.SourceCLI},
		"pinned and missing": {env: true, gh: true, cli: true, pinned: backend.SourceStored},
	} {
		t.Run(name, func(t *testing.T) {
			keychaintest.UseWorking(t)
			w := newEnv(t)
			tokens := map[backend.TokenSource]string{backend.SourceEnv: envToken, backend.SourceStored: storedToken, backend.SourceGH: ghToken}
			for _, token := range tokens {
				w.github.Grant(token, octocat)
			}
			if test.stored {
				w.open()
				if err := w.manager.UseToken(t.Context(), storedToken); err != nil {
					t.Fatal(err)
				}
				w.manager.Close()
			}
			w.settings.SignIn = test.pinned
			var found []backend.TokenSource
			gh, login := "none", ""
			if test.env {
				w.env["GH_TOKEN"] = envToken
				found = append(found, backend.SourceEnv)
			}
			if test.stored {
				found = append(found, backend.SourceStored)
			}
			if test.gh {
				gh = ghToken
				found = append(found, backend.SourceGH)
			}
			if test.cli {
				login = "octocat"
				found = append(found, backend.SourceCLI)
			}
			w.open(withGH(t, gh), withCLILogin(login, true))
			token, refusal := w.check()
			if test.want == "" {
				w.expectRefusal(refusal, backend.CauseNotSignedIn, "Sign in")
				w.expectState(backend.AccountSignedOut, "")
			} else if refusal != nil {
				t.Fatalf("refused: %+v", refusal)
			}
			if token.Source != test.want || token.Secret != tokens[test.want] {
				t.Errorf("the token is of %q, want %q", token.Source, test.want)
			}
			if test.want != "" && test.want != backend.SourceCLI && !token.Verified {
				t.Error("GitHub does not know the token")
			}
			w.open(withGH(t, gh), withCLILogin(login, true))
			w.manager.Start()
			w.waitForAccount("all sources were looked at", func(a backend.Account) bool {
				return a.State != backend.AccountUnknown && a.State != backend.AccountUnverified
			})
			if a := w.currentAccount(); a.Source != test.want || !slices.Equal(a.Found, found) {
				t.Errorf("the account is of %q, found %v, want %q and %v", a.Source, a.Found, test.want, found)
			}
		})
	}
}

func TestSources_VariablesInCLIOrder(t *testing.T) {
	inFakeTime(t, func(w *env) {
		for _, name := range []string{"GITHUB_TOKEN", "GH_TOKEN", "COPILOT_GITHUB_TOKEN"} {
			token := "gho_fake" + strings.ReplaceAll(name, "_", "")
			w.github.Grant(token, octocat)
			w.env[name] = " " + token + "\n"
			w.open()
			if got := w.mustCheck(); got.Secret != token || w.currentAccount().Variable != name {
				w.t.Errorf("the token of %q is used, want that of %s", w.currentAccount().Variable, name)
			}
		}
	})
}

func TestSources_UnsupportedTokenSkipped(t *testing.T) {
	for token, why := range map[string]string{
		"ghp_fakeclassic0000001": "classic",
		"ghs_fakeinstall0000001": "doesn't belong to a person",
		"ghr_fakerefresh0000001": "can't be used to sign in",
		"two words fake":         "aren't allowed in tokens",
	} {
		inFakeTime(t, func(w *env) {
			w.env["COPILOT_GITHUB_TOKEN"] = token
			w.start()
			_, refusal := w.check()
			w.expectRefusal(refusal, backend.CauseNotSignedIn, why)
			a := w.expectState(backend.AccountWrongKind, "COPILOT_GITHUB_TOKEN")
			if a.Source != backend.SourceEnv || a.Variable != "COPILOT_GITHUB_TOKEN" || len(a.Found) != 0 {
				t.Errorf("the account is %+v", a)
			}
			if w.requestCount() != 0 {
				t.Error("GitHub was asked about it")
			}
			w.github.Grant(envToken, octocat)
			w.env["GH_TOKEN"] = envToken // skipped as by the CLI, which uses the next one
			if got := w.mustCheck(); got.Secret != envToken {
				t.Errorf("the token of %q is used", w.currentAccount().Variable)
			}
		})
	}
}

func TestEnterprise_UsesItsOwnAddresses(t *testing.T) {
	for host, want := range map[string][2]string{
		"":                          {"github.com", "https://api.github.com"},
		"GITHUB.com":                {"github.com", "https://api.github.com"},
		"octo.ghe.com":              {"octo.ghe.com", "https://api.octo.ghe.com"},
		"https://octo.ghe.com/":     {"octo.ghe.com", "https://api.octo.ghe.com"},
		"git.example.com:8443":      {"git.example.com:8443", "https://git.example.com:8443/api/v3"},
		"https://me:pw@example.com": {"github.com", "https://api.github.com"},
		"no host at all":            {"github.com", "https://api.github.com"},
	} {
		inFakeTime(t, func(w *env) {
			transport := &recordingTransport{base: w.github.Client().Transport}
			w.env["GH_HOST"], w.env["GH_TOKEN"] = host, envToken
			w.github.Grant(envToken, octocat)
			w.start(func(c *auth.Config) { c.Base, c.Client.Transport = nil, transport })
			if w.currentAccount().Host != want[0] || transport.first() != want[1]+"/user" {
				t.Errorf("GH_HOST=%s is %q at %s, want %q at %s", host, w.currentAccount().Host, transport.first(), want[0], want[1])
			}
			if deviceFlow := w.currentAccount().DeviceFlow; deviceFlow != (want[0] == "github.com") {
				t.Errorf("the client id of github.com is offered to %s: %v", want[0], deviceFlow)
			}
			w.env["COPILOT_GH_HOST"] = "other.ghe.com"
			w.start()
			if w.currentAccount().Host != "other.ghe.com" {
				t.Errorf("COPILOT_GH_HOST is %q", w.currentAccount().Host)
			}
		})
	}
}

func TestGH_DoesNotRepeatVariable(t *testing.T) {
	keychaintest.UseWorking(t)
	w := newEnv(t)
	w.github.Grant(ghToken, octocat)
	t.Setenv("GH_TOKEN", "gho_fakeofavariable00001")
	w.settings.SignIn = backend.SourceGH
	w.open(withGH(t, ghToken))
	if got := w.mustCheck(); got.Secret != ghToken || w.currentAccount().Program == "" {
		t.Errorf("gh gave another token than its own; the account is %+v", w.currentAccount())
	}
	w.github.Revoke(ghToken)
	_, refusal := w.check()
	w.expectRefusal(refusal, backend.CauseNotSignedIn, "Run “gh auth login” in a terminal")
}

func TestGH_TimeoutUsesNoOtherAccount(t *testing.T) {
	keychaintest.UseWorking(t)
	w := newEnv(t)
	w.settings.SignIn = backend.SourceGH
	for _, says := range []string{"hang", "flood"} {
		w.open(withGH(t, says), withCLILogin("hubot", true))
		_, refusal := w.check()
		w.expectRefusal(refusal, backend.CauseLocked, "gh didn't return a token")
		w.expectState(backend.AccountLocked, "gh didn't return a token")
	}

	w.settings.SignIn = ""
	w.open(withGH(t, "hang"), withCLILogin("hubot", true)) // gh was never in use
	if got := w.mustCheck(); got.Source != backend.SourceCLI {
		t.Errorf("the token is of %q", got.Source)
	}
}

func TestCLILogin_TriedIfUnknown(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.start(withCLILogin("", false))
		if a := w.expectState(backend.AccountOwn, ""); a.Login != "" || len(a.Found) != 0 {
			t.Errorf("the account is %+v", a)
		}
		if token := w.mustCheck(); token.Source != backend.SourceCLI || token.Secret != "" || token.Verified || !token.Reachable {
			t.Errorf("the token is %+v", token)
		}
		if w.requestCount() != 0 {
			t.Error("GitHub was asked about a login that VoxPilot does not have")
		}
	})
}

func TestSources_SkippedTokenNamedWithoutLogin(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.env["GITHUB_TOKEN"] = "ghp_fakeclassic0000001"
		w.start(withCLILogin("", false))
		w.mustCheck()
		r := w.manager.RefusalCause(context.Background())
		w.expectRefusal(&r, backend.CauseNotSignedIn, "The environment variable GITHUB_TOKEN contains a classic personal access token")
		if a := w.expectState(backend.AccountWrongKind, "classic"); a.Source != backend.SourceEnv || a.Variable != "GITHUB_TOKEN" {
			t.Errorf("the account is %+v", a)
		}
	})
}

func TestSources_MissingTokenForgetsSignIn(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.start()
		w.signIn(fakegithub.Approval{})
		keychaintest.UseWorking(t) // an empty keychain
		w.start()
		a := w.expectState(backend.AccountSignedOut, "The sign-in for octocat is no longer in the keychain.")
		if len(w.storedSignIns()) != 0 || len(a.Found) != 0 {
			t.Errorf("kept: %v, found: %v", w.storedSignIns(), a.Found)
		}
	})
}

func TestCheck_CancelledCallerStartsNothing(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.env["GH_TOKEN"] = envToken
		w.github.Grant(envToken, octocat)
		w.open()
		hold := w.github.Hold()
		ctx, cancel := context.WithCancelCause(context.Background())
		go func() { <-hold.Arrived; cancel(errors.New("the chat was closed")) }()
		_, refusal := w.manager.Check(ctx)
		w.expectRefusal(refusal, backend.CauseStopped, "")
		hold.Release()
		synctest.Wait()
		w.expectState(backend.AccountValid, "") // one answer for all callers
	})
}
