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
