package agent

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
)

var allStates = []backend.ConnectionState{
	backend.ConnectionIdle, backend.ConnectionChecking, backend.ConnectionStarting, backend.ConnectionRestoring, backend.ConnectionReady, backend.ConnectionWaiting, backend.ConnectionNeedsLogin, backend.ConnectionNeedsTrust, backend.ConnectionFailed,
}

var allHappenings = []connEvent{
	eventNeeded, eventRetried, eventRetryDue, eventChecked, eventSignedOut, eventPostponed, eventUntrusted, eventUnlaunchable, eventInitialized, eventRestored, eventExited, eventExhausted, eventIdled, eventStopped, eventClosed,
}

// machine is the expected transition table, with a row for each state and a column for each event.
const machine = `
            wanted    retried   due       checked   signed out   put off   untrusted   unlaunchable answered  restored  exited    exhausted idled     halted    closed
idle        checking  checking  .         .         .            .         .           .            .         .         .         .         .         .         .
checking    .         .         .         starting  needs_login  waiting   needs_trust failed       .         .         .         .         .         idle      idle
starting    .         .         .         .         needs_login  waiting   needs_trust failed       restoring .         waiting   failed    .         idle      idle
restoring   .         .         .         .         needs_login  waiting   needs_trust .            .         ready     waiting   failed    .         idle      idle
ready       .         .         .         .         needs_login  waiting   needs_trust failed       .         .         waiting   failed    idle      idle      idle
waiting     .         checking  checking  .         .            .         .           .            .         .         .         .         .         idle      idle
needs_login checking  checking  .         .         .            .         .           .            .         .         .         .         .         idle      idle
needs_trust checking  checking  .         .         .            .         .           .            .         .         .         .         .         idle      idle
failed      checking  checking  .         .         .            .         .           .            .         .         .         .         .         idle      idle
`

func TestReconnect_TransitionTable(t *testing.T) {
	lines := []string{"", strings.Repeat(" ", 12)}
	width := func(h connEvent) int {
		return max(10, len(h)+1, map[connEvent]int{eventSignedOut: 13, eventUntrusted: 12, eventUnlaunchable: 13}[h])
	}
	for _, h := range allHappenings {
		lines[1] += fmt.Sprintf("%-*s", width(h), h)
	}
	for _, s := range allStates {
		line := fmt.Sprintf("%-12s", s)
		for _, h := range allHappenings {
			to, ok := next(s, h)
			if !ok {
				to = "."
			}
			line += fmt.Sprintf("%-*s", width(h), to)
		}
		lines = append(lines, line)
	}
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	if d := cmp.Diff(strings.Split(machine, "\n"), append(lines, "")); d != "" {
		t.Error(d)
	}
}

func TestReconnect_StartingOnlyFromChecking(t *testing.T) {
	for _, s := range allStates {
		for _, h := range allHappenings {
			if to, _ := next(s, h); to == backend.ConnectionStarting && s != backend.ConnectionChecking {
				t.Errorf("%s follows %s on %s", to, s, h)
			}
		}
	}
}

func TestReconnect_EveryStateCanClose(t *testing.T) {
	for s := range transitions {
		if s == backend.ConnectionIdle {
			continue
		}
		if to, ok := next(s, eventClosed); !ok || to != backend.ConnectionIdle {
			t.Errorf("%s cannot be closed", s)
		}
	}
}

func TestReconnect_DelayGrowsToThirtySeconds(t *testing.T) {
	want := []time.Duration{0, 1, 2, 4, 8, 16, 30, 30, 30}
	for i, w := range want {
		if got := backOff(i + 1); got != w*time.Second {
			t.Errorf("try %d: %s, want %s", i+1, got, w*time.Second)
		}
	}
	if backOff(1000) != maxDelay {
		t.Error("it overflows")
	}
	for range 100 {
		if d := withJitter(10 * time.Second); d < 8*time.Second || d > 12*time.Second {
			t.Errorf("jittered: %s", d)
		}
	}
}

func TestReconnect_FiveExitsInMinuteFail(t *testing.T) {
	var a attempts
	now := time.Now()
	for i := range backend.MaxAttempts {
		_, retry := a.exited(now.Add(time.Duration(i)*10*time.Second), 0, backend.MaxAttempts)
		if retry != (i < backend.MaxAttempts-1) {
			t.Errorf("exit %d: retry %v", i+1, retry)
		}
	}
}

func TestReconnect_DistantExitsIncreaseDelay(t *testing.T) {
	var a attempts
	now := time.Now()
	for i := range 20 {
		delay, retry := a.exited(now.Add(time.Duration(i)*20*time.Second), time.Second, backend.MaxAttempts)
		if !retry || delay != backOff(i+1) {
			t.Errorf("exit %d: %s, retry %v", i+1, delay, retry)
		}
	}
}

func TestReconnect_HealthyMinuteResetsCount(t *testing.T) {
	var a attempts
	now := time.Now()
	for range 4 {
		a.exited(now, 0, backend.MaxAttempts)
	}
	if delay, retry := a.exited(now.Add(time.Second), health, backend.MaxAttempts); !retry || delay != 0 {
		t.Errorf("after a minute of health: %s, retry %v", delay, retry)
	}
}

func TestReconnect_StartPostponedIndefinitely(t *testing.T) {
	var a attempts
	for i := range 200 {
		if delay := a.postponed(time.Second); delay != backOff(i+1) {
			t.Errorf("try %d: %s, want %s", i+1, delay, backOff(i+1))
		}
	}
	if delay := a.postponed(health); delay != 0 {
		t.Errorf("after a minute of health: %s", delay)
	}
}

func TestReconnect_ExitLimitFromSettings(t *testing.T) {
	now := time.Now()
	for most := 1; most <= 10; most++ {
		var a attempts
		for i := range most {
			if _, retry := a.exited(now, 0, most); retry != (i < most-1) {
				t.Errorf("exit %d of %d: retry %v", i+1, most, retry)
			}
		}
	}
}

func TestIdle_AfterConfiguredTime(t *testing.T) {
	const limit = 15 * time.Minute
	for _, c := range []struct {
		limit, quiet time.Duration
		busy         bool
		want         time.Duration
	}{
		{limit, limit, false, 0},
		{limit, limit + time.Hour, false, 0},
		{limit, limit - time.Second, false, time.Second},
		{limit, 0, false, recheckInterval}, // the setting may be shortened
		{limit, 2 * limit, true, recheckInterval},
		{time.Second, time.Hour, true, time.Second},
		{0, time.Hour, false, recheckInterval},
		{-1, time.Hour, false, recheckInterval},
	} {
		if got := idleDelay(c.limit, c.quiet, c.busy); got != c.want {
			t.Errorf("%s of %s without work, busy %v: looked at again in %s, want %s", c.quiet, c.limit, c.busy, got, c.want)
		}
	}
}
