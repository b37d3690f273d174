package repository

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// UndoCommit removes the commit sha, which must be at HEAD, from its branch. The index and the files don't change, so
// the commit's changes are staged afterward. UndoCommit returns CodeStale if the commit isn't at HEAD, and
// CodeUnavailable if a remote-tracking branch contains it.
func (m *Manager) UndoCommit(ctx context.Context, chatID, sha string) error {
	r, err := m.openTrusted(ctx, chatID)
	if err != nil {
		return err
	}
	if err := r.checkBusy(); err != nil {
		return err
	}
	head, err := r.head(ctx)
	switch {
	case err != nil:
		return gitError(err)
	case head == "" || head != sha:
		return &backend.Error{Code: backend.CodeStale, Message: backend.Say("This is no longer the latest commit on the current branch, so it can't be undone here.")}
	}
	pushed, err := r.isPushed(ctx, sha)
	if err != nil {
		return gitError(err)
	}
	if pushed {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This commit is already on a remote, so it can't be undone here.")}
	}
	_, _, parents, err := r.commitAt(ctx, sha)
	if err != nil {
		return gitError(err)
	}
	if len(parents) == 0 && r.line(ctx, "rev-parse", "--is-shallow-repository") == "true" {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This is a shallow clone without the previous commit, so this commit can't be undone here.")}
	}
	// With the old value, git fails if HEAD has moved meanwhile.
	args := []string{"update-ref", "-m", "reset: moving to HEAD^", "HEAD"}
	if len(parents) == 0 {
		args = []string{"update-ref", "-m", "reset: the first commit", "-d", "HEAD", sha}
	} else {
		args = append(args, parents[0], sha)
	}
	return r.write(ctx, "", nil, args...)
}
