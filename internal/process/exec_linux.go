package process

import (
	"fmt"
	"math"
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// self is this program, also where its file was replaced by an update.
func self() (string, error) { return "/proc/self/exe", nil }

// Printer is this program for a shell to start, which has another self. Where other
// programs may not look into this one, it is named by its file.
func Printer() (string, error) {
	if dumpable, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0); err != nil || dumpable != 1 {
		return os.Executable()
	}
	return fmt.Sprintf("/proc/%d/exe", os.Getpid()), nil
}

// beforeExec makes what the program is to inherit what it should be. That the
// kernel is to end it with its parent was set for the first thread of this
// process, and the thread that calls exec may be another one: it is set again.
func beforeExec() {
	runtime.LockOSThread()
	_ = unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGTERM), 0, 0, 0)
	if unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) != nil {
		workspace.CloseEachOnExec() // kernels before 5.11
	}
}
