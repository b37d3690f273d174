package tray

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/internal/traytest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// trayView is a tray on a test bus, with its recorded callbacks.
type trayView struct {
	*Tray
	clicks chan Entry
	hosted chan bool
	dir    string
}

func newTrayView(t *testing.T, s State) *trayView {
	t.Helper()
	v := &trayView{clicks: make(chan Entry, 8), hosted: make(chan bool, 8), dir: t.TempDir()}
	v.Tray = Start(Config{
		Click:  func(e Entry) { v.clicks <- e },
		Hosted: func(yes bool) { v.hosted <- yes },
		Dir:    v.dir, Log: slog.New(slog.DiscardHandler),
	}, s)
	t.Cleanup(v.Close)
	return v
}

func openTray(t *testing.T) *traytest.Tray {
	t.Helper()
	tray, err := traytest.Open()
	noErr(t, err)
	t.Cleanup(func() { _ = tray.Close() }) // a test may have closed it
	return tray
}

func noErr(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func item(t *testing.T, tray *traytest.Tray) *traytest.Item {
	t.Helper()
	i, err := tray.WaitForItem()
	noErr(t, err)
	return i
}

func TestTray_ShowsAndUpdatesState(t *testing.T) {
	traytest.Bus(t)
	tray := openTray(t)
	v := newTrayView(t, State{Copilot: Connected})
	if !<-v.hosted {
		t.Fatal("it is not shown")
	}
	it := item(t, tray)
	look, err := it.Look()
	noErr(t, err)
	if look.ID != "voxpilot" || look.Title != "VoxPilot" || look.Status != "Active" || look.Tooltip != "VoxPilot" {
		t.Errorf("it is %+v", look)
	}
	if diff := cmp.Diff([]int32{22, 44}, look.Sizes); diff != "" {
		t.Errorf("pictures (-want +got):\n%s", diff)
	}
	drawn := filepath.Join(look.IconDir, "hicolor", "scalable", "status", look.Icon+".svg")
	if svg, err := os.ReadFile(drawn); err != nil || filepath.Dir(filepath.Dir(look.IconDir)) != v.dir || len(svg) == 0 {
		t.Errorf("the drawing in %s: %v", drawn, err)
	}
	idle := look.Pixels

	v.Show(State{Copilot: Reconnecting, Muted: true, Chats: []Chat{
		{ID: "a", Title: "fix_the_build", Status: Running},
		{ID: "b", Title: "Rename billing webhooks", Status: NeedsYou},
	}})
	look, err = it.WaitFor("it follows", func(l traytest.Look) bool { return l.Status == "NeedsAttention" })
	noErr(t, err)
	if look.Icon != "voxpilot-tray-needs-you-symbolic" || look.Tooltip != "VoxPilot, 1 chat needs you" || slices.Equal(look.Pixels, idle) {
		t.Errorf("it is %+v", look)
	}
	var labels []string
	for _, e := range look.Menu {
		label := e.Label
		if e.Disabled {
			label = "(" + label + ")"
		}
		if e.Checked {
			label = "[x] " + label
		}
		labels = append(labels, label)
	}
	if diff := cmp.Diff([]string{
		"(1 running, 1 needs you)", "Rename billing webhooks: needs you", "fix_the_build: running", "",
		"Quick prompt…", "New chat", "Open VoxPilot", "",
		"(Copilot: Reconnecting…)", "Reconnect Copilot", "[x] Mute notifications", "Start at login", "",
		"Settings…", "Quit VoxPilot",
	}, labels); diff != "" {
		t.Errorf("the menu (-want +got):\n%s", diff)
	}
}

func TestTray_ClickMatchesMenuAsRead(t *testing.T) {
	traytest.Bus(t)
	tray := openTray(t)
	v := newTrayView(t, State{Chats: []Chat{{ID: "a", Title: "one", Status: Running}}})
	it := item(t, tray)
	noErr(t, it.Click("Open VoxPilot"))
	if e := <-v.clicks; e.Do != Open {
		t.Errorf("it does %+v", e)
	}
	noErr(t, it.Activate())
	if e := <-v.clicks; e.Do != Tap {
		t.Errorf("a click on the icon does %+v", e)
	}
	noErr(t, it.ActivateWheel())
	if e := <-v.clicks; e.Do != QuickPrompt {
		t.Errorf("a click of the wheel does %+v", e)
	}
	look, err := it.Look()
	noErr(t, err)
	v.Show(State{Chats: []Chat{{ID: "b", Title: "two", Status: NeedsYou}}})
	noErr(t, it.ClickID(look.Menu[1].ID)) // in a menu that was open while it changed
	if e := <-v.clicks; e.Do != OpenChat || e.ChatID != "a" {
		t.Errorf("it does %+v", e)
	}
	if it.ClickID(9999) == nil {
		t.Error("an entry that never was can be clicked")
	}
	noErr(t, it.ClickID(look.Menu[0].ID)) // a text without an action
	noErr(t, it.Click("Quit VoxPilot"))
	if e := <-v.clicks; e.Do != Quit {
		t.Errorf("it does %+v", e)
	}
}

func TestTray_SurvivesHostRestarts(t *testing.T) {
	traytest.Bus(t)
	v := newTrayView(t, State{})
	for range 2 {
		tray := openTray(t)
		item(t, tray)
		if !<-v.hosted {
			t.Fatal("a tray that came does not count")
		}
		noErr(t, tray.SetHosted(false))
		if <-v.hosted {
			t.Fatal("a tray that draws nothing counts")
		}
		noErr(t, tray.SetHosted(true))
		if !<-v.hosted {
			t.Fatal("a tray that draws again does not count")
		}
		noErr(t, tray.Close())
		if <-v.hosted {
			t.Fatal("a tray that is gone counts")
		}
	}
}

func TestTray_CloseRemovesIcon(t *testing.T) {
	traytest.Bus(t)
	tray := openTray(t)
	v := newTrayView(t, State{})
	item(t, tray)
	v.Close()
	noErr(t, tray.WaitForEmpty())
	v.Show(State{Muted: true}) // no tray exists, and nothing fails
	v.Close()
}

func TestTray_WithoutSessionBusNone(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	v := newTrayView(t, State{})
	v.Show(State{Muted: true})
	v.Close()
	select {
	case yes := <-v.hosted:
		t.Errorf("it is told of a tray: %v", yes)
	default:
	}
}

func TestIcons_DifferWithoutColor(t *testing.T) {
	seen := map[string]Shape{}
	for _, s := range []Shape{ShapeIdle, ShapeRunning, ShapeNeedsYou, ShapeFailed, ShapeOffline} {
		var alpha []byte
		for i, b := range pixmaps(s)[0].Pixels {
			if i%4 == 0 {
				alpha = append(alpha, b)
			}
		}
		if other, twice := seen[string(alpha)]; twice {
			t.Errorf("%s looks as %s does", s, other)
		}
		seen[string(alpha)] = s
	}
}
