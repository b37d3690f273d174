package auth_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/auth"
	"github.com/voxpilot/voxpilot/internal/fakegithub"
	"github.com/voxpilot/voxpilot/internal/keychain"
	"github.com/voxpilot/voxpilot/internal/keychain/keychaintest"
)

// setTokenVariable sets GH_TOKEN to a valid token.
func setTokenVariable(w *env) {
	w.github.Grant(envToken, octocat)
	w.env["GH_TOKEN"] = envToken
}

func TestCheck_GitHubResponseDecides(t *testing.T) {
	for trouble, want := range map[fakegithub.Trouble]struct {
		verified, reachable bool
		state               backend.AccountState
		words               string
		cause               backend.Cause // expected cause for an agent that was refused in the meantime
		refused             string
	}{
		fakegithub.None:      {true, true, backend.AccountValid, "", backend.CauseNoAccess, "octocat has no Copilot access."},
		fakegithub.Forbidden: {false, true, backend.AccountUnverified, "Your account was suspended.", backend.CauseNoAccess, "suspended"},
		fakegithub.Limited:   {false, false, backend.AccountUnverified, "is rate-limiting requests", backend.CauseOffline, "rate-limiting"},
		fakegithub.TooMany:   {false, false, backend.AccountUnverified, "is rate-limiting requests", backend.CauseOffline, "rate-limiting"},
		fakegithub.Broken:    {false, false, backend.AccountUnverified, "is having problems (502)", backend.CauseOffline, "problems"},
		fakegithub.Failing:   {false, false, backend.AccountUnverified, "is having problems (503)", backend.CauseOffline, "problems"},
		fakegithub.Cut:       {false, false, backend.AccountUnverified, "Can't reach GitHub", backend.CauseOffline, "You're offline."},
		fakegithub.Slow:      {false, false, backend.AccountUnverified, "Can't reach GitHub", backend.CauseOffline, "You're offline."},
		fakegithub.Captive:   {false, false, backend.AccountUnverified, "doesn't look like GitHub's (200)", backend.CauseOffline, "doesn't look like GitHub's"},
		fakegithub.Garbage:   {false, false, backend.AccountUnverified, "doesn't look like GitHub's (200)", backend.CauseOffline, "doesn't look like GitHub's"},
		fakegithub.Proxy:     {false, false, backend.AccountUnverified, "doesn't look like GitHub's (401)", backend.CauseOffline, "doesn't look like GitHub's"},
		fakegithub.Redirect:  {false, false, backend.AccountUnverified, "doesn't look like GitHub's (302)", backend.CauseOffline, "doesn't look like GitHub's"},
	} {
		t.Run(string(trouble), func(t *testing.T) {
			inFakeTime(t, func(w *env) {
				setTokenVariable(w)
				w.github.Set(trouble)
				w.open()
				token := w.mustCheck()
				if token.Secret != envToken || token.Verified != want.verified || token.Reachable != want.reachable {
					t.Errorf("verified %v, reachable %v, want %v and %v", token.Verified, token.Reachable, want.verified, want.reachable)
				}
				a := w.expectState(want.state, want.words)
				if a.CheckedAt == 0 || a.Source != backend.SourceEnv || a.Variable != "GH_TOKEN" {
					t.Errorf("the account is %+v", a)
				}
				r := w.manager.RefusalCause(context.Background())
				w.expectRefusal(&r, want.cause, want.refused)
				if want.cause == backend.CauseNoAccess {
					w.expectState(backend.AccountNoAccess, want.refused)
				} else {
					w.expectState(backend.AccountUnverified, "")
				}
			})
		})
	}
}

func TestCheck_RefusedTokenNamesSource(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.start(withCLILogin("hubot", true))
		w.signIn(fakegithub.Approval{Token: storedToken})
		w.env["GITHUB_TOKEN"] = envToken // invalid
		w.settings.SignIn = ""
		w.start(withCLILogin("hubot", true))
		_, refusal := w.check()
		w.expectRefusal(refusal, backend.CauseNotSignedIn, "the environment variable GITHUB_TOKEN")
		if a := w.expectState(backend.AccountExpired, "GITHUB_TOKEN"); a.Source != backend.SourceEnv {
			t.Errorf("the account is %+v", a)
		}

		delete(w.env, "GITHUB_TOKEN")
		w.github.Revoke(storedToken)
		_, refusal = w.check()
		w.expectRefusal(refusal, backend.CauseNotSignedIn, "Your GitHub sign-in has expired. Sign in again")
		if a := w.expectState(backend.AccountExpired, "expired"); a.Source != backend.SourceStored || a.Login != "octocat" {
			t.Errorf("the account is %+v", a)
		}
		r := w.manager.RefusalCause(context.Background())
		w.expectRefusal(&r, backend.CauseNotSignedIn, "Your GitHub sign-in has expired.")
	})
}

