// Package need ends tests on machines that lack something the tests need: a tool, an agent or a
// privilege.
//
// A skipped test checks nothing and is easily overlooked. Therefore, these tests are skipped only if a developer runs
// them; under .ci/run, which sets VOXPILOT_REQUIRE_ALL, they fail. Tests for other operating systems are always
// skipped.
package need

import (
	"hash/crc32"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// Environment variables of a test run.
const (
	allVar    = "VOXPILOT_REQUIRE_ALL"    // everything is installed
	agentsVar = "VOXPILOT_REQUIRE_AGENTS" // the agents are installed: the Copilot CLI and Qwen Code
	sampleVar = "VOXPILOT_SAMPLE"         // a number: only a third of the tests with real agents run
)

// Sample skips the test if VOXPILOT_SAMPLE is set to a number and the test isn't in the third of all tests that this
// number selects. The script .ci/run sets the variable, because the real agents take a long time to start. Subtests
// are selected together with their top-level test.
func Sample(t testing.TB) {
	t.Helper()
	name, _, _ := strings.Cut(t.Name(), "/")
	seed, err := strconv.Atoi(os.Getenv(sampleVar))
	if err == nil && (crc32.ChecksumIEEE([]byte(name))+uint32(seed))%3 != 0 { //nolint:gosec // any number
		t.Skipf("not in the sample (%s=%d)", sampleVar, seed)
	}
}

// Missing ends the test because this machine lacks something that the tests need. format and args describe what is
// missing.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	end(t, format, args, allVar)
}

// Agent ends the test because an agent is not installed.
func Agent(t testing.TB, format string, args ...any) {
	t.Helper()
	end(t, format, args, allVar, agentsVar)
}

// Programs ends the test unless all of the named programs are installed. It returns the path of the first
// one.
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

// end fails the test if one of the given environment variables is set, and otherwise skips it.
func end(t testing.TB, format string, args []any, variables ...string) {
	t.Helper()
	for _, variable := range variables {
		if os.Getenv(variable) != "" {
			t.Fatalf(format+" (%s is set)", append(args, variable)...)
		}
	}
	t.Skipf(format, args...)
}
