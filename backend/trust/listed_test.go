package trust_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/trust"
)

func TestManager_BoundsAndCleansList(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
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
	if got := entryLines(r)[1]; got != ".github/hooks/000.sh : echo \uFFFD" {
		t.Errorf("got %q", got)
	}
	if r.From != "git.example.com:8443/group/project" {
		t.Errorf("got it from %q", r.From)
	}
	info, err := os.Stat(filepath.Join(repo.dir, ".git", "description"))
	if err != nil || r.ClonedAt != backend.Millis(info.ModTime().UnixMilli()) {
		t.Errorf("got %d, %v", r.ClonedAt, err)
	}
	a.trust() // including unlisted entries
	a.check("one", "repo", false)
}

func TestManager_MissingOrUnreadableFolder(t *testing.T) {
	a := newManagerEnv(t)
	if asked, err := a.manager.Check(t.Context(), trust.Starter{ChatID: "one", Folder: filepath.Join(a.dir, "absent"), Agents: trust.Copilot}); asked || err == nil {
		t.Errorf("got %t, %v of a folder that doesn't exist", asked, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if asked, err := a.manager.Check(ctx, trust.Starter{ChatID: "one", Folder: a.path("repo"), Agents: trust.Copilot}); !asked || err == nil {
		t.Errorf("got %t, %v after the end, want the start to wait", asked, err)
	}
	a.expectNoRequest()
	if os.Geteuid() <= 0 {
		return // permissions don't restrict administrators, and these bits have no effect on Windows
	}
	closed := a.subfolder("closed")
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

func TestManager_DamagedRowsTrustNothing(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
	repo.write(hookFile, hook("echo hi"))
	key := filepath.Join(repo.dir, ".git")
	damaged := backend.TrustedFolder{Key: key, Folder: repo.dir, Add: []backend.TrustedEntry{
		{File: hookFile, Key: "hooks.sessionStart", Digest: "", Value: "echo hi"},
		{File: "", Key: "", Digest: "\x00\xff", Value: "\xff"},
	}}
	if err := a.store.Apply(t.Context(), []backend.Event{{TrustedFolder: &damaged}}, true); err != nil {
		t.Fatal(err)
	}
	a.check("one", "repo", true)
	a.expectEntries(hookFile + " hooks.sessionStart: echo hi -> echo hi")
	if err := a.store.Close(); err != nil {
		t.Fatal(err)
	}
	a.check("two", "repo", true) // with an unreadable database, nothing is trusted
	a.start()
}

func TestManager_ReadsListedFilesOnly(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
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
	if got, err := a.manager.Read(id, ".github/hooks/long.sh"); err != nil || len(got.Text) != 256<<10 || !got.Cut || got.Size != int64(len(text)) {
		t.Errorf("got %d of %d bytes, %t, %v", len(got.Text), got.Size, got.Cut, err)
	}
	for file, want := range map[string]string{"AGENTS.md": "Be kind.", ".git/config": "[core]\n\tfsmonitor = ./run\n"} {
		if got, err := a.manager.Read(id, file); err != nil || got.Text != want || got.Cut {
			t.Errorf("%s: got %+v, %v", file, got, err)
		}
	}
	for _, file := range []string{"README.md", "../secret.txt", outside, "", ".github/hooks/out.json"} {
		if got, err := a.manager.Read(id, file); backend.CodeOf(err) != backend.CodeNotFound || got.Text != "" {
			t.Errorf("%s: got %+v, %v, want it not to be found", file, got, err)
		}
	}
	if _, err := a.manager.Read("other", "AGENTS.md"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("got %v for a request that doesn't exist", err)
	}
}

func TestManager_ManyChatsAtOnce(t *testing.T) {
	a := newManagerEnv(t)
	a.subfolder("repo").write(hookFile, hook("echo hi"))
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			id := fmt.Sprint("chat", i)
			if asked, err := a.manager.Check(t.Context(), trust.Starter{ChatID: id, Folder: filepath.Join(a.dir, "repo"), Agents: trust.Copilot}); !asked || err != nil {
				t.Errorf("got %t, %v", asked, err)
			}
			if i%2 == 1 {
				a.manager.RemoveChat(id)
			}
		})
	}
	all.Wait()
	if got := a.request().ChatIDs; len(got) != 4 {
		t.Errorf("got %q, want the four chats that still wait", got)
	}
	a.trust()
	if len(a.withdrawn) != 4 {
		t.Errorf("got %q", a.withdrawn)
	}
}

func TestManager_StoresNoSecret(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
	repo.write(hookFile, hook("echo secret"))
	a.check("one", "repo", true)
	a.expectEntries(hookFile + " hooks.sessionStart: echo secret") // the user sees what it would run
	a.trust()
	a.check("one", "repo", false)
	repo.write(hookFile, hook("echo two"))
	a.check("one", "repo", true)
	a.expectEntries(hookFile + " hooks.sessionStart: echo *** -> echo two")
}

func TestManager_RecordsSource(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
	repo.write(hookFile, hook("echo hi"))
	for url, want := range map[string]string{
		"https://github.com/octocat/hello.git":       "github.com/octocat/hello",
		"https://me:token@github.com/octocat/hello":  "github.com/octocat/hello",
		"git@github.com:octocat/hello.git":           "github.com/octocat/hello",
		"me:token@github.com:octocat/hello.git":      "",
		"ssh://git@example.com:2222/~/hello.git":     "example.com:2222/~/hello",
		"https://github.com/octocat/hello?token=abc": "github.com/octocat/hello",
		"/srv/hello.git":                             "",
		"file:///srv/hello.git":                      "",
		"../hello":                                   "",
		`C:\hello`:                                   "",
		"":                                           "",
	} {
		repo.write(".git/config", "[remote \"origin\"]\n\turl = "+strings.ReplaceAll(url, `\`, `\\`)+"\n")
		a.check("one", "repo", true)
		if r := a.request(); r.From != want || (r.ClonedAt != 0) != (want != "") {
			t.Errorf("%s: got %q of %d, want %q", url, r.From, r.ClonedAt, want)
		}
	}
}
