package quick

import (
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/overview"
)

func TestTargets_ChatNeedsTrust(t *testing.T) {
	chat := backend.Chat{ID: "c", Title: "Fix it", Folder: "/code/api"}
	now := overview.State{
		Chats:       map[string]backend.Chat{"c": chat},
		Connections: map[string]backend.Connection{"c": {ChatID: "c", State: backend.ConnectionNeedsTrust, Since: 7}},
	}
	if got := stateOf(now, chat); got != backend.QuickTrust {
		t.Errorf("got %q in the quick prompt, want %q", got, backend.QuickTrust)
	}
}

func TestTargets_ShowSandbox(t *testing.T) {
	now := overview.State{Chats: map[string]backend.Chat{
		"a": {ID: "a", Folder: "/code/api", Sandbox: backend.Sandbox{On: true}, UpdatedAt: 2}, "b": {ID: "b", Folder: "/code/api", UpdatedAt: 1},
	}}
	for _, target := range targets(now, "/home/anna") {
		if want := target.ChatID == "a"; target.Sandbox != want {
			t.Errorf("%q: got %v, want %v", target.ChatID, target.Sandbox, want)
		}
	}
	if got := len(targets(now, "/home/anna")); got != 3 {
		t.Errorf("got %d targets, want 3", got)
	}
}
