package typed_test

import (
	"slices"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/typed"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// TestInstead_CLIDeclaresNoneOfThem checks that the real Copilot CLI declares only one of the commands that VoxPilot
// handles itself instead of sending them: /review, with which the CLI's own agent reviews the changes. VoxPilot's
// /review is for other agents. If a later version of the CLI declares another of these commands, decide whether
// VoxPilot still needs its own.
func TestInstead_CLIDeclaresNoneOfThem(t *testing.T) {
	t.Setenv(copilot.PathVar, copilottest.Path(t))
	t.Setenv("COPILOT_HOME", t.TempDir())
	w := apptest.Open(t, t.TempDir())
	chat, err := w.App.StartPractice()
	if err != nil {
		t.Fatal(err)
	}
	w.Send(chat, "Hello")
	declared := w.WaitFor("the commands of the CLI", func(ev backend.Event) bool {
		return ev.Session != nil && ev.Session.ChatID == chat.ID && len(ev.Session.Commands) > 0
	}).Session.Commands
	var both []string
	for _, c := range declared {
		if !typed.Instead("/"+c.ID, nil).IsZero() {
			both = append(both, c.ID)
		}
	}
	if !slices.Equal(both, []string{"review"}) {
		t.Errorf("of VoxPilot's commands, the CLI declares %q, want only review; it declares %+v", both, declared)
	}
}
