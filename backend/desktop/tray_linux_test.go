package desktop

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/traytest"
)

// newTrayAppEnv starts an app with an icon in a test tray.
func newTrayAppEnv(t *testing.T, script fakeagent.Script) (*appEnv, *traytest.Tray) {
	t.Helper()
	traytest.Bus(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	tray, err := traytest.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tray.Close() }) // a test may have closed it
	apptest.UseFakeAgent(t, script)
	w := newAppEnv(t, t.TempDir())
	w.d.startTray()
	w.WaitFor("the tray is there", func(e backend.Event) bool { return e.Desktop != nil && e.Desktop.Tray })
	return w, tray
}

// waitForLook waits until the item's appearance in the tray meets the given condition, and returns that appearance.
func waitForLook(t *testing.T, item *traytest.Item, what string, wanted func(traytest.Look) bool) traytest.Look {
	t.Helper()
	l, err := item.WaitFor(what, wanted)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func click(t *testing.T, item *traytest.Item, label string) {
	t.Helper()
	if err := item.Click(label); err != nil {
		t.Fatal(err)
	}
}

func itemOf(t *testing.T, tray *traytest.Tray) *traytest.Item {
	t.Helper()
	item, err := tray.WaitForItem()
	if err != nil {
		t.Fatal(err)
	}
	return item
}

// hasChecked returns a condition for waitForLook: the menu entry with the given label is checked if yes is true,
// or unchecked if yes is false.
func hasChecked(label string, yes bool) func(traytest.Look) bool {
	return func(l traytest.Look) bool {
		for _, e := range l.Menu {
			if e.Label == label {
				return e.Checked == yes
			}
		}
		return false
	}
}

func TestTray_ListsAndOpensWaitingChat(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.txt")
	w, tray := newTrayAppEnv(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Edit(file, "", "new"), fakeagent.Say("done")}}})
	shown := make(chan struct{}, 8)
	w.changeWindow(func(d *Window) { d.Show = func() { shown <- struct{}{} } })
	item := itemOf(t, tray)
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "Rename the billing webhooks")
	l := waitForLook(t, item, "it needs the user", func(l traytest.Look) bool { return l.Status == "NeedsAttention" })
	if l.Tooltip != "VoxPilot, 1 chat needs you" || l.Menu[0].Label != "1 needs you" || l.Menu[1].Label != "Rename the billing webhooks: needs you" {
		t.Errorf("it is %+v", l)
	}
	click(t, item, "Rename the billing webhooks: needs you")
	<-shown
	asked := w.WaitFor("the window is asked for the chat", func(e backend.Event) bool { return e.Navigation != nil }).Navigation
	if asked.For != backend.NavigateChat || asked.ChatID != chat.ID || !asked.Request {
		t.Errorf("it is asked for %+v", *asked)
	}
	if err := item.Activate(); err != nil {
		t.Fatal(err)
	}
	<-shown
	again := w.WaitFor("a click on the icon asks for it too", func(e backend.Event) bool { return e.Navigation != nil && e.Navigation.ID != asked.ID }).Navigation
	if again.ChatID != chat.ID || !again.Request {
		t.Errorf("it is asked for %+v", *again)
	}
	p := w.WaitFor("it asks", func(e backend.Event) bool { return e.Permission != nil }).Permission
	if err := w.App.Answer(p.ID, allowOnce(t, p), false); err != nil {
		t.Fatal(err)
	}
	waitForLook(t, item, "it has finished", func(l traytest.Look) bool { return l.Menu[0].Label == "1 finished" && l.Status == "Active" })
	if err := w.App.MarkRead(chat.ID); err != nil {
		t.Fatal(err)
	}
	waitForLook(t, item, "it was seen", func(l traytest.Look) bool { return l.Menu[0].Label == "Nothing is running" && l.Tooltip == "VoxPilot" })
	if err := item.Activate(); err != nil {
		t.Fatal(err)
	}
	<-shown // with no request
}

