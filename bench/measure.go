package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
)

// A bench compares what VoxPilot does with a baseline.
type bench struct {
	name    string
	what    string
	unit    string
	limit   float64 // of the ratio of the two medians
	atLeast bool    // the ratio should not be below the limit, rather than not above it
	rounds  int
	begin   func(ctx context.Context, after *ends) (ours, bare side, err error)
	also    func(ctx context.Context) (map[string]float64, error) // nil where there is nothing beside it
}

// ends are what is to be done at the end, what was begun last first.
type ends struct{ all []func() error }

func (e *ends) later(end func() error) { e.all = append(e.all, end) }

func (e *ends) end() error {
	var err error
	for _, end := range slices.Backward(e.all) {
		err = errors.Join(err, end())
	}
	return err
}

// folder makes a folder that is removed at the end.
func (e *ends) folder() (string, error) {
	dir, err := os.MkdirTemp("", "voxpilot-bench-")
	if err == nil {
		e.later(func() error { return os.RemoveAll(dir) })
	}
	return dir, err
}

// A side is one of the two things compared: it runs once and says what was
// measured.
type side func(ctx context.Context) (float64, error)

// alternate lets both sides take turns, so that whatever else the machine does
// meets both, and returns their medians. Who is first changes with each round.
// One round before the others warms files and caches and does not count.
func alternate(ctx context.Context, rounds int, ours, bare side) (value, baseline float64, err error) {
	var values, baselines []float64
	for round := range rounds + 1 {
		one := func(s side, to *[]float64) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			runtime.GC() // what the side before has left is not this one's to clear
			n, err := s(ctx)
			if err == nil && n <= 0 {
				err = fmt.Errorf("a run measured %v, which cannot be", n)
			}
			*to = append(*to, n)
			return err
		}
		first, second, toFirst, toSecond := ours, bare, &values, &baselines
		if round%2 == 1 {
			first, second, toFirst, toSecond = bare, ours, &baselines, &values
		}
		if err := one(first, toFirst); err != nil {
			return 0, 0, err
		}
		if err := one(second, toSecond); err != nil {
			return 0, 0, err
		}
		if round == 0 {
			values, baselines = nil, nil
			continue
		}
		v, b := values[len(values)-1], baselines[len(baselines)-1]
		say("  round %d: %.1f against %.1f, ratio %.3f", round, v, b, v/b)
	}
	return median(values), median(baselines), nil
}

// median is the value in the middle, or the mean of the two there.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
