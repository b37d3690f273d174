// Package changes creates repositories with many changes. For the benchmarks review.open and review.scroll, it measures
// how fast the Review screen shows these changes and how fast git lists them.
package changes

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// Size is the extent of the changes in a repository: the number of files, and the number of lines in each file. All
// lines are changed.
type Size struct{ Files, Lines int }

// The repositories of review.open and review.scroll.
var (
	ManyFiles = Size{Files: 2000, Lines: 20}
	LongFile  = Size{Files: 1, Lines: 100_000}
)

// Words that each line contains before and after the change.
const (
	oldWord = "before"
	newWord = "after"
)

func (s Size) write(dir, word string) error {
	for n := range s.Files {
		var text strings.Builder
		for line := range s.Lines {
			fmt.Fprintf(&text, "const %s%d = %d;\n", word, line, n+line)
		}
		file := filepath.Join(dir, fmt.Sprintf("src/d%02d/file-%04d.ts", n/40, n))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Create creates a repository in dir, records the repository's files in the data folder as the state before a turn, and
// then changes them. It returns the event that stores the turn's recording.
func Create(ctx context.Context, dir, data string, size Size, turn backend.Turn) (backend.Event, error) {
	if err := size.write(dir, oldWord); err != nil {
		return backend.Event{}, err
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "-A"},
		{"-c", "user.name=Bench", "-c", "user.email=bench@example.org", "commit", "-q", "-m", "Start"},
	} {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return backend.Event{}, fmt.Errorf("git %v: %w: %s", args, err, out)
		}
	}
	store, err := snapshot.New(snapshot.Config{Data: data, LoginPath: func() string { return os.Getenv("PATH") }}).Open(turn.ChatID, dir)
	if err != nil {
		return backend.Event{}, err
	}
	before, err := store.Snapshot(ctx)
	if err != nil {
		return backend.Event{}, err
	}
	if err := size.write(dir, newWord); err != nil {
		return backend.Event{}, err
	}
	after, err := store.Snapshot(ctx)
	return backend.Event{TurnUndo: &backend.TurnUndo{
		TurnID: turn.ID, ChatID: turn.ChatID, State: backend.UndoAvailable, Files: size.Files,
		Before: string(before.ID), After: string(after.ID),
	}}, err
}

// Stat returns the time in milliseconds that git diff --stat takes.
func Stat(ctx context.Context, dir string) (float64, error) {
	cmd := exec.CommandContext(ctx, "git", "diff", "--stat")
	cmd.Dir, cmd.Stdout = dir, io.Discard
	started := time.Now()
	err := cmd.Run()
	return float64(time.Since(started)) / float64(time.Millisecond), err
}
