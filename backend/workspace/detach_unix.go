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

// detachArg is the first argument of a process that is to start another one and
// end.
const detachArg = "__detach"

// DetachIfRequested starts what `__detach program args…` names and ends; it returns
// only where that was not asked for. main and TestMain call it before anything
// else.
//
// What is started so is nobody's child that VoxPilot could end, and inherits no
// descriptor: WebKitGTK's are open without close-on-exec, and one that is held
// keeps a response from ever ending.
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

// CloseEachOnExec marks every descriptor that this process may have, but for its
// standard ones, as none that a program which it starts inherits.
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

// Detach starts a program that goes on when this one has ended.
func Detach(ctx context.Context, command []string, dir string, env []string) error {
	self := "/proc/self/exe" // this program, also where its file was replaced by an update
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
