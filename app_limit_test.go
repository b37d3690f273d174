package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

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
		silent := func(telling, time.Time) {}
		ctx, end := l.begin(t.Context(), "chat", "first", 10*time.Minute, time.Minute, silent)
		other, endOther := l.begin(t.Context(), "other", "other", time.Hour, time.Minute, silent)
		passes(ctx, 6*time.Minute, false)
		asks("chat", "one", backend.PermissionOpen)
		asks("chat", "two", backend.PermissionOpen)
		passes(ctx, 24*time.Hour, false)
		asks("chat", "one", backend.PermissionDecided)
		passes(ctx, 24*time.Hour, false)
		second, endSecond := l.begin(t.Context(), "chat", "second", time.Minute, time.Minute, silent) // while the user is waited for
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
		ctx, end = l.begin(t.Context(), "chat", "first", time.Minute, time.Minute, silent)
		end()
		passes(ctx, time.Hour, false)
		ctx, end = l.begin(t.Context(), "chat", "first", 0, time.Minute, silent)
		passes(ctx, 1000*time.Hour, false)
		end()
	})
}

func TestTheEndOfATurnIsToldAMinuteBeforeAndCanBePutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimits()
		var mu sync.Mutex // of what was told
		var told []string
		names := map[telling]string{stopsSoon: "soon", extended: "extended", ended: "ended"}
		ctx, end := l.begin(t.Context(), "chat", "turn", 10*time.Minute, time.Minute, func(now telling, stops time.Time) {
			said := names[now]
			if !stops.IsZero() {
				said += " " + time.Until(stops).String()
			}
			mu.Lock()
			defer mu.Unlock()
			told = append(told, said)
		})
		after := func(d time.Duration, want ...string) {
			t.Helper()
			<-time.After(d)
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if diff := cmp.Diff(want, told); diff != "" {
				t.Fatalf("the user was told (-want +got):\n%s", diff)
			}
			told = nil
		}
		extend := func(chat, turn string, want bool) {
			t.Helper()
			if got := l.extend(chat, turn); got != want {
				t.Fatalf("%s of %s was put off: %v", turn, chat, got)
			}
		}
		after(9*time.Minute - time.Second)
		after(time.Second, "soon 1m0s")
		<-time.After(20 * time.Second)
		l.sees(backend.Event{Permission: &backend.Permission{ID: "p", ChatID: "chat", State: backend.PermissionOpen}})
		after(time.Hour, "soon")
		l.sees(backend.Event{Permission: &backend.Permission{ID: "p", ChatID: "chat", State: backend.PermissionDecided}})
		after(0, "soon 40s")
		extend("chat", "another", false)
		extend("another", "turn", false)
		extend("chat", "turn", true)
		after(9*time.Minute+39*time.Second, "extended")
		after(time.Second, "soon 1m0s")
		after(time.Minute)
		if !errors.Is(context.Cause(ctx), errTooLong) {
			t.Fatal("it goes on for ever")
		}
		extend("chat", "turn", false)
		end()
		after(time.Hour, "ended")
		extend("chat", "turn", false)
	})
}

func TestATurnThatIsStoppedSoonIsGivenMoreTime(t *testing.T) {
	playing(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("half"), fakeagent.Hang()}})
	w := openWindow(t, t.TempDir())
	settings := backend.DefaultSettings()
	settings.StopAfterMinutes = 600
	if err := w.app.SaveSettings(settings); err != nil {
		t.Fatal(err)
	}
	e, err := w.app.engine()
	if err != nil {
		t.Fatal(err)
	}
	e.warning = 600 * time.Minute // it is told at once
	chat := w.chat(backend.ProviderCopilot)
	w.send(chat, "go")
	note := func(what string, kind backend.BannerKind, open bool) backend.Item {
		t.Helper()
		return *w.until(what, func(e backend.Event) bool {
			return e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == kind && e.Item.Open == open
		}).Item
	}
	soon := note("the end is told", backend.BannerStopsSoon, true)
	if soon.Banner.Detail != "600" || soon.Banner.NextTryAt < soon.CreatedAt || soon.TurnID == "" {
		t.Errorf("the note is %+v with %+v", soon, soon.Banner)
	}
	if err := w.app.ExtendTurn(chat.ID, soon.TurnID); err != nil {
		t.Fatal(err)
	}
	if put := note("it was put off", backend.BannerExtended, false); put.ID != soon.ID || put.Banner.Detail != "600" {
		t.Errorf("the note is %+v with %+v", put, put.Banner)
	}
	if err := w.app.Stop(chat.ID); err != nil {
		t.Fatal(err)
	}
	w.until("it is stopped", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnStopped })
	if err := w.app.ExtendTurn(chat.ID, soon.TurnID); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("a turn that has ended: %v", err)
	}
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
