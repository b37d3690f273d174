package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
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
	also    func(ctx context.Context) (map[string]float64, error) // nil if there are no related measurements
}

// ends holds cleanup functions, run in reverse order.
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

// side is one of the two sides of a comparison: it runs once and returns the measured value.
type side func(ctx context.Context) (float64, error)

// alternate runs both sides in turn, so that other load on the machine affects both, and returns their
// medians. The side that runs first alternates with each round. An extra first round warms up caches
// and isn't counted.
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

// median returns the median of values.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// tree returns the pids of a process and all its descendants.
func tree(root int) ([]int, error) {
	parents := map[int]int{}
	dirs, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	for _, name := range dirs {
		stat, err := os.ReadFile(name)
		if err != nil {
			continue // it has exited
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err != nil {
			return nil, err
		}
		// The program's name may contain anything, including parentheses.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if parents[pid], err = strconv.Atoi(fields[1]); err != nil {
			return nil, err
		}
	}
	if _, there := parents[root]; !there {
		return nil, fmt.Errorf("process %d has exited", root)
	}
	all := []int{root}
	for i := 0; i < len(all); i++ {
		for pid, parent := range parents {
			if parent == all[i] {
				all = append(all, pid)
			}
		}
	}
	return all, nil
}

// memory returns the proportional set size of a process and all its descendants in MB:
// shared memory counts proportionally (proc_pid_smaps_rollup).
func memory(root int) (float64, error) {
	return sum(root, func(pid int) (float64, error) {
		rollup, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		if err != nil {
			return 0, err
		}
		for line := range strings.Lines(string(rollup)) {
			if size, ok := strings.CutPrefix(line, "Pss:"); ok {
				kB, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(size), " kB"), 64)
				return kB / 1024, err
			}
		}
		return 0, nil // it is exiting
	})
}

func sum(root int, of func(pid int) (float64, error)) (float64, error) {
	pids, err := tree(root)
	if err != nil {
		return 0, err
	}
	var total float64
	for _, pid := range pids {
		n, err := of(pid)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !strings.Contains(err.Error(), "no such process") {
			return 0, err
		}
		total += n
	}
	return total, nil
}
