package screens

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
)

// Commits has the calls of the review screen that change a repository.
type Commits struct{ api *engine.API }

// NewCommits returns the calls that change a repository.
func NewCommits(api *engine.API) *Commits { return &Commits{api} }

// call runs do and returns its text.
func (c *Commits) call(do func(ctx context.Context, e *engine.Engine) (string, error)) (text string, err error) {
	err = c.api.Call(func(ctx context.Context, e *engine.Engine) (err error) {
		text, err = do(ctx, e)
		return err
	})
	return text, err
}

// ReviewStage adds a file's changes in the source "working", or only the given lines of them, to the index, or takes
// them out of it. blocks is as in backend.ReviewPart. It fails with CodeStale if the version is no longer current,
// and with CodeUntrusted, like the other calls, if git could run code in the folder that the user hasn't trusted.
func (c *Commits) ReviewStage(chatID, path, version string, blocks [][4]int, staged bool) error {
	return c.api.Call(func(ctx context.Context, e *engine.Engine) error {
		return e.Repository.Stage(ctx, chatID, path, version, blocks, staged)
	})
}

// ReviewCommit starts a commit and returns the id of its job. Progress and result arrive as ReviewJob events. It fails
// at once if nothing can be committed.
func (c *Commits) ReviewCommit(chatID string, request backend.ReviewCommitRequest) (string, error) {
	return c.call(func(ctx context.Context, e *engine.Engine) (string, error) {
		return e.Repository.Commit(ctx, chatID, request)
	})
}

// ReviewPush starts to push the current branch and returns the id of the job. Progress and result arrive as ReviewJob
// events. Commits of the remote are never overwritten.
func (c *Commits) ReviewPush(chatID string, request backend.ReviewPushRequest) (string, error) {
	return c.call(func(ctx context.Context, e *engine.Engine) (string, error) {
		return e.Repository.Push(ctx, chatID, request)
	})
}

// ReviewCancelJob cancels a commit or a push with all programs that it has started. What it has completed stays.
func (c *Commits) ReviewCancelJob(id string) error {
	return c.api.Call(func(_ context.Context, e *engine.Engine) error {
		e.Repository.Cancel(id)
		return nil
	})
}

// ReviewUndoCommit removes the newest commit from its branch; its changes are then staged. It fails with CodeStale if
// sha isn't the newest commit, and with CodeUnavailable if the commit is on a remote.
func (c *Commits) ReviewUndoCommit(chatID, sha string) error {
	return c.api.Call(func(ctx context.Context, e *engine.Engine) error {
		return e.Repository.UndoCommit(ctx, chatID, sha)
	})
}

// ReviewOpenPull opens a pull request for the current branch with the GitHub CLI and returns the id of the job, after
// which /data/review-pull has the pull request.
func (c *Commits) ReviewOpenPull(chatID string, request backend.ReviewPullRequest) (string, error) {
	return c.call(func(ctx context.Context, e *engine.Engine) (string, error) {
		return e.Repository.OpenPull(ctx, chatID, request)
	})
}
