//go:build unix

package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
)

// detachArg is the first argument of a process that starts another one and exits.
const detachArg = "__detach"

// DetachIfRequested starts the program given by the arguments `__detach program args…` and exits. It returns only if
// this process has other arguments. main and TestMain call it when they start.
//
// The program isn't a child of VoxPilot, so it isn't killed along with VoxPilot's child processes. It
// inherits no file descriptors: WebKitGTK's response pipes lack close-on-exec, and a response never
// ends while another process holds its pipe open.
func DetachIfRequested() {
	if len(os.Args) < 3 || os.Args[1] != detachArg {
		return
	}
	CloseEachOnExec()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err == nil {
		_, err = os.StartProcess(os.Args[2], os.Args[2:], &os.ProcAttr{
			Files: []*os.File{null, null, null}, Sys: &syscall.SysProcAttr{Setsid: true},
		})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// CloseEachOnExec sets close-on-exec for the descriptors of this process except the standard ones. If the process may
// have 65,536 descriptors or more, it sets this only for the first 4,096.
func CloseEachOnExec() {
	limit := 4096
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r) == nil && r.Cur < 1<<16 {
		limit = int(r.Cur)
	}
	for fd := 3; fd < limit; fd++ {
		syscall.CloseOnExec(fd)
	}
}

// Detach starts a program that continues after this process exits.
func Detach(ctx context.Context, command []string, dir string, env []string) error {
	self := "/proc/self/exe" // this program, even if an update has replaced its file
	if runtime.GOOS != "linux" {
		var err error
		if self, err = os.Executable(); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, self, append([]string{detachArg}, command...)...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	if said := strings.TrimSpace(string(out)); err != nil && said != "" {
		return errors.New(said)
	}
	return err
}
