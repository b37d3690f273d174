package notify

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/notifytest"
	"github.com/voxpilot/voxpilot/internal/traytest"
)

// patience is the time limit for waiting, long enough for a busy machine.
const patience = 60 * time.Second

// notifierEnv is a Notifier on a separate session bus, with its recorded calls.
type notifierEnv struct {
	*Notifier
	t        *testing.T
	able     chan string
	answered chan string
	opened   chan string
	logged   logLines
}

// logLines is an io.Writer that stores log lines. It discards lines once its buffer is full.
type logLines chan string

func (l logLines) Write(line []byte) (int, error) {
	select {
	case l <- string(line):
	default:
	}
	return len(line), nil
}

func newNotifierEnv(t *testing.T) *notifierEnv {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	traytest.Bus(t)
	return &notifierEnv{t: t, able: make(chan string, 8), answered: make(chan string, 8), opened: make(chan string, 8), logged: make(logLines, 64)}
}

func (d *notifierEnv) start() *notifierEnv {
	d.Notifier = Start(Config{
		Able: func(why backend.Message, actions bool) {
			text := why.String()
			if actions {
				text += "with buttons"
			}
			d.able <- text
		},
		Answer: func(id, option string) error { d.answered <- id + " " + option; return nil },
		Open: func(chatID string, request bool, token string) {
			d.opened <- map[bool]string{true: "request of "}[request] + chatID + " " + token
		},
		Outcome: func(backend.Turn, Language) string { return "+1 −2 in <b>one</b> & only" },
		Log:     slog.New(slog.NewTextHandler(d.logged, nil)),
	})
	d.t.Cleanup(d.Close)
	d.Begin(map[string]backend.Chat{"c1": {ID: "c1", Title: "Fix <login>"}, "c2": {ID: "c2", Title: "Tests"}}, nil, backend.DefaultSettings())
	return d
}

func (d *notifierEnv) server(capabilities ...string) *notifytest.Server {
	d.t.Helper()
	s, err := notifytest.NewServer(capabilities...)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = s.Close() }) // a test may have closed it
	return s
}

func (d *notifierEnv) waitForEvent(from <-chan string, want string) {
	d.t.Helper()
	select {
	case got := <-from:
		if got != want {
			d.t.Fatalf("heard %q, want %q", got, want)
		}
	case <-time.After(patience):
		d.t.Fatalf("never heard %q", want)
	}
}

// waitForNotification waits until the server shows exactly one notification and it has the given title.
func (d *notifierEnv) waitForNotification(s *notifytest.Server, title string) notifytest.Notification {
	d.t.Helper()
	shown := d.waitFor(s, func(all []notifytest.Notification) bool { return len(all) == 1 && all[0].Title == title })
	return shown[0]
}

func (d *notifierEnv) waitFor(s *notifytest.Server, is func([]notifytest.Notification) bool) []notifytest.Notification {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), patience)
	defer cancel()
	shown, ok := s.WaitFor(ctx, is)
	if !ok {
		d.t.Fatalf("the server shows %+v", shown)
	}
	return shown
}

func none(all []notifytest.Notification) bool { return len(all) == 0 }

func TestDBus_ButtonAnswersRequest(t *testing.T) {
	d := newNotifierEnv(t)
	s := d.server("actions", "body", "body-markup")
	d.start().waitForEvent(d.able, "with buttons")
	d.Observe(requestEvent("a", "c1"))
	n := d.waitForNotification(s, "Fix <login> needs you")
	want := []string{"default", "Open", "allow a", "Allow once", "reject a", "Reject"}
	if diff := cmp.Diff(want, n.Actions); diff != "" || n.Expires != 0 || n.Hints["desktop-entry"] != appID || n.Hints["urgency"] != byte(1) {
		t.Errorf("it is %+v; buttons (-want +got):\n%s", n, diff)
	}
	s.Invoke(n.ID, "allow a")
	d.waitForEvent(d.answered, "a yes-a")
	d.Observe(answeredEvent("a", "c1"))
	d.Observe(doneEvent("t", "c1"))
	n = d.waitForNotification(s, "Fix <login> is finished")
	if n.Body != "+1 −2 in &lt;b&gt;one&lt;/b&gt; &amp; only" || n.Expires != -1 {
		t.Errorf("markup is not text in %+v", n)
	}
	s.Invoke(n.ID, "default")
	d.waitForEvent(d.opened, "c1 "+notifytest.Token(n.ID))
	d.waitFor(s, none)
}

func TestDBus_LateAnswerOpensChat(t *testing.T) {
	d := newNotifierEnv(t)
	s := d.server("actions", "body")
	d.start().waitForEvent(d.able, "with buttons")
	d.Observe(requestEvent("a", "c1"))
	old := d.waitForNotification(s, "Fix <login> needs you")
	d.Observe(requestEvent("b", "c1"))
	n := d.waitFor(s, func(all []notifytest.Notification) bool { return len(all) == 1 && all[0].Times == 2 })[0]
	if n.ID != old.ID {
		t.Errorf("it took the place of another one: %d, not %d", n.ID, old.ID)
	}
	// The first request's button is clicked after the second is shown and the first was
	// answered in the window.
	d.Observe(answeredEvent("a", "c1"))
	s.Invoke(n.ID, "allow a")
	d.waitForEvent(d.opened, "request of c1 "+notifytest.Token(n.ID))
	if len(d.answered) > 0 {
		t.Errorf("another request was answered: %s", <-d.answered)
	}
}

