package auth_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/auth"
	"github.com/voxpilot/voxpilot/internal/fakegithub"
	"github.com/voxpilot/voxpilot/internal/keychain"
	"github.com/voxpilot/voxpilot/internal/keychain/keychaintest"
)

const pasted = "github_pat_11FAKE0000_pasted0001"

func TestPaste_SignsIn(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.start()
		w.check()
		w.signInChanges()
		w.github.Grant(pasted, octocat)
		if err := w.manager.UseToken(context.Background(), " \t"+pasted[:20]+"\n"+pasted[20:]+"\r\n"); err != nil {
			t.Fatal(err)
		}
		a := w.expectState(backend.AccountValid, "")
		if a.Login != "octocat" || a.Source != backend.SourceStored || a.Kind != backend.LoginToken || a.Key != backend.KeyKeychain {
			t.Errorf("the account is %+v", a)
		}
		if token := w.mustCheck(); token.Secret != pasted {
			t.Error("another token is used")
		}
		if told := w.signInChanges(); len(told) != 1 || !told[0] {
			t.Errorf("agents were told %v", told)
		}
		if err := w.manager.UseToken(context.Background(), pasted); err != nil {
			t.Fatal(err)
		}
		if told := w.signInChanges(); len(told) != 1 || !told[0] {
			t.Errorf("pasted again, agents were told %v", told)
		}
		if !slices.Contains(w.redactedSecrets(), pasted) {
			t.Error("the log would show the token")
		}
	})
}

func TestPaste_UnusableTokenNotSaved(t *testing.T) {
	for token, test := range map[string]struct {
		trouble fakegithub.Trouble
		code    backend.Code
		words   string
	}{
		"":                                 {"", backend.CodeInvalid, "Paste a token to continue."},
		"ghp_fakeclassic0000001":           {"", backend.CodeInvalid, "classic personal access token (ghp_), which Copilot doesn't support. Create a fine-grained token"},
		"ghs_fakeinstall0000001":           {"", backend.CodeInvalid, "doesn't belong to a person"},
		"ghr_fakerefresh0000001":           {"", backend.CodeInvalid, "can't be used to sign in"},
		"hunter2":                          {"", backend.CodeInvalid, "isn't a GitHub token"},
		"github_pat_":                      {"", backend.CodeInvalid, "isn't a GitHub token"},
		"gho_with-a-dash0000":              {"", backend.CodeInvalid, "isn't a GitHub token"},
		"gho_" + strings.Repeat("x", 5000): {"", backend.CodeInvalid, "aren't allowed in tokens"},
		"gho_fakeofnobody000001":           {"", backend.CodeAuth, "GitHub doesn't recognize this token."},
		"gho_fakesuspended00001":           {fakegithub.Forbidden, backend.CodeAuth, "suspended"},
		"gho_fakelimited0000001":           {fakegithub.Limited, backend.CodeUnavailable, "rate-limiting"},
		"gho_fakecut00000000001":           {fakegithub.Cut, backend.CodeUnavailable, "Couldn't check the token with GitHub"},
		"gho_fakeslow0000000001":           {fakegithub.Slow, backend.CodeUnavailable, "Couldn't check the token with GitHub"},
		"gho_fakecaptive0000001":           {fakegithub.Captive, backend.CodeUnavailable, "Couldn't check the token with GitHub"},
		"gho_fakebroken00000001":           {fakegithub.Broken, backend.CodeUnavailable, "Couldn't check the token with GitHub"},
	} {
		inFakeTime(t, func(w *env) {
			w.start()
			w.github.Set(test.trouble)
			err := w.manager.UseToken(context.Background(), token)
			if backend.CodeOf(err) != test.code || !strings.Contains(err.Error(), test.words) {
				t.Errorf("%.30q: %v, want %q with %q", token, err, test.code, test.words)
			}
			if len(token) > len("github_pat_") && err != nil && strings.Contains(err.Error(), token) {
				t.Errorf("the error repeats the token: %v", err)
			}
			w.expectState(backend.AccountSignedOut, "")
			if len(w.storedSignIns()) != 0 {
				t.Errorf("%.30q is kept", token)
			}
		})
	}
}

func TestSignIn_UnsavedChangesNothing(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.start()
		w.signIn(fakegithub.Approval{Token: storedToken})
		before := w.secretOf("github.com/octocat")
		w.signInChanges()
		w.commitFails = true
		for login, want := range map[string]string{"octocat": before, "hubot": keychain.ErrNotFound.Error()} {
			w.github.Grant(pasted, fakegithub.User{Login: login})
			if err := w.manager.UseToken(context.Background(), pasted); backend.CodeOf(err) != backend.CodeStorage {
				t.Errorf("as %s: %v", login, err)
			}
			if w.secretOf("github.com/"+login) != want {
				t.Errorf("the keychain has another sign-in of %s than before", login)
			}
		}
		if told := w.signInChanges(); len(told) != 0 {
			t.Errorf("agents were told %v", told)
		}
		if token := w.mustCheck(); token.Secret != storedToken {
			t.Error("another token is used")
		}
	})
}

