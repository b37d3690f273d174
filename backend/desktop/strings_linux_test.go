package desktop

import (
	"slices"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestLanguage_DialogsAndMenuFollowSettings(t *testing.T) {
	w, _ := newTrayAppEnv(t, fakeagent.Script{})
	asked, titled := make(chan []string, 1), make(chan []string, 2)
	w.changeWindow(func(d *Window) {
		d.Ask = func(title, message, yes, no string) bool {
			asked <- []string{title, yes, no}
			return false
		}
		d.Retitle = func(from, to []string) { titled <- []string{from[0], to[0]} }
	})
	w.d.quitAnswer = time.Millisecond
	e, _ := w.d.runningChats()
	says := func(running int, want ...string) {
		t.Helper()
		w.d.askToQuit(e, running)
		if got := <-asked; !slices.Equal(got, want) {
			t.Errorf("it asks %q, not %q", got, want)
		}
	}
	says(1, "1 chat is still running. Quit anyway?", "Quit", "Keep running")
	w.d.SetFocus(true, "", "zh")
	if got := <-titled; !slices.Equal(got, []string{"Settings…", "设置…"}) {
		t.Errorf("the menu bar changes %q", got)
	}
	says(2, "2 个对话仍在运行。仍要退出？", "退出", "继续运行")
	settings := backend.DefaultSettings()
	settings.Language = "de"
	if err := w.App.SaveSettings(settings); err != nil {
		t.Fatal(err)
	}
	if got := <-titled; !slices.Equal(got, []string{"设置…", "Einstellungen…"}) {
		t.Errorf("the menu bar changes %q", got)
	}
	says(2, "2 Chats laufen noch. Trotzdem beenden?", "Beenden", "Weiterlaufen lassen")
	w.d.frozen()
	if got := <-asked; !slices.Equal(got, []string{"Das Fenster von VoxPilot reagiert nicht mehr", "VoxPilot neu starten", "Warten"}) {
		t.Errorf("it asks %q", got)
	}
}
