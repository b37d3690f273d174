package auth_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/auth"
	"github.com/voxpilot/voxpilot/internal/fakegithub"
	"github.com/voxpilot/voxpilot/internal/keychain/keychaintest"
)

// startSignIn starts a device flow and waits for its code.
func (w *env) startSignIn() backend.SignIn {
	w.t.Helper()
	if err := w.manager.SignIn(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	synctest.Wait()
	return w.currentSignIn()
}

// advance advances the fake clock by d and returns the state of the sign-in.
func (w *env) advance(d time.Duration) backend.SignIn {
	time.Sleep(d)
	synctest.Wait()
	return w.currentSignIn()
}

func TestDevice_SignsInByCode(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.start()
		w.check() // an agent is waiting
		w.signInChanges()
		s := w.startSignIn()
		if s.State != backend.SignInWaiting || s.Code != "FAKE-0001" || s.URL != w.github.URL+"/login/device" || s.CLI {
			t.Fatalf("the sign-in is %+v", s)
		}
		if left := time.Until(time.UnixMilli(int64(s.ExpiresAt))); left != 15*time.Minute {
			t.Errorf("the code is said to work for %v", left)
		}
		if s := w.advance(5 * time.Minute); s.State != backend.SignInWaiting {
			t.Errorf("before the user did anything, the sign-in is %+v", s)
		}
		if err := w.github.Approve(fakegithub.Approval{User: octocat, Token: storedToken}); err != nil {
			t.Fatal(err)
		}
		if s := w.advance(10 * time.Second); s != (backend.SignIn{State: backend.SignInDone}) {
			t.Errorf("the sign-in is %+v", s)
		}
		a := w.expectState(backend.AccountValid, "")
		if a.Login != "octocat" || a.Name != "Mona Lisa" || a.Source != backend.SourceStored || a.Kind != backend.LoginDevice || a.Key != backend.KeyKeychain {
			t.Errorf("the account is %+v", a)
		}
		if told := w.signInChanges(); len(told) != 1 || !told[0] {
			t.Errorf("agents were told %v, want once that they can go on", told)
		}
		if secret := w.secretOf("github.com/octocat"); !strings.Contains(secret, storedToken) {
			t.Error("the token is not in the keychain")
		}
		if token := w.mustCheck(); token.Secret != storedToken || !token.Verified {
			t.Errorf("the token is of %q, verified %v", token.Source, token.Verified)
		}
		if !slices.ContainsFunc(w.redactedSecrets(), func(secret string) bool { return strings.HasPrefix(secret, "device") }) {
			t.Error("the log would show the device's code")
		}
		w.start() // restarts VoxPilot
		if a := w.expectState(backend.AccountValid, ""); a.Login != "octocat" || a.Kind != backend.LoginDevice {
			t.Errorf("after a start, the account is %+v", a)
		}
	})
}

func TestDevice_GitHubErrorsEndSignIn(t *testing.T) {
	for name, test := range map[string]struct {
		do   func(*fakegithub.Server) error
		wait time.Duration
		want backend.SignIn
	}{
		"denied":   {(*fakegithub.Server).Deny, 10 * time.Second, backend.SignIn{State: backend.SignInDenied, Message: backend.Say("The sign-in wasn't approved on GitHub.")}},
		"expired":  {(*fakegithub.Server).Expire, 10 * time.Second, backend.SignIn{State: backend.SignInExpired, Message: backend.Say("The code has expired.")}},
		"not used": {func(*fakegithub.Server) error { return nil }, 16 * time.Minute, backend.SignIn{State: backend.SignInExpired, Message: backend.Say("The code has expired.")}},
	} {
		t.Run(name, func(t *testing.T) {
			inFakeTime(t, func(w *env) {
				w.start()
				w.startSignIn()
				if err := test.do(w.github); err != nil {
					t.Fatal(err)
				}
				if s := w.advance(test.wait); s != test.want {
					t.Errorf("the sign-in is %+v, want %+v", s, test.want)
				}
				w.expectState(backend.AccountSignedOut, "")
				if told := w.signInChanges(); len(told) != 0 {
					t.Errorf("agents were told %v", told)
				}
				w.signIn(fakegithub.Approval{}) // with a new code
			})
		})
	}
}

func TestDevice_SlowDownAnyNumberOfTimes(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.start()
		w.startSignIn()
		w.github.SlowDown(4)
		if s := w.advance(3 * time.Minute); s.State != backend.SignInWaiting {
			t.Fatalf("the sign-in is %+v", s)
		}
		if err := w.github.Approve(fakegithub.Approval{User: octocat}); err != nil {
			t.Fatal(err)
		}
		if s := w.advance(time.Minute); s.State != backend.SignInDone {
			t.Errorf("the sign-in is %+v", s)
		}
		// The fake server fails the test if a poll comes too early.
	})
}

