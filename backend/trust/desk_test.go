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

// asking is a Desk on a real database, and what it asks.
type asking struct {
	*world
	data  string
	store *store.Store
	desk  *trust.Desk

	mu     sync.Mutex
	open   map[string]backend.TrustRequest // by key
	freed  []string
	commit func() // runs before what is trusted is written
}

// newAsking makes a Desk for a repository with a hook.
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

// start opens the database and makes the Desk, as a start of the app does.
func (a *asking) start() {
	a.Helper()
	db, _, err := store.Open(context.Background(), a.data)
	if err != nil {
		a.Fatal(err)
	}
	clear(a.open)
	a.store = db
	a.desk = trust.NewDesk(trust.DeskConfig{
		Publish: func(events ...backend.Event) {
			a.mu.Lock()
			defer a.mu.Unlock()
			for _, e := range events {
				switch {
				case e.Trust != nil:
					a.open[e.Trust.Key] = *e.Trust
				case e.TrustGone != nil:
					delete(a.open, e.TrustGone.ID)
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
		OnTrusted: func(_ string, chats []string) { a.freed = append(a.freed, chats...) },
		Log:       slog.New(slog.DiscardHandler),
	})
}

// restart ends the Desk and makes another one on the same data.
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

func (a *asking) checkFor(chat, folder string, agents trust.Agents, want bool) {
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

func TestDesk_AsksUntilTheFolderIsTrusted(t *testing.T) {
	a := newAsking(t)
	a.check("one", "repo", false)
	a.noRequest()
	repo := a.in("repo")
	file := repo.write(hookFile, hook("echo hi"))
	repo.write("AGENTS.md", "Be kind.")
	a.check("one", "repo", true)
	a.check("two", "repo", true)
	r := a.request()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case r.Key != filepath.Join(repo.dir, ".git"), r.Folder != repo.dir, r.Root != repo.dir, r.Agent != "Copilot", r.Changed, r.Incomplete, r.From != "", r.ClonedAt != 0:
		t.Errorf("got %+v", r)
	case !slices.Equal(r.ChatIDs, []string{"one", "two"}):
		t.Errorf("got %q, want both chats", r.ChatIDs)
	case len(r.Steers) != 1 || r.Steers[0].File != "AGENTS.md" || r.Steers[0].Size != 8:
		t.Errorf("got the instructions %+v", r.Steers)
	}
	a.asks(hookFile + " hooks.sessionStart: echo hi")
	if e := r.Runs[0]; e.Size != info.Size() || e.ChangedAt != backend.Millis(info.ModTime().UnixMilli()) {
		t.Errorf("got %d bytes of %d", e.Size, e.ChangedAt)
	}
	a.trust()
	if !slices.Equal(a.freed, []string{"one", "two"}) {
		t.Errorf("got %q, want both chats to go on", a.freed)
	}
	a.check("one", "repo", false)
	repo.write("AGENTS.md", "Be quick.") // instructions need no trust
	a.check("one", "repo", false)
	a.restart()
	a.check("three", "repo/.github", false)
}

func TestDesk_AsksForWhatChangedOnly(t *testing.T) {
	a := newAsking(t)
	repo := a.in("repo")
	repo.write(hookFile, hook("echo one"))
	repo.write(".mcp.json", `{"mcpServers":{"a":{"command":"a"}}}`)
	a.check("one", "repo", true)
	a.trust()

	repo.write(hookFile, hook("echo two"))
	repo.write(".github/hooks/new.json", hook("echo new"))
	a.check("one", "repo", true)
	a.asks(hookFile+" hooks.sessionStart: echo one -> echo two", ".github/hooks/new.json hooks.sessionStart: echo new")
	if !a.request().Changed {
		t.Error("got a request as of a new folder")
	}
	// What was trusted before stays trusted: branches go back and forth.
	repo.write(hookFile, hook("echo one"))
	a.check("one", "repo", true)
	a.asks(".github/hooks/new.json hooks.sessionStart: echo new")
	a.trust()
	repo.write(hookFile, hook("echo two"))
	a.check("one", "repo", true)
	a.trust()
	for _, command := range []string{"echo one", "echo two", "echo one"} {
		repo.write(hookFile, hook(command))
		a.check("one", "repo", false)
	}
	// The file is not what counts: another one with the same hook is new.
	if err := os.Rename(filepath.Join(repo.dir, ".github/hooks/e.json"), filepath.Join(repo.dir, ".github/hooks/f.json")); err != nil {
		t.Fatal(err)
	}
	a.check("one", "repo", true)
	a.asks(".github/hooks/f.json hooks.sessionStart: echo one")
}

func TestDesk_TrustsAScriptWithItsHook(t *testing.T) {
	a := newAsking(t)
	repo := a.in("repo")
	repo.write(hookFile, hook("./start.sh"))
	repo.write("start.sh", "echo one")
	a.check("one", "repo", true)
	a.trust()
	repo.write("start.sh", "echo two")
	a.check("one", "repo", true)
	a.asks(hookFile + " hooks.sessionStart: ./start.sh -> ./start.sh")
}

func TestDesk_WithdrawsWhatNothingWaitsFor(t *testing.T) {
	a := newAsking(t)
	repo := a.in("repo")
	file := repo.write(hookFile, hook("echo hi"))
	a.check("one", "repo", true)
	a.check("two", "repo", true)
	id := a.request().ID
	a.desk.Settled("one")
	if r := a.request(); r.ID != id || !slices.Equal(r.ChatIDs, []string{"two"}) {
		t.Errorf("got %+v, want the same request for the other chat", r)
	}
	a.desk.Settled("two")
	a.noRequest()
	if err := a.desk.Trust(t.Context(), id); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("got %v for a request that is gone", err)
	}

	// What was asked for is gone: all chats go on as soon as one looks.
	a.check("one", "repo", true)
	a.check("two", "repo", true)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	a.check("two", "repo", false)
	a.noRequest()
	if !slices.Equal(a.freed, []string{"one"}) {
		t.Errorf("got %q, want the other chat to go on", a.freed)
	}
}

func TestDesk_RefusesWhatChangedSinceItWasShown(t *testing.T) {
	a := newAsking(t)
	repo := a.in("repo")
	repo.write(hookFile, hook("echo hi"))
	a.check("one", "repo", true)
	shown := a.request()
	repo.write(hookFile, hook("echo evil"))
	if err := a.desk.Trust(t.Context(), shown.ID); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("got %v, want it refused", err)
	}
	a.asks(hookFile + " hooks.sessionStart: echo evil")
	if err := a.desk.Trust(t.Context(), shown.ID); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("got %v for a request that was replaced", err)
	}
	a.check("one", "repo", true)
	if len(a.freed) > 0 {
		t.Errorf("got %q, want every chat to wait", a.freed)
	}
	// What is written between the comparison and the commit is not trusted either.
	a.commit = func() { repo.write(hookFile, hook("echo late")) }
	a.trust()
	a.commit = nil
	a.check("one", "repo", true)
	a.asks(hookFile + " hooks.sessionStart: echo evil -> echo late")
	if err := os.Remove(filepath.Join(repo.dir, filepath.FromSlash(hookFile))); err != nil {
		t.Fatal(err)
	}
	if err := a.desk.Trust(t.Context(), a.request().ID); err != nil {
		t.Errorf("got %v where nothing is left to trust", err)
	}
	a.noRequest()
}

