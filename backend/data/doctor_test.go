package data_test

import (
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/doctor"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestMain(m *testing.M) { apptest.Main(m) }

func TestDoctor_ListsRunningAgents(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{})
	w := apptest.Open(t, t.TempDir())
	w.Send(w.Chat(backend.ProviderCopilot), "hello")
	w.WaitForDone("the turn", 1)
	var report doctor.Report
	w.Get("/data/doctor", &report)
	if !strings.Contains(report.Text, "] Agent: ") || !strings.Contains(report.Text, "can load sessions") || !strings.Contains(report.Text, "] Search path: ") {
		t.Errorf("the report is\n%s", report.Text)
	}
}