func TestDevice_NetworkLossKeepsSignIn(t *testing.T) {
	for _, trouble := range []fakegithub.Trouble{fakegithub.Cut, fakegithub.Broken, fakegithub.Failing, fakegithub.TooMany, fakegithub.Captive, fakegithub.Garbage, fakegithub.Slow, fakegithub.Redirect} {
		t.Run(string(trouble), func(t *testing.T) {
			inFakeTime(t, func(w *env) {
				w.start()
				w.startSignIn()
				w.github.Set(trouble)
				if s := w.advance(5 * time.Minute); s.State != backend.SignInWaiting {
					t.Fatalf("the sign-in is %+v", s)
				}
				if err := w.github.Approve(fakegithub.Approval{User: octocat}); err != nil {
					t.Fatal(err)
				}
				w.github.Set(fakegithub.None)
				if s := w.advance(30 * time.Second); s.State != backend.SignInDone {
					t.Errorf("the sign-in is %+v", s)
				}
			})
		})
	}
}

func TestDevice_TokenSurvivesNetworkLoss(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.start()
		w.startSignIn()
		if err := w.github.Approve(fakegithub.Approval{User: octocat}); err != nil {
			t.Fatal(err)
		}
		w.github.Set(fakegithub.Cut, "/user")
		if s := w.advance(5 * time.Minute); s.State != backend.SignInWaiting {
			t.Fatalf("the sign-in is %+v", s)
		}
		w.github.Set(fakegithub.None)
		if s := w.advance(time.Minute); s.State != backend.SignInDone {
			t.Errorf("the sign-in is %+v", s)
		}
		w.expectState(backend.AccountValid, "")
	})
}

func TestDevice_TokenGrantedAtLastMomentSaved(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.start()
		w.startSignIn()
		w.advance(15*time.Minute - 10*time.Second)
		w.github.Set(fakegithub.Cut, "/user")
		if err := w.github.Approve(fakegithub.Approval{User: octocat}); err != nil {
			t.Fatal(err)
		}
		if s := w.advance(time.Minute); s.State != backend.SignInWaiting {
			t.Fatalf("after the end of the code, which was used in time, the sign-in is %+v", s)
		}
		w.github.Set(fakegithub.None)
		if s := w.advance(time.Minute); s.State != backend.SignInDone {
			t.Errorf("the sign-in is %+v", s)
		}
	})
}

func TestDevice_UserLookupFailureEndsWithCode(t *testing.T) {
	for name, test := range map[string]struct {
		end  func(w *env)
		want backend.SignInState
	}{
		"time":      {func(*env) {}, backend.SignInUnreachable},
		"the user":  {func(w *env) { w.manager.CancelSignIn() }, backend.SignInNone},
		"suspended": {func(w *env) { w.github.Set(fakegithub.Forbidden, "/user") }, backend.SignInFailed},
		"revoked":   {func(w *env) { w.github.Set(fakegithub.None); w.github.Revoke("") }, backend.SignInFailed},
	} {
		t.Run(name, func(t *testing.T) {
			inFakeTime(t, func(w *env) {
				w.start()
				w.startSignIn()
				w.github.Set(fakegithub.Cut, "/user")
				if err := w.github.Approve(fakegithub.Approval{User: octocat}); err != nil {
					t.Fatal(err)
				}
				if s := w.advance(5 * time.Minute); s.State != backend.SignInWaiting {
					t.Fatalf("the sign-in is %+v", s)
				}
				test.end(w)
				if s := w.advance(20 * time.Minute); s.State != test.want {
					t.Errorf("the sign-in is %+v, want %q", s, test.want)
				}
				w.expectState(backend.AccountSignedOut, "")
			})
		})
	}
}

func TestDevice_CodePageIsGitHubs(t *testing.T) {
	for answer, want := range map[string]backend.SignIn{
		`"user_code":"AB12-CD34","verification_uri":"https://github.com/login/device"`: {State: backend.SignInWaiting, Code: "AB12-CD34", URL: "https://github.com/login/device"},
		`"user_code":"AB12-CD34","verification_uri":"https://github.com.evil.example"`: {State: backend.SignInWaiting, Code: "AB12-CD34", URL: "https://github.com/login/device"},
		`"user_code":"AB12-CD34","verification_uri":"javascript:alert(1)"`:             {State: backend.SignInWaiting, Code: "AB12-CD34", URL: "https://github.com/login/device"},
		`"user_code":"<b>1</b>","verification_uri":"https://github.com/login/device"`:  {State: backend.SignInFailed},
	} {
		inFakeTime(t, func(w *env) {
			way := roundTripFunc(func(*http.Request) (*http.Response, error) {
				body := `{"device_code":"0123456789","expires_in":900,"interval":5,` + answer + `}`
				return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body))}, nil
			})
			w.start(func(c *auth.Config) { c.Base, c.Client = nil, &http.Client{Transport: way} })
			s := w.startSignIn()
			if s.State != want.State || s.Code != want.Code || s.URL != want.URL {
				t.Errorf("%s: the sign-in is %+v", answer, s)
			}
		})
	}
}

