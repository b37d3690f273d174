package limit

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLimit_StopsLongTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New()
		passes := func(ctx context.Context, d time.Duration, over bool) {
			t.Helper()
			<-time.After(d)
			synctest.Wait()
			if got := errors.Is(context.Cause(ctx), ErrTooLong); got != over {
				t.Fatalf("it is over: %v (%v)", got, context.Cause(ctx))
			}
		}
		silent := func(Notice, time.Time) {}
		ctx, end := l.Begin(t.Context(), "chat", "first", 10*time.Minute, time.Minute, silent)
		other, endOther := l.Begin(t.Context(), "other", "other", time.Hour, time.Minute, silent)
		passes(ctx, 6*time.Minute, false)
		l.SetWaiting("chat", true)
		l.SetWaiting("chat", true) // another request
		passes(ctx, 24*time.Hour, false)
		l.SetWaiting("chat", true) // one of them is decided
		passes(ctx, 24*time.Hour, false)
		second, endSecond := l.Begin(t.Context(), "chat", "second", time.Minute, time.Minute, silent) // while waiting for the user
		passes(second, time.Hour, false)
		l.SetWaiting("chat", false)
		passes(ctx, 4*time.Minute-time.Second, false)
		passes(ctx, 2*time.Second, true)
		passes(second, 0, true)
		passes(other, 0, true) // its own limit is reached
		end()
		endOther()
		endSecond()
		if len(l.chats) != 0 {
			t.Errorf("it still knows %v", l.chats)
		}
		ctx, end = l.Begin(t.Context(), "chat", "first", time.Minute, time.Minute, silent)
		end()
		passes(ctx, time.Hour, false)
		ctx, end = l.Begin(t.Context(), "chat", "first", 0, time.Minute, silent)
		passes(ctx, 1000*time.Hour, false)
		end()
	})
}

func TestLimit_WarnsMinuteBeforeAndExtends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New()
		var mu sync.Mutex // guards the notices that tell has received
		var told []string
		names := map[Notice]string{Soon: "soon", Extended: "extended", Ended: "ended"}
		ctx, end := l.Begin(t.Context(), "chat", "turn", 10*time.Minute, time.Minute, func(now Notice, stops time.Time) {
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
			if got := l.Extend(chat, turn); got != want {
				t.Fatalf("%s of %s was put off: %v", turn, chat, got)
			}
		}
		after(9*time.Minute - time.Second)
		after(time.Second, "soon 1m0s")
		<-time.After(20 * time.Second)
		l.SetWaiting("chat", true)
		after(time.Hour, "soon")
		l.SetWaiting("chat", false)
		after(0, "soon 40s")
		extend("chat", "another", false)
		extend("another", "turn", false)
		extend("chat", "turn", true)
		after(9*time.Minute+39*time.Second, "extended")
		after(time.Second, "soon 1m0s")
		after(time.Minute)
		if !errors.Is(context.Cause(ctx), ErrTooLong) {
			t.Fatal("it goes on for ever")
		}
		extend("chat", "turn", false)
		end()
		after(time.Hour, "ended")
		extend("chat", "turn", false)
	})
}
