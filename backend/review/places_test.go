package review_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/review"
)

func TestSources_FolderIsLinkIntoRepository(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "a\n", "sub/b.txt": "b\n"})
	e.git("config", "user.name", "Test")
	e.git("config", "user.email", "test@example.org")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(e.path("sub"), link); err != nil {
		t.Skip("can't create a symbolic link:", err)
	}
	e.write("a.txt", "2\n")
	e.write("sub/b.txt", "2\n")
	linked := *e
	var err error
	if linked.chat, err = e.App.CreateChat(link, backend.ProviderCopilot); err != nil {
		t.Fatal(err)
	}
	if s := get[backend.ReviewSources](&linked, "review-sources"); !s.Repository || s.Branch != "main" {
		t.Errorf("the sources are %+v", s)
	}
	l := linked.want("working", "edited b.txt +1 -1\n")
	id, err := e.Engine().Repository.Commit(t.Context(), linked.chat.ID, backend.ReviewCommitRequest{
		Message: "linked", Files: backend.CommitAll, Versions: map[string]string{"b.txt": l.Files[0].Version},
	})
	if err != nil {
		t.Fatal(err)
	}
	linked.WaitFor("the commit", func(ev backend.Event) bool {
		return ev.ReviewJob != nil && ev.ReviewJob.ID == id && ev.ReviewJob.State == backend.JobDone
	})
	if got := e.git("show", "--format=", "--name-only"); got != "sub/b.txt" {
		t.Errorf("committed: %s", got)
	}
}

func TestSources_WithoutGit(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "a\n"})
	none := t.TempDir()
	m := review.New(review.Config{
		LoginPath: func() string { return none }, Store: e.Engine().Store, Undo: e.Engine().Undo, Chat: e.Engine().Chats.Get, Log: e.Engine().Log,
	})
	l, err := m.Files(t.Context(), review.Request{ChatID: e.chat.ID, Source: "working"})
	if err != nil || l.Message.String() != "Git isn't installed, or isn't in your PATH." {
		t.Errorf("the message is %q, %v", l.Message, err)
	}
}

func TestSources_ReferencesInTables(t *testing.T) {
	e := newEnv(t)
	cmd := exec.CommandContext(t.Context(), "git", "init", "-q", "-b", "topic", "--ref-format=reftable")
	cmd.Dir = e.chat.Folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("this git has no reftable: %s", out)
	}
	e.write("a.txt", "a\n")
	e.commit("first")
	if s := get[backend.ReviewSources](e, "review-sources"); s.Branch != "topic" || s.Detached {
		t.Errorf("the sources are %+v", s)
	}
	before := e.disk()
	e.git("commit", "-q", "--allow-empty", "-m", "second")
	if e.disk() == before {
		t.Error("the state is the same after a commit")
	}
}

func TestSources_CommitsOfSubfolder(t *testing.T) {
	e := newRepository(t, map[string]string{"sub/b.txt": "b\n"})
	e.write("a.txt", "a\n")
	e.commit("only outside")
	e.commit("empty")
	inner := *e
	var err error
	if inner.chat, err = e.App.CreateChat(e.path("sub"), backend.ProviderCopilot); err != nil {
		t.Fatal(err)
	}
	if s := get[backend.ReviewSources](&inner, "review-sources"); len(s.Commits) != 1 || s.Commits[0].Subject != "first" {
		t.Errorf("the commits of the subfolder are %+v", s.Commits)
	}
	if s := get[backend.ReviewSources](e, "review-sources"); len(s.Commits) != 3 {
		t.Errorf("the commits of the repository are %+v", s.Commits)
	}
}