func TestDevice_MissingCodeReportsReason(t *testing.T) {
	for trouble, want := range map[fakegithub.Trouble]backend.SignInState{
		fakegithub.Cut: backend.SignInUnreachable, fakegithub.Slow: backend.SignInUnreachable, fakegithub.Broken: backend.SignInUnreachable, fakegithub.Failing: backend.SignInUnreachable,
		fakegithub.Garbage: backend.SignInFailed, fakegithub.TooMany: backend.SignInFailed, fakegithub.Forbidden: backend.SignInFailed,
		fakegithub.Captive: backend.SignInFailed, fakegithub.Redirect: backend.SignInFailed,
	} {
		t.Run(string(trouble), func(t *testing.T) {
			inFakeTime(t, func(w *env) {
				w.start()
				w.github.Set(trouble)
				w.startSignIn()
				s := w.advance(time.Minute)
				if s.State != want || s.Message.IsZero() || s.Code != "" {
					t.Errorf("the sign-in is %+v, want %q", s, want)
				}
			})
		})
	}
	inFakeTime(t, func(w *env) {
		w.settings.ClientID = "Ov23somebodyelse"
		w.start()
		if s := w.startSignIn(); s.State != backend.SignInFailed || !strings.Contains(s.Message.String(), "client ID") {
			t.Errorf("with a client id that GitHub does not know, the sign-in is %+v", s)
		}
	})
	inFakeTime(t, func(w *env) {
		w.start(func(c *auth.Config) { c.ClientID = "" })
		if err := w.manager.SignIn(context.Background()); backend.CodeOf(err) != backend.CodeInvalid || w.currentAccount().DeviceFlow {
			t.Errorf("without a client id: %v", err)
		}
	})
}

func TestDevice_CancelOrRestart(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.start()
		first := w.startSignIn()
		second := w.startSignIn()
		if second.State != backend.SignInWaiting || second.Code == first.Code {
			t.Errorf("begun again, the sign-in is %+v", second)
		}
		w.manager.CancelSignIn()
		synctest.Wait()
		if s := w.currentSignIn(); s != (backend.SignIn{State: backend.SignInNone}) {
			t.Errorf("given up, the sign-in is %+v", s)
		}
		polls := len(w.github.Requests("/access_token"))
		if s := w.advance(10 * time.Minute); s.State != backend.SignInNone || len(w.github.Requests("/access_token")) != polls {
			t.Errorf("what was given up goes on: %+v", s)
		}
	})
}

func TestDevice_OverridesOtherSources(t *testing.T) {
	inFakeTime(t, func(w *env) {
		setTokenVariable(w)
		w.start()
		w.signIn(fakegithub.Approval{User: fakegithub.User{Login: "hubot"}})
		if a := w.expectState(backend.AccountValid, ""); a.Login != "hubot" || a.Source != backend.SourceStored || w.settings.SignIn != backend.SourceStored {
			t.Errorf("the account is %+v, pinned is %q", a, w.settings.SignIn)
		}
	})
	inFakeTime(t, func(w *env) {
		w.start()
		w.signIn(fakegithub.Approval{})
		if w.settings.SignIn != "" {
			t.Errorf("%q is pinned although nothing else is before it", w.settings.SignIn)
		}
	})
}

func TestDevice_WithoutKeychainStaysInMemory(t *testing.T) {
	inFakeTime(t, func(w *env) {
		keychaintest.UseLocked(t)
		w.start()
		w.signIn(fakegithub.Approval{Token: storedToken})
		if a := w.expectState(backend.AccountValid, ""); a.Key != backend.KeyMemory {
			t.Errorf("the account is %+v", a)
		}
		if token := w.mustCheck(); token.Secret != storedToken {
			t.Error("the token is missing")
		}
		if err := w.manager.SignOut(context.Background()); err != nil || len(w.storedSignIns()) != 0 {
			t.Errorf("signed out: %v, kept: %v", err, w.storedSignIns())
		}
		if _, refusal := w.check(); refusal == nil {
			t.Error("the token is in memory still")
		}
		w.signIn(fakegithub.Approval{Token: storedToken})
		w.start() // restarts VoxPilot: the memory is lost, and the keychain never had the token
		w.expectState(backend.AccountSignedOut, "octocat")
		if len(w.storedSignIns()) != 0 {
			t.Errorf("kept: %v", w.storedSignIns())
		}
	})
	inFakeTime(t, func(w *env) {
		keychaintest.UseLocked(t)
		w.start()
		w.signIn(fakegithub.Approval{Token: storedToken})
		keychaintest.UseWorking(t)
		w.mustCheck()
		if a := w.currentAccount(); a.Key != backend.KeyKeychain || w.logins["github.com/octocat"].Key != backend.KeyKeychain {
			t.Errorf("once there is a keychain, the account is %+v", a)
		}
	})
}
