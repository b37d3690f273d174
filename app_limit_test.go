package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestATurnIsStoppedWhenItHasWorkedForTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimits()
		asks := func(chat, id string, state backend.PermissionState) {
			l.sees(backend.Event{Permission: &backend.Permission{ID: id, ChatID: chat, State: state}})
		}
		passes := func(ctx context.Context, d time.Duration, over bool) {
			t.Helper()
			<-time.After(d)
			synctest.Wait()
			if got := errors.Is(context.Cause(ctx), errTooLong); got != over {
				t.Fatalf("it is over: %v (%v)", got, context.Cause(ctx))
			}
		}
		ctx, end := l.begin(t.Context(), "chat", 10*time.Minute)
		other, endOther := l.begin(t.Context(), "other", time.Hour)
		passes(ctx, 6*time.Minute, false)
		asks("chat", "one", backend.PermissionOpen)
		asks("chat", "two", backend.PermissionOpen)
		passes(ctx, 24*time.Hour, false)
		asks("chat", "one", backend.PermissionDecided)
		passes(ctx, 24*time.Hour, false)
		second, endSecond := l.begin(t.Context(), "chat", time.Minute) // while the user is waited for
		passes(second, time.Hour, false)
		asks("chat", "two", backend.PermissionDecided)
		passes(ctx, 4*time.Minute-time.Second, false)
		passes(ctx, 2*time.Second, true)
		passes(second, 0, true)
		passes(other, 0, true) // its own hour is over
		end()
		endOther()
		endSecond()
		if len(l.chats) != 0 {
			t.Errorf("it still knows %v", l.chats)
		}
		ctx, end = l.begin(t.Context(), "chat", time.Minute)
		end()
		passes(ctx, time.Hour, false)
		ctx, end = l.begin(t.Context(), "chat", 0)
		passes(ctx, 1000*time.Hour, false)
		end()
	})
}

func TestTheUserIsToldWhyATurnWasStopped(t *testing.T) {
	playing(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("half"), fakeagent.Hang()}})
	w := openWindow(t, t.TempDir())
	settings := backend.DefaultSettings()
	settings.StopAfterMinutes = 1441
	if err := w.app.SaveSettings(settings); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("more than a day: %v", err)
	}
	settings.StopAfterMinutes = 1
	if err := w.app.SaveSettings(settings); err != nil {
		t.Fatal(err)
	}
	e, err := w.app.engine()
	if err != nil {
		t.Fatal(err)
	}
	e.minute = time.Millisecond
	chat := w.chat(backend.ProviderCopilot)
	w.send(chat, "go")
	turn := w.until("it is stopped", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State != backend.TurnRunning }).Turn
	if turn.State != backend.TurnStopped || turn.Error == nil || turn.Error.Code != backend.CodeLimit || !strings.Contains(turn.Error.Message, "after a minute") {
		t.Errorf("the turn is %+v", turn)
	}
	if notes := w.text(chat.ID, backend.ItemNote); len(notes) != 1 || notes[0] != turn.Error.Message {
		t.Errorf("the notes are %q", notes)
	}
}

func TestASessionThatIsLostIsToldNothingWhereTheSettingsSaySo(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	playing(t, fakeagent.Script{Calls: calls, Refuse: map[string]int{"session/load": -32002}})
	dir := t.TempDir()
	w := openWindow(t, dir)
	settings := backend.DefaultSettings()
	settings.IfLost = "shrug"
	if err := w.app.SaveSettings(settings); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("no such choice: %v", err)
	}
	settings.IfLost = backend.IfLostFresh
	if err := w.app.SaveSettings(settings); err != nil {
		t.Fatal(err)
	}
	chat := w.chat(backend.ProviderCopilot)
	w.send(chat, "the first request")
	w.done("the turn", 1)
	w.close()

	w = openWindow(t, dir)
	w.send(chat, "go on")
	banner := w.until("it is said", func(e backend.Event) bool {
		return e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerSessionLost
	}).Item.Banner
	w.done("the turn", 1)
	if got := prompts(t, calls); len(got) != 2 || len(got[1]) != 1 || got[1][0] != "go on" || banner.Told != "" {
		t.Errorf("the agent got %q, and the user is told %q", got, banner.Told)
	}
}
