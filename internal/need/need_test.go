package need_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/internal/need"
)

// recorder is a testing.TB that records whether the test was skipped or failed.
type recorder struct {
	testing.TB
	result string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.result = "failed: " + fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Skipf(format string, args ...any) {
	r.result = "skipped: " + fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// outcome calls f with a recorder and returns the recorded result.
func outcome(f func(t testing.TB)) string {
	r := &recorder{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(r)
		r.result = "went on"
	}()
	<-done
	return r.result
}

func TestMissing_FailsIfEverythingIsRequired(t *testing.T) {
	none := func(t testing.TB) { need.Programs(t, "voxpilot-no-such-program") }
	agent := func(t testing.TB) { need.Agent(t, "no agent") }
	for _, c := range []struct {
		all, agents string
		what        func(t testing.TB)
		want        string
	}{
		{"", "", none, "skipped: install voxpilot-no-such-program"},
		{"", "1", none, "skipped: "},
		{"1", "", none, "failed: install voxpilot-no-such-program"},
		{"", "", agent, "skipped: no agent"},
		{"", "1", agent, "failed: no agent (VOXPILOT_REQUIRE_AGENTS is set)"},
		{"1", "", agent, "failed: no agent (VOXPILOT_REQUIRE_ALL is set)"},
		{"1", "", func(t testing.TB) { need.Programs(t, "go") }, "went on"},
	} {
		t.Setenv("VOXPILOT_REQUIRE_ALL", c.all)
		t.Setenv("VOXPILOT_REQUIRE_AGENTS", c.agents)
		if got := outcome(c.what); !strings.HasPrefix(got, c.want) {
			t.Errorf("all %q, agents %q: got %q, want %q", c.all, c.agents, got, c.want)
		}
	}
}
