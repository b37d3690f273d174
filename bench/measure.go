package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
)

// bench compares VoxPilot with a baseline.
type bench struct {
	name    string
	what    string
	unit    string
	limit   float64 // for the ratio of the two medians
	atLeast bool    // the limit is a minimum, not a maximum
	rounds  int
	begin   func(ctx context.Context, after *ends) (ours, bare side, err error)
	slowest func() (value, baseline float64)                      // nil if the medians of the rounds are the result
	also    func(ctx context.Context) (map[string]float64, error) // nil if there are no related measurements
}

// ends holds cleanup functions. The one that was added last runs first.
type ends struct{ all []func() error }

func (e *ends) later(end func() error) { e.all = append(e.all, end) }

func (e *ends) end() error {
	var err error
	for _, end := range slices.Backward(e.all) {
		err = errors.Join(err, end())
	}
	return err
}

// folder creates a folder that is removed at cleanup.
func (e *ends) folder() (string, error) {
	dir, err := os.MkdirTemp("", "voxpilot-bench-")
	if err == nil {
		e.later(func() error { return os.RemoveAll(dir) })
	}
	return dir, err
}

// side measures one of the two sides of a comparison once and returns the measured value.
type side func(ctx context.Context) (float64, error)

// alternate runs both sides in turn, so that other load on the machine affects both, and returns their medians. The
// side that runs first alternates with each round. An extra first round warms up caches and isn't counted.
func alternate(ctx context.Context, rounds int, ours, bare side) (value, baseline float64, err error) {
	var values, baselines []float64
	for round := range rounds + 1 {
		one := func(s side, to *[]float64) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			runtime.GC() // garbage of the previous side must not count against this one
			n, err := s(ctx)
			if err == nil && n <= 0 {
				err = fmt.Errorf("a run measured %v, which is impossible", n)
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

// median returns the median of values, or 0 if there are none.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
