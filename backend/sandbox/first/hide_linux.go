package first

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// errNoCall means that no system call instruction was found in the process's memory.
var errNoCall = errors.New("no instruction for a system call")

// hideMemory makes the environment and memory of a traced process unreadable for other processes in its sandbox. The
// process must have been stopped right after it started its program. hideMemory makes the process call
// prctl(PR_SET_DUMPABLE, 0) before the program's first instruction, using an instruction that the kernel maps into
// every process. Programs that the process starts later aren't affected.
func hideMemory(pid int) error {
	var saved syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(pid, &saved); err != nil {
		return err
	}
	at, err := findCall(pid)
	if err != nil {
		return err
	}
	regs := saved
	prepareCall(&regs, at, syscall.SYS_PRCTL, syscall.PR_SET_DUMPABLE, 0)
	if err := syscall.PtraceSetRegs(pid, &regs); err != nil {
		return err
	}
	if err := syscall.PtraceSingleStep(pid); err != nil {
		return err
	}
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
		return err
	}
	if !status.Stopped() || status.StopSignal() != syscall.SIGTRAP {
		return fmt.Errorf("unexpected status %#x", uint32(status))
	}
	if err := syscall.PtraceGetRegs(pid, &regs); err != nil {
		return err
	}
	if result := callResult(&regs); result != 0 {
		return fmt.Errorf("prctl: %w", syscall.Errno(-result))
	}
	return syscall.PtraceSetRegs(pid, &saved)
}

// auxSysinfo is the key of the entry in a process's auxiliary vector that contains the address of the kernel's mapping.
const auxSysinfo = 33

// maxMapping is the number of bytes of the kernel's mapping that findCall searches.
const maxMapping = 4 * 4096

// findCall returns the address of a system call instruction in the memory of the process with the ID pid.
func findCall(pid int) (address uintptr, err error) {
	vector, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/auxv")
	if err != nil {
		return 0, err
	}
	for ; len(vector) >= 16; vector = vector[16:] {
		if binary.LittleEndian.Uint64(vector) == auxSysinfo {
			address = uintptr(binary.LittleEndian.Uint64(vector[8:]))
		}
	}
	if address == 0 {
		return 0, errNoCall
	}
	word := make([]byte, 8)
	code := make([]byte, 0, maxMapping)
	for len(code) < maxMapping {
		if n, err := syscall.PtracePeekText(pid, address+uintptr(len(code)), word); err != nil || n < len(word) {
			break
		}
		code = append(code, word...)
	}
	for i := 0; i+len(callCode) <= len(code); i += callStep {
		if string(code[i:i+len(callCode)]) == callCode {
			return address + uintptr(i), nil
		}
	}
	return 0, errNoCall
}
