package desktop

import (
	"errors"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestClipboardText_ReportsFailure(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	window := *w.d.window()
	window.Paste = func() (string, error) { return "copied", nil }
	w.d.SetWindow(&window)
	if got, err := w.d.ClipboardText(); got != "copied" || err != nil {
		t.Errorf("got %q, %v, want the text", got, err)
	}
	window.Paste = func() (string, error) { return "", errors.New("no owner") }
	var failed *backend.Error
	if _, err := w.d.ClipboardText(); !errors.As(err, &failed) || failed.Detail != "no owner" {
		t.Errorf("got %v, want the cause in the detail", err)
	}
}
