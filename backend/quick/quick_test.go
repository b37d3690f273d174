package quick

import (
	"context"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// page is the page of an app with a quick prompt, whose window is told what the
// quick prompt asks it to show.
type page struct {
	*apptest.Window
	q *Prompt
}

// openApp starts an app.
func openApp(t *testing.T) *page {
	t.Helper()
	return openIn(t, t.TempDir())
}

// openIn starts an app on dir.
func openIn(t *testing.T, dir string) *page {
	t.Helper()
	t.Setenv("SHELL", "/bin/sh") // the files of whoever runs the tests are not read
	w := &page{Window: apptest.Watch(t)}
	a := w.New(dir)
	w.q = New(a, func(asked backend.Navigation) {
		w.Emit(backend.Batch{Events: []backend.Event{{Navigation: &asked}}})
	})
	w.Begin(a, func(ctx context.Context) error {
		a.BeginClose()
		w.q.Close()
		return a.Close(ctx, func() {})
	})
	return w
}