func TestDBus_ClosesWithItsRequest(t *testing.T) {
	d := newNotifierEnv(t)
	s := d.server("actions", "body")
	d.start().waitForEvent(d.able, "with buttons")
	d.Observe(requestEvent("a", "c1"))
	d.waitForNotification(s, "Fix <login> needs you")
	d.Observe(answeredEvent("a", "c1"))
	d.waitFor(s, none)
	d.Observe(doneEvent("t", "c1"))
	d.Observe(doneEvent("u", "c2"))
	d.waitFor(s, func(all []notifytest.Notification) bool { return len(all) == 2 })
	d.SetFocus(true, "c1", "en")
	n := d.waitForNotification(s, "Tests is finished")
	s.Dismiss(n.ID)
	d.waitFor(s, none)
	d.SetFocus(false, "c1", "en")
	d.Notify("VoxPilot goes on", "In the tray.")
	d.waitForNotification(s, "VoxPilot goes on")
	d.Close()
	d.waitFor(s, none)
}

func TestDBus_PlainServerGetsNoButtonsOrBody(t *testing.T) {
	d := newNotifierEnv(t)
	s := d.server("body")
	d.start().waitForEvent(d.able, "")
	d.Observe(requestEvent("a", "c1"))
	if n := d.waitForNotification(s, "Fix <login> needs you"); len(n.Actions) != 0 {
		t.Errorf("buttons: %q", n.Actions)
	}
	other := d.server("actions")
	d.waitForEvent(d.able, "with buttons")
	d.Observe(requestEvent("b", "c2"))
	n := d.waitForNotification(other, "Tests needs you: Run npm test b\nin /code/api")
	if diff := cmp.Diff([]string{"default", "Open", "open", "Open"}, n.Actions); diff != "" {
		t.Error(diff)
	}
}

func TestDBus_FindsLateOrRestartedServer(t *testing.T) {
	d := newNotifierEnv(t).start()
	d.waitForEvent(d.able, whyNoServer.String())
	first := d.server("actions", "body")
	d.waitForEvent(d.able, "with buttons")
	d.Observe(doneEvent("t", "c1"))
	d.waitForNotification(first, "Fix <login> is finished")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	d.waitForEvent(d.able, whyNoServer.String())
	second := d.server("actions", "body")
	d.waitForEvent(d.able, "with buttons")
	d.Observe(doneEvent("u", "c2"))
	// The first server's notification is shown again if that server closed before it answered.
	d.waitFor(second, func(all []notifytest.Notification) bool {
		return slices.ContainsFunc(all, func(n notifytest.Notification) bool { return n.Title == "Tests is finished" })
	})
}

func TestDBus_ShowsWhenServerArrives(t *testing.T) {
	d := newNotifierEnv(t).start()
	d.waitForEvent(d.able, whyNoServer.String())
	d.Observe(requestEvent("p", "c1"))
	for line := ""; !strings.Contains(line, "couldn't show a notification"); {
		select {
		case line = <-d.logged:
		case <-time.After(patience):
			t.Fatal("the notification wasn't refused")
		}
	}
	d.waitForNotification(d.server("actions", "body"), "Fix <login> needs you")
}

func TestDBus_RefusedNotificationIsShownLater(t *testing.T) {
	change(t, &retryTime, time.Millisecond)
	d := newNotifierEnv(t)
	s := d.server("actions", "body")
	s.Refuse()
	s.Refuse()
	d.start()
	d.Observe(requestEvent("p", "c1"))
	d.waitForNotification(s, "Fix <login> needs you")
}

// TestDBus_LateNotificationIsShownOnce checks that a server that answers too late shows the notification only once.
func TestDBus_LateNotificationIsShownOnce(t *testing.T) {
	change(t, &retryTime, time.Millisecond)
	change(t, &serverTime, 200*time.Millisecond)
	d := newNotifierEnv(t)
	s, answer := d.server("actions", "body"), make(chan struct{})
	s.Delay(answer)
	d.start()
	d.Observe(requestEvent("p", "c1"))
	first := d.waitForNotification(s, "Fix <login> needs you") // of the second attempt
	close(answer)
	left := d.waitFor(s, func(all []notifytest.Notification) bool { return s.Count() == 2 && len(all) == 1 })[0]
	if left.ID != first.ID {
		t.Errorf("left is %+v, want %+v", left, first)
	}
	d.Observe(answeredEvent("p", "c1"))
	d.waitFor(s, none)
}

// change sets a variable to a new value and restores the old one when the test ends.
func change(t *testing.T, v *time.Duration, to time.Duration) {
	t.Helper()
	was := *v
	*v = to
	t.Cleanup(func() { *v = was })
}

func TestDBus_MissingSessionBusReported(t *testing.T) {
	d := newNotifierEnv(t)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	d.start().waitForEvent(d.able, whyNoBus.String())
	d.Observe(doneEvent("t", "c1"))
}
