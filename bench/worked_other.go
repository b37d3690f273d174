//go:build !linux

package main

import "errors"

func worked(int) (float64, error) {
	return 0, errors.New("the processor time of other processes can be measured only on Linux")
}
