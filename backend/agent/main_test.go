package agent_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/process"
)

func TestMain(m *testing.M) {
	process.ExecIfAsked()
	environment.PrintIfAsked()
	fakeagent.RunIfAsked()
	parentIfAsked()
	childIfAsked()
	goleak.VerifyTestMain(m)
}