func TestDesk_WorktreesShareTrust(t *testing.T) {
	a := newAsking(t)
	repo := a.in("repo")
	repo.write(hookFile, hook("echo hi"))
	repo.git("add", ".")
	repo.git("commit", "-qm", "one")
	repo.git("worktree", "add", "-q", filepath.Join(a.dir, "tree"), "-b", "tree")
	a.check("one", "repo", true)
	a.check("two", "tree", true)
	a.asks(hookFile + " hooks.sessionStart: echo hi") // once
	a.trust()
	a.check("two", "tree", false)
	a.in("tree").write(hookFile, hook("echo tree"))
	a.check("one", "repo", false)
	a.check("two", "tree", true)
	a.asks(hookFile + " hooks.sessionStart: echo hi -> echo tree")
	if r := a.request(); r.Root != filepath.Join(a.dir, "tree") {
		t.Errorf("got the root %s", r.Root)
	}

	// A folder that only names the repository's git directory has no part in it.
	for name, to := range map[string]string{"claims": "repo/.git", "claims worktree": "repo/.git/worktrees/tree"} {
		foreign := a.in(name)
		foreign.write(".git", "gitdir: "+filepath.ToSlash(filepath.Join(a.dir, to))+"\n")
		foreign.write(hookFile, hook("echo hi"))
		a.check(name, name, true)
		a.desk.Settled(name)
	}
	linked := a.in("linked")
	if err := os.Symlink(filepath.Join(a.dir, "repo", ".git"), filepath.Join(linked.dir, ".git")); err != nil {
		t.Skip(err)
	}
	linked.write(hookFile, hook("echo hi"))
	a.check("linked", "linked", true)
}

