//go:build unix

package agent

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/voxpilot/voxpilot/backend"
)

// LoginPath is the PATH of the user's login shell, which an app that was
// started by a double click has not inherited. It is empty where the shell does
// not tell within some seconds.
func LoginPath(ctx context.Context) []string {
	shell := os.Getenv("SHELL")
	if !filepath.IsAbs(shell) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, limitShell)
	defer cancel()
	// What the user's files print comes before the mark.
	mark := "voxpilot-" + backend.NewID()
	out, err := output(ctx, shell, "-l", "-i", "-c", "echo "+mark+"; env; echo "+mark)
	if err != nil && out == "" {
		return nil
	}
	_, out, ok := strings.Cut(out, mark+"\n")
	if !ok {
		return nil
	}
	out, _, _ = strings.Cut(out, mark)
	for line := range strings.Lines(out) {
		if path, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "PATH="); ok {
			return filepath.SplitList(path)
		}
	}
	return nil
}

// helper is a program that runs beside the agents: it inherits no descriptor
// and no terminal, and is ended with its group. It is asked to first, as by a
// terminal that closes: a login shell runs the user's own files, which may hold
// locks that they put away at their end. A second signal would end what does so.
func helper(ctx context.Context, path string, args ...string) (*exec.Cmd, error) {
	me, err := self()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, me, append([]string{execArg, path}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGHUP) }
	return cmd, nil
}

// sweepHelper ends what is left of the group of a helper that was ended.
func sweepHelper(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
