package commandline

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/desktop"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/backend/platform/instance"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

const startTokenVar = "VOXPILOT_START_TOKEN"

// printTokenIfRequested makes this process print its start token and exit if startTokenVar is set.
func printTokenIfRequested() {
	if _, ok := os.LookupEnv(startTokenVar); ok {
		fmt.Print(startToken())
		os.Exit(0)
	}
}

// appEnv is a running app with a simulated page. Later launches can reach the app, and
// the test controls its window.
type appEnv struct {
	*apptest.Window
	desktop *desktop.Desktop
	server  *Server
}

// newAppEnv starts the whole app as the first instance for a new data directory. Later
// launches use the same directory.
func newAppEnv(t *testing.T) *appEnv {
	t.Helper()
	return newAppEnvIn(t, t.TempDir())
}

// newAppEnvIn is like newAppEnv, but uses the data directory dir.
func newAppEnvIn(t *testing.T, dir string) *appEnv {
	t.Helper()
	t.Setenv("VOXPILOT_DATA_DIR", dir)
	t.Setenv("SHELL", "/bin/sh") // the user's shell files aren't read
	first, err := Claim(Start{})
	if err != nil || first == nil {
		t.Fatalf("%v, %v", first, err)
	}
	w := &appEnv{Window: apptest.NewWindow(t), desktop: desktop.New(dir, apptest.Build)}
	w.desktop.First = first
	w.server = NewServer(w.desktop)
	w.changeWindow(func(*desktop.Window) {})
	w.Start(w.desktop.API, w.desktop.Close)
	w.server.Serve()
	return w
}

// changeWindow replaces the app's window. The new window only emits events, except for the functions that the callback
// sets.
func (w *appEnv) changeWindow(change func(*desktop.Window)) {
	window := *desktop.NoWindow()
	window.Emit = w.Emit
	change(&window)
	w.desktop.SetWindow(&window)
}

// sameFile reports whether two paths name the same file.
func sameFile(t *testing.T, a, b string) bool {
	t.Helper()
	one, err := os.Stat(a)
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.Stat(b)
	if err != nil {
		t.Fatal(err)
	}
	return os.SameFile(one, other)
}

// startSecond simulates a later launch with the given arguments, which hands over to the running app.
func startSecond(t *testing.T, args ...string) error {
	t.Helper()
	b, err := ParseStart(args)
	if err != nil {
		t.Fatal(err)
	}
	first, err := Claim(b)
	if first != nil {
		first.Stop()
		first.Release()
		t.Fatal("a second VoxPilot runs")
	}
	return err
}

func TestSecondStart_RaisesWindow(t *testing.T) {
	w := newAppEnv(t)
	var mu sync.Mutex
	shown := 0
	w.changeWindow(func(d *desktop.Window) { d.Show = func() { mu.Lock(); shown++; mu.Unlock() } })
	for i, args := range [][]string{nil, {"voxpilot://open"}, {"--hidden"}} {
		if err := startSecond(t, args...); err != nil {
			t.Error(err)
		}
		mu.Lock()
		if want := min(i+1, 2); shown != want {
			t.Errorf("after %q it was shown %d times, not %d", args, shown, want)
		}
		mu.Unlock()
	}
}

func TestSecondStart_OpensFolderAndLink(t *testing.T) {
	w := newAppEnv(t)
	folder := t.TempDir()
	t.Chdir(filepath.Dir(folder))
	if err := startSecond(t, filepath.Base(folder)); err != nil {
		t.Fatal(err)
	}
	if got := w.WaitForNavigation(1); got.For != backend.NavigateNewChat || !sameFile(t, got.Folder, folder) || got.Text != "" {
		t.Errorf("it shows %+v", got)
	}
	chat := w.Chat(backend.ProviderCopilot)
	if err := startSecond(t, "voxpilot://chat/"+chat.ID); err != nil {
		t.Fatal(err)
	}
	if got := w.WaitForNavigation(2); got.For != backend.NavigateChat || got.ChatID != chat.ID {
		t.Errorf("it shows %+v", got)
	}
}

