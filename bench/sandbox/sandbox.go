// Package sandbox measures commands in VoxPilot's sandbox and in a bare bubblewrap.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/guard/program"
	"github.com/voxpilot/voxpilot/backend/sandbox/runs"
	"github.com/voxpilot/voxpilot/backend/trust"
)

// commands is the number of commands in a measurement.
const commands = 200

// Measure runs the commands one after another and returns the average time per command in milliseconds.
type Measure func(ctx context.Context) (float64, error)

// Begin prepares the measurements in a new Git repository below dir. ours wraps each command for the sandbox as the app
// does, without network access, and runs the resulting line with bash. bare also runs a line with bash, but this line
// calls bubblewrap directly, with the same namespaces. The caller must call end when it is done.
func Begin(ctx context.Context, dir string) (ours, bare Measure, end func(), err error) {
	folder, data := filepath.Join(dir, "folder"), filepath.Join(dir, "data")
	if err := errors.Join(os.MkdirAll(folder, 0o700), os.MkdirAll(data, 0o700)); err != nil {
		return nil, nil, nil, err
	}
	if out, err := exec.CommandContext(ctx, "git", "init", "--quiet", folder).CombinedOutput(); err != nil {
		return nil, nil, nil, fmt.Errorf("%w: %s", err, out)
	}
	tested := make(chan backend.SandboxStatus, 10)
	m := runs.New(runs.Config{
		Data: data, Program: func() (string, error) { return program.Write(data) }, Log: slog.New(slog.DiscardHandler),
		Path: func() string { return os.Getenv("PATH") }, Env: os.Environ,
		Chat: func(id string) (backend.Chat, error) {
			return backend.Chat{ID: id, Folder: folder, Sandbox: backend.Sandbox{On: true, Network: backend.NetworkOff}}, nil
		},
		Settings: func() backend.SandboxSettings { return backend.DefaultSettings().Sandbox },
		HostRule: func(string, string, int) backend.RuleEffect { return "" },
		Places:   trust.Guard{}.Places,
		Own:      func() []string { return nil },
		Publish: func(events ...backend.Event) {
			for _, e := range events {
				tested <- *e.Sandbox
			}
		},
	})
	m.Check()
	status := <-tested
	for status.State == backend.SandboxChecking {
		status = <-tested
	}
	if status.State != backend.SandboxReady {
		m.Close()
		return nil, nil, nil, fmt.Errorf("the sandbox is %s: %s", status.State, status.Problem)
	}
	ours = func(ctx context.Context) (float64, error) {
		return measure(ctx, folder, func() (string, error) {
			r, err := m.Wrap(ctx, "chat", runs.Command{Line: "true", Folder: folder, Env: os.Environ()})
			return r.Shell, err
		})
	}
	line := "exec bwrap --unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net --new-session --die-with-parent --as-pid-1 --cap-drop ALL" +
		" --ro-bind / / --dev /dev --proc /proc --bind '" + folder + "' '" + folder + "' -- bash -c true"
	bare = func(ctx context.Context) (float64, error) {
		return measure(ctx, folder, func() (string, error) { return line, nil })
	}
	return ours, bare, m.Close, nil
}

// measure runs the lines that the function next returns, and returns the average time per line in milliseconds.
func measure(ctx context.Context, folder string, next func() (string, error)) (float64, error) {
	began := time.Now()
	for range commands {
		line, err := next()
		if err != nil {
			return 0, err
		}
		c := exec.CommandContext(ctx, "bash", "-c", line)
		c.Dir = folder
		if out, err := c.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("%w: %s", err, out)
		}
	}
	return float64(time.Since(began).Microseconds()) / 1000 / commands, nil
}
