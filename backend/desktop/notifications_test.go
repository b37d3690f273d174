package desktop

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
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

func (w *page) raised() *raised {
	r := &raised{}
	w.atDesk(func(d *Window) {
		d.Token = func(token string) { r.note("token " + token) }
		d.Show = func() { r.note("show") }
	})
	return r
}

func TestEachLinkOfANotificationHasASecretOfItsOwn(t *testing.T) {
	var links OnceLinks
	seen := map[string]bool{}
	for range 1000 {
		link, _ := links.Make(func() {})
		secret, ok := strings.CutPrefix(link, OnceLink)
		if !ok || len(secret) < 26 || seen[secret] {
			t.Fatalf("%s is no new secret", link)
		}
		seen[secret] = true
	}
}

func TestNotification_BringsTheWindowToTheFront(t *testing.T) {
	w := openWindow(t, t.TempDir())
	raised := w.raised()
	cfg := w.d.notices()
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
