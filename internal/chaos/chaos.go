// Package chaos is what the tests that break things on purpose have in common.
//
// Their names begin with TestChaos. As part of `go test ./...` and `make race` each
// does a few rounds in a few seconds; under `make chaos` each does all of them, and leaves
// a row in the table that is printed at the end. What is random in them follows
// from a seed that is told when a test fails, and that can be given again.
package chaos

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// The environment of a run.
const (
	lengthVar = "VOXPILOT_CHAOS"       // "long" for all rounds; "every" for a few rounds, and of slow tests as well
	seedVar   = "VOXPILOT_CHAOS_SEED"  // a number, to do a run again
	tableVar  = "VOXPILOT_CHAOS_TABLE" // the file that rows are added to
)

// Long says whether all rounds are to be done.
func Long() bool { return os.Getenv(lengthVar) == "long" }

// Slow skips a test that takes long in itself, however few its rounds, unless
// all tests are to be done.
func Slow(t testing.TB, how string) {
	t.Helper()
	if length := os.Getenv(lengthVar); length != "long" && length != "every" {
		t.Skipf("it takes %s: make chaos", how)
	}
}

// Runs is how many rounds are to be done: short as part of all tests, long under
// `make chaos`.
func Runs(short, long int) int {
	if Long() {
		return long
	}
	return short
}

// Seed is where the randomness of the test begins: the number that was given,
// or a new one. Where the test fails it tells the number.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := rand.Uint64()
	if given := os.Getenv(seedVar); given != "" {
		n, err := strconv.ParseUint(given, 10, 64)
		if err != nil {
			t.Fatalf("%s is %q, which is no number", seedVar, given)
		}
		seed = n
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("to do this again: %s=%d go test -count=1 -run '^%s$' …", seedVar, seed, strings.Split(t.Name(), "/")[0])
		}
	})
	return seed
}

// Rand is the randomness of one round of the test. Rounds may be done in any
// order, or at the same time.
func Rand(t testing.TB, seed uint64, round int) *rand.Rand {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, t.Name(), round)
	return rand.New(rand.NewPCG(seed, h.Sum64())) //nolint:gosec // it is to be repeatable
}

// Row adds a row to the table when the test ends: what was broken, and how
// often. The test calls result with what came out of it; where it fails, or
// never comes that far, the row says so. It is called at the beginning of the
// test, so that the row knows of all that went wrong.
func Row(t testing.TB, what string, runs int) (result func(format string, args ...any)) {
	t.Helper()
	words := ""
	result = func(format string, args ...any) { words = fmt.Sprintf(format, args...) }
	file := os.Getenv(tableVar)
	if file == "" {
		return result
	}
	t.Cleanup(func() {
		switch {
		case t.Failed():
			words = "**failed**"
		case t.Skipped():
			words = "skipped"
		}
		out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = fmt.Fprintf(out, "| %s | %d | %s | `%s` |\n", what, runs, words, t.Name())
			_ = out.Close()
		}
		if err != nil {
			t.Errorf("the row was not kept: %v", err)
		}
	})
	return result
}
