package desktop

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestQuit_IdleClosesAtOnce(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{})
	w := newAppEnv(t, t.TempDir())
	if w.d.beforeClose(t.Context()) {
		t.Error("an app without a chat asks")
	}
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "go")
	w.WaitForDone("the turn", 1)
	if w.d.beforeClose(t.Context()) {
		t.Error("an app whose chats are done asks")
	}
}

func TestQuit_AsksIfWorkIsRunning(t *testing.T) {
	w, _ := newRunningAppEnv(t)
	shown, quits := make(chan struct{}, 1), 0
	w.changeWindow(func(d *Window) {
		d.Show = func() { shown <- struct{}{} }
		d.Quit = func() { quits++ }
		d.Ask = func(string, string, string, string) bool {
			t.Error("the system asks, and the page answers")
			return true
		}
	})
	w.d.Heartbeat(true)
	if !w.d.beforeClose(t.Context()) {
		t.Fatal("the window closes")
	}
	if e := w.WaitFor("the page asks", func(e backend.Event) bool { return e.QuitRequested != nil }); e.QuitRequested.Running != 1 {
		t.Errorf("%d chats run", e.QuitRequested.Running)
	}
	<-shown             // it may have been minimized
	w.d.Heartbeat(true) // the page responds
	w.d.Quit()
	w.d.Quit() // two at the same time crash GTK
	if quits != 1 {
		t.Errorf("it quits %d times", quits)
	}
	if w.d.beforeClose(t.Context()) {
		t.Error("the user is asked again")
	}
}

func TestQuit_SystemDialogIfPageIsUnresponsive(t *testing.T) {
	for name, frozen := range map[string]bool{"found frozen": true, "silent": false} {
		t.Run(name, func(t *testing.T) {
			w, _ := newRunningAppEnv(t)
			w.d.quitAnswer = 10 * time.Millisecond
			asked, answer, quit := make(chan string), make(chan bool), make(chan struct{})
			w.changeWindow(func(d *Window) {
				d.Ask = func(title, _, yes, no string) bool {
					asked <- title + " " + yes + " " + no
					return <-answer
				}
				d.Quit = func() { close(quit) }
			})
			if frozen {
				w.d.watchdog.stop()
				w.d.Heartbeat(true)
				for range missedIdle {
					w.d.watchdog.tick()
				}
				<-asked // whether to restart
				answer <- false
			}
			for _, yes := range []bool{false, true} {
				if !w.d.beforeClose(t.Context()) {
					t.Fatal("the window closes")
				}
				if got := <-asked; got != "1 chat is still running. Quit anyway? Quit Keep running" {
					t.Errorf("it asks %q", got)
				}
				answer <- yes
				for w.d.isAskingToQuit.Load() {
					runtime.Gosched() // only one dialog at a time
				}
			}
			<-quit
		})
	}
}

