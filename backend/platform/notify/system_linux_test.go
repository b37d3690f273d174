package notify

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/notifytest"
	"github.com/voxpilot/voxpilot/internal/traytest"
)

// patience allows for a busy machine.
const patience = 60 * time.Second

// desk is a Notifier on a separate session bus, with its recorded calls.
type desk struct {
	*Notifier
	t        *testing.T
	able     chan string
	answered chan string
	opened   chan string
}

func newDesk(t *testing.T) *desk {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	traytest.Bus(t)
	return &desk{t: t, able: make(chan string, 8), answered: make(chan string, 8), opened: make(chan string, 8)}
}

func (d *desk) start() *desk {
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
		Log:     slog.New(slog.DiscardHandler),
	})
	d.t.Cleanup(d.Close)
	d.Begin(map[string]backend.Chat{"c1": {ID: "c1", Title: "Fix <login>"}, "c2": {ID: "c2", Title: "Tests"}}, nil, backend.DefaultSettings())
	return d
}

func (d *desk) server(capabilities ...string) *notifytest.Server {
	d.t.Helper()
	s, err := notifytest.Serve(capabilities...)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = s.Close() }) // a test may have closed it
	return s
}

func (d *desk) hears(from <-chan string, want string) {
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

// shows waits until the server shows exactly one notification, with a title.
func (d *desk) shows(s *notifytest.Server, title string) notifytest.Notification {
	d.t.Helper()
	shown := d.until(s, func(all []notifytest.Notification) bool { return len(all) == 1 && all[0].Title == title })
	return shown[0]
}

func (d *desk) until(s *notifytest.Server, is func([]notifytest.Notification) bool) []notifytest.Notification {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), patience)
	defer cancel()
	shown, ok := s.Wait(ctx, is)
	if !ok {
		d.t.Fatalf("the server shows %+v", shown)
	}
	return shown
}

func none(all []notifytest.Notification) bool { return len(all) == 0 }

func TestDBus_ButtonAnswersRequest(t *testing.T) {
	d := newDesk(t)
	s := d.server("actions", "body", "body-markup")
	d.start().hears(d.able, "with buttons")
	d.Observe(asks("a", "c1"))
	n := d.shows(s, "Fix <login> needs you")
	want := []string{"default", "Open", "allow a", "Allow once", "reject a", "Reject"}
	if diff := cmp.Diff(want, n.Actions); diff != "" || n.Expires != 0 || n.Hints["desktop-entry"] != appID || n.Hints["urgency"] != byte(1) {
		t.Errorf("it is %+v; buttons (-want +got):\n%s", n, diff)
	}
	s.Invoke(n.ID, "allow a")
	d.hears(d.answered, "a yes-a")
	d.Observe(answered("a", "c1"))
	d.Observe(done("t", "c1"))
	n = d.shows(s, "Fix <login> is finished")
	if n.Body != "+1 −2 in &lt;b&gt;one&lt;/b&gt; &amp; only" || n.Expires != -1 {
		t.Errorf("markup is not text in %+v", n)
	}
	s.Invoke(n.ID, "default")
	d.hears(d.opened, "c1 "+notifytest.Token(n.ID))
	d.until(s, none)
}

func TestDBus_LateAnswerOpensChat(t *testing.T) {
	d := newDesk(t)
	s := d.server("actions", "body")
	d.start().hears(d.able, "with buttons")
	d.Observe(asks("a", "c1"))
	old := d.shows(s, "Fix <login> needs you")
	d.Observe(asks("b", "c1"))
	n := d.until(s, func(all []notifytest.Notification) bool { return len(all) == 1 && all[0].Times == 2 })[0]
	if n.ID != old.ID {
		t.Errorf("it took the place of another one: %d, not %d", n.ID, old.ID)
	}
	// The first request's button is clicked after the second is shown and the first was
	// answered in the window.
	d.Observe(answered("a", "c1"))
	s.Invoke(n.ID, "allow a")
	d.hears(d.opened, "request of c1 "+notifytest.Token(n.ID))
	if len(d.answered) > 0 {
		t.Errorf("another request was answered: %s", <-d.answered)
	}
}

func TestDBus_ClosesWithItsRequest(t *testing.T) {
	d := newDesk(t)
	s := d.server("actions", "body")
	d.start().hears(d.able, "with buttons")
	d.Observe(asks("a", "c1"))
	d.shows(s, "Fix <login> needs you")
	d.Observe(answered("a", "c1"))
	d.until(s, none)
	d.Observe(done("t", "c1"))
	d.Observe(done("u", "c2"))
	d.until(s, func(all []notifytest.Notification) bool { return len(all) == 2 })
	d.SetFocus(true, "c1", "en")
	n := d.shows(s, "Tests is finished")
	s.Dismiss(n.ID)
	d.until(s, none)
	d.SetFocus(false, "c1", "en")
	d.Notify("VoxPilot goes on", "In the tray.")
	d.shows(s, "VoxPilot goes on")
	d.Close()
	d.until(s, none)
}

func TestDBus_PlainServerGetsNoButtonsOrBody(t *testing.T) {
	d := newDesk(t)
	s := d.server("body")
	d.start().hears(d.able, "")
	d.Observe(asks("a", "c1"))
	if n := d.shows(s, "Fix <login> needs you"); len(n.Actions) != 0 {
		t.Errorf("buttons: %q", n.Actions)
	}
	other := d.server("actions")
	d.hears(d.able, "with buttons")
	d.Observe(asks("b", "c2"))
	n := d.shows(other, "Tests needs you: Run npm test b\nin /code/api")
	if diff := cmp.Diff([]string{"default", "Open", "open", "Open"}, n.Actions); diff != "" {
		t.Error(diff)
	}
}

func TestDBus_FindsLateOrRestartedServer(t *testing.T) {
	d := newDesk(t).start()
	d.hears(d.able, whyNoServer.String())
	first := d.server("actions", "body")
	d.hears(d.able, "with buttons")
	d.Observe(done("t", "c1"))
	d.shows(first, "Fix <login> is finished")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	d.hears(d.able, whyNoServer.String())
	second := d.server("actions", "body")
	d.hears(d.able, "with buttons")
	d.Observe(done("u", "c2"))
	d.shows(second, "Tests is finished")
}

func TestDBus_MissingSessionBusReported(t *testing.T) {
	d := newDesk(t)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	d.start().hears(d.able, whyNoBus.String())
	d.Observe(done("t", "c1"))
}
