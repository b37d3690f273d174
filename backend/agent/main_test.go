package agent_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/process"
)

func TestMain(m *testing.M) {
	process.ExecIfRequested()
	environment.PrintIfRequested()
	fakeagent.RunIfRequested()
	runParentIfRequested()
	runChildIfRequested()
	goleak.VerifyTestMain(m)
}
