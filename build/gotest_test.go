// Package build tests the scripts that run the tests.
package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/internal/need"
)

// module is a Go module with five tests. One passes, one is skipped, and one fails only on its first run. One fails if
// the file "broken" exists. If the file "crash" exists, the last one deletes it and exits the test program.
var module = map[string]string{
	"go.mod": "module example.org/m\n\ngo 1.26\n",
	"m_test.go": `package m

import (
	"os"
	"testing"
)

func TestPasses(t *testing.T) {}

func TestSkips(t *testing.T) { t.Skip("there is no sun") }

func TestOnce(t *testing.T) {
	t.Run("sub", func(t *testing.T) {
		if _, err := os.Stat("seen"); err != nil {
			_ = os.WriteFile("seen", nil, 0o600)
			t.Error("the first time")
		}
	})
}

func TestBroken(t *testing.T) {
	if _, err := os.Stat("broken"); err == nil {
		t.Error("always")
	}
}

func TestCrash(t *testing.T) {
	if _, err := os.Stat("crash"); err == nil {
		_ = os.Remove("crash")
		os.Exit(3)
	}
}
`,
}

// gotest adds empty files with the given names to the module and runs the script on
// it. It returns the script's output, the names the script reported as flaky, and
// whether it passed. If again is set, failed tests run a second time.
func gotest(t *testing.T, again bool, files ...string) (out string, flaky []string, ok bool) {
	t.Helper()
	script, err := filepath.Abs("gotest.mjs")
	if err != nil {
		t.Fatal(err)
	}
	dir, list := t.TempDir(), filepath.Join(t.TempDir(), "flaky")
	for name, text := range module {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range files {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), need.Programs(t, "node"), script, "-count=1", "--", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "VOXPILOT_FLAKY=", "GOFLAGS=")
	if again {
		cmd.Env = append(cmd.Env, "VOXPILOT_FLAKY="+list)
	}
	b, err := cmd.CombinedOutput()
	names, _ := os.ReadFile(list) // exists only if a test was flaky
	return string(b), strings.Fields(string(names)), err == nil
}

func TestGotest_NamesFirstFailure(t *testing.T) {
	for _, c := range []struct {
		name  string
		again bool
		files []string
		ok    bool
		flaky string
		says  []string
	}{
		{"passes", true, []string{"seen"}, true, "", []string{"ok  \texample.org/m", "skipped: example.org/m TestSkips: there is no sun"}},
		{"fails once", true, nil, true, "example.org/m TestOnce/sub", []string{"the first time", "failed: example.org/m TestOnce/sub", "retrying: example.org/m TestOnce"}},
		{"fails once, and is not run again", false, nil, false, "", []string{"failed: example.org/m TestOnce/sub"}},
		{"fails twice", true, []string{"seen", "broken"}, false, "", []string{"always", "failed again: example.org/m TestBroken"}},
		{"ends in the middle", true, []string{"seen", "crash"}, true, "example.org/m TestCrash", []string{"failed: example.org/m TestCrash"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, flaky, ok := gotest(t, c.again, c.files...)
			if got := strings.Join(flaky, " "); ok != c.ok || got != c.flaky {
				t.Errorf("got passed %v and flaky %q, want %v and %q:\n%s", ok, got, c.ok, c.flaky, out)
			}
			for _, want := range c.says {
				if !strings.Contains(out, want) {
					t.Errorf("got %s, want %q in it", out, want)
				}
			}
		})
	}
}
