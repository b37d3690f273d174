package desktop

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// appEnv is a running app with a simulated page and a test window.
type appEnv struct {
	*apptest.Window
	d *Desktop
}

// newAppEnv starts an app with the data directory dir.
func newAppEnv(t *testing.T, dir string) *appEnv {
	t.Helper()
	t.Setenv("SHELL", "/bin/sh") // the user's shell files aren't read
	w := &appEnv{apptest.NewWindow(t), New(dir, apptest.Build)}
	window := *NoWindow()
	window.Emit = w.Emit
	w.d.SetWindow(&window)
	w.Start(w.d.API, w.d.Close)
	return w
}

// changeWindow replaces the window with a copy and calls the given function to modify that copy.
func (w *appEnv) changeWindow(change func(*Window)) {
	window := *w.d.window()
	change(&window)
	w.d.SetWindow(&window)
}

// newRunningAppEnv opens a window with a chat whose turn doesn't end.
func newRunningAppEnv(t *testing.T) (w *appEnv, chat backend.Chat) {
	t.Helper()
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("working"), fakeagent.Hang()}})
	w = newAppEnv(t, t.TempDir())
	chat = w.Chat(backend.ProviderCopilot)
	w.Send(chat, "go")
	w.WaitFor("it works", func(e backend.Event) bool { return e.Text != nil && e.Text.Text == "working" })
	return w, chat
}

func TestFolderDialog_ReturnsEvent(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	w.changeWindow(func(d *Window) { d.PickFolder = func() (string, error) { return "/picked", nil } })
	w.d.PickFolder("r1")
	if e := w.WaitFor("the dialog answers", func(e backend.Event) bool { return e.DialogResult != nil }); *e.DialogResult != (backend.DialogResult{Request: "r1", Path: "/picked"}) {
		t.Errorf("the dialog answered %+v", *e.DialogResult)
	}
}

func TestMail_OnlyAddressNoFiles(t *testing.T) {
	got, err := checkURL("mailto:anna+news@example.org?subject=x&attach=/etc/passwd")
	if err != nil || got != "mailto:anna+news@example.org" {
		t.Errorf("checkURL = %q, %v", got, err)
	}
}

// TestCall_InternalErrorIsLogged checks that an error without a message for the user is logged, because the page then
// refers to the log.
func TestCall_InternalErrorIsLogged(t *testing.T) {
	dir := t.TempDir()
	w := newAppEnv(t, dir)
	if got := w.d.errorForPage(errors.New("broken wire")); !strings.Contains(got.Message.String(), "See the log") || got.Detail != "broken wire" {
		t.Errorf("got %+v", got)
	}
	known := backend.Invalid("Choose another name.")
	if got := w.d.errorForPage(known); got != known {
		t.Errorf("got %+v", got)
	}
	log := ""
	files, err := filepath.Glob(filepath.Join(dir, "logs", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		log += string(data)
	}
	if strings.Count(log, "broken wire") != 1 || strings.Contains(log, "Choose another name.") {
		t.Errorf("the log is %s", log)
	}
}
