package main

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/bench/consumption"
)

// worked returns the total CPU time, in ms, of the process with the ID root and all its descendants, including threads
// that have exited. No single file in /proc is as precise.
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
