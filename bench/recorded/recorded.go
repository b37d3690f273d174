// Package recorded measures the time to record a repository's files before a turn, for the benchmarks
// undo.20k and undo.tool. It also creates that repository, which trust.inventory uses, too.
package recorded

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// changed is the number of files that change between two rounds.
const changed = 20

// Begin records the repository in dir, with its store in data. ours then returns the time in milliseconds to
// record it again after some files have changed, and bare returns the time of git status.
func Begin(ctx context.Context, dir, data string) (ours, bare func(context.Context) (float64, error), err error) {
	store, err := snapshot.New(snapshot.Config{Data: data, LoginPath: func() string { return os.Getenv("PATH") }}).Open("chat", dir)
	if err != nil {
		return nil, nil, err
	}
	first, err := store.Snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	round := 0
	change := func() error {
		round++
		for i := range changed {
			file := filepath.Join(dir, "tools", fmt.Sprintf("changed-%02d.sh", i))
			if err := os.WriteFile(file, fmt.Appendf(nil, "echo %d\n", round), 0o600); err != nil {
				return err
			}
		}
		return nil
	}
	ours = func(ctx context.Context) (float64, error) {
		if err := change(); err != nil {
			return 0, err
		}
		started := time.Now()
		s, err := store.Snapshot(ctx)
		took := time.Since(started)
		if err == nil && s.Files != first.Files+changed {
			err = fmt.Errorf("recorded %d files, want %d", s.Files, first.Files+changed)
		}
		return float64(took) / float64(time.Millisecond), err
	}
	bare = func(ctx context.Context) (float64, error) {
		if err := change(); err != nil {
			return 0, err
		}
		cmd := exec.CommandContext(ctx, "git", "status", "--porcelain")
		cmd.Dir, cmd.Stdout = dir, io.Discard
		started := time.Now()
		err := cmd.Run()
		return float64(time.Since(started)) / float64(time.Millisecond), err
	}
	return ours, bare, nil
}