func TestCheck_ConcurrentShareOneRequest(t *testing.T) {
	inFakeTime(t, func(w *env) {
		setTokenVariable(w)
		w.open()
		hold := w.github.Hold()
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() { w.mustCheck() })
		}
		synctest.Wait()
		if w.requestCount() != 1 {
			t.Errorf("GitHub was asked %d times, want once", w.requestCount())
		}
		hold.Release()
		all.Wait()
		if w.requestCount() != 1 {
			t.Errorf("GitHub was asked %d times in the end, want once", w.requestCount())
		}
	})
}

func TestCheck_NeverReusesEarlierResponse(t *testing.T) {
	inFakeTime(t, func(w *env) {
		setTokenVariable(w)
		w.open()
		for n := range 3 {
			w.mustCheck()
			if w.requestCount() != n+1 {
				t.Errorf("after %d checks GitHub was asked %d times", n+1, w.requestCount())
			}
		}
		// After a refusal by Copilot, RefusalCause must not join a check that is in progress for an agent about to
		// start: the token may have become invalid since that check began.
		hold := w.github.Hold()
		go w.check()
		synctest.Wait()
		go w.manager.RefusalCause(context.Background())
		go w.manager.RefusalCause(context.Background())
		synctest.Wait()
		if w.requestCount() != 5 {
			t.Errorf("GitHub was asked %d times, want 5: once for the start, once for both refusals", w.requestCount())
		}
		hold.Release()
	})
}

func TestCheck_FinishedOneIsNotJoined(t *testing.T) {
	inFakeTime(t, func(w *env) {
		setTokenVariable(w)
		w.github.Grant("gho_fakeanother00000001", octocat)
		asked := 0
		w.start(func(c *auth.Config) {
			c.TokenChanged = func(bool) { // the caller is answered only after this
				before := w.requestCount()
				w.mustCheck()
				asked = w.requestCount() - before
			}
		})
		w.env["GH_TOKEN"] = "gho_fakeanother00000001"
		w.mustCheck()
		if asked != 1 {
			t.Errorf("GitHub was asked %d times by a check that began after an answer", asked)
		}
	})
}

func TestCheck_RepeatsAfterSignIn(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.start()
		w.signIn(fakegithub.Approval{Token: "gho_fakefirst0000000001"})
		hold := w.github.Hold()
		var token auth.Token
		go func() { token = w.mustCheck() }()
		synctest.Wait()
		w.github.Hold().Release() // later callers
		w.github.Grant(storedToken, fakegithub.User{Login: "hubot"})
		if err := w.manager.UseToken(context.Background(), storedToken); err != nil {
			t.Error(err)
		}
		w.github.Revoke("gho_fakefirst0000000001")
		hold.Release()
		synctest.Wait()
		if token.Secret != storedToken || !token.Verified || w.currentAccount().Login != "hubot" || w.currentAccount().State != backend.AccountValid {
			t.Errorf("the token is %q of %+v", token.Secret, w.currentAccount())
		}
	})
}

func TestCheck_UsesCurrentSettings(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.start()
		w.signIn(fakegithub.Approval{Token: storedToken})
		setTokenVariable(w)
		hold := w.github.Hold("/user")
		var token auth.Token
		go func() { token = w.mustCheck() }()
		synctest.Wait()
		w.github.Hold().Release() // later callers
		w.settings.SignIn = backend.SourceStored
		if err := w.manager.Recheck(context.Background()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		hold.Release()
		synctest.Wait()
		if token.Secret != storedToken || w.currentAccount().Source != backend.SourceStored {
			t.Errorf("the token is of %q, the account is %+v", token.Source, w.currentAccount())
		}
	})
}

func TestCheck_LockedKeychainBlocksStarts(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.start(withCLILogin("hubot", true))
		w.signIn(fakegithub.Approval{Token: storedToken})
		kept := w.secretOf("github.com/octocat")
		w.signInChanges()

		keychaintest.UseLocked(t)
		_, refusal := w.check()
		w.expectRefusal(refusal, backend.CauseLocked, "The system keychain is locked. Unlock it so VoxPilot can read your sign-in.")
		if a := w.expectState(backend.AccountLocked, "locked"); a.Source != backend.SourceStored || a.Login != "octocat" || a.Keychain == "" {
			t.Errorf("the account is %+v", a)
		}
		if r := w.manager.RefusalCause(context.Background()); r.Cause != backend.CauseLocked {
			t.Errorf("refused for %q", r.Cause)
		}
		if told := w.signInChanges(); len(told) != 0 {
			t.Errorf("agents were told %v: nobody knows of another token", told)
		}
		if err := w.manager.SignOut(context.Background()); err == nil || !strings.Contains(err.Error(), "locked") {
			t.Errorf("a sign-out that leaves the token in the keychain: %v", err)
		}
		w.expectState(backend.AccountLocked, "locked")

		keychaintest.UseWorking(t)
		if err := keychain.Set(context.Background(), keychain.Entry{Service: keychain.Service, Account: "github.com/octocat"}, kept); err != nil {
			t.Fatal(err)
		}
		if err := w.manager.Recheck(context.Background()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		w.expectState(backend.AccountValid, "")
		if told := w.signInChanges(); len(told) != 1 || !told[0] {
			t.Errorf("agents were told %v, want that they can go on", told)
		}
	})
}

