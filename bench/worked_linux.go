package main

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/bench/consumption"
)

// worked returns the total CPU time, in ms, of the process with the ID root and all its descendants, including exited
// threads. It reads the CPU clocks of the processes, which are more precise than the files in /proc.
func worked(root int) (float64, error) {
	return consumption.Sum(root, func(pid int) (float64, error) {
		const ofProcess = 2 // CPUCLOCK_SCHED
		var spent unix.Timespec
		if err := unix.ClockGettime(int32(^pid<<3|ofProcess), &spent); err != nil {
			if errors.Is(err, unix.EINVAL) {
				return 0, fs.ErrNotExist // it has exited
			}
			return 0, err
		}
		return float64(spent.Nano()) / 1e6, nil
	})
}
