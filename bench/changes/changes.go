// Package changes creates repositories with many changes. For the benchmarks of the review, it measures how fast the
// Review screen shows these changes and how fast git lists them.
package changes

import (
	"context"
	"errors"
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

// The sizes of the changes: LongFile in the benchmark review.scroll, and ManyFiles in all other benchmarks of the
// review.
var (
	ManyFiles = Size{Files: 2000, Lines: 20}
	LongFile  = Size{Files: 1, Lines: 100_000}
)

// Words that each line contains in the first commit, in the second commit (which is also the state on disk before the
// turn), and after the turn. The turn, the uncommitted changes, the branch and the second commit therefore each change
// all lines.
const (
	firstWord = "earlier"
	oldWord   = "before"
	newWord   = "after"
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
	git := func(args ...string) error {
		cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "user.name=Bench", "-c", "user.email=bench@example.org"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("git %v: %w: %s", args, err, out)
		}
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return backend.Event{}, err
	}
	if err := git("init", "-q", "-b", "main"); err != nil {
		return backend.Event{}, err
	}
	for _, word := range []string{firstWord, oldWord} {
		if err := errors.Join(size.write(dir, word), git("add", "-A"), git("commit", "-q", "-m", word)); err != nil {
			return backend.Event{}, err
		}
	}
	if err := git("checkout", "-q", "-b", "topic"); err != nil {
		return backend.Event{}, err
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

// Stat returns the time in milliseconds that git diff --stat takes for the given commits.
func Stat(ctx context.Context, dir string, commits ...string) (float64, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"diff", "--stat"}, commits...)...)
	cmd.Dir, cmd.Stdout = dir, io.Discard
	started := time.Now()
	err := cmd.Run()
	return float64(time.Since(started)) / float64(time.Millisecond), err
}