func TestSecondStart_BadLinkReportedInWindow(t *testing.T) {
	w := newAppEnv(t)
	for i, link := range []string{"voxpilot://send?text=hello", "voxpilot://chat/" + backend.NewID()} {
		var refused *instance.RemoteError
		if err := startSecond(t, link); !errors.As(err, &refused) {
			t.Fatalf("%s: %v", link, err)
		}
		if got := w.WaitForNavigation(i + 1); got.For != backend.NavigateError || got.Message.String() != refused.Message {
			t.Errorf("%s: it shows %+v", link, got)
		}
	}
	if err := startSecond(t, "/none/at/all"); err == nil || !strings.Contains(err.Error(), "doesn't exist") {
		t.Errorf("a folder that doesn't exist: %v", err)
	}
	if err := startSecond(t, "voxpilot://chat/none"); err == nil || w.WaitForNavigation(3).Message.String() != err.Error() {
		t.Errorf("the window tells of what a terminal told: %+v, %v", w.WaitForNavigation(3), err)
	}
}

func TestStart_OpensItsArguments(t *testing.T) {
	w := newAppEnv(t)
	folder := t.TempDir()
	w.server.OpenWith("")
	w.server.OpenWith(folder)
	if got := w.WaitForNavigation(1); got.For != backend.NavigateNewChat || got.Folder != folder {
		t.Errorf("it shows %+v", got)
	}
	for i, target := range []string{"/none/at/all", "voxpilot://nothing"} {
		w.server.OpenWith(target)
		if got := w.WaitForNavigation(i + 2); got.For != backend.NavigateError || got.Message.IsZero() {
			t.Errorf("it shows %+v for %s", got, target)
		}
	}
}

func TestQuick_SendsTextToNewChat(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{})
	w := newAppEnv(t)
	last := w.Chat(backend.ProviderCopilot)
	sent := func(text string) backend.Chat {
		t.Helper()
		turn := w.WaitFor(text, func(e backend.Event) bool {
			return e.Turn != nil && e.Turn.State == backend.TurnDone && w.Text(e.Turn.ChatID, backend.ItemUser)[0] == text
		}).Turn
		e, err := w.App.Engine()
		if err != nil {
			t.Fatal(err)
		}
		chat, err := e.Chats.Get(turn.ChatID)
		if err != nil || chat.ID == last.ID {
			t.Fatalf("%+v, %v", chat, err)
		}
		return chat
	}
	if out, errs, code := runCLI(t, "quick", "in the last folder"); out+errs != "" || code != 0 {
		t.Errorf("%d %q %q", code, out, errs)
	}
	if chat := sent("in the last folder"); chat.Folder != last.Folder || chat.PermissionMode != backend.ModeAsk {
		t.Errorf("the chat is %+v", chat)
	}
	other := t.TempDir()
	if _, errs, code := runCLI(t, "quick", "--folder="+other, "in another"); code != 0 {
		t.Error(errs)
	}
	if chat := sent("in another"); chat.Folder != other {
		t.Errorf("the chat is %+v", chat)
	}
	if _, errs, code := runCLI(t, "quick", "nowhere", "--folder", filepath.Join(other, "none")); code != 1 || !strings.Contains(errs, "doesn't exist") {
		t.Errorf("%d %q", code, errs)
	}
	w.App.Overview.View(func(now overview.State) {
		if len(now.Chats) != 3 {
			t.Errorf("there are %d chats", len(now.Chats))
		}
	})
}

