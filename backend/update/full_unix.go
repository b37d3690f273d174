//go:build !windows

package update

import (
	"errors"
	"syscall"
)

// isFull reports whether an error means that the disk or the user's quota is full, or that the file would
// exceed the maximum file size.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
