package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// tree is a process and all that came from it, by their ids.
func tree(root int) ([]int, error) {
	parents := map[int]int{}
	dirs, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	for _, name := range dirs {
		stat, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err != nil {
			return nil, err
		}
		// The name of the program may hold anything, parentheses too.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if parents[pid], err = strconv.Atoi(fields[1]); err != nil {
			return nil, err
		}
	}
	if _, there := parents[root]; !there {
		return nil, fmt.Errorf("process %d has ended", root)
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

// memory is the proportional set size of a process and all that came from it,
// in MB: what is shared with others counts in part (proc_pid_smaps_rollup).
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
		return 0, nil // it is ending
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
