package trust_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/backend/trust"
)

// asking is a Manager on a real database, and what it asks.
type asking struct {
	*world
	data  string
	store *store.Store
	desk  *trust.Manager

	mu     sync.Mutex
	open   map[string]backend.TrustRequest // by key
	freed  []string
	commit func() // runs before what is trusted is written
}

// newAsking makes a Manager for a repository with a hook.
func newAsking(t *testing.T) *asking {
	t.Helper()
	a := &asking{world: newWorld(t), data: t.TempDir(), open: map[string]backend.TrustRequest{}}
	a.start()
	t.Cleanup(func() {
		if err := a.store.Close(); err != nil {
			t.Error(err)
		}
	})
	repo := a.in("repo")
	repo.write("README.md", "Hello")
	repo.git("init", "-q")
	return a
}

// in is a folder below the test's.
func (a *asking) in(name string) *world { return &world{a.T, a.path(name)} }

func (a *asking) path(name string) string {
	dir := filepath.Join(a.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		a.Fatal(err)
	}
	return dir
}

// start opens the database and makes the Manager, as a start of the app does.
func (a *asking) start() {
	a.Helper()
	db, _, err := store.Open(context.Background(), a.data)
	if err != nil {
		a.Fatal(err)
	}
	clear(a.open)
	a.store = db
	a.desk = trust.NewManager(trust.ManagerConfig{
		Publish: func(events ...backend.Event) {
			a.mu.Lock()
			defer a.mu.Unlock()
			for _, e := range events {
				switch {
				case e.TrustRequest != nil:
					a.open[e.TrustRequest.Key] = *e.TrustRequest
				case e.TrustRequestDeleted != nil:
					delete(a.open, e.TrustRequestDeleted.ID)
				}
			}
		},
		Commit: func(ctx context.Context, events ...backend.Event) error {
			if a.commit != nil {
				a.commit()
			}
			return db.Apply(ctx, events, true)
		},
		Trusted:   db.Trusted,
		Redact:    func(text string) string { return strings.ReplaceAll(text, "secret", "***") },
		OnTrusted: func(_ string, chats []string) { a.freed = append(a.freed, chats...) },
		Log:       slog.New(slog.DiscardHandler),
	})
}

// restart ends the Manager and makes another one on the same data.
func (a *asking) restart() {
	a.Helper()
	if err := a.store.Close(); err != nil {
		a.Fatal(err)
	}
	a.start()
}

// check has an agent of the chat start in a folder, and expects whether it has to
// wait.
func (a *asking) check(chat, folder string, want bool) {
	a.Helper()
	a.checkFor(chat, folder, trust.Copilot, want)
}

func (a *asking) checkFor(chat, folder string, agents trust.AgentSet, want bool) {
	a.Helper()
	got, err := a.desk.Check(a.Context(), trust.Starter{ChatID: chat, Folder: filepath.Join(a.dir, filepath.FromSlash(folder)), Agent: "Copilot", Agents: agents})
	if err != nil || got != want {
		a.Fatalf("a start of %s in %s: got %t, %v, want %t", chat, folder, got, err, want)
	}
}

// request is the one request that is open.
func (a *asking) request() backend.TrustRequest {
	a.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.open) != 1 {
		a.Fatalf("got %d requests, want one: %+v", len(a.open), a.open)
	}
	for _, r := range a.open {
		return r
	}
	panic("unreachable")
}

func (a *asking) noRequest() {
	a.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.open) > 0 {
		a.Errorf("got %+v, want no request", a.open)
	}
}

// trust has the user trust what is asked for.
func (a *asking) trust() {
	a.Helper()
	if err := a.desk.Trust(a.Context(), a.request().ID); err != nil {
		a.Fatal(err)
	}
	a.noRequest()
}

// runs are the entries of a request: the file, the key, and the value before and
// now.
func runs(r backend.TrustRequest) (out []string) {
	for _, e := range r.Runs {
		line := e.File + " " + e.Key + ": "
		if e.Before != "" {
			line += e.Before + " -> "
		}
		out = append(out, line+e.Value)
	}
	return out
}

func (a *asking) asks(want ...string) {
	a.Helper()
	if got := runs(a.request()); !slices.Equal(got, want) {
		a.Errorf("got %q, want %q", got, want)
	}
}

// hook is a file of hooks that runs a command when a session starts.
func hook(command string) string {
	return fmt.Sprintf(`{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":%q}]}}`, command)
}

const hookFile = ".github/hooks/e.json"
