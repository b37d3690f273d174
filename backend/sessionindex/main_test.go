package sessionindex_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/internal/process"
)

func TestMain(m *testing.M) {
	process.ExecIfRequested()
	goleak.VerifyTestMain(m)
}
