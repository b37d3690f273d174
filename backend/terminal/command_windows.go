package terminal

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"

	"github.com/voxpilot/voxpilot/backend"
)

// command returns the command for spec, without a window, in a new process group, and
// suspended until it is assigned to its job.
func command(spec Spec, env, _ []string) (*exec.Cmd, error) {
	attr := &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW | windows.CREATE_SUSPENDED,
	}
	if len(spec.Args) == 0 {
		shell := lookup(env, "COMSPEC")
		if shell == "" {
			shell = "cmd.exe"
		}
		cmd := exec.Command(shell) //nolint:noctx // stopped by Kill
		// The line is passed unchanged, because the shell's quoting rules differ from
		// those of programs.
		attr.CmdLine = `cmd.exe /d /s /c "` + spec.Command + `"`
		cmd.SysProcAttr = attr
		return cmd, nil
	}
	cmd := exec.Command(spec.Command, spec.Args...) //nolint:noctx // stopped by Kill
	if cmd.Err != nil {
		return nil, &backend.Error{Code: backend.CodeInvalid, Message: backend.Plain(fmt.Sprintf("Couldn't start the command: %v: %s.", errNoProgram, spec.Command))}
	}
	cmd.SysProcAttr = attr
	return cmd, nil
}

// lookup returns the value of the variable called name in env, or "" if there is none. It ignores the case of names.
// If there are several, the last one wins.
func lookup(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if n, v, _ := strings.Cut(kv, "="); strings.EqualFold(n, name) {
			return v
		}
	}
	return ""
}

func signalOf(*os.ProcessState) string { return "" }

// drain does nothing, because Windows has no deadlines for pipes, so Terminal.read is never interrupted.
func (t *Terminal) drain() {}
