// Package recorded measures the time to record a repository's files before a turn and before commands, for the
// benchmarks undo.20k and undo.tool. It also creates that repository, which the benchmark trust.inventory uses as well.
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

// changed is the number of files that Changed and ChangeCommand change.
const changed = 20

// Repository is a repository whose files have been recorded at least once.
type Repository struct {
	dir   string
	store *snapshot.Store
	files int     // in the first recording
	first float64 // time in milliseconds of the first recording
	round int
}

// Begin creates a large repository in a new folder and records its files. Each call to folder must create a folder and
// return its path.
func Begin(ctx context.Context, folder func() (string, error)) (*Repository, error) {
	dir, err := folder()
	if err != nil {
		return nil, err
	}
	data, err := folder()
	if err != nil {
		return nil, err
	}
	if _, err := FillRepository(ctx, dir); err != nil {
		return nil, err
	}
	store, err := snapshot.New(snapshot.Config{Data: data, LoginPath: func() string { return os.Getenv("PATH") }}).Open("chat", dir)
	if err != nil {
		return nil, err
	}
	started := time.Now()
	first, err := store.Snapshot(ctx)
	return &Repository{dir: dir, store: store, files: first.Files, first: millis(time.Since(started))}, err
}

// First measures the time to record a new repository, when all of its files have to be stored. It repeats this with
// several repositories and returns the median in milliseconds. Each call to folder must create a folder and return its
// path.
func First(ctx context.Context, folder func() (string, error)) (took map[string]float64, err error) {
	var times []float64
	for range 3 {
		r, err := Begin(ctx, folder)
		if err != nil {
			return nil, err
		}
		times = append(times, r.first)
	}
	return map[string]float64{"first": middle(times)}, nil
}

// Changed returns a function that changes some files, then calls the function work and returns its result.
func (r *Repository) Changed(work func(context.Context) (float64, error)) func(context.Context) (float64, error) {
	return func(ctx context.Context) (float64, error) {
		r.round++
		for i := range changed {
			file := filepath.Join(r.dir, "tools", fmt.Sprintf("changed-%02d.sh", i))
			if err := os.WriteFile(file, fmt.Appendf(nil, "echo %d\n", r.round), 0o600); err != nil {
				return 0, err
			}
		}
		return work(ctx)
	}
}

// ChangeCommand returns a shell command that changes the same files as Changed. Their new content contains n, which
// must be different for each command.
func (r *Repository) ChangeCommand(n int) string {
	return fmt.Sprintf("for i in $(seq -w 0 %d); do echo \"echo %d\" > '%s'/changed-$i.sh; done", changed-1, n, filepath.Join(r.dir, "tools"))
}

// Record records the repository again and returns the time that this took, in milliseconds.
func (r *Repository) Record(ctx context.Context) (float64, error) {
	started := time.Now()
	s, err := r.store.Snapshot(ctx)
	took := time.Since(started)
	if err == nil && s.Files != r.files && s.Files != r.files+changed {
		err = fmt.Errorf("recorded %d files, want %d or %d", s.Files, r.files, r.files+changed)
	}
	return millis(took), err
}

// Status runs git status and returns the time that this took, in milliseconds.
func (r *Repository) Status(ctx context.Context) (float64, error) {
	cmd := exec.CommandContext(ctx, "git", "status", "--porcelain")
	cmd.Dir, cmd.Stdout = r.dir, io.Discard
	started := time.Now()
	err := cmd.Run()
	return millis(time.Since(started)), err
}
