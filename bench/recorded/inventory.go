package recorded

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/voxpilot/voxpilot/backend/trust"
)

// BeginInventory creates a large repository in dir and returns two functions. ours returns the time in milliseconds to
// list everything in the repository that can run code. bare returns the time in milliseconds that git ls-files takes.
func BeginInventory(ctx context.Context, dir string) (ours, bare func(context.Context) (float64, error), err error) {
	want, err := FillRepository(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	ours = func(ctx context.Context) (float64, error) {
		started := time.Now()
		found, err := trust.Inventory(ctx, filepath.Join(dir, filepath.FromSlash(DeepFolder)), trust.Everyone)
		took := time.Since(started)
		if err == nil && (found.Incomplete || len(found.Entries) != want) {
			err = fmt.Errorf("the inventory has %d entries, want %d; incomplete: %v", len(found.Entries), want, found.Incomplete)
		}
		return millis(took), err
	}
	bare = func(ctx context.Context) (float64, error) {
		cmd := exec.CommandContext(ctx, "git", "ls-files")
		cmd.Dir, cmd.Stdout = dir, io.Discard
		started := time.Now()
		err := cmd.Run()
		return millis(time.Since(started)), err
	}
	return ours, bare, nil
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
