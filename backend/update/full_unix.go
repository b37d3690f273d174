//go:build !windows

package update

import (
	"errors"
	"syscall"
)

// isFull reports whether an error means that the disk or the user's quota is full.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
