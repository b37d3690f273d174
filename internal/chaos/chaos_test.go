package chaos_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/internal/chaos"
)

func TestTable_OneRowPerTest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "table")
	t.Setenv("VOXPILOT_CHAOS_TABLE", file)
	t.Run("a test", func(t *testing.T) {
		result := chaos.Row(t, "A thing", 7)
		if _, err := os.Stat(file); err == nil {
			t.Error("there is a row before the test has ended")
		}
		result("%d of them passed", 7)
	})
	t.Run("skipped", func(t *testing.T) {
		chaos.Row(t, "Another", 1)
		t.SkipNow()
	})
	const want = "| A thing | 7 | 7 of them passed | `TestTable_OneRowPerTest/a_test` |\n" +
		"| Another | 1 | skipped | `TestTable_OneRowPerTest/skipped` |\n"
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("the table: %v\n%s", err, got)
	}
}

func TestSeed_ReproducesRun(t *testing.T) {
	t.Setenv("VOXPILOT_CHAOS_SEED", "42")
	seed := chaos.Seed(t)
	if seed != 42 || chaos.Rand(t, seed, 3).Uint64() != chaos.Rand(t, seed, 3).Uint64() {
		t.Error("the same seed gives something else")
	}
	if chaos.Rand(t, seed, 3).Uint64() == chaos.Rand(t, seed, 4).Uint64() {
		t.Error("two rounds are the same")
	}
}

func TestSlow_RunsInFullSuite(t *testing.T) {
	for length, want := range map[string]bool{"": false, "every": true, "long": true} {
		t.Setenv("VOXPILOT_CHAOS", length)
		ran := false
		t.Run("length "+length, func(t *testing.T) {
			chaos.Slow(t, "a minute")
			ran = true
		})
		if ran != want {
			t.Errorf("VOXPILOT_CHAOS=%q: got %v, want %v", length, ran, want)
		}
	}
}

func TestLong_OnlyOnRequest(t *testing.T) {
	t.Setenv("VOXPILOT_CHAOS", "long")
	if chaos.Runs(1, 200) != 200 {
		t.Error("it is short")
	}
	t.Setenv("VOXPILOT_CHAOS", "")
	if chaos.Runs(1, 200) != 1 {
		t.Error("it is long")
	}
}

// TestRounds checks the number of rounds with and without a minimum duration.
func TestRounds(t *testing.T) {
	count := func() (n int) {
		for round := range chaos.Rounds(2, 5) {
			if round != n {
				t.Fatalf("round %d after %d", round, n)
			}
			n++
		}
		return n
	}
	for length, want := range map[string][2]int{"": {2, 5}, "every": {2, 5}, "long": {5, 5}} {
		t.Setenv("VOXPILOT_CHAOS", length)
		t.Setenv("VOXPILOT_CHAOS_TIME", "")
		short := count()
		t.Setenv("VOXPILOT_CHAOS_TIME", "3600")
		if got := [2]int{short, count()}; got != want {
			t.Errorf("%q: %d rounds, want %d", length, got, want)
		}
	}
}
