package runs

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sandbox/proxy"
	"github.com/voxpilot/voxpilot/backend/trust"
	"github.com/voxpilot/voxpilot/internal/need"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// env is a manager with one chat and without a sandbox.
type env struct {
	*Manager
	mu       sync.Mutex
	chat     backend.Chat
	settings backend.SandboxSettings
	rules    map[string]backend.RuleEffect
}

func newEnv(t testing.TB, data, folder string) *env {
	w := &env{chat: backend.Chat{ID: "chat", Folder: folder, Sandbox: backend.Sandbox{On: true}}, settings: backend.DefaultSettings().Sandbox, rules: map[string]backend.RuleEffect{}}
	w.Manager = New(Config{
		Data: data, Log: slog.New(slog.DiscardHandler),
		Chat: func(string) (backend.Chat, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.chat, nil
		},
		Settings: func() backend.SandboxSettings { return w.settings },
		AddSite: func(_ context.Context, _, site string) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.chat.Sandbox.Sites = append(slices.Clone(w.chat.Sandbox.Sites), site)
			return nil
		},
		HostRule: func(_, host string, _ int) backend.RuleEffect { return w.rules[host] },
		Places:   trust.Guard{}.Places,
		Own:      func() []string { return nil },
	})
	close(w.sited)
	t.Cleanup(w.Close)
	return w
}

func TestAllow_ByListsAndRules(t *testing.T) {
	w := newEnv(t, t.TempDir(), t.TempDir())
	w.status.Sites = []backend.SandboxSite{{Host: "registry.test", Tool: "npm"}, {Host: "off.test", Tool: "npm"}}
	w.settings.Sites, w.settings.BlockedSites, w.settings.WhenBlocked = []string{"*.wide.test", "both.test"}, []string{"off.test"}, backend.BlockedKeep
	w.chat.Sandbox.Sites = []string{"chat.test:8443"}
	w.rules = map[string]backend.RuleEffect{"both.test": backend.RuleDeny, "rule.test": backend.RuleAllow}
	ask := Command{Ask: func(context.Context, backend.Permission) bool { t.Error("the user is asked"); return true }}
	for _, c := range []struct {
		host string
		port int
		want proxy.Answer
	}{
		{"registry.test", 443, proxy.AllowPrivate},
		{"off.test", 443, proxy.Refuse},
		{"a.wide.test", 443, proxy.Allow},
		{"both.test", 443, proxy.Refuse},
		{"rule.test", 22, proxy.AllowPrivate},
		{"chat.test", 8443, proxy.AllowPrivate},
		{"chat.test", 443, proxy.Refuse},
		{"other.test", 443, proxy.Refuse},
	} {
		if got := w.allow(t.Context(), "chat", ask, backend.NetworkSites, c.host, c.port); got != c.want {
			t.Errorf("%s:%d: got %v, want %v", c.host, c.port, got, c.want)
		}
	}
	if got := w.allow(t.Context(), "chat", ask, backend.NetworkOff, "registry.test", 443); got != proxy.Refuse {
		t.Errorf("without network: got %v", got)
	}
}

// TestAllow_AsksOncePerSite checks that connections to one host share one request, and that the user isn't asked again
// about an allowed host.
func TestAllow_AsksOncePerSite(t *testing.T) {
	w := newEnv(t, t.TempDir(), t.TempDir())
	asked, answer := make(chan backend.Permission, 10), make(chan bool)
	c := Command{Ask: func(ctx context.Context, p backend.Permission) bool {
		asked <- p
		select {
		case allowed := <-answer:
			return allowed
		case <-ctx.Done():
			return false
		}
	}}
	const n = 5
	answers := make(chan proxy.Answer, n)
	for range n {
		go func() { answers <- w.allow(t.Context(), "chat", c, backend.NetworkSites, "new.test", 443) }()
	}
	p := <-asked
	if p.Command != "new.test" || !slices.Equal(p.Commands, []string{"https://new.test:443/"}) {
		t.Errorf("got %+v", p)
	}
	for waiting := 0; waiting < n; {
		w.Manager.mu.Lock()
		waiting = w.asks["chat new.test:443"].waiting
		w.Manager.mu.Unlock()
	}
	answer <- true
	for range n {
		if got := <-answers; got != proxy.AllowPrivate {
			t.Errorf("got %v", got)
		}
	}
	if got := w.allow(t.Context(), "chat", c, backend.NetworkSites, "new.test", 80); got != proxy.AllowPrivate || len(asked) != 0 {
		t.Errorf("got %v after %d more requests", got, len(asked))
	}
	if !slices.Equal(w.chat.Sandbox.Sites, []string{"new.test"}) {
		t.Errorf("the chat lists %q", w.chat.Sandbox.Sites)
	}
}

// TestAllow_NamesOtherPorts checks that a request names the port, unless it is 80 or 443.
func TestAllow_NamesOtherPorts(t *testing.T) {
	w := newEnv(t, t.TempDir(), t.TempDir())
	for port, want := range map[int]string{80: "new.test", 443: "new.test", 8443: "new.test:8443"} {
		var asked backend.Permission
		c := Command{Ask: func(_ context.Context, p backend.Permission) bool { asked = p; return false }}
		w.allow(t.Context(), "chat", c, backend.NetworkSites, "new.test", port)
		if asked.Command != want || asked.Title != "Reach "+want {
			t.Errorf("port %d: got %q, %q, want %q", port, asked.Title, asked.Command, want)
		}
	}
}

