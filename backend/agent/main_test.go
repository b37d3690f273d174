package agent_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/process"
)

func TestMain(m *testing.M) {
	process.ExecIfAsked()
	agent.PrintEnvIfAsked()
	fakeagent.RunIfAsked()
	parentIfAsked()
	childIfAsked()
	goleak.VerifyTestMain(m)
}