// allowOnce returns the ID of the option that allows a request once.
func allowOnce(t *testing.T, p *backend.Permission) string {
	t.Helper()
	for _, o := range p.Options {
		if o.Kind == "allow_once" {
			return o.ID
		}
	}
	t.Fatalf("nothing allows %+v once", *p)
	return ""
}

func TestTray_EntriesWork(t *testing.T) {
	w, tray := newTrayAppEnv(t, fakeagent.Script{})
	shown, quits := make(chan struct{}, 8), make(chan struct{}, 1)
	w.changeWindow(func(d *Window) {
		d.Show = func() { shown <- struct{}{} }
		d.Quit = func() { quits <- struct{}{} }
	})
	item := itemOf(t, tray)
	click(t, item, "Open VoxPilot")
	<-shown
	click(t, item, "New chat")
	<-shown
	w.WaitFor("a new chat is asked for", func(e backend.Event) bool { return e.Navigation != nil && e.Navigation.For == backend.NavigateNewChat })
	click(t, item, "Settings…")
	<-shown
	w.WaitFor("the settings are asked for", func(e backend.Event) bool { return e.Navigation != nil && e.Navigation.For == backend.NavigateSettings })

	click(t, item, "Mute notifications")
	w.WaitFor("they are muted", func(e backend.Event) bool { return e.Settings != nil && e.Settings.Notify.Muted })
	waitForLook(t, item, "the menu says so", hasChecked("Mute notifications", true))
	click(t, item, "Mute notifications")
	waitForLook(t, item, "they are not muted", hasChecked("Mute notifications", false))

	click(t, item, "Start at login")
	w.WaitFor("the desktop starts it", func(e backend.Event) bool { return e.Desktop != nil && e.Desktop.StartAtLogin })
	waitForLook(t, item, "the menu says so", hasChecked("Start at login", true))
	if err := w.d.SetStartAtLogin(false); err != nil { // like the settings
		t.Fatal(err)
	}
	waitForLook(t, item, "the menu says that it does not", hasChecked("Start at login", false))

	w.d.SetFocus(true, "", "de")
	waitForLook(t, item, "it speaks as the window does", func(l traytest.Look) bool { return l.Menu[0].Label == "Nichts läuft" })
	click(t, item, "VoxPilot beenden")
	<-quits // no chat is running, so no question
}

func TestTray_ReconnectsStoppedAgent(t *testing.T) {
	w, tray := newTrayAppEnv(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Die(1, "")}}})
	settings := backend.DefaultSettings()
	settings.Attempts = 1
	if err := w.App.SaveSettings(settings); err != nil {
		t.Fatal(err)
	}
	item := itemOf(t, tray)
	w.Send(w.Chat(backend.ProviderCopilot), "go")
	says := func(what string) func(traytest.Look) bool {
		return func(l traytest.Look) bool {
			return slices.ContainsFunc(l.Menu, func(e traytest.Entry) bool { return e.Label == "Copilot: "+what && e.Disabled })
		}
	}
	waitForLook(t, item, "it has stopped", says("Stopped"))
	waitForLook(t, item, "it looks so", func(l traytest.Look) bool { return l.Icon == "voxpilot-tray-failed-symbolic" })
	click(t, item, "Reconnect Copilot")
	waitForLook(t, item, "it is connected", says("Connected"))
}

func TestTray_QuitAsksIfChatsAreRunning(t *testing.T) {
	w, tray := newTrayAppEnv(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("working"), fakeagent.Hang()}})
	shown := make(chan struct{}, 1)
	w.changeWindow(func(d *Window) {
		d.Show = func() { shown <- struct{}{} }
		d.Quit = func() { t.Error("it quits") }
	})
	item := itemOf(t, tray)
	w.Send(w.Chat(backend.ProviderCopilot), "go")
	waitForLook(t, item, "it runs", func(l traytest.Look) bool { return l.Tooltip == "VoxPilot, 1 running" })
	w.d.Heartbeat(false)
	click(t, item, "Quit VoxPilot")
	w.WaitFor("the page asks", func(e backend.Event) bool { return e.QuitRequested != nil })
	<-shown
	w.d.Heartbeat(true) // the page responds
}
