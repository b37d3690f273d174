package quick

import (
	"context"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// appEnv is a test window for an app with a quick prompt. It also receives the quick
// prompt's navigation requests.
type appEnv struct {
	*apptest.Window
	q *Prompt
}

// newAppEnv starts an app with an empty data directory.
func newAppEnv(t *testing.T) *appEnv {
	t.Helper()
	return newAppEnvIn(t, t.TempDir())
}

// newAppEnvIn starts an app whose data directory is dir.
func newAppEnvIn(t *testing.T, dir string) *appEnv {
	t.Helper()
	t.Setenv("SHELL", "/bin/sh") // the user's shell files aren't read
	w := &appEnv{Window: apptest.NewWindow(t)}
	a := w.NewAPI(dir)
	w.q = New(a, func(asked backend.Navigation) {
		w.Emit(backend.Batch{Events: []backend.Event{{Navigation: &asked}}})
	})
	w.Start(a, func(ctx context.Context) error {
		a.BeginClose()
		w.q.Close()
		return a.Close(ctx, func() {})
	})
	return w
}
