package snapshot

import (
	"context"
	"errors"
	"time"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// StatusTime runs git status for a folder and returns its duration, or the time until ctx ended. ok is false if git
// status fails, for example because the folder isn't in a repository. StatusTime changes nothing and runs no program
// that the repository's configuration names.
func (s *Stores) StatusTime(ctx context.Context, folder string) (took time.Duration, ok bool) {
	path := s.cfg.LoginPath()
	program, env := workspace.Program(folder, path, "git"), workspace.GitEnvironment(path)
	if program == "" || workspace.FindRepository(folder).Dir == "" {
		return 0, false
	}
	off, err := workspace.FiltersOff(ctx, folder, program, env)
	if err != nil {
		return 0, false
	}
	args := append(workspace.GitOptions(), off...)
	args = append(args, "status", "--porcelain", "--untracked-files=normal", "--ignore-submodules=dirty", "--", ".")
	began := time.Now()
	err = workspace.Command(ctx, folder, program, env, args...).Run()
	return time.Since(began), err == nil || errors.Is(ctx.Err(), context.DeadlineExceeded)
}
