// Package need decides what becomes of a test on a machine that lacks something
// the test needs: a tool, an agent, a right.
//
// A skip hides a check, and nobody reads skips. So these are skips only where a
// person runs the tests: under .ci/run, which sets VOXPILOT_REQUIRE_ALL, they are
// failures. Tests of another operating system skip by themselves.
package need

import (
	"os"
	"os/exec"
	"testing"
)

// The environment of a run.
const (
	allVar    = "VOXPILOT_REQUIRE_ALL"    // everything is there
	agentsVar = "VOXPILOT_REQUIRE_AGENTS" // the agents are there: the Copilot CLI and Qwen Code
)

// Missing ends the test because of what this machine lacks.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	end(t, format, args, allVar)
}

// Agent ends the test because an agent is not installed.
func Agent(t testing.TB, format string, args ...any) {
	t.Helper()
	end(t, format, args, allVar, agentsVar)
}

// Programs ends the test unless all the programs are installed, and returns
// where the first of them is.
func Programs(t testing.TB, names ...string) string {
	t.Helper()
	first := ""
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			Missing(t, "install %s (build/deps.sh test does): %v", name, err)
		}
		if first == "" {
			first = path
		}
	}
	return first
}

// end fails the test where one of the variables is set, and else skips it.
func end(t testing.TB, format string, args []any, variables ...string) {
	t.Helper()
	for _, variable := range variables {
		if os.Getenv(variable) != "" {
			t.Fatalf(format+" (%s is set)", append(args, variable)...)
		}
	}
	t.Skipf(format, args...)
}
