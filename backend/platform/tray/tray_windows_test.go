package tray

import (
	"log/slog"
	"testing"
	"time"
)

func TestTray_IconFollowsState(t *testing.T) {
	hosted := make(chan bool, 1)
	tray := Start(Config{
		Click:  func(Entry) {},
		Hosted: func(yes bool) { hosted <- yes },
		Log:    slog.New(slog.DiscardHandler),
	}, State{})
	select {
	case yes := <-hosted:
		if !yes {
			t.Fatal("it is not shown")
		}
	case <-time.After(time.Minute):
		t.Fatal("it is not shown")
	}
	for n := range MaxChats + 2 {
		var s State
		for i := range n {
			s.Chats = append(s.Chats, Chat{ID: string(rune('a' + i)), Title: "R&D", Status: Status(i % 4)})
		}
		tray.Show(s)
		driver := tray.driver.(*native) //nolint:errcheck // the only driver type
		driver.mu.Lock()
		shown := len(driver.entries)
		driver.mu.Unlock()
		if shown != len(Menu(s)) {
			t.Errorf("with %d chats, %d entries are shown of %d", n, shown, len(Menu(s)))
		}
	}
	tray.Close()
}