// TestAllow_RequestEndsWithConnections checks that a request is closed when the last connection that waits for it ends.
func TestAllow_RequestEndsWithConnections(t *testing.T) {
	w := newEnv(t, t.TempDir(), t.TempDir())
	asked, closed := make(chan bool, 1), make(chan bool)
	c := Command{Ask: func(ctx context.Context, _ backend.Permission) bool {
		asked <- true
		<-ctx.Done()
		close(closed)
		return false
	}}
	ctx, gone := context.WithCancel(t.Context())
	answered := make(chan proxy.Answer)
	go func() { answered <- w.allow(ctx, "chat", c, backend.NetworkSites, "new.test", 443) }()
	<-asked
	gone()
	<-closed
	if got := <-answered; got != proxy.Refuse {
		t.Errorf("got %v", got)
	}
}

func TestPolicy_WritesAndHides(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, name := range []string{"data/practice/hello", "data/models", "data/sandbox", "extra", "repo"} {
		if err := os.MkdirAll(at(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"init", "-q", at("repo")}, {"-C", at("repo"), "-c", "user.name=a", "-c", "user.email=a@b.test", "commit", "-q", "--allow-empty", "-m", "m"}, {"-C", at("repo"), "worktree", "add", "-q", at("tree")},
	} {
		if out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	w := newEnv(t, at("data"), at("tree"))
	w.chat.Sandbox.Write, w.settings.Write = []string{at("extra"), at("missing")}, []string{"~/voxpilot-missing"}
	p := w.policy(w.chat, Command{Folder: at("tree")})
	if want := []string{at("extra"), at("repo/.git/worktrees/tree"), at("repo/.git")}; !slices.Equal(p.Write, want) {
		t.Errorf("writable: %q, want %q", p.Write, want)
	}
	for _, place := range []string{at("tree/.git"), at("tree/.mcp.json"), at("extra/.mcp.json"), at("repo/.git/config"), at("repo/.git/hooks"), at("repo/.git/worktrees/tree/gitdir")} {
		if !slices.Contains(p.Protected, place) {
			t.Errorf("%s isn't protected", place)
		}
	}
	if p.Network != backend.NetworkSites || !p.Temp || !slices.Contains(p.Hidden, at("data")) {
		t.Errorf("got %+v", p)
	}
	// The practice chat's folder is in the data folder. Everything else there is hidden.
	p = w.policy(backend.Chat{Sandbox: backend.Sandbox{On: true, OnlyFolder: true, Network: backend.NetworkOff}}, Command{Folder: at("data/practice/hello")})
	if p.Temp || p.Network != backend.NetworkOff || !slices.Contains(p.Hidden, at("data/models")) || !slices.Contains(p.Hidden, at("data/sandbox")) ||
		slices.Contains(p.Hidden, at("data")) || slices.Contains(p.Hidden, at("data/practice")) {
		t.Errorf("got %+v", p.Hidden)
	}
}

// TestPolicy_ForeignRepositoryIsReadOnly checks that a ".git" file that names another repository doesn't make that
// repository's git directory writable.
func TestPolicy_ForeignRepositoryIsReadOnly(t *testing.T) {
	need.Programs(t, "git")
	base := t.TempDir()
	victim, folder := filepath.Join(base, "victim"), filepath.Join(base, "folder")
	for _, dir := range []string{victim, folder} {
		if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	w := newEnv(t, t.TempDir(), filepath.Join(victim, "deep"))
	inside := filepath.Join(victim, "deep")
	if err := os.Mkdir(inside, 0o700); err != nil {
		t.Fatal(err)
	}
	own := realPath(filepath.Join(victim, ".git"))
	if p := w.policy(w.chat, Command{Folder: inside}); !slices.Contains(p.Write, own) {
		t.Errorf("the git directory of the chat's own repository can't be changed: %q", p.Write)
	}
	if err := os.RemoveAll(filepath.Join(folder, ".git")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, ".git"), []byte("gitdir: "+own+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if p := w.policy(backend.Chat{ID: "chat", Folder: folder}, Command{Folder: folder}); len(p.Write) > 0 {
		t.Errorf("writable besides the folder: %q", p.Write)
	}
}

// TestAgentStart_Name checks that an agent is recognized by its file name even if a folder in its path has the name of
// another agent.
func TestAgentStart_Name(t *testing.T) {
	for want, program := range map[string][]string{
		"codex":  {"/home/claude/bin/codex"},
		"claude": {"/usr/bin/node", "/opt/codex/Claude-code-acp/index.js"},
		"":       {"/usr/bin/agent", "--acp"},
	} {
		for range 20 { // the names are in a map
			if got := (AgentStart{Program: program}).name(); got != want {
				t.Fatalf("%q: got %q, want %q", program, got, want)
			}
		}
	}
}
