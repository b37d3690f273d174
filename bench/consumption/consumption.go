// Package consumption measures the resources that a process and its descendants use.
package consumption

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

// Tree returns the pids of a process and all its descendants.
func Tree(root int) ([]int, error) {
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

// Memory returns the proportional set size of a process and all its descendants in MB:
// shared memory counts proportionally (proc_pid_smaps_rollup).
func Memory(root int) (float64, error) {
	return Sum(root, func(pid int) (float64, error) {
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

// Sum measures a process and each of its descendants with the given function, and returns the total. Processes that
// exit in the meantime are left out.
func Sum(root int, of func(pid int) (float64, error)) (float64, error) {
	pids, err := Tree(root)
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
