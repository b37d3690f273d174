package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Output runs a short-lived program and returns its output. If the program is still running when ctx ends, it is
// stopped, on Unix together with its process group.
func Output(ctx context.Context, path string, args ...string) (string, error) {
	var out bytes.Buffer
	err := Run(ctx, &out, path, args...)
	return out.String(), err
}

// HangUpTime is the time that a program gets to clean up after SIGHUP.
var HangUpTime = time.Second

// Run is like Output but passes the program's output to a writer.
func Run(ctx context.Context, out io.Writer, path string, args ...string) error {
	return RunIn(ctx, nil, out, path, args...)
}

// RunIn is like Run but runs the program in the environment env, or in VoxPilot's own if env is nil.
func RunIn(ctx context.Context, env []string, out io.Writer, path string, args ...string) error {
	cmd, err := Helper(ctx, path, args...)
	if err != nil {
		return err
	}
	cmd.Env = env
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = out, &errs
	cmd.WaitDelay = HangUpTime
	runtime.LockOSThread() // Linux stops the program when the thread that started it ends
	err = cmd.Run()
	runtime.UnlockOSThread()
	if ctx.Err() != nil {
		SweepHelper(cmd)
	}
	if said := excerpt.FirstLine(errs.String(), 200); err != nil && said != "" {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, said)
		}
	}
	return err
}

// NeutralFolder returns the working directory for programs that don't belong to a chat: the user's
// home, or the temporary directory if the home can't be used. VoxPilot's own working directory may be
// any folder, such as a repository from which the user started VoxPilot in a terminal, and programs
// might read settings from there.
func NeutralFolder() string {
	if home, err := os.UserHomeDir(); err == nil && home != "" && CheckFolder(home) == nil {
		return home
	}
	return os.TempDir()
}
