package quick

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// fakeQuick simulates a quick prompt process.
type fakeQuick struct {
	t      *testing.T
	orders chan backend.QuickCommand // closed at the end of its input
	out    *io.PipeWriter
}

// serveQuick replaces the app's quick prompt processes with simulated ones. Whenever a simulated process is started, it
// is sent to the returned channel.
func serveQuick(w *appEnv) (started chan *fakeQuick) {
	started = make(chan *fakeQuick, 4)
	w.q.start = func() (*child, error) {
		in, order := io.Pipe()
		said, out := io.Pipe()
		p := &fakeQuick{t: w.T, orders: make(chan backend.QuickCommand, 16), out: out}
		go func() {
			for lines := bufio.NewReader(in); ; {
				line, err := lines.ReadBytes('\n')
				if err != nil {
					break
				}
				var o backend.QuickCommand
				if err := json.Unmarshal(line, &o); err != nil {
					w.T.Error(err)
				}
				p.orders <- o
			}
			_ = out.Close()
			close(p.orders)
		}()
		started <- p
		return &child{in: order, out: said, wait: func() error { return nil }, kill: func() {}}, nil
	}
	return started
}

func (p *fakeQuick) send(said backend.QuickEvent) {
	p.t.Helper()
	line, err := json.Marshal(said)
	if err == nil {
		_, err = p.out.Write(append(line, '\n'))
	}
	if err != nil {
		p.t.Error(err)
	}
}

func (p *fakeQuick) nextView() backend.QuickView {
	p.t.Helper()
	o := <-p.orders
	if o.Show == nil {
		p.t.Fatalf("it is told %+v", o)
	}
	return *o.Show
}

func TestPrompt_ListsTargets(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{On: map[string]fakeagent.Turn{"work": {fakeagent.Say("working"), fakeagent.Hang()}}})
	w := newAppEnv(t)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home) // on Windows
	started := serveQuick(w)
	if err := w.q.Show(func(error) {}); err != nil {
		t.Fatal(err)
	}
	p := <-started
	if show := p.nextView(); len(show.Targets) != 0 || show.Mode != backend.ModeAsk || show.Theme != "system" || len(show.Models) != 1 {
		t.Errorf("with nothing there it shows %+v", show)
	}

	folder := filepath.Join(home, "code", "orbit-api")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	older, err := w.App.CreateChat(folder, backend.ProviderCopilot)
	if err != nil {
		t.Fatal(err)
	}
	newer := w.Chat(backend.ProviderCopilot)
	w.Send(newer, "hello")
	w.WaitForDone("the first turn", 1)
	w.Send(older, "work")
	w.WaitFor("it works", func(e backend.Event) bool { return e.Text != nil && e.Text.Text == "working" })
	practice, err := w.App.StartPractice()
	if err != nil {
		t.Fatal(err)
	}
	opened := make(chan error, 1)
	if err := w.q.Show(func(err error) { opened <- err }); err != nil {
		t.Fatal(err)
	}
	show := p.nextView()
	if len(show.Targets) != 4 {
		t.Fatalf("it shows %+v", show.Targets)
	}
	want := backend.QuickTarget{Folder: folder, Name: "orbit-api", Place: filepath.Join("~", "code")}
	if show.Targets[0] != want {
		t.Errorf("first comes %+v, not %+v", show.Targets[0], want)
	}
	if got := show.Targets[1]; got.ChatID != older.ID || got.State != backend.QuickRunning || got.Title != "Work" {
		t.Errorf("then comes %+v", got)
	}
	if got := show.Targets[2]; got.ChatID != newer.ID || got.State != backend.QuickUnread {
		t.Errorf("then comes %+v", got)
	}
	if got := show.Targets[3]; got.ChatID != "" || got.Folder != newer.Folder {
		t.Errorf("at last comes %+v", got)
	}
	for _, target := range show.Targets {
		if target.ChatID == practice.ID {
			t.Error("the practice is offered")
		}
	}
	p.send(backend.QuickEvent{Shown: true})
	if err := <-opened; err != nil {
		t.Error(err)
	}
}

func TestPrompt_SendsAndCloses(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{})
	w := newAppEnv(t)
	started := serveQuick(w)
	chat := w.Chat(backend.ProviderCopilot)
	if err := w.q.Show(func(error) {}); err != nil {
		t.Fatal(err)
	}
	p := <-started
	p.nextView()
	p.send(backend.QuickEvent{Draft: &backend.QuickDraft{Text: "into the chat"}})
	p.send(backend.QuickEvent{Send: &backend.QuickMessage{Text: "into the chat", ChatID: chat.ID}})
	if o := <-p.orders; !o.Sent {
		t.Errorf("it is told %+v", o)
	}
	w.WaitForDone("its turn", 1)
	p.send(backend.QuickEvent{Send: &backend.QuickMessage{Text: "into a new one", Folder: chat.Folder, Mode: backend.ModeAcceptEdits}})
	if o := <-p.orders; !o.Sent {
		t.Errorf("it is told %+v", o)
	}
	made := w.WaitFor("a chat is made", func(e backend.Event) bool {
		return e.Chat != nil && e.Chat.ID != chat.ID && e.Chat.PermissionMode == backend.ModeAcceptEdits
	}).Chat
	w.WaitForDone("both turns", 2)
	for id, want := range map[string]string{chat.ID: "into the chat", made.ID: "into a new one"} {
		if got := w.Text(id, backend.ItemUser); len(got) != 1 || got[0] != want {
			t.Errorf("the chat has %q", got)
		}
	}
	if _, err := os.Stat(filepath.Join(w.App.Dir, textName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its text is still kept: %v", err)
	}
}

