package desktop

import (
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// page is the page of an app with a test window.
type page struct {
	*apptest.Window
	d *Desktop
}

// openWindow starts an app with the data directory dir.
func openWindow(t *testing.T, dir string) *page {
	t.Helper()
	t.Setenv("SHELL", "/bin/sh") // the user's shell files aren't read
	w := &page{apptest.Watch(t), New(dir, apptest.Build)}
	window := *NoWindow()
	window.Emit = w.Emit
	w.d.SetWindow(&window)
	w.Begin(w.d.API, w.d.Close)
	return w
}

// atDesk changes the window's functions.
func (w *page) atDesk(change func(*Window)) {
	window := *w.d.window()
	change(&window)
	w.d.SetWindow(&window)
}

// atWork opens a window with a chat whose turn doesn't end.
func atWork(t *testing.T) (w *page, chat backend.Chat) {
	t.Helper()
	apptest.Play(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("working"), fakeagent.Hang()}})
	w = openWindow(t, t.TempDir())
	chat = w.Chat(backend.ProviderCopilot)
	w.Send(chat, "go")
	w.Until("it works", func(e backend.Event) bool { return e.Text != nil && e.Text.Text == "working" })
	return w, chat
}

func TestFolderDialog_ReturnsEvent(t *testing.T) {
	w := openWindow(t, t.TempDir())
	w.atDesk(func(d *Window) { d.PickFolder = func() (string, error) { return "/picked", nil } })
	w.d.PickFolder("r1")
	if e := w.Until("the dialog answers", func(e backend.Event) bool { return e.DialogResult != nil }); *e.DialogResult != (backend.DialogResult{Request: "r1", Path: "/picked"}) {
		t.Errorf("the dialog answered %+v", *e.DialogResult)
	}
}

func TestMail_OnlyAddressNoFiles(t *testing.T) {
	got, err := checkURL("mailto:anna+news@example.org?subject=x&attach=/etc/passwd")
	if err != nil || got != "mailto:anna+news@example.org" {
		t.Errorf("checkURL = %q, %v", got, err)
	}
}
