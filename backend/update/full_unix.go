//go:build !windows

package update

import (
	"errors"
	"syscall"
)

// isFull says whether an error is that of a disk, or of the user's part of it,
// that is full.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
