package engine_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// TestObserve_RequestReachesOverviewAndChat checks that a permission request is in the overview and in the chat's row,
// and that it pauses the turn's time limit until the user answers.
func TestObserve_RequestReachesOverviewAndChat(t *testing.T) {
	proceed := filepath.Join(t.TempDir(), "proceed")
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.WaitFor(proceed), fakeagent.Edit("new.txt", "", "x"), fakeagent.Hang()}})
	w := newAppEnv(t, t.TempDir())
	settings := backend.DefaultSettings()
	settings.StopAfterMinutes = 600
	if err := w.App.SaveSettings(settings); err != nil {
		t.Fatal(err)
	}
	e := w.Engine()
	e.SetLimit(time.Minute, 600*time.Minute) // warns at once
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "go")
	var banners int
	runs := func(what string, n int, runs bool) {
		t.Helper()
		banners = 0
		w.WaitFor(what, func(e backend.Event) bool {
			if e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerTimeLimitNear {
				if banners++; banners == n && (e.Item.Banner.NextTryAt > 0) != runs {
					t.Errorf("%s: the turn's time runs: %t", what, !runs)
				}
			}
			return banners == n
		})
	}
	runs("the end is told", 1, true)
	if err := os.WriteFile(proceed, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := w.WaitFor("it asks", func(e backend.Event) bool { return e.Permission != nil }).Permission
	if asks := e.Overview.Asks(chat.ID); len(asks) != 1 || asks[0].ID != p.ID {
		t.Errorf("the overview has %+v, want %s", asks, p.ID)
	}
	runs("the user is waited for", 2, false)
	w.WaitFor("the row says so", func(e backend.Event) bool { return e.Chat != nil && e.Chat.Detail.String() == "Waiting for you" })
	if err := w.App.Answer(p.ID, allowOf(p), false); err != nil {
		t.Fatal(err)
	}
	if asks := e.Overview.Asks(chat.ID); len(asks) != 0 {
		t.Errorf("the overview has %+v when the answer is saved", asks)
	}
	runs("it goes on", 3, true)
	if err := w.App.Stop(chat.ID); err != nil {
		t.Fatal(err)
	}
	if turn := w.WaitFor("it is stopped", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnStopped }).Turn; turn.Waited <= 0 {
		t.Errorf("the turn has waited for %d ms", turn.Waited)
	}
}

// TestObserve_StartsNothingDuringClose checks that inBackground starts no task once the engine is closing.
func TestObserve_StartsNothingDuringClose(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	e := w.Engine()
	closed, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-closed:
				return
			default:
				e.RunInBackground(func() {})
			}
		}
	}()
	w.Close()
	close(closed)
	<-done
	e.RunInBackground(func() { t.Error("it begins after the end") })
	e.WaitForTasks()
}
