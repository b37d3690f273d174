package auth_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/auth"
	"github.com/voxpilot/voxpilot/internal/fakegithub"
)

func TestClose_PublishesNothingMore(t *testing.T) {
	inFakeTime(t, func(w *env) {
		setTokenVariable(w)
		w.open()
		w.github.Set(fakegithub.Slow)
		w.manager.Start()
		synctest.Wait()
		w.manager.Close()
		w.mu.Lock()
		n := len(w.events)
		w.mu.Unlock()
		if _, refusal := w.check(); refusal == nil || refusal.Cause != backend.CauseStopped {
			t.Errorf("a check by a closed manager: %+v", refusal)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		if len(w.events) != n || n != 2 {
			t.Errorf("%d events, %d of them after Close", len(w.events), len(w.events)-n)
		}
	})
}

func TestToken_ExpiryPublished(t *testing.T) {
	inFakeTime(t, func(w *env) {
		user := octocat
		user.ExpiresAt = backendTime("2031-02-03 04:05:06")
		w.github.Grant(envToken, user)
		w.env["GH_TOKEN"] = envToken
		w.start()
		if a := w.currentAccount(); int64(a.ExpiresAt) != user.ExpiresAt.UnixMilli() {
			t.Errorf("it ends at %d", a.ExpiresAt)
		}
		w.github.Set(fakegithub.Cut)
		if err := w.manager.Recheck(context.Background()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if a := w.expectState(backend.AccountUnverified, ""); a.Login != "octocat" || a.Name != "Mona Lisa" || a.ExpiresAt == 0 {
			t.Errorf("what was known before is forgotten: %+v", a)
		}
	})
}

func TestStatus_PublishedBeforeGHFound(t *testing.T) {
	inFakeTime(t, func(w *env) {
		setTokenVariable(w)
		found := make(chan struct{})
		w.start(func(c *auth.Config) {
			c.GH = func(context.Context) string { <-found; return "" } // simulates a slow user shell
		})
		if a := w.expectState(backend.AccountUnverified, ""); a.Source != backend.SourceEnv || a.Variable != "GH_TOKEN" {
			t.Errorf("while gh is looked for, the account is %+v", a)
		}
		close(found)
		synctest.Wait()
		w.expectState(backend.AccountValid, "")
	})
}

func TestStatus_PublishedBeforeGitHubResponds(t *testing.T) {
	inFakeTime(t, func(w *env) {
		w.start()
		w.signIn(fakegithub.Approval{})
		w.github.Set(fakegithub.Slow)
		w.start()
		if a := w.expectState(backend.AccountUnverified, ""); a.Login != "octocat" || a.CheckedAt != 0 || !a.Message.IsZero() {
			t.Errorf("while GitHub is asked, the account is %+v", a)
		}
		w.advance(time.Minute)
		if a := w.expectState(backend.AccountUnverified, "Can't reach GitHub"); a.Login != "octocat" || a.CheckedAt == 0 {
			t.Errorf("the account is %+v", a)
		}
	})
}