func TestDesk_AsksOnceForSeveralAgents(t *testing.T) {
	a := newAsking(t)
	repo := a.in("repo")
	repo.write(".gemini/settings.json", `{"mcpServers":{"a":{"command":"a"}}}`)
	a.check("one", "repo", false) // Copilot does not read it
	a.checkFor("two", "repo", trust.Everyone, true)
	repo.write(hookFile, hook("echo hi"))
	a.check("one", "repo", true)
	a.asks(".gemini/settings.json mcpServers.a: a", hookFile+" hooks.sessionStart: echo hi")
	a.trust()
	a.check("one", "repo", false)
	a.checkFor("two", "repo", trust.Everyone, false)
}

func TestDesk_IncompleteIsNotRemembered(t *testing.T) {
	a := newAsking(t)
	repo := a.in("repo")
	for i := range 20 { // deeper than is looked
		repo.write(".github/hooks/"+strings.Repeat("d/", i)+"e.json", hook("echo hi"))
	}
	a.check("one", "repo", true)
	a.check("two", "repo", true)
	if !a.request().Incomplete {
		t.Fatal("got a complete inventory")
	}
	a.trust()
	if entries, known, err := a.store.Trusted(t.Context(), filepath.Join(repo.dir, ".git")); len(entries) > 0 || known || err != nil {
		t.Errorf("got %v, %t, %v, want nothing to be remembered", entries, known, err)
	}
	a.check("one", "repo", false) // before the process, and again
	a.check("one", "repo", false) // before the session
	a.check("two", "repo", false)
	a.desk.Ended("one")
	a.check("one", "repo", true)
	a.check("two", "repo", false)
	repo.write(".mcp.json", `{"mcpServers":{"a":{"command":"a"}}}`)
	a.check("two", "repo", true)
}

func TestDesk_ForgetsAFolder(t *testing.T) {
	a := newAsking(t)
	repo := a.in("repo")
	repo.write(hookFile, hook("echo hi"))
	a.check("one", "repo", true)
	key := a.request().Key
	a.trust()
	if err := a.desk.Forget(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if err := a.desk.Forget(t.Context(), key); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("got %v for a folder that is not trusted", err)
	}
	a.check("one", "repo", true)
	if a.request().Changed {
		t.Error("got a change, want all of the folder asked for")
	}
	a.asks(hookFile + " hooks.sessionStart: echo hi")
}

func TestDesk_BoundsAndCleansWhatItLists(t *testing.T) {
	a := newAsking(t)
	repo := a.in("repo")
	for i := range 230 {
		repo.write(fmt.Sprintf(".github/hooks/%03d.json", i), hook("echo hi"))
		repo.write(fmt.Sprintf(".github/instructions/%03d.md", i), "Be kind.")
	}
	repo.write(".github/hooks/000.sh", "echo \xff\xfe")
	repo.write(".github/hooks/large.json", strings.Repeat(" ", 2<<20)+"{}")
	repo.write(".git/config", "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = https://me:secret@git.example.com:8443/group/project.git\n")
	a.check("one", "repo", true)
	r := a.request()
	if len(r.Runs) != 200 || r.MoreRuns != 32 || len(r.Steers) != 200 || r.MoreSteers != 30 {
		t.Errorf("got %d and %d more, %d and %d more", len(r.Runs), r.MoreRuns, len(r.Steers), r.MoreSteers)
	}
	if got := runs(r)[1]; got != ".github/hooks/000.sh : echo \uFFFD" {
		t.Errorf("got %q", got)
	}
	if r.From != "git.example.com:8443/group/project" {
		t.Errorf("got it from %q", r.From)
	}
	info, err := os.Stat(filepath.Join(repo.dir, ".git", "description"))
	if err != nil || r.ClonedAt != backend.Millis(info.ModTime().UnixMilli()) {
		t.Errorf("got %d, %v", r.ClonedAt, err)
	}
	a.trust() // also what is not listed
	a.check("one", "repo", false)
}

