package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/doctor"
	loginshell "github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/process"
)

func TestMain(m *testing.M) {
	process.ExecIfAsked()
	loginshell.PrintIfAsked()
	workspace.DetachIfAsked()
	fakeagent.RunIfAsked()
	if githubBase == nil { // an app that a test starts has that of the test
		githubBase = func(string) (web, api string) { return "http://127.0.0.1:9", "http://127.0.0.1:9" } // nobody's
	}
	appIfAsked()
	tokenIfAsked()
	// The keyring's connection to the bus and the rotation of a log file are
	// made once and never end; the libraries know no way to end them.
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/godbus/dbus/v5.(*Conn).inWorker"),
		goleak.IgnoreAnyFunction("github.com/godbus/dbus/v5.newConn.func1"),
		goleak.IgnoreAnyFunction("gopkg.in/natefinch/lumberjack%2ev2.(*Logger).millRun"))
}

// window is a page without a webview: it gets what is emitted, pulls what it
// needs, and waits for facts.
type window struct {
	t    *testing.T
	app  *App
	mu   sync.Mutex
	cond *sync.Cond
	seen []backend.Event
}

// openWindow starts the whole app on dir, without a webview.
func openWindow(t *testing.T, dir string) *window {
	t.Helper()
	return openWindowWith(t, dir, "/bin/sh") // the files of whoever runs the tests are not read
}

// openWindowWith is openWindow for a user with this login shell.
func openWindowWith(t *testing.T, dir, shell string) *window {
	t.Helper()
	t.Setenv("SHELL", shell)
	a := makeApp(dir)
	w := &window{t: t, app: a}
	w.cond = sync.NewCond(&w.mu)
	desk := *noDesktop()
	desk.emit = func(b backend.Batch) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.seen = append(w.seen, b.Events...)
		w.cond.Broadcast()
	}
	desk.pickFolder = func() (string, error) { return "/picked", nil }
	a.desk.Store(&desk)
	a.begin()
	t.Cleanup(func() { w.close() })
	<-a.opened
	return w
}

func (w *window) close() {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	if err := w.app.close(ctx); err != nil && w.app.file != nil {
		w.t.Error(err)
	}
	w.app.file = nil // a second close is not an error
}

// until waits for an event that was emitted, or will be, and is as wanted.
func (w *window) until(what string, wanted func(backend.Event) bool) backend.Event {
	w.t.Helper()
	late := time.AfterFunc(time.Minute, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.seen = append(w.seen, backend.Event{})
		w.cond.Broadcast()
	})
	defer late.Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := 0; ; i++ {
		for i >= len(w.seen) {
			w.cond.Wait()
		}
		e := w.seen[i]
		if e == (backend.Event{}) {
			w.t.Fatalf("waited in vain: %s", what)
		}
		w.mu.Unlock() // it may ask the app, which emits meanwhile
		found := wanted(e)
		w.mu.Lock()
		if found {
			return e
		}
	}
}

// events are those that were emitted by now.
func (w *window) events() []backend.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.seen)
}

// chat is a new chat that providerID answers.
func (w *window) chat(providerID string) backend.Chat {
	w.t.Helper()
	chat, err := w.app.CreateChat(w.t.TempDir(), providerID)
	if err != nil {
		w.t.Fatal(err)
	}
	return chat
}

