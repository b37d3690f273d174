package trust_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/trust"
)

func TestManager_AsksUntilFolderIsTrusted(t *testing.T) {
	a := newManagerEnv(t)
	a.check("one", "repo", false)
	a.expectNoRequest()
	repo := a.subfolder("repo")
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
	a.expectEntries(hookFile + " hooks.sessionStart: echo hi")
	if e := r.Runs[0]; e.Size != info.Size() || e.ChangedAt != backend.Millis(info.ModTime().UnixMilli()) {
		t.Errorf("got %d bytes of %d", e.Size, e.ChangedAt)
	}
	a.trust()
	if !slices.Equal(a.withdrawn, []string{"one", "two"}) {
		t.Errorf("got %q, want both chats to go on", a.withdrawn)
	}
	a.check("one", "repo", false)
	repo.write("AGENTS.md", "Be quick.") // instructions require no trust
	a.check("one", "repo", false)
	a.restart()
	a.check("three", "repo/.github", false)
}

func TestManager_AsksAboutChangesOnly(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
	repo.write(hookFile, hook("echo one"))
	repo.write(".mcp.json", `{"mcpServers":{"a":{"command":"a"}}}`)
	a.check("one", "repo", true)
	a.trust()

	repo.write(hookFile, hook("echo two"))
	repo.write(".github/hooks/new.json", hook("echo new"))
	a.check("one", "repo", true)
	a.expectEntries(hookFile+" hooks.sessionStart: echo one -> echo two", ".github/hooks/new.json hooks.sessionStart: echo new")
	if !a.request().Changed {
		t.Error("got a request as of a new folder")
	}
	// Previously trusted content stays trusted: users switch between branches.
	repo.write(hookFile, hook("echo one"))
	a.check("one", "repo", true)
	a.expectEntries(".github/hooks/new.json hooks.sessionStart: echo new")
	a.trust()
	repo.write(hookFile, hook("echo two"))
	a.check("one", "repo", true)
	a.trust()
	for _, command := range []string{"echo one", "echo two", "echo one"} {
		repo.write(hookFile, hook(command))
		a.check("one", "repo", false)
	}
	// The file counts too: the same hook in another file is new.
	if err := os.Rename(filepath.Join(repo.dir, ".github/hooks/e.json"), filepath.Join(repo.dir, ".github/hooks/f.json")); err != nil {
		t.Fatal(err)
	}
	a.check("one", "repo", true)
	a.expectEntries(".github/hooks/f.json hooks.sessionStart: echo one")
}

func TestManager_TrustsScriptWithHook(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
	repo.write(hookFile, hook("./start.sh"))
	repo.write("start.sh", "echo one")
	a.check("one", "repo", true)
	a.trust()
	repo.write("start.sh", "echo two")
	a.check("one", "repo", true)
	a.expectEntries(hookFile + " hooks.sessionStart: ./start.sh -> ./start.sh")
}

func TestManager_WithdrawsUnneededRequest(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
	file := repo.write(hookFile, hook("echo hi"))
	a.check("one", "repo", true)
	a.check("two", "repo", true)
	id := a.request().ID
	a.manager.RemoveChat("one")
	if r := a.request(); r.ID != id || !slices.Equal(r.ChatIDs, []string{"two"}) {
		t.Errorf("got %+v, want the same request for the other chat", r)
	}
	a.manager.RemoveChat("two")
	a.expectNoRequest()
	if err := a.manager.Trust(t.Context(), id); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("got %v for a request that is gone", err)
	}

	// The requested content was removed: all chats continue as soon as one checks.
	a.check("one", "repo", true)
	a.check("two", "repo", true)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	a.check("two", "repo", false)
	a.expectNoRequest()
	if !slices.Equal(a.withdrawn, []string{"one"}) {
		t.Errorf("got %q, want the other chat to go on", a.withdrawn)
	}
}

