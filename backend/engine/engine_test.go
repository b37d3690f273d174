package engine_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/doctor"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// appEnv is an app under test and its window.
type appEnv struct{ *apptest.Window }

// newAppEnv starts an app with the data directory dir.
func newAppEnv(t *testing.T, dir string) *appEnv {
	t.Helper()
	return &appEnv{apptest.Open(t, dir)}
}

// newRunningAppEnv returns a window and a chat with a turn that doesn't end.
func newRunningAppEnv(t *testing.T) (w *appEnv, chat backend.Chat) {
	t.Helper()
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("working"), fakeagent.Hang()}})
	w = newAppEnv(t, t.TempDir())
	chat = w.Chat(backend.ProviderCopilot)
	w.Send(chat, "go")
	w.WaitFor("it works", func(e backend.Event) bool { return e.Text != nil && e.Text.Text == "working" })
	return w, chat
}

func TestChat_ContinuesAfterRestart(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Chunks(50, "piece ", 0)},
		{fakeagent.Say("and on")},
	}})
	dir, folder := t.TempDir(), t.TempDir()
	w := newAppEnv(t, dir)
	chat, err := w.App.CreateChat(folder, backend.ProviderCopilot)
	if err != nil {
		t.Fatal(err)
	}
	done := func(n int) func(backend.Event) bool {
		return func(e backend.Event) bool {
			if e.Turn != nil && e.Turn.State != backend.TurnRunning {
				n--
			}
			return n == 0
		}
	}
	if _, err := w.App.Send(chat.ID, "Count the pieces", nil); err != nil {
		t.Fatal(err)
	}
	if e := w.WaitFor("the turn ends", done(1)); e.Turn.State != backend.TurnDone {
		t.Fatalf("the turn ended as %s: %+v", e.Turn.State, e.Turn.Error)
	}
	if got := w.Text(chat.ID, backend.ItemMessage); len(got) != 1 || got[0] != strings.Repeat("piece ", 50) {
		t.Errorf("the answer is %q", got)
	}
	w.Close()

	w = newAppEnv(t, dir)
	var again backend.Chat
	for _, e := range w.Snapshot("/data/app").Events {
		if e.Chat != nil {
			again = *e.Chat
		}
	}
	if again.ID != chat.ID || again.Title != "Count the pieces" || !again.Unread {
		t.Errorf("after the restart the chat is %+v", again)
	}
	if _, err := w.App.Send(chat.ID, "Go on", nil); err != nil {
		t.Fatal(err)
	}
	if e := w.WaitFor("the second turn ends", done(1)); e.Turn.State != backend.TurnDone {
		t.Fatalf("the turn ended as %s: %+v", e.Turn.State, e.Turn.Error)
	}
	if got := w.Text(chat.ID, backend.ItemUser); len(got) != 2 {
		t.Errorf("the user's messages are %q", got)
	}
	sessions := 0
	w.WaitFor("the session is loaded again", func(e backend.Event) bool {
		if e.Session != nil {
			sessions++
		}
		return e.Session != nil && e.Session.State == backend.SessionLoaded && e.Session.HadPrompt
	})
	w.App.SetUndoTime(0)
	if err := w.App.DeleteChat(chat.ID, false); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("the chat is deleted", func(e backend.Event) bool { return e.ChatDeleted != nil })
	if code := w.Get("/data/chat?id="+chat.ID, new(string)); code != http.StatusNotFound {
		t.Errorf("a deleted chat answers %d", code)
	}
}

func TestPermission_AnswerIsSaved(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "a.txt")
	if err := os.WriteFile(file, []byte("old\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Edit(file, "old", "new"), fakeagent.Say("done")},
		{fakeagent.Edit(file, "new", "newer"), fakeagent.Say("done")},
	}})
	w := newAppEnv(t, t.TempDir())
	chat, err := w.App.CreateChat(folder, backend.ProviderCopilot)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.App.Send(chat.ID, "change it", nil); err != nil {
		t.Fatal(err)
	}
	p := w.WaitFor("it asks", func(e backend.Event) bool { return e.Permission != nil }).Permission
	if p.State != backend.PermissionOpen || p.Path != file || p.Scope == nil {
		t.Fatalf("the request is %+v", p)
	}
	var diff string
	if code := w.Get("/data/content?id="+p.ContentID, &diff); code != http.StatusOK || !strings.Contains(diff, "-old") || !strings.Contains(diff, "+new") {
		t.Errorf("the preview (%d) is %q", code, diff)
	}
	if err := w.App.Answer(p.ID, "", true); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("the turn ends", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnDone })
	if _, err := w.App.Send(chat.ID, "again", nil); err != nil {
		t.Fatal(err)
	}
	byRule := w.WaitFor("the rule answers", func(e backend.Event) bool {
		return e.Permission != nil && e.Permission.ID != p.ID && e.Permission.State == backend.PermissionDecided
	}).Permission
	if byRule.RuleID == "" || byRule.Decision != backend.DecisionAlwaysAllowed {
		t.Errorf("the second request was decided as %+v", byRule)
	}
	if err := w.App.RemoveRule(byRule.RuleID); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("the rule is deleted", func(e backend.Event) bool { return e.RuleDeleted != nil })
}

func TestSecondApp_ReportsLockAndOpensLater(t *testing.T) {
	dir := t.TempDir()
	first := newAppEnv(t, dir)
	second := newAppEnv(t, dir)
	s := second.Snapshot("/data/app")
	if len(s.Events) != 1 || s.Events[0].Storage == nil || s.Events[0].Storage.State != backend.StorageInUse || s.Events[0].Storage.Message.IsZero() {
		t.Fatalf("the second app says %+v", s.Events)
	}
	if _, err := second.App.CreateChat(t.TempDir(), backend.ProviderCopilot); backend.CodeOf(err) != backend.CodeStorage {
		t.Errorf("creating a chat without a database: %v", err)
	}
	var report doctor.Report
	if code := second.Get("/data/doctor", &report); code != http.StatusOK || report.Text == "" {
		t.Errorf("the doctor answers %d %+v", code, report)
	}
	first.Close()
	second.App.RetryStorage()
	second.WaitFor("the database is open", func(e backend.Event) bool {
		return e.Storage != nil && e.Storage.State == backend.StorageOK
	})
}

func TestClosedApp_DoesNotReopenData(t *testing.T) {
	dir := t.TempDir()
	w := newAppEnv(t, dir)
	w.Close()
	w.App.Reopen() // like RetryStorage
	if _, err := w.App.CreateChat(t.TempDir(), backend.ProviderCopilot); backend.CodeOf(err) != backend.CodeStorage {
		t.Errorf("creating a chat in a closed app: %v", err)
	}
	next := newAppEnv(t, dir)
	next.WaitFor("its data is free", func(e backend.Event) bool { return e.Storage != nil && e.Storage.State == backend.StorageOK })
}
