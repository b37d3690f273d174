package desktop

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
)

// recordFocus starts recording the desktop's calls that bring the window to the front.
func (w *appEnv) recordFocus() *apptest.Recorder {
	r := &apptest.Recorder{}
	w.changeWindow(func(d *Window) {
		d.Token = func(token string) { r.Record("token " + token) }
		d.Show = func() { r.Record("show") }
	})
	return r
}

func TestNotificationLinks_HaveOwnSecrets(t *testing.T) {
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

func TestNotification_RaisesWindow(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	raised := w.recordFocus()
	cfg := w.d.notifyConfig()
	for _, chatID := range []string{"", backend.NewID()} {
		cfg.Open(chatID, chatID != "", "with a\x00")
		cfg.Open(chatID, chatID != "", "click")
		if diff := cmp.Diff([]string{"show", "token click", "show"}, raised.Take()); diff != "" {
			t.Errorf("of a notification (-want +got):\n%s", diff)
		}
	}
}

func TestNotification_PreviewHasNoMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"All **tests** pass in `go test`.\nMore.":     "All tests pass in go test.",
		"\n\n## Done\n\nIt works.":                    "Done",
		"```go\nfunc main() {}\n```":                  "func main() {}",
		"> - See [the file](file:///a/b.go) and this": "See the file and this",
		" \n---\n": "",
		"":         "",
	} {
		if got := firstTextLine(text); got != want {
			t.Errorf("%q begins with %q, want %q", text, got, want)
		}
	}
}
