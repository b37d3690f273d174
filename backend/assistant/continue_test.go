package assistant_test

import (
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

func TestHandover_RecapNamesItself(t *testing.T) {
	events := turnEvents(backend.TurnDone, "/fix it", strings.Repeat("It is fixed. ", 5000))
	got := assistant.Handover(events, folder)
	if assistant.Tokens(got) > assistant.RecapTokens || strings.Contains(got, "was lost") ||
		!strings.Contains(got, "The user is continuing an earlier chat in this new one") || !strings.Contains(got, "> /fix it") || strings.HasPrefix(got, "/") {
		t.Errorf("%d tokens: %s", assistant.Tokens(got), got)
	}
	if got := assistant.Handover(nil, folder); got != "" {
		t.Errorf("of nothing it is %q", got)
	}
}
