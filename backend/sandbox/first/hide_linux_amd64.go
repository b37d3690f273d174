package first

import "syscall"

// The system call instruction, and the alignment of instructions.
const (
	callCode = "\x0f\x05"
	callStep = 1
)

func prepareCall(r *syscall.PtraceRegs, at uintptr, number, arg0, arg1 uint64) {
	r.Rip, r.Rax, r.Rdi, r.Rsi = uint64(at), number, arg0, arg1
	r.Orig_rax = ^uint64(0) // there is no interrupted call to restart
}

func callResult(r *syscall.PtraceRegs) int64 { return int64(r.Rax) } //nolint:gosec // as the kernel means it