func TestPrompt_UnsentTextRestored(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{})
	w := newAppEnv(t)
	started := serveQuick(w)
	if err := w.q.Show(func(error) {}); err != nil {
		t.Fatal(err)
	}
	p := <-started
	p.nextView()
	for _, m := range []backend.QuickMessage{
		{Text: "not lost", Folder: filepath.Join(t.TempDir(), "none")},
		{Text: "not lost", ChatID: backend.NewID()},
		{Text: "not lost", Folder: t.TempDir(), OrchestratorID: backend.NewID()},
		{Text: "not lost", Folder: t.TempDir(), Mode: backend.ModeBypass},
	} {
		p.send(backend.QuickEvent{Send: &m})
		if o := <-p.orders; o.Sent || o.Failed.IsZero() {
			t.Errorf("of %+v it is told %+v", m, o)
		}
	}
	w.App.Overview.View(func(now overview.State) {
		if len(now.Chats) > 0 {
			t.Errorf("chats that took no message are left: %v", now.Chats)
		}
	})
	if err := w.q.Show(func(error) {}); err != nil {
		t.Fatal(err)
	}
	if show := p.nextView(); show.Text != "not lost" {
		t.Errorf("it shows %+v", show)
	}
	p.send(backend.QuickEvent{Draft: &backend.QuickDraft{Text: "and more\n"}})
	p.send(backend.QuickEvent{Closed: true})
	// Messages are processed in order, so the response to this one comes after all others.
	p.send(backend.QuickEvent{Send: &backend.QuickMessage{Text: "and more\n", ChatID: backend.NewID()}})
	<-p.orders
	dir := w.App.Dir
	w.Close()
	if _, more := <-p.orders; more {
		t.Error("it does not end with the app")
	}
	again := newAppEnvIn(t, dir)
	started = serveQuick(again)
	if err := again.q.Show(func(error) {}); err != nil {
		t.Fatal(err)
	}
	if show := (<-started).nextView(); show.Text != "and more\n" {
		t.Errorf("after a restart it shows %q", show.Text)
	}
}

func TestPrompt_LongTextCutBetweenCharacters(t *testing.T) {
	w := newAppEnv(t)
	start := strings.Repeat("x", maxSavedText-1)
	if err := os.WriteFile(filepath.Join(w.App.Dir, textName), []byte(start+"很"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := w.q.savedText(); got != start {
		t.Errorf("got %d bytes with the end %q, want %d", len(got), got[len(got)-3:], len(start))
	}
}

func TestPrompt_UnusedEnds(t *testing.T) {
	w := newAppEnv(t)
	started := serveQuick(w)
	w.q.idleTime = time.Millisecond
	if err := w.q.Show(func(error) {}); err != nil {
		t.Fatal(err)
	}
	p := <-started
	p.nextView()
	p.send(backend.QuickEvent{Closed: true})
	if o, more := <-p.orders; more {
		t.Errorf("it is told %+v", o)
	}
	if err := w.q.Show(func(error) {}); err != nil {
		t.Fatal(err)
	}
	(<-started).nextView()
}

func TestPrompt_LanguageChangeRestartsProcess(t *testing.T) {
	w := newAppEnv(t)
	started := serveQuick(w)
	if err := w.q.Show(func(error) {}); err != nil {
		t.Fatal(err)
	}
	p := <-started
	p.nextView()
	s := backend.DefaultSettings()
	s.Language = "de"
	if err := w.App.SaveSettings(s); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("the language is kept", func(e backend.Event) bool { return e.Settings != nil && e.Settings.Language == "de" })
	if err := w.q.Show(func(error) {}); err != nil {
		t.Fatal(err)
	}
	if show := (<-started).nextView(); show.Language != "de" {
		t.Errorf("it shows %+v", show)
	}
	if o, more := <-p.orders; more {
		t.Errorf("the one before is told %+v", o)
	}
}

func TestPrompt_RestartsAfterCrash(t *testing.T) {
	w := newAppEnv(t)
	started := serveQuick(w)
	opened := make(chan error, 1)
	if err := w.q.Show(func(err error) { opened <- err }); err != nil {
		t.Fatal(err)
	}
	p := <-started
	p.nextView()
	if _, err := io.WriteString(p.out, "no JSON\n"); err != nil {
		t.Error(err)
	}
	_ = p.out.Close()
	if err := <-opened; err == nil {
		t.Error("a process that died has opened its window")
	}
	if err := w.q.Show(func(error) {}); err != nil {
		t.Fatal(err)
	}
	(<-started).nextView()
	w.q.mu.Lock()
	w.q.endProcess()
	w.q.mu.Unlock()
	w.q.start = func() (*child, error) { return nil, errors.New("no more processes") }
	if err := w.q.Show(func(error) {}); !errors.Is(err, errNotOpened) {
		t.Errorf("it says %v", err)
	}
}

func TestPrompt_WithoutChatOpensWindow(t *testing.T) {
	w := newAppEnv(t)
	started := serveQuick(w)
	if err := w.q.Show(func(error) {}); err != nil {
		t.Fatal(err)
	}
	p := <-started
	p.nextView()
	p.send(backend.QuickEvent{Draft: &backend.QuickDraft{Text: "hello"}})
	p.send(backend.QuickEvent{Open: true})
	if o := <-p.orders; !o.Sent {
		t.Errorf("it is told %+v", o)
	}
	if got := w.WaitForNavigation(1); got.For != backend.NavigateNewChat || got.Text != "hello" {
		t.Errorf("the window shows %+v", got)
	}
}

func TestPrompt_ServesNoPageToBrowser(t *testing.T) {
	got := strings.Join(environ([]string{"A=1", "devserver=127.0.0.1:34115", "assetdir=/x", "frontenddevserverurl=http://x", "B=2"}), " ")
	if got != "A=1 B=2" {
		t.Errorf("its environment is %s", got)
	}
}