func TestCheck_NewTokenNotifiesAgents(t *testing.T) {
	inFakeTime(t, func(w *env) {
		setTokenVariable(w)
		w.start()
		w.mustCheck()
		if told := w.signInChanges(); len(told) != 0 {
			t.Errorf("at the start, agents were told %v", told)
		}
		w.github.Grant("gho_fakeanother00000001", octocat)
		w.env["GH_TOKEN"] = "gho_fakeanother00000001"
		w.mustCheck()
		w.mustCheck()
		if told := w.signInChanges(); len(told) != 1 || !told[0] {
			t.Errorf("of another token, agents were told %v", told)
		}
		delete(w.env, "GH_TOKEN")
		w.check()
		w.check()
		if told := w.signInChanges(); len(told) != 1 || told[0] {
			t.Errorf("of no token any more, agents were told %v", told)
		}
	})
}

func TestCheck_OlderTokenNotReportedAsNoAccess(t *testing.T) {
	inFakeTime(t, func(w *env) {
		setTokenVariable(w)
		w.start()
		w.mustCheck()
		w.github.Grant("gho_fakeanother00000001", octocat)
		w.env["GH_TOKEN"] = "gho_fakeanother00000001"
		w.github.Revoke(envToken)
		r := w.manager.RefusalCause(context.Background())
		w.expectRefusal(&r, backend.CauseNone, "restarting Copilot")
		w.expectState(backend.AccountValid, "")
		w.mustCheck()
		r = w.manager.RefusalCause(context.Background())
		w.expectRefusal(&r, backend.CauseNoAccess, "octocat has no Copilot access")
	})
}

func TestCheck_RetryReleasesWaiters(t *testing.T) {
	inFakeTime(t, func(w *env) {
		setTokenVariable(w)
		w.start()
		w.mustCheck()
		w.manager.RefusalCause(context.Background())
		w.expectState(backend.AccountNoAccess, "octocat has no Copilot access. Sign in with an account that has a Copilot plan")
		w.expectState(backend.AccountNoAccess, "Copilot Requests") // fine-grained token
		w.mustCheck()
		if told := w.signInChanges(); len(told) != 0 {
			t.Errorf("agents were told %v by a start of one: they would start each other for ever", told)
		}
		w.manager.RefusalCause(context.Background())
		if err := w.manager.Recheck(context.Background()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if told := w.signInChanges(); len(told) != 1 || !told[0] {
			t.Errorf("agents were told %v", told)
		}
	})
}

func TestCheck_CLIRefusalIsNotNetworkError(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.start(withCLILogin("octocat", true))
		w.expectState(backend.AccountOwn, "")
		w.github.Set(fakegithub.Cut)
		r := w.manager.RefusalCause(context.Background())
		w.expectRefusal(&r, backend.CauseOffline, "You're offline.")
		w.expectState(backend.AccountOwn, "")
		if token := w.mustCheck(); token.Reachable {
			t.Error("the CLI would be started although GitHub is still out of reach")
		}
		w.github.Set(fakegithub.None)
		if token := w.mustCheck(); !token.Reachable || token.Source != backend.SourceCLI {
			t.Errorf("the token is %+v", token)
		}
		asked := w.requestCount()
		if w.mustCheck(); w.requestCount() != asked {
			t.Error("GitHub is asked although all is well")
		}
		r = w.manager.RefusalCause(context.Background())
		w.expectRefusal(&r, backend.CauseNotSignedIn, "Copilot CLI is no longer signed in. Sign in again, and your messages will be sent.")
		if a := w.expectState(backend.AccountSignedOut, ""); a.Source != "" || a.Login != "" {
			t.Errorf("the account is %+v", a)
		}
	})
}

// TestCheck_RateLimitIsNotNetworkError checks that a rate limit isn't reported as a network error. All computers of a
// company may share one IP address, from which GitHub accepts only a few unauthenticated requests.
func TestCheck_RateLimitIsNotNetworkError(t *testing.T) {
	for _, trouble := range []fakegithub.Trouble{fakegithub.Limited, fakegithub.TooMany} {
		t.Run(string(trouble), func(t *testing.T) {
			inFakeTime(t, func(w *env) {
				w.start(withCLILogin("octocat", true))
				w.github.Set(fakegithub.Cut)
				w.manager.RefusalCause(context.Background())
				w.github.Set(trouble)
				if token := w.mustCheck(); !token.Reachable {
					t.Error("the CLI would not be started although GitHub is there")
				}
				r := w.manager.RefusalCause(context.Background())
				w.expectRefusal(&r, backend.CauseNotSignedIn, "Copilot CLI is no longer signed in. Sign in again, and your messages will be sent.")
			})
		})
	}
}
