package process

import (
	"fmt"
	"math"
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// self returns a path to this program that stays valid even if an update replaces the program's file.
func self() (string, error) { return "/proc/self/exe", nil }

// ProgramPath returns a path to this program for use in a shell, where /proc/self would be the shell itself. The
// path leads through this process's own folder in /proc or, if other programs can't access that folder, to the
// program file.
func ProgramPath() (string, error) {
	if dumpable, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0); err != nil || dumpable != 1 {
		return os.Executable()
	}
	return fmt.Sprintf("/proc/%d/exe", os.Getpid()), nil
}

// beforeExec prepares the state that the new program inherits. The parent death signal was set for the
// first thread of this process, but exec may be called on another thread, so beforeExec sets it again.
func beforeExec() {
	runtime.LockOSThread()
	_ = unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGTERM), 0, 0, 0)
	if unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) != nil {
		workspace.CloseEachOnExec() // kernels before 5.11
	}
}