func TestDesk_FolderThatIsGoneOrCannotBeRead(t *testing.T) {
	a := newAsking(t)
	if asked, err := a.desk.Check(t.Context(), trust.Starter{ChatID: "one", Folder: filepath.Join(a.dir, "absent"), Agents: trust.Copilot}); asked || err == nil {
		t.Errorf("got %t, %v of a folder that is not there", asked, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if asked, err := a.desk.Check(ctx, trust.Starter{ChatID: "one", Folder: a.path("repo"), Agents: trust.Copilot}); !asked || err == nil {
		t.Errorf("got %t, %v after the end, want the start to wait", asked, err)
	}
	a.noRequest()
	if os.Geteuid() <= 0 {
		return // nothing is closed to an administrator, nor by these bits to anyone on Windows
	}
	closed := a.in("closed")
	closed.write(hookFile, hook("echo hi"))
	if err := os.Chmod(closed.dir, 0o100); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(closed.dir, 0o700) })
	a.check("one", "closed", true)
	if r := a.request(); !r.Incomplete || len(r.Runs) != 1 || r.Runs[0].Note != string(trust.NoteUnread) {
		t.Errorf("got %+v", r)
	}
}

func TestDesk_DamagedRowsTrustNothing(t *testing.T) {
	a := newAsking(t)
	repo := a.in("repo")
	repo.write(hookFile, hook("echo hi"))
	key := filepath.Join(repo.dir, ".git")
	damaged := backend.TrustedFolder{Key: key, Folder: repo.dir, Add: []backend.TrustedEntry{
		{File: hookFile, Key: "hooks.sessionStart", Digest: "", Value: "echo hi"},
		{File: "", Key: "", Digest: "\x00\xff", Value: "\xff"},
	}}
	if err := a.store.Apply(t.Context(), []backend.Event{{Trusted: &damaged}}, true); err != nil {
		t.Fatal(err)
	}
	a.check("one", "repo", true)
	a.asks(hookFile + " hooks.sessionStart: echo hi -> echo hi")
	if err := a.store.Close(); err != nil {
		t.Fatal(err)
	}
	a.check("two", "repo", true) // a database that can't be read trusts nothing
	a.start()
}

func TestDesk_ReadsListedFilesOnly(t *testing.T) {
	a := newAsking(t)
	repo := a.in("repo")
	outside := a.write("secret.txt", "secret")
	text := strings.Repeat("x", 300<<10)
	repo.write(".github/hooks/long.sh", text)
	repo.write("AGENTS.md", "Be kind.")
	repo.write(".git/config", "[core]\n\tfsmonitor = ./run\n")
	if err := os.Symlink(outside, filepath.Join(repo.dir, ".github/hooks/out.json")); err != nil {
		t.Skip(err)
	}
	a.check("one", "repo", true)
	id := a.request().ID
	if got, err := a.desk.Read(id, ".github/hooks/long.sh"); err != nil || len(got.Text) != 256<<10 || !got.Cut || got.Size != int64(len(text)) {
		t.Errorf("got %d of %d bytes, %t, %v", len(got.Text), got.Size, got.Cut, err)
	}
	for file, want := range map[string]string{"AGENTS.md": "Be kind.", ".git/config": "[core]\n\tfsmonitor = ./run\n"} {
		if got, err := a.desk.Read(id, file); err != nil || got.Text != want || got.Cut {
			t.Errorf("%s: got %+v, %v", file, got, err)
		}
	}
	for _, file := range []string{"README.md", "../secret.txt", outside, "", ".github/hooks/out.json"} {
		if got, err := a.desk.Read(id, file); backend.CodeOf(err) != backend.CodeNotFound || got.Text != "" {
			t.Errorf("%s: got %+v, %v, want it not to be found", file, got, err)
		}
	}
	if _, err := a.desk.Read("other", "AGENTS.md"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("got %v for a request that is not there", err)
	}
}

func TestDesk_ManyChatsAtOnce(t *testing.T) {
	a := newAsking(t)
	a.in("repo").write(hookFile, hook("echo hi"))
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			id := fmt.Sprint("chat", i)
			if asked, err := a.desk.Check(t.Context(), trust.Starter{ChatID: id, Folder: filepath.Join(a.dir, "repo"), Agents: trust.Copilot}); !asked || err != nil {
				t.Errorf("got %t, %v", asked, err)
			}
			if i%2 == 1 {
				a.desk.Settled(id)
			}
		})
	}
	all.Wait()
	if got := a.request().ChatIDs; len(got) != 4 {
		t.Errorf("got %q, want the four chats that still wait", got)
	}
	a.trust()
	if len(a.freed) != 4 {
		t.Errorf("got %q", a.freed)
	}
}