func (w *window) send(chat backend.Chat, text string) (id string) {
	w.t.Helper()
	id, err := w.app.Send(chat.ID, text, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

// done waits until n turns have ended well.
func (w *window) done(what string, n int) {
	w.t.Helper()
	ended := map[string]bool{}
	w.until(what, func(e backend.Event) bool {
		if e.Turn != nil && e.Turn.State != backend.TurnRunning {
			if e.Turn.State != backend.TurnDone {
				w.t.Errorf("a turn ended as %s: %+v", e.Turn.State, e.Turn.Error)
			}
			ended[e.Turn.ID] = true
		}
		return len(ended) == n
	})
}

func (w *window) get(path string, into any) int {
	w.t.Helper()
	r := httptest.NewRecorder()
	w.app.data().ServeHTTP(r, httptest.NewRequest(http.MethodGet, path, nil))
	if raw, ok := into.(*string); ok {
		*raw = r.Body.String()
	} else if err := json.Unmarshal(r.Body.Bytes(), into); err != nil {
		w.t.Fatalf("%s: %v in %s", path, err, r.Body)
	}
	return r.Code
}

func (w *window) snapshot(path string) backend.Snapshot {
	w.t.Helper()
	var s backend.Snapshot
	if code := w.get(path, &s); code != http.StatusOK {
		w.t.Fatalf("%s answers %d", path, code)
	}
	return s
}

// text is the text of a chat's items of one kind, in order, from a snapshot.
func (w *window) text(chatID string, kind backend.ItemKind) (texts []string) {
	w.t.Helper()
	byItem := map[string]string{}
	var order []string
	for _, e := range w.snapshot("/data/chat?id=" + chatID).Events {
		if e.Item != nil && e.Item.Kind == kind {
			order = append(order, e.Item.ID)
		}
		if e.Text != nil {
			byItem[e.Text.ItemID] += e.Text.Text
		}
	}
	for _, id := range order {
		texts = append(texts, byItem[id])
	}
	return texts
}

// playing makes the app find an agent that plays the script.
func playing(t *testing.T, script fakeagent.Script) {
	t.Helper()
	t.Setenv(copilot.PathVar, player(t, script))
	t.Setenv("COPILOT_HOME", cliSignedIn(t, t.TempDir()))
}

// cliSignedIn makes home one in which the Copilot CLI has a login of its own.
func cliSignedIn(t *testing.T, home string) string {
	t.Helper()
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "config.json"), []byte(`{"lastLoggedInUser":{"host":"https://github.com","login":"octocat"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return home
}

// player is an agent that plays the script. It is a program of its own, so that
// the app finds and starts it as it does the real one.
func player(t *testing.T, script fakeagent.Script) (program string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for the CLI is a shell script")
	}
	path, args, env := fakeagent.Command(script)
	var b strings.Builder
	b.WriteString("#!/bin/sh\n[ \"$1\" = --version ] && echo 1.0.102 && exit\n")
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		fmt.Fprintf(&b, "export %s=%s\n", name, quote(value))
	}
	b.WriteString("exec " + quote(path))
	for _, a := range args {
		b.WriteString(" " + quote(a))
	}
	program = filepath.Join(t.TempDir(), "copilot")
	if err := os.WriteFile(program, []byte(b.String()+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return program
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func TestAChatIsAnsweredKeptAndGoesOnAfterARestart(t *testing.T) {
	playing(t, fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Chunks(50, "piece ", 0)},
		{fakeagent.Say("and on")},
	}})
	dir, folder := t.TempDir(), t.TempDir()
	w := openWindow(t, dir)
	chat, err := w.app.CreateChat(folder, backend.ProviderCopilot)
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
	if _, err := w.app.Send(chat.ID, "Count the pieces", nil); err != nil {
		t.Fatal(err)
	}
	if e := w.until("the turn ends", done(1)); e.Turn.State != backend.TurnDone {
		t.Fatalf("the turn ended as %s: %+v", e.Turn.State, e.Turn.Error)
	}
	if got := w.text(chat.ID, backend.ItemMessage); len(got) != 1 || got[0] != strings.Repeat("piece ", 50) {
		t.Errorf("the answer is %q", got)
	}
	w.close()

	w = openWindow(t, dir)
	var again backend.Chat
	for _, e := range w.snapshot("/data/app").Events {
		if e.Chat != nil {
			again = *e.Chat
		}
	}
	if again.ID != chat.ID || again.Title != "Count the pieces" || !again.Unread {
		t.Errorf("after the restart the chat is %+v", again)
	}
	if _, err := w.app.Send(chat.ID, "Go on", nil); err != nil {
		t.Fatal(err)
	}
	if e := w.until("the second turn ends", done(1)); e.Turn.State != backend.TurnDone {
		t.Fatalf("the turn ended as %s: %+v", e.Turn.State, e.Turn.Error)
	}
	if got := w.text(chat.ID, backend.ItemUser); len(got) != 2 {
		t.Errorf("the user's messages are %q", got)
	}
	sessions := 0
	w.until("the session is loaded again", func(e backend.Event) bool {
		if e.Session != nil {
			sessions++
		}
		return e.Session != nil && e.Session.State == backend.SessionLoaded && e.Session.HadPrompt
	})
	w.app.undoTime = 0
	if err := w.app.DeleteChat(chat.ID, false); err != nil {
		t.Fatal(err)
	}
	w.until("the chat is gone", func(e backend.Event) bool { return e.ChatGone != nil })
	if code := w.get("/data/chat?id="+chat.ID, new(string)); code != http.StatusNotFound {
		t.Errorf("a deleted chat answers %d", code)
	}
}

func TestAPermissionIsAskedAnsweredAndKept(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "a.txt")
	if err := os.WriteFile(file, []byte("old\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	playing(t, fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Edit(file, "old", "new"), fakeagent.Say("done")},
		{fakeagent.Edit(file, "new", "newer"), fakeagent.Say("done")},
	}})
	w := openWindow(t, t.TempDir())
	chat, err := w.app.CreateChat(folder, backend.ProviderCopilot)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.app.Send(chat.ID, "change it", nil); err != nil {
		t.Fatal(err)
	}
	p := w.until("it asks", func(e backend.Event) bool { return e.Permission != nil }).Permission
	if p.State != backend.PermissionOpen || p.Path != file || p.Scope == nil {
		t.Fatalf("the request is %+v", p)
	}
	var diff string
	if code := w.get("/data/content?id="+p.ContentID, &diff); code != http.StatusOK || !strings.Contains(diff, "-old") || !strings.Contains(diff, "+new") {
		t.Errorf("the preview (%d) is %q", code, diff)
	}
	if err := w.app.Answer(p.ID, "", true); err != nil {
		t.Fatal(err)
	}
	w.until("the turn ends", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnDone })
	if _, err := w.app.Send(chat.ID, "again", nil); err != nil {
		t.Fatal(err)
	}
	byRule := w.until("the rule answers", func(e backend.Event) bool {
		return e.Permission != nil && e.Permission.ID != p.ID && e.Permission.State == backend.PermissionDecided
	}).Permission
	if byRule.RuleID == "" || byRule.Decision != backend.DecisionAlwaysAllowed {
		t.Errorf("the second request was decided as %+v", byRule)
	}
	if err := w.app.RemoveRule(byRule.RuleID); err != nil {
		t.Fatal(err)
	}
	w.until("the rule is gone", func(e backend.Event) bool { return e.RuleGone != nil })
}

func TestASecondAppOnTheSameDataSaysSoAndOpensLater(t *testing.T) {
	dir := t.TempDir()
	first := openWindow(t, dir)
	second := openWindow(t, dir)
	s := second.snapshot("/data/app")
	if len(s.Events) != 1 || s.Events[0].Storage == nil || s.Events[0].Storage.State != backend.StorageInUse || s.Events[0].Storage.Message == "" {
		t.Fatalf("the second app says %+v", s.Events)
	}
	if _, err := second.app.CreateChat(t.TempDir(), backend.ProviderCopilot); backend.CodeOf(err) != backend.CodeStorage {
		t.Errorf("creating a chat without a database: %v", err)
	}
	var report doctor.Report
	if code := second.get("/data/doctor", &report); code != http.StatusOK || report.Text == "" {
		t.Errorf("the doctor answers %d %+v", code, report)
	}
	first.close()
	second.app.RetryStorage()
	second.until("the database is open", func(e backend.Event) bool {
		return e.Storage != nil && e.Storage.State == backend.StorageOK
	})
}

func TestAClosedAppDoesNotOpenItsDataAgain(t *testing.T) {
	dir := t.TempDir()
	w := openWindow(t, dir)
	w.close()
	w.app.open() // as RetryStorage does
	if _, err := w.app.CreateChat(t.TempDir(), backend.ProviderCopilot); backend.CodeOf(err) != backend.CodeStorage {
		t.Errorf("creating a chat in a closed app: %v", err)
	}
	next := openWindow(t, dir)
	next.until("its data is free", func(e backend.Event) bool { return e.Storage != nil && e.Storage.State == backend.StorageOK })
}

func TestAFolderDialogAnswersAsAnEvent(t *testing.T) {
	w := openWindow(t, t.TempDir())
	w.app.PickFolder("r1")
	if e := w.until("the dialog answers", func(e backend.Event) bool { return e.Picked != nil }); *e.Picked != (backend.Picked{Request: "r1", Path: "/picked"}) {
		t.Errorf("the dialog answered %+v", *e.Picked)
	}
}
