package environment_test

import (
	"testing"

	"github.com/voxpilot/voxpilot/internal/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m) }
