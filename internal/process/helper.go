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

// Output runs a program that ends soon and is what it wrote. Where it does not
// end by ctx it is ended, with all it started.
func Output(ctx context.Context, path string, args ...string) (string, error) {
	var out bytes.Buffer
	err := Run(ctx, &out, path, args...)
	return out.String(), err
}

// HangUpTime is how long a program that was told to end has to put things away.
var HangUpTime = time.Second

// Run is output with what is written going to out.
func Run(ctx context.Context, out io.Writer, path string, args ...string) error {
	cmd, err := Helper(ctx, path, args...)
	if err != nil {
		return err
	}
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = out, &errs
	cmd.WaitDelay = HangUpTime
	runtime.LockOSThread() // the kernel ends it with the thread that starts it
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

// NeutralFolder returns the folder in which programs run that have nothing to do
// with a chat's: the user's home. VoxPilot's own may be any, such as one of a
// repository in whose terminal it was started, where programs find settings.
func NeutralFolder() string {
	if home, err := os.UserHomeDir(); err == nil && home != "" && CheckFolder(home) == nil {
		return home
	}
	return os.TempDir()
}