func TestAsk_PrintsFinalAnswer(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "a.txt")
	if err := os.WriteFile(file, []byte("old\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Say("I look at it first."), fakeagent.Edit(file, "old", "new"), fakeagent.Say("It is \x1b[31mdone: äöü 你好 "), fakeagent.Chunks(40, strings.Repeat("long ", 999), 0)},
	}})
	w := newAppEnv(t)
	t.Chdir(folder)
	type printed struct {
		out, errs string
		code      int
	}
	result := make(chan printed)
	go func() {
		out, errs, code := runCLI(t, "ask", "What is it?")
		result <- printed{out, errs, code}
	}()
	p := w.WaitFor("it asks", func(e backend.Event) bool { return e.Permission != nil && e.Permission.State == backend.PermissionOpen }).Permission
	once := slices.IndexFunc(p.Options, func(o backend.Option) bool { return o.Kind == backend.OptionAllowOnce })
	if err := w.App.Answer(p.ID, p.Options[once].ID, false); err != nil {
		t.Fatal(err)
	}
	got := <-result
	want := "It is [31mdone: äöü 你好 " + strings.Repeat("long ", 999*40) + "\n"
	if got.out != want || got.code != 0 {
		t.Errorf("%d, %d bytes: %.200q", got.code, len(got.out), got.out)
	}
	if !strings.Contains(got.errs, "voxpilot: Open VoxPilot to answer a permission request: ") || !strings.Contains(got.errs, "a.txt") {
		t.Errorf("it says %q", got.errs)
	}
	w.server.questions.mu.Lock()
	defer w.server.questions.mu.Unlock()
	if len(w.server.questions.byChat) > 0 {
		t.Error("the question is not forgotten")
	}
}

func TestAsk_UsesLastAgent(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("Copilot heard it.")}})
	other := apptest.FakeAgentProgram(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("The other heard it.")}})
	w := newAppEnv(t)
	t.Chdir(t.TempDir())
	p, err := w.App.SaveProfile(backend.CustomAgent{Name: "Other", Command: other, Home: t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.Send(w.Chat(p.ID), "hello")
	w.WaitForDone("the turn of the other agent", 1)
	if out, errs, code := runCLI(t, "ask", "Who is there?"); code != 0 || out != "The other heard it.\n" {
		t.Errorf("got %d %q %q, want the answer of the agent that answered last", code, out, errs)
	}
}

func TestAsk_KeepsTypedCommandsFromModel(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("The model heard it.")}})
	w := newAppEnv(t)
	t.Chdir(t.TempDir())
	for _, command := range []string{"/undo", "/vim now"} {
		if out, errs, code := runCLI(t, "ask", command); code != 1 || out != "" || !strings.Contains(errs, "wasn't sent") {
			t.Errorf("%s: %d %q %q", command, code, out, errs)
		}
	}
	for _, ev := range w.Events() {
		if ev.Chat != nil {
			t.Errorf("there is a chat: %+v", ev.Chat)
		}
	}
	if out, errs, code := runCLI(t, "ask", "/compact"); code != 0 || out != "The model heard it.\n" {
		t.Errorf("another command: %d %q %q", code, out, errs)
	}
}

func TestAsk_ReportsFailure(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Say("so far"), fakeagent.Fail(-32603, "the model is on fire")},
		{fakeagent.Say("some of it"), fakeagent.Stop("cancelled")},
	}})
	w := newAppEnv(t)
	t.Chdir(t.TempDir())
	if out, errs, code := runCLI(t, "ask", "one"); code != 1 || out != "so far\n" || errs == "" {
		t.Errorf("%d %q %q", code, out, errs)
	}
	if out, errs, code := runCLI(t, "ask", "two"); code != 1 || out != "some of it\n" || errs == "" {
		t.Errorf("%d %q %q", code, out, errs)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if _, errs, code := runCLI(t, "ask", "three", "--folder", "/none/at/all"); code != 1 || !strings.Contains(errs, "doesn't exist") {
			t.Errorf("%d %q", code, errs)
		}
	}()
	<-ended
	w.Close()
}

func TestCLI_MissingDatabaseReported(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "voxpilot.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	newAppEnvIn(t, dir)
	if out, errs, code := runCLI(t, "ask", "hello"); code != 1 || out != "" || len(errs) < 20 {
		t.Errorf("%d %q %q", code, out, errs)
	}
}

func TestMain(m *testing.M) { apptest.Main(m, printTokenIfRequested) }
