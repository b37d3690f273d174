//go:build unix

package process

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// ExecIfRequested makes this process the program that `__exec path args…` names, and
// returns only where that was not asked for. main and TestMain call it before anything else.
//
// An agent is started this way so that it inherits stdin, stdout and stderr
// and no other descriptor. WebKitGTK's response pipes are open without
// close-on-exec; a long-lived child that held one would keep the response from
// ever ending.
func ExecIfRequested() {
	if len(os.Args) < 3 || os.Args[1] != execArg {
		return
	}
	beforeExec()
	// A signal that is caught here has its default in the program again. Where
	// VoxPilot was started by nohup, this one would be ignored, and a login shell
	// that is to end could not put its locks away.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	err := syscall.Exec(os.Args[2], os.Args[2:], os.Environ())
	fmt.Fprintln(os.Stderr, execFailed+err.Error())
	os.Exit(exitNoExec)
}
