package first

import "syscall"

// The system call instruction, and the alignment of instructions.
const (
	callCode = "\x01\x00\x00\xd4"
	callStep = 4
)

func prepareCall(r *syscall.PtraceRegs, at uintptr, number, arg0, arg1 uint64) {
	r.Pc, r.Regs[8], r.Regs[0], r.Regs[1] = uint64(at), number, arg0, arg1
}

func callResult(r *syscall.PtraceRegs) int64 { return int64(r.Regs[0]) } //nolint:gosec // as the kernel means it
