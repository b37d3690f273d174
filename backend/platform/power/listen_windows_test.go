package power

import (
	"context"
	"log/slog"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

func TestWindow_ReceivesPowerEvents(t *testing.T) {
	calls := make(chan string, 10)
	note := func(name string) func() { return func() { calls <- name } }
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		Watch(ctx, Events{Sleep: note("sleep"), Ending: note("ending"), Resume: note("resume"), NetworkChanged: func() {}, Unlocked: note("unlocked")}, slog.New(slog.DiscardHandler))
	}()
	find, send := user32.NewProc("FindWindowW"), user32.NewProc("SendMessageW")
	name := uintptr(unsafe.Pointer(windows.StringToUTF16Ptr(className)))
	var window uintptr
	for late := time.After(time.Minute); window == 0; {
		select {
		case <-late:
			t.Fatal("there is no window")
		case <-time.After(10 * time.Millisecond):
			window, _, _ = find.Call(name, 0)
		}
	}
	for _, m := range []struct {
		message, what uintptr
		told          string
	}{
		{wmPowerBroadcast, pbtSuspend, "sleep"},
		{wmPowerBroadcast, pbtSuspend, ""},
		{wmPowerBroadcast, pbtResumeAutomatic, "resume"},
		{wmPowerBroadcast, pbtResumeAutomatic, ""},
		{wmWTSSessionChange, 7, ""}, // locked
		{wmWTSSessionChange, wtsSessionUnlock, "unlocked"},
		{wmEndSession, 0, ""}, // the end was refused
		{wmEndSession, 1, "ending"},
	} {
		if ok, _, _ := send.Call(window, wmQueryEndSession, 0, 0); ok != 1 {
			t.Error("it keeps the session from ending")
		}
		_, _, _ = send.Call(window, m.message, m.what, 0)
		if m.told == "" {
			continue // if the message had an effect, the check of the next message would fail
		}
		select {
		case got := <-calls:
			if got != m.told {
				t.Errorf("told %s, want %s", got, m.told)
			}
		case <-time.After(time.Minute):
			t.Fatalf("timed out waiting for %s", m.told)
		}
	}
	cancel()
	<-ended
	select {
	case got := <-calls:
		t.Errorf("told %s as well", got)
	default:
	}
	if window, _, _ := find.Call(name, 0); window != 0 {
		t.Error("the window is left")
	}
}
