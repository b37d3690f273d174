//go:build unix

package process

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// execReady is true once ExecIfRequested has been called.
var execReady atomic.Bool

// launcher returns the path of this program, which starts another program if its first argument is execArg.
// It fails if ExecIfRequested wasn't called, because this program would then start itself endlessly.
func launcher() (string, error) {
	if !execReady.Load() {
		return "", errors.New("process: main or TestMain must call ExecIfRequested first")
	}
	return self()
}

// ExecIfRequested replaces this process with the program named by the arguments `__exec
// path args…`, and otherwise returns. main and TestMain must call it first.
//
// Agents are started this way so that they inherit stdin, stdout and stderr and no
// other descriptor. WebKitGTK's response pipes are open without close-on-exec; if a
// long-lived child inherited one, the response would never end.
func ExecIfRequested() {
	execReady.Store(true)
	if len(os.Args) < 3 || os.Args[1] != execArg {
		return
	}
	beforeExec()
	// A signal that is caught here has its default action again after exec. Otherwise SIGHUP would stay ignored if
	// nohup started VoxPilot, and a login shell couldn't release its locks on SIGHUP.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	err := syscall.Exec(os.Args[2], os.Args[2:], os.Environ())
	fmt.Fprintln(os.Stderr, execFailed+err.Error())
	os.Exit(exitNoExec)
}
