package agent_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestMain(m *testing.M) {
	agent.ExecIfAsked()
	agent.PrintEnvIfAsked()
	fakeagent.RunIfAsked()
	parentIfAsked()
	childIfAsked()
	goleak.VerifyTestMain(m)
}