func TestSignIn_PinFailureReported(t *testing.T) {
	inFakeTime(t, func(w *env) {
		setTokenVariable(w)
		full := &backend.Error{Code: backend.CodeStorage, Message: backend.Plain("The disk is full.")}
		w.start(func(c *auth.Config) {
			c.Pin = func(context.Context, backend.TokenSource) error { return full }
		})
		w.github.Grant(pasted, fakegithub.User{Login: "hubot"})
		if err := w.manager.UseToken(context.Background(), pasted); !errors.Is(err, full) {
			t.Errorf("pasted: %v", err)
		}
		synctest.Wait()
		if a := w.expectState(backend.AccountValid, ""); a.Source != backend.SourceEnv || !slices.Contains(a.Found, backend.SourceStored) {
			t.Errorf("the account is %+v", a)
		}
	})
}

func TestSignIn_ReplacesPreviousAccount(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.start()
		w.signIn(fakegithub.Approval{Token: storedToken})
		w.signIn(fakegithub.Approval{User: fakegithub.User{Login: "hubot"}})
		if rows := w.storedSignIns(); !slices.Equal(rows, []string{"github.com/hubot"}) || w.currentAccount().Login != "hubot" {
			t.Errorf("kept: %v, the account is %+v", rows, w.currentAccount())
		}
		if w.secretOf("github.com/octocat") != keychain.ErrNotFound.Error() {
			t.Error("the keychain has the token of the one before still")
		}
	})
}

func TestSignOut_UsesNoOtherAccount(t *testing.T) {
	inFakeTime(t, func(w *env) {
		cli := withCLILogin("hubot", true)
		w.start(cli)
		w.signIn(fakegithub.Approval{})
		w.mustCheck()
		w.signInChanges()
		if err := w.manager.SignOut(context.Background()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if told := w.signInChanges(); len(told) != 1 || told[0] {
			t.Errorf("agents were told %v, want once that there is no sign-in", told)
		}
		a := w.expectState(backend.AccountSignedOut, "")
		if a.Login != "" || a.Avatar != "" || a.Source != "" || !slices.Equal(a.Found, []backend.TokenSource{backend.SourceCLI}) {
			t.Errorf("the account is %+v", a)
		}
		if body, mime := w.manager.Avatar(); body != nil || mime != "" {
			t.Error("the picture is there still")
		}
		if len(w.storedSignIns()) != 0 || w.secretOf("github.com/octocat") != keychain.ErrNotFound.Error() {
			t.Errorf("kept: %v", w.storedSignIns())
		}
		_, refusal := w.check()
		w.expectRefusal(refusal, backend.CauseNotSignedIn, "Sign in")
		w.start(cli)
		w.expectState(backend.AccountSignedOut, "")
		if err := w.manager.SignOut(context.Background()); err != nil {
			t.Errorf("signed out twice: %v", err)
		}
	})
}

func TestSignOut_ExternalTokenExplains(t *testing.T) {
	inFakeTime(t, func(w *env) {
		setTokenVariable(w)
		w.start()
		err := w.manager.SignOut(context.Background())
		if err == nil || !strings.Contains(err.Error(), "GH_TOKEN") {
			t.Errorf("of a variable: %v", err)
		}
		delete(w.env, "GH_TOKEN")
		w.start(withCLILogin("hubot", true))
		if err := w.manager.SignOut(context.Background()); err == nil || !strings.Contains(err.Error(), "Copilot CLI") {
			t.Errorf("of the CLI: %v", err)
		}
	})
	keychaintest.UseWorking(t)
	w := newEnv(t)
	w.github.Grant(ghToken, octocat)
	w.open(withGH(t, ghToken))
	w.mustCheck()
	if err := w.manager.SignOut(t.Context()); err == nil || !strings.Contains(err.Error(), "gh auth logout") {
		t.Errorf("of gh: %v", err)
	}
}

func TestSignIn_CLILoginUsedAfterwards(t *testing.T) {
	inFakeTime(t, func(w *env) {
		setTokenVariable(w)
		login := ""
		w.start(func(c *auth.Config) {
			c.CLILogin = func(context.Context) (string, bool) { return login, true }
		})
		w.signInChanges()
		w.manager.SignedInByCLI(false)
		synctest.Wait()
		if told := w.signInChanges(); len(told) != 0 || w.currentAccount().Source != backend.SourceEnv {
			t.Errorf("after a failure agents were told %v, the account is %+v", told, w.currentAccount())
		}
		login = "hubot"
		w.manager.SignedInByCLI(true)
		synctest.Wait()
		if a := w.expectState(backend.AccountOwn, ""); a.Login != "hubot" || a.Source != backend.SourceCLI || w.settings.SignIn != backend.SourceCLI {
			t.Errorf("the account is %+v, pinned is %q", a, w.settings.SignIn)
		}
		if told := w.signInChanges(); len(told) != 1 || !told[0] {
			t.Errorf("agents were told %v", told)
		}
		w.manager.RefusalCause(context.Background())
		w.signInChanges()
		w.manager.SignedInByCLI(true) // same account again
		synctest.Wait()
		if told := w.signInChanges(); len(told) != 1 || !told[0] {
			t.Errorf("signed in again, agents were told %v", told)
		}
	})
}
