//go:build linux && !amd64 && !arm64

package first

import "syscall"

const (
	callCode = "\x00"
	callStep = 1
)

func prepareCall(*syscall.PtraceRegs, uintptr, uint64, uint64, uint64) {}

func callResult(*syscall.PtraceRegs) int64 { return -int64(syscall.ENOSYS) }
