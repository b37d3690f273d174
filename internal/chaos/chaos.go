// Package chaos holds the common parts of the fault injection tests.
//
// The names of these tests start with TestChaos. As part of `go test ./...` and `make race`, each runs a few rounds in
// a few seconds; under `make chaos`, each runs all rounds and adds a row to the table printed at the end. Their
// randomness derives from a seed, which is printed when a test fails and can be set to repeat the run.
package chaos

import (
	"fmt"
	"hash/fnv"
	"iter"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Environment variables of a test run.
const (
	lengthVar = "VOXPILOT_CHAOS"       // "long" for all rounds; "every" for a few rounds, including slow tests
	seedVar   = "VOXPILOT_CHAOS_SEED"  // a number, to repeat a run
	tableVar  = "VOXPILOT_CHAOS_TABLE" // the file to which rows are added
	timeVar   = "VOXPILOT_CHAOS_TIME"  // minimum duration in seconds of each test that uses Rounds
)

// Long reports whether the tests should run all rounds.
func Long() bool { return os.Getenv(lengthVar) == "long" }

// Slow skips a test that is slow even with few rounds, unless slow tests or all rounds were requested. The parameter
// how states the test's duration, for the log.
func Slow(t testing.TB, how string) {
	t.Helper()
	if length := os.Getenv(lengthVar); length != "long" && length != "every" {
		t.Skipf("it takes %s: make chaos", how)
	}
}

// Runs returns the number of rounds to run: the value of long under `make chaos`, otherwise the value of
// short.
func Runs(short, long int) int {
	if Long() {
		return long
	}
	return short
}

// Rounds returns the numbers of the rounds to run, from 0: as many as Runs returns, and then more, at most long in all,
// until the time in VOXPILOT_CHAOS_TIME has passed.
func Rounds(short, long int) iter.Seq[int] {
	seconds, _ := strconv.Atoi(os.Getenv(timeVar)) // 0 if it isn't set
	return func(yield func(int) bool) {
		end := time.Now().Add(time.Duration(seconds) * time.Second)
		for n := 0; n < Runs(short, long) || n < long && time.Now().Before(end); n++ {
			if !yield(n) {
				return
			}
		}
	}
}

// Seed returns the random seed of the test: the one from the environment, or a new one.
// If the test fails, the seed is logged.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := rand.Uint64()
	if given := os.Getenv(seedVar); given != "" {
		n, err := strconv.ParseUint(given, 10, 64)
		if err != nil {
			t.Fatalf("%s is %q, want a number", seedVar, given)
		}
		seed = n
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("to repeat this run: %s=%d go test -count=1 -run '^%s$' …", seedVar, seed, strings.Split(t.Name(), "/")[0])
		}
	})
	return seed
}

// Rand returns the random source for one round of the test. Rounds may run in any order or in parallel.
func Rand(t testing.TB, seed uint64, round int) *rand.Rand {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, t.Name(), round)
	return rand.New(rand.NewPCG(seed, h.Sum64())) //nolint:gosec // reproducible
}

// Row adds a row to the table when the test ends. The row shows the injected fault, the number of runs and
// the outcome. The test sets the outcome by calling result; if the test fails or is skipped, the row shows
// that instead. Call Row at the start of the test, so that it covers every failure.
func Row(t testing.TB, what string, runs int) (result func(format string, args ...any)) {
	t.Helper()
	text := ""
	result = func(format string, args ...any) { text = fmt.Sprintf(format, args...) }
	file := os.Getenv(tableVar)
	if file == "" {
		return result
	}
	t.Cleanup(func() {
		switch {
		case t.Failed():
			text = "**failed**"
		case t.Skipped():
			text = "skipped"
		}
		out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = fmt.Fprintf(out, "| %s | %d | %s | `%s` |\n", what, runs, text, t.Name())
			_ = out.Close()
		}
		if err != nil {
			t.Errorf("couldn't write the row: %v", err)
		}
	})
	return result
}
