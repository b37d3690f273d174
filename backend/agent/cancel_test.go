package agent

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

func TestTellUntil_BacksOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		got := make(chan string, 1)
		var told []time.Duration
		answer := notifyUntil(got, func() {
			told = append(told, time.Since(began))
			if len(told) == 8 {
				got <- "cancelled"
			}
		})
		const ms = time.Millisecond
		want := []time.Duration{0, 250 * ms, 750 * ms, 1750 * ms, 3750 * ms, 7750 * ms, 11750 * ms, 15750 * ms}
		if answer != "cancelled" || fmt.Sprint(told) != fmt.Sprint(want) {
			t.Errorf("told at %v, answered %q, want %v", told, answer, want)
		}
	})
}
