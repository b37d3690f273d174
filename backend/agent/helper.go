package agent

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
)

// output runs a program that ends soon and is what it wrote. Where it does not
// end by ctx it is ended, with all it started.
func output(ctx context.Context, path string, args ...string) (string, error) {
	var out bytes.Buffer
	err := run(ctx, &out, path, args...)
	return out.String(), err
}

// hangUpTime is how long a program that was told to end has to put things away.
var hangUpTime = time.Second

// run is output with what is written going to out.
func run(ctx context.Context, out io.Writer, path string, args ...string) error {
	cmd, err := helper(ctx, path, args...)
	if err != nil {
		return err
	}
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = out, &errs
	cmd.WaitDelay = hangUpTime
	runtime.LockOSThread() // the kernel ends it with the thread that starts it
	err = cmd.Run()
	runtime.UnlockOSThread()
	if ctx.Err() != nil {
		sweepHelper(cmd)
	}
	if said := firstLine(errs.String(), 200); err != nil && said != "" {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, said)
		}
	}
	return err
}

// neutralFolder returns the folder in which programs run that have nothing to do
// with a chat's: the user's home. VoxPilot's own may be any, such as one of a
// repository in whose terminal it was started, where programs find settings.
func neutralFolder() string {
	if home, err := os.UserHomeDir(); err == nil && home != "" && checkFolder(home) == nil {
		return home
	}
	return os.TempDir()
}
