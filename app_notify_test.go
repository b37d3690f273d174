package main

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/platform/instance"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// raised is what the desktop was told, to bring the window to the front.
type raised struct {
	mu    sync.Mutex
	calls []string
}

func (r *raised) note(call string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, call)
}

// take is what was told since.
func (r *raised) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	calls := r.calls
	r.calls = nil
	return calls
}

func (w *window) raised() *raised {
	r := &raised{}
	w.atDesk(func(d *desktop) {
		d.token = func(token string) { r.note("token " + token) }
		d.show = func() { r.note("show") }
	})
	return r
}

func TestARequestIsAnsweredByTheLinkOfItsNotificationOnce(t *testing.T) {
	file := t.TempDir() + "/a.txt"
	playing(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Edit(file, "", "new"), fakeagent.Say("done")}}})
	w := openFirst(t)
	raised := w.raised()
	t.Setenv("XDG_ACTIVATION_TOKEN", "token")
	chat := w.chat(backend.ProviderCopilot)
	w.send(chat, "go")
	p := w.until("it asks", func(e backend.Event) bool { return e.Permission != nil && e.Permission.State == backend.PermissionOpen }).Permission
	once := p.Options[slices.IndexFunc(p.Options, func(o backend.Option) bool { return o.Kind == backend.OptionAllowOnce })].ID

	cfg := w.app.notices()
	var failed error
	link, _ := cfg.Link(func() { failed = cfg.Answer(p.ID, once) })
	if err := startAgain(t, link); err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	decided := w.until("it is answered", func(e backend.Event) bool {
		return e.Permission != nil && e.Permission.ID == p.ID && e.Permission.State == backend.PermissionDecided
	}).Permission
	if decided.OptionID != once {
		t.Errorf("the answer is %q", decided.OptionID)
	}
	w.done("it goes on", 1)
	if calls := raised.take(); len(calls) > 0 {
		t.Errorf("the window was disturbed: %q", calls)
	}

	gone, void := cfg.Link(func() { t.Error("a link that is void was followed") })
	void()
	messages := map[string]bool{}
	for _, link := range []string{link, gone, onceLink + strings.Repeat("A", 26), onceLink, onceLink + p.ID, "voxpilot://answer", "voxpilot://answer/x/y?z=1"} {
		var refused *instance.Refused
		if err := startAgain(t, link); !errors.As(err, &refused) {
			t.Fatalf("%s: %v", link, err)
		}
		messages[refused.Message] = true
		if strings.Contains(refused.Message, "AAAA") {
			t.Error("it repeats the link")
		}
		if diff := cmp.Diff([]string{"token token", "show"}, raised.take()); diff != "" {
			t.Errorf("%s: what the window does (-want +got):\n%s", link, diff)
		}
	}
	if len(messages) != 1 {
		t.Errorf("it can be told which link there was: %v", messages)
	}
}

func TestEachLinkOfANotificationHasASecretOfItsOwn(t *testing.T) {
	var links onceLinks
	seen := map[string]bool{}
	for range 1000 {
		link, _ := links.make(func() {})
		secret, ok := strings.CutPrefix(link, onceLink)
		if !ok || len(secret) < 26 || seen[secret] {
			t.Fatalf("%s is no new secret", link)
		}
		seen[secret] = true
	}
}

func TestTheWindowIsShownByTheTokenOfWhoeverAsksForIt(t *testing.T) {
	w := openFirst(t)
	raised := w.raised()
	for _, c := range []struct {
		activation string
		want       []string
	}{
		{"", []string{"show"}},
		{"kwin-17", []string{"token kwin-17", "show"}},
		{"panel/voxpilot/1-0-host_TIME99", []string{"token panel/voxpilot/1-0-host_TIME99", "show"}},
		{"with a space", []string{"show"}},
		{"ünlike", []string{"show"}},
		{strings.Repeat("x", maxToken+1), []string{"show"}},
	} {
		t.Setenv("XDG_ACTIVATION_TOKEN", c.activation)
		t.Setenv("DESKTOP_STARTUP_ID", "")
		if err := startAgain(t); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, raised.take()); diff != "" {
			t.Errorf("%.50q (-want +got):\n%s", c.activation, diff)
		}
	}
	t.Setenv("XDG_ACTIVATION_TOKEN", "unused")
	if err := startAgain(t, "--hidden"); err != nil || len(raised.take()) > 0 {
		t.Errorf("a hidden start brings the window to the front, %v", err)
	}
	cfg := w.app.notices()
	for _, chatID := range []string{"", backend.NewID()} {
		cfg.Open(chatID, chatID != "", "with a\x00")
		cfg.Open(chatID, chatID != "", "click")
		if diff := cmp.Diff([]string{"show", "token click", "show"}, raised.take()); diff != "" {
			t.Errorf("of a notification (-want +got):\n%s", diff)
		}
	}
}

func TestTheFirstWordsOfAnAnswerAreWithoutItsMarks(t *testing.T) {
	for text, want := range map[string]string{
		"All **tests** pass in `go test`.\nMore.":     "All tests pass in go test.",
		"\n\n## Done\n\nIt works.":                    "Done",
		"```go\nfunc main() {}\n```":                  "func main() {}",
		"> - See [the file](file:///a/b.go) and this": "See the file and this",
		" \n---\n": "",
		"":         "",
	} {
		if got := firstWords(text); got != want {
			t.Errorf("%q begins with %q, want %q", text, got, want)
		}
	}
}

func TestSettingsOfTheDesktopThatCannotBeMeantAreRefused(t *testing.T) {
	for name, change := range map[string]func(*backend.Settings){
		"a key alone":             func(s *backend.Settings) { s.Shortcut = "F5" },
		"no shortcut":             func(s *backend.Settings) { s.Shortcut = "anything" },
		"half of the quiet hours": func(s *backend.Settings) { s.Notify.QuietFrom = "22:00" },
		"a time that is none":     func(s *backend.Settings) { s.Notify.QuietFrom, s.Notify.QuietTo = "22:00", "25:00" },
	} {
		s := backend.DefaultSettings()
		change(&s)
		if err := checkSettings(s); backend.CodeOf(err) != backend.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, change := range map[string]func(*backend.Settings){
		"what a new installation has": func(*backend.Settings) {},
		"no shortcut at all":          func(s *backend.Settings) { s.Shortcut = "" },
		"quiet hours over midnight":   func(s *backend.Settings) { s.Notify.QuietFrom, s.Notify.QuietTo = "22:00", "07:00" },
	} {
		s := backend.DefaultSettings()
		change(&s)
		if err := checkSettings(s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
