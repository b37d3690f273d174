package auth_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakegithub"
)

// signInRenewable signs in with a token that expires after eight hours and can be
// renewed, and returns the token.
func signInRenewable(w *env) (first string) {
	w.t.Helper()
	w.start()
	w.signIn(fakegithub.Approval{Token: "ghu_fakefirst0000000001", ExpiresIn: 8 * 3600})
	w.signInChanges()
	if token := w.mustCheck(); token.Secret != "ghu_fakefirst0000000001" || len(w.renewals()) != 0 {
		w.t.Fatalf("a token that is good was renewed")
	}
	return "ghu_fakefirst0000000001"
}

// renewals returns the token requests after the first one, which exchanged the device code.
func (w *env) renewals() []fakegithub.Request {
	return w.github.Requests("/access_token")[1:]
}

func TestRenew_BeforeExpiry(t *testing.T) {
	inFakeTime(t, func(w *env) {
		first := signInRenewable(w)
		if a := w.currentAccount(); time.UnixMilli(int64(a.ExpiresAt)).Before(time.Now().AddDate(0, 5, 0)) {
			t.Errorf("a sign-in that renews itself is shown to end at %v", time.UnixMilli(int64(a.ExpiresAt)))
		}
		w.advance(8*time.Hour - 6*time.Minute)
		if token := w.mustCheck(); token.Secret != first {
			t.Error("the token was renewed too early")
		}
		w.advance(3 * time.Minute)
		hold := w.github.Hold("/access_token")
		var all sync.WaitGroup
		for range 5 { // concurrently: the refresh token can be used only once
			all.Go(func() { w.mustCheck() })
			all.Go(func() { w.manager.RefusalCause(context.Background()) })
		}
		synctest.Wait()
		hold.Release()
		all.Wait()
		second := w.mustCheck()
		if second.Secret == first || !second.Verified || len(w.renewals()) != 1 {
			t.Errorf("renewed %d times, verified %v", len(w.renewals()), second.Verified)
		}
		if kept := w.secretOf("github.com/octocat"); strings.Contains(kept, first) || !strings.Contains(kept, second.Secret) || !strings.Contains(kept, "ghr_") {
			t.Error("the keychain does not have the new pair")
		}
		if told := w.signInChanges(); len(told) == 0 || !told[0] {
			t.Errorf("agents with the old token were told %v", told)
		}
		w.start() // restarts VoxPilot
		w.advance(9 * time.Hour)
		if third := w.mustCheck(); third.Secret == second.Secret || !third.Verified {
			t.Error("the second pair was not renewed")
		}
	})
}

func TestRenew_ExpiredTokenRestartsAgent(t *testing.T) {
	inFakeTime(t, func(w *env) {
		first := signInRenewable(w)
		w.github.End(first)
		r := w.manager.RefusalCause(context.Background())
		w.expectRefusal(&r, backend.CauseNone, "renewed")
		if token := w.mustCheck(); !token.Verified || token.Secret == first {
			t.Error("the token was not renewed")
		}
		w.expectState(backend.AccountValid, "")
	})
}

func TestRenew_FailureExpiresSignIn(t *testing.T) {
	inFakeTime(t, func(w *env) {
		first := signInRenewable(w)
		w.github.Revoke(first)
		w.advance(9 * time.Hour)
		_, refusal := w.check()
		w.expectRefusal(refusal, backend.CauseNotSignedIn, "Your GitHub sign-in has expired.")
		w.expectState(backend.AccountExpired, "expired")
		if len(w.storedSignIns()) != 1 || !strings.Contains(w.secretOf("github.com/octocat"), first) {
			t.Error("a token was deleted because GitHub refused it")
		}
		w.signIn(fakegithub.Approval{})
		w.expectState(backend.AccountValid, "")
	})
}

func TestRenew_NetworkLossKeepsSignIn(t *testing.T) {
	inFakeTime(t, func(w *env) {
		first := signInRenewable(w)
		w.github.End(first)
		w.advance(9 * time.Hour)
		w.github.Set(fakegithub.Cut)
		if token := w.mustCheck(); token.Verified || token.Reachable {
			t.Errorf("the token is verified %v, reachable %v", token.Verified, token.Reachable)
		}
		for _, trouble := range []fakegithub.Trouble{fakegithub.Broken, fakegithub.Failing, fakegithub.Captive, fakegithub.Garbage, fakegithub.Slow} {
			w.github.Set(trouble, "/access_token") // only renewals
			if token := w.mustCheck(); token.Verified || token.Reachable {
				t.Errorf("%s: the token is verified %v, reachable %v", trouble, token.Verified, token.Reachable)
			}
		}
		w.expectState(backend.AccountUnverified, "Can't reach GitHub")
		w.github.Set(fakegithub.None)
		if token := w.mustCheck(); !token.Verified || token.Secret == first {
			t.Error("the token was not renewed once it could be")
		}
	})
}