func TestManager_RefusesTrustAfterChange(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
	repo.write(hookFile, hook("echo hi"))
	a.check("one", "repo", true)
	shown := a.request()
	repo.write(hookFile, hook("echo evil"))
	if err := a.manager.Trust(t.Context(), shown.ID); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("got %v, want it refused", err)
	}
	a.expectEntries(hookFile + " hooks.sessionStart: echo evil")
	if err := a.manager.Trust(t.Context(), shown.ID); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("got %v for a request that was replaced", err)
	}
	a.check("one", "repo", true)
	if len(a.withdrawn) > 0 {
		t.Errorf("got %q, want every chat to wait", a.withdrawn)
	}
	// Content written between comparison and commit isn't trusted either.
	a.commit = func() { repo.write(hookFile, hook("echo late")) }
	a.trust()
	a.commit = nil
	a.check("one", "repo", true)
	a.expectEntries(hookFile + " hooks.sessionStart: echo evil -> echo late")
	if err := os.Remove(filepath.Join(repo.dir, filepath.FromSlash(hookFile))); err != nil {
		t.Fatal(err)
	}
	if err := a.manager.Trust(t.Context(), a.request().ID); err != nil {
		t.Errorf("got %v where nothing is left to trust", err)
	}
	a.expectNoRequest()
}

func TestManager_WorktreesShareTrust(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
	repo.write(hookFile, hook("echo hi"))
	repo.git("add", ".")
	repo.git("commit", "-qm", "one")
	repo.git("worktree", "add", "-q", filepath.Join(a.dir, "tree"), "-b", "tree")
	a.check("one", "repo", true)
	a.check("two", "tree", true)
	a.expectEntries(hookFile + " hooks.sessionStart: echo hi") // listed once
	a.trust()
	a.check("two", "tree", false)
	a.subfolder("tree").write(hookFile, hook("echo tree"))
	a.check("one", "repo", false)
	a.check("two", "tree", true)
	a.expectEntries(hookFile + " hooks.sessionStart: echo hi -> echo tree")
	if r := a.request(); r.Root != filepath.Join(a.dir, "tree") {
		t.Errorf("got the root %s", r.Root)
	}

	// A folder that only points to the repository's git directory doesn't share its trust.
	for name, to := range map[string]string{"claims": "repo/.git", "claims worktree": "repo/.git/worktrees/tree"} {
		foreign := a.subfolder(name)
		foreign.write(".git", "gitdir: "+filepath.ToSlash(filepath.Join(a.dir, to))+"\n")
		foreign.write(hookFile, hook("echo hi"))
		a.check(name, name, true)
		a.manager.RemoveChat(name)
	}
	linked := a.subfolder("linked")
	if err := os.Symlink(filepath.Join(a.dir, "repo", ".git"), filepath.Join(linked.dir, ".git")); err != nil {
		t.Skip(err)
	}
	linked.write(hookFile, hook("echo hi"))
	a.check("linked", "linked", true)
}

func TestManager_AsksOnceForSeveralAgents(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
	repo.write(".gemini/settings.json", `{"mcpServers":{"a":{"command":"a"}}}`)
	a.check("one", "repo", false) // Copilot doesn't read it
	a.checkFor("two", "repo", trust.Everyone, true)
	repo.write(hookFile, hook("echo hi"))
	a.check("one", "repo", true)
	a.expectEntries(".gemini/settings.json mcpServers.a: a", hookFile+" hooks.sessionStart: echo hi")
	a.trust()
	a.check("one", "repo", false)
	a.checkFor("two", "repo", trust.Everyone, false)
}

func TestManager_IncompleteIsNotStored(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
	for i := range 20 { // deeper than maxDepth
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
	a.check("one", "repo", false) // before the process starts, and again
	a.check("one", "repo", false) // before the session starts
	a.check("two", "repo", false)
	a.manager.NewStart("one")
	a.check("one", "repo", true)
	a.check("two", "repo", false)
	repo.write(".mcp.json", `{"mcpServers":{"a":{"command":"a"}}}`)
	a.check("two", "repo", true)
}

func TestManager_ForgetsFolder(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
	repo.write(hookFile, hook("echo hi"))
	a.check("one", "repo", true)
	key := a.request().Key
	a.trust()
	if err := a.manager.Forget(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if err := a.manager.Forget(t.Context(), key); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("got %v for a folder that is not trusted", err)
	}
	a.check("one", "repo", true)
	if a.request().Changed {
		t.Error("got a change, want all of the folder asked for")
	}
	a.expectEntries(hookFile + " hooks.sessionStart: echo hi")
}