func TestQuit_KeepsDraftsAndQueue(t *testing.T) {
	dir := t.TempDir()
	// The agent never responds, so neither message reaches it.
	apptest.UseFakeAgent(t, fakeagent.Script{Silent: []string{"initialize"}})
	w := newAppEnv(t, dir)
	chat := w.Chat(backend.ProviderCopilot)
	first := w.Send(chat, "first")
	w.WaitFor("the agent starts", func(e backend.Event) bool {
		return e.Connection != nil && e.Connection.State == backend.ConnectionStarting
	})
	second := w.Send(chat, "second")
	if err := w.App.SaveDraft(chat.ID, "third, perhaps", nil); err != nil {
		t.Fatal(err)
	}
	w.Close()

	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("to $PROMPT")}})
	w = newAppEnv(t, dir)
	var waiting []backend.QueuedPrompt
	for _, e := range w.Snapshot("/data/app").Events {
		if e.Queued != nil {
			waiting = append(waiting, *e.Queued)
		}
		if e.Chat != nil && (e.Chat.Draft != "third, perhaps" || e.Chat.TurnState != "") {
			t.Errorf("the chat is %+v", *e.Chat)
		}
	}
	if len(waiting) != 2 || waiting[0].ID != first || waiting[1].ID != second || !waiting[0].Paused || !waiting[1].Paused {
		t.Fatalf("what waits is %+v", waiting)
	}
	if got := w.Text(chat.ID, backend.ItemUser); len(got) != 0 {
		t.Errorf("the transcript has %q", got)
	}
	w.Send(chat, "third")
	w.WaitForDone("all three", 3)
	if diff := cmp.Diff([]string{"to first", "to second", "to third"}, w.Text(chat.ID, backend.ItemMessage)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestQuit_InterruptsSentMessage(t *testing.T) {
	w, chat := newRunningAppEnv(t)
	dir := w.App.Dir
	w.Close()
	w = newAppEnv(t, dir)
	events := w.Snapshot("/data/chat?id=" + chat.ID).Events
	for _, e := range events {
		if e.Queued != nil {
			t.Errorf("a message that was sent waits again: %+v", *e.Queued)
		}
		if e.Turn != nil && (e.Turn.State != backend.TurnInterrupted || e.Turn.SentAt == 0) {
			t.Errorf("its turn is %+v", *e.Turn)
		}
	}
	if got := w.Text(chat.ID, backend.ItemUser); len(got) != 1 || got[0] != "go" {
		t.Errorf("the transcript has %q", got)
	}
}

func TestStorage_OpeningIsReported(t *testing.T) {
	w := &appEnv{apptest.NewWindow(t), New(t.TempDir(), apptest.Build)}
	w.Attach(w.d.API, w.d.Close)
	s := w.Snapshot("/data/app")
	if len(s.Events) != 1 || s.Events[0].Storage == nil || s.Events[0].Storage.State != backend.StorageOpening || s.Events[0].Storage.Message.IsZero() {
		t.Errorf("it says %+v", s.Events)
	}
	if w.d.beforeClose(t.Context()) {
		t.Error("and cannot be closed")
	}
	w.d.API.Start()
	w.Engine()
	if s := w.Snapshot("/data/app"); len(s.Events) < 2 || s.Run == "closed" {
		t.Errorf("once it is open, it says %+v", s.Events)
	}
}

func TestWatchdog_DetectsFrozenPage(t *testing.T) {
	frozen := make(chan struct{})
	p := newWatchdog(func() { close(frozen) })
	p.stop()
	for range 3 * missedIdle {
		p.tick() // the page hasn't been shown yet
	}
	p.heartbeat(true)
	for range missedIdle - 1 {
		p.tick()
	}
	p.sent()
	for range missedBusy - 1 {
		p.tick()
		p.sent() // a heartbeat is due since the first call
	}
	p.heartbeat(true) // just in time
	p.sent()
	for range missedBusy - 1 {
		p.tick()
	}
	p.heartbeat(false) // hidden pages need no heartbeat
	p.sent()
	for range 3 * missedIdle {
		p.tick()
	}
	select {
	case <-frozen:
		t.Fatal("a page that draws, or is hidden, counts as frozen")
	default:
	}
	p.heartbeat(true)
	p.sent()
	for range missedBusy {
		p.tick()
	}
	<-frozen
}

func TestWatchdog_HiddenPageNeverFrozen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		frozen := make(chan time.Time, 1)
		p := newWatchdog(func() { frozen <- time.Now() })
		defer p.stop()
		p.heartbeat(false)
		p.sent()
		time.Sleep(time.Hour)
		if len(frozen) > 0 {
			t.Error("a hidden page is found frozen")
		}
		began := time.Now()
		p.heartbeat(true)
		if at := (<-frozen).Sub(began); at != missedIdle*idleInterval {
			t.Errorf("a page at rest is found frozen after %v", at)
		}
		began = time.Now()
		p.heartbeat(true)
		p.sent()
		if at := (<-frozen).Sub(began); at != missedBusy*busyInterval {
			t.Errorf("a page that has something to draw is found frozen after %v", at)
		}
	})
}

func TestWatchdog_ResetsAfterSleep(t *testing.T) {
	frozen := make(chan struct{}, 1)
	p := newWatchdog(func() { frozen <- struct{}{} })
	p.stop()
	p.heartbeat(true)
	for range missedIdle - 1 {
		p.tick()
	}
	p.since = p.since.Add(-time.Hour) // the computer slept
	for range missedIdle {
		p.tick()
	}
	select {
	case <-frozen:
		t.Error("a page counts as frozen that slept")
	default:
	}
	p.tick()
	<-frozen
}

func TestWatchdog_DeadPageReloadsOnceThenAsks(t *testing.T) {
	frozen := make(chan struct{}, 2)
	p := newWatchdog(func() { frozen <- struct{}{} })
	p.stop()
	p.heartbeat(true)
	if !p.processDied() {
		t.Error("the page is not loaded again")
	}
	p.heartbeat(true)
	select {
	case <-frozen:
		t.Fatal("the user is asked about a page that is back")
	default:
	}
	if p.processDied() {
		t.Error("a page that dies over and over is loaded again")
	}
	<-frozen
	if _, dead := p.next(); !dead {
		t.Error("a beat is expected of it")
	}

	silent := newWatchdog(func() { frozen <- struct{}{} })
	silent.stop()
	if !silent.processDied() {
		t.Error("the page is not loaded again")
	}
	for range missedBusy {
		silent.tick()
	}
	<-frozen // it hasn't recovered
}
