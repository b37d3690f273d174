//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// Again is a command that runs this program a second time. It inherits no
// descriptor but its standard ones; see ExecIfAsked. On Linux it is sent SIGTERM
// when the thread that starts it ends.
func Again(args ...string) (*exec.Cmd, error) {
	me, err := self()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(me, append([]string{execArg, me}, args...)...) //nolint:noctx // it ends with its input
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	DieWithParent(cmd.SysProcAttr)
	return cmd, nil
}
