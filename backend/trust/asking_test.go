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

// managerEnv is a manager with a real database, and the requests it has published.
type managerEnv struct {
	*env
	data    string
	store   *store.Store
	manager *trust.Manager

	mu           sync.Mutex
	openRequests map[string]backend.TrustRequest // by key
	withdrawn    []string
	commit       func() // called before trusted entries are written
}

// newManagerEnv creates a manager and a repository without anything that can run code.
func newManagerEnv(t *testing.T) *managerEnv {
	t.Helper()
	a := &managerEnv{env: newEnv(t), data: t.TempDir(), openRequests: map[string]backend.TrustRequest{}}
	a.start()
	t.Cleanup(func() {
		if err := a.store.Close(); err != nil {
			t.Error(err)
		}
	})
	repo := a.subfolder("repo")
	repo.write("README.md", "Hello")
	repo.git("init", "-q")
	return a
}

// subfolder creates a folder in the test's folder and returns an env for it.
func (a *managerEnv) subfolder(name string) *env { return &env{a.T, a.path(name)} }

func (a *managerEnv) path(name string) string {
	dir := filepath.Join(a.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		a.Fatal(err)
	}
	return dir
}

// start opens the database and creates the manager, as the app does when it starts.
func (a *managerEnv) start() {
	a.Helper()
	db, _, err := store.Open(context.Background(), a.data)
	if err != nil {
		a.Fatal(err)
	}
	clear(a.openRequests)
	a.store = db
	a.manager = trust.NewManager(trust.ManagerConfig{
		Publish: func(events ...backend.Event) {
			a.mu.Lock()
			defer a.mu.Unlock()
			for _, e := range events {
				switch {
				case e.TrustRequest != nil:
					a.openRequests[e.TrustRequest.Key] = *e.TrustRequest
				case e.TrustRequestDeleted != nil:
					delete(a.openRequests, e.TrustRequestDeleted.ID)
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
		OnTrusted: func(_ string, chats []string) { a.withdrawn = append(a.withdrawn, chats...) },
		Log:       slog.New(slog.DiscardHandler),
	})
}

// restart closes the manager and creates another one with the same data.
func (a *managerEnv) restart() {
	a.Helper()
	if err := a.store.Close(); err != nil {
		a.Fatal(err)
	}
	a.start()
}

// check checks whether the chat's agent must wait before it can start in the folder. It fails the test unless the
// result is want.
func (a *managerEnv) check(chat, folder string, want bool) {
	a.Helper()
	a.checkFor(chat, folder, trust.Copilot, want)
}

func (a *managerEnv) checkFor(chat, folder string, agents trust.AgentSet, want bool) {
	a.Helper()
	got, err := a.manager.Check(a.Context(), trust.Starter{ChatID: chat, Folder: filepath.Join(a.dir, filepath.FromSlash(folder)), Agent: "Copilot", Agents: agents})
	if err != nil || got != want {
		a.Fatalf("a start of %s in %s: got %t, %v, want %t", chat, folder, got, err, want)
	}
}

// request returns the only open request.
func (a *managerEnv) request() backend.TrustRequest {
	a.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.openRequests) != 1 {
		a.Fatalf("got %d requests, want one: %+v", len(a.openRequests), a.openRequests)
	}
	for _, r := range a.openRequests {
		return r
	}
	panic("unreachable")
}

func (a *managerEnv) expectNoRequest() {
	a.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.openRequests) > 0 {
		a.Errorf("got %+v, want no request", a.openRequests)
	}
}

// trust accepts the open request.
func (a *managerEnv) trust() {
	a.Helper()
	if err := a.manager.Trust(a.Context(), a.request().ID); err != nil {
		a.Fatal(err)
	}
	a.expectNoRequest()
}

// entryLines returns one line per entry of a request, with the entry's file, key, and previous and current values.
func entryLines(r backend.TrustRequest) (out []string) {
	for _, e := range r.Runs {
		line := e.File + " " + e.Key + ": "
		if e.Before != "" {
			line += e.Before + " -> "
		}
		out = append(out, line+e.Value)
	}
	return out
}

func (a *managerEnv) expectEntries(want ...string) {
	a.Helper()
	if got := entryLines(a.request()); !slices.Equal(got, want) {
		a.Errorf("got %q, want %q", got, want)
	}
}

// hook returns the content of a hooks file that runs a command when a session starts.
func hook(command string) string {
	return fmt.Sprintf(`{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":%q}]}}`, command)
}

const hookFile = ".github/hooks/e.json"
