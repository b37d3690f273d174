package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/internal/need"
)

// run runs a script in this folder. It returns the script's output, the names that the script reported as flaky, and
// whether it passed.
func run(t *testing.T, args ...string) (out string, flaky []string, ok bool) {
	t.Helper()
	// Reading the scripts makes the cached test result depend on them.
	for _, script := range []string{args[0], "side-by-side.sh"} {
		if _, err := os.ReadFile(script); err != nil {
			t.Fatal(err)
		}
	}
	list := filepath.Join(t.TempDir(), "flaky")
	cmd := exec.CommandContext(t.Context(), need.Programs(t, "bash"), args...)
	cmd.Env = append(os.Environ(), "VOXPILOT_FLAKY="+list)
	b, err := cmd.CombinedOutput()
	names, _ := os.ReadFile(list) // exists only if something was flaky
	return string(b), strings.FieldsFunc(string(names), func(r rune) bool { return r == '\n' }), err == nil
}

func TestAgain_NamesFirstFailure(t *testing.T) {
	seen := filepath.Join(t.TempDir(), "seen")
	once := "[ -e " + seen + " ] || { touch " + seen + "; echo '✗ .deb: it starts'; exit 1; }"
	out, flaky, ok := run(t, "again.sh", "package-check", "bash", "-c", once)
	if got := strings.Join(flaky, "|"); !ok || got != "package-check .deb: it starts" || !strings.Contains(out, "retrying: package-check") {
		t.Errorf("got passed %v and flaky %q:\n%s", ok, got, out)
	}
	if out, flaky, ok := run(t, "again.sh", "fuzz", "false"); ok || len(flaky) > 0 || !strings.Contains(out, "failed: fuzz") {
		t.Errorf("got passed %v and flaky %q:\n%s", ok, flaky, out)
	}
}

func TestSideBySide_FailsIfOneFails(t *testing.T) {
	// Each command waits for the other, so they can finish only if both run at the same time.
	dir := t.TempDir()
	wait := func(mine, other string) string {
		return "touch " + filepath.Join(dir, mine) + "; until [ -e " + filepath.Join(dir, other) + " ]; do sleep 0.02; done; echo " + mine
	}
	out, _, ok := run(t, "side-by-side.sh", "one", wait("a", "b"), "two", wait("b", "a"))
	if !ok || !strings.Contains(out, "one | a\n") || !strings.Contains(out, "two | b\n") {
		t.Errorf("got passed %v:\n%s", ok, out)
	}
	out, _, ok = run(t, "side-by-side.sh", "one", "false; echo not reached", "two", "echo done")
	if ok || !strings.Contains(out, "two | done\n") || !strings.Contains(out, " min of processor time, failed") || strings.Contains(out, "not reached") {
		t.Errorf("got passed %v:\n%s", ok, out)
	}
}

// stepTime matches the line that .ci/run prints at the end of a step.
var stepTime = regexp.MustCompile(`(?m)^e2e beside package: \d+ min \d+ s, \d+ min \d+ s of processor time$`)

func TestCI_ExitCodeIsFlakyTestCount(t *testing.T) {
	bin := t.TempDir()
	// A stub for make: each suite has a flaky test, and the file "broken" makes one fail.
	stub := `#!/bin/sh
[ "$VOXPILOT_REQUIRE_ALL" = 1 ] || exit 1
case "$*" in
*CHAOS=1*) echo "./backend TestA/b" >>"$VOXPILOT_FLAKY" ;;
*e2e*) echo "e2e chat.test.mjs says hello" >>"$VOXPILOT_FLAKY" ; [ ! -e "$0.broken" ] ;;
esac
`
	if err := os.WriteFile(filepath.Join(bin, "make"), []byte(stub), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	const want = "FLAKY: ./backend TestA/b\nFLAKY: e2e chat.test.mjs says hello\nFLAKY: 2\n"
	out, _, ok := run(t, "../.ci/run")
	if !ok || !strings.HasSuffix(out, want) || !stepTime.MatchString(out) {
		t.Errorf("got passed %v:\n%s", ok, out)
	}
	if err := os.WriteFile(filepath.Join(bin, "make.broken"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, _, ok := run(t, "../.ci/run"); ok || !strings.HasSuffix(out, "FAILED\n"+want) {
		t.Errorf("got passed %v:\n%s", ok, out)
	}
}
