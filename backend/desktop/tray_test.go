package desktop

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/backend/platform/tray"
)

func TestTray_ChatNeedsTrust(t *testing.T) {
	chat := backend.Chat{ID: "c", Title: "Fix it", Folder: "/code/api"}
	now := overview.State{
		Chats:       map[string]backend.Chat{"c": chat},
		Connections: map[string]backend.Connection{"c": {ChatID: "c", State: backend.ConnectionNeedsTrust, Since: 7}},
	}
	var s trayState
	s.observe(now)
	want := tray.State{Chats: []tray.Chat{{ID: "c", Title: "Fix it", Status: tray.NeedsYou, Since: 7}}, Copilot: tray.NotRunning}
	if diff := cmp.Diff(want, s.now); diff != "" {
		t.Errorf("got another tray (-want +got):\n%s", diff)
	}
	if id := s.waitingChat(); id != "c" {
		t.Errorf("got %q, want a click to lead to the chat", id)
	}
}
