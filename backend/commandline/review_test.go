package commandline

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/backend/platform/instance"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// newRepository returns a new folder with an empty repository and a subfolder "sub".
func newRepository(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "git", "init", "-q", folder) //nolint:gosec // a test
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.Mkdir(filepath.Join(folder, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	return folder
}

// review runs `voxpilot review` in dir and returns the navigation that this causes. The test fails unless it is
// the app's nth navigation.
func (w *appEnv) review(n int, dir string, args ...string) backend.Navigation {
	w.T.Helper()
	w.T.Chdir(dir)
	if out, errs, code := runCLI(w.T, append([]string{"review"}, args...)...); out+errs != "" || code != 0 {
		w.T.Fatalf("review %q: %d %q %q", args, code, out, errs)
	}
	got := w.WaitForNavigation(n)
	if got.For != backend.NavigateReview || got.Source != "working" {
		w.T.Fatalf("review %q: the window shows %+v", args, got)
	}
	return got
}

func TestArgs_ReviewTakesOneFolder(t *testing.T) {
	for _, args := range [][]string{{"a", "b"}, {"--folder", "a"}, {""}} {
		if out, errs, code := runCLI(t, append([]string{"review"}, args...)...); code != 2 || out != "" || !strings.Contains(errs, "voxpilot review FOLDER") {
			t.Errorf("%q: %d %q %q", args, code, out, errs)
		}
	}
	for _, arg := range []string{"--help", "-h"} {
		if out, errs, code := runCLI(t, "review", arg); code != 0 || errs != "" || out != reviewUsage {
			t.Errorf("%s: %d %q %q", arg, code, out, errs)
		}
	}
	if r, _, err := parseReview([]string{"--", "--help"}); err != nil || r.Folder != "--help" || r.Verb != instance.Review {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestReview_OpensNewestChatOfFolder(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{})
	w := newAppEnv(t)
	folder := newRepository(t)
	create := func(folder string) backend.Chat {
		t.Helper()
		chat, err := w.App.CreateChat(folder, backend.ProviderCopilot)
		if err != nil {
			t.Fatal(err)
		}
		return chat
	}
	older, newer := create(folder), create(folder)
	w.Send(older, "This chat is the newest now.")
	w.WaitForDone("the turn", 1)
	if got := w.review(1, folder); got.ChatID != older.ID {
		t.Errorf("it reviews chat %s, want %s", got.ChatID, older.ID)
	}
	if err := w.App.ArchiveChat(older.ID, true); err != nil {
		t.Fatal(err)
	}
	if got := w.review(2, filepath.Dir(folder), filepath.Base(folder)); got.ChatID != newer.ID {
		t.Errorf("without archived chats, it reviews chat %s, want %s", got.ChatID, newer.ID)
	}
	sub := filepath.Join(folder, "sub")
	if got := w.review(3, sub); got.ChatID != newer.ID {
		t.Errorf("in a subfolder, it reviews chat %s, want that of the repository", got.ChatID)
	}
	inner := create(sub)
	if got := w.review(4, folder, "sub"); got.ChatID != inner.ID {
		t.Errorf("with a chat in the subfolder, it reviews chat %s, want %s", got.ChatID, inner.ID)
	}
	if runtime.GOOS != "windows" {
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(folder, link); err != nil {
			t.Fatal(err)
		}
		if got := w.review(5, t.TempDir(), link); got.ChatID != newer.ID {
			t.Errorf("through a link, it reviews chat %s, want %s", got.ChatID, newer.ID)
		}
	}
}

func TestReview_CreatesChatWithoutMessage(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{})
	w := newAppEnv(t)
	outer := w.Chat(backend.ProviderCopilot) // its folder isn't in the repository
	folder := filepath.Join(outer.Folder, "repository")
	if err := os.Rename(newRepository(t), folder); err != nil {
		t.Fatal(err)
	}
	first := w.review(1, folder)
	chat, err := w.Engine().Chats.Get(first.ChatID)
	if err != nil || chat.ID == outer.ID || !sameFile(t, chat.Folder, folder) || chat.ProviderID != backend.ProviderCopilot {
		t.Fatalf("the chat is %+v, %v", chat, err)
	}
	if again := w.review(2, folder); again.ChatID != chat.ID {
		t.Error("the second review has another chat")
	}
	w.App.Overview.View(func(now overview.State) {
		if len(now.Chats) != 2 {
			t.Errorf("there are %d chats, want 2", len(now.Chats))
		}
	})
	if texts := w.Text(chat.ID, backend.ItemUser); len(texts) > 0 {
		t.Errorf("it sent %q", texts)
	}
}

func TestReview_SaysWhyItDoesNotOpen(t *testing.T) {
	w := newAppEnv(t)
	folder := t.TempDir()
	t.Chdir(folder)
	if err := os.WriteFile("file.txt", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string]string{
		".":        "isn't in a Git repository, so there are no uncommitted changes to review.",
		"none":     "doesn't exist.",
		"file.txt": "file.txt is a file. Choose the folder that contains it.",
	} {
		if out, errs, code := runCLI(t, "review", target); code != 1 || out != "" || !strings.HasPrefix(errs, "voxpilot: ") || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %q %q", target, code, out, errs)
		}
	}
	w.App.Overview.View(func(now overview.State) {
		if len(now.Chats) != 0 {
			t.Errorf("%d chats were created", len(now.Chats))
		}
	})
}

func TestReview_AsksForTrustFirst(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	apptest.UseFakeAgent(t, fakeagent.Script{Calls: calls})
	w := newAppEnv(t)
	folder := newRepository(t)
	hooks := filepath.Join(folder, ".github", "hooks")
	if err := os.MkdirAll(hooks, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(hooks, "e.json"), []byte(`{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"true"}]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	got := w.review(1, folder)
	asked, shown := -1, -1
	var request backend.TrustRequest
	for i, e := range w.Events() {
		switch {
		case e.TrustRequest != nil && len(e.TrustRequest.ChatIDs) == 1 && e.TrustRequest.ChatIDs[0] == got.ChatID:
			asked, request = i, *e.TrustRequest
		case e.Navigation != nil:
			shown = i
		}
	}
	if asked < 0 || asked > shown {
		t.Errorf("the request is event %d and the review event %d, want the request first", asked, shown)
	}
	if err := w.App.TrustFolder(request.ID); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("the end of the request", func(e backend.Event) bool {
		return e.TrustRequestDeleted != nil && e.TrustRequestDeleted.ID == request.Key
	})
	w.review(2, folder)
	if n := len(w.Snapshot("/data/app").Events); n == 0 {
		t.Error("there is no snapshot")
	}
	for _, e := range w.Snapshot("/data/app").Events {
		if e.TrustRequest != nil {
			t.Errorf("a trusted folder asks again: %+v", e.TrustRequest)
		}
	}
	if _, err := os.Stat(calls); err == nil {
		t.Error("the agent was started")
	}
}
