package screens

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
)

// Commits implements the window's calls that change a repository.
type Commits struct{ api *engine.API }

// NewCommits returns a Commits that uses api.
func NewCommits(api *engine.API) *Commits { return &Commits{api} }

// call passes the engine to the function do, and returns the function's result.
func (c *Commits) call(do func(ctx context.Context, e *engine.Engine) (string, error)) (text string, err error) {
	err = c.api.Call(func(ctx context.Context, e *engine.Engine) (err error) {
		text, err = do(ctx, e)
		return err
	})
	return text, err
}

// ReviewStage adds a file's changes to the index or, if staged is false, removes them from it. The changes are those in
// the source "working". If blocks isn't empty, only the lines in these blocks are added or removed (see
// backend.ReviewPart). ReviewStage fails with CodeStale if version is no longer current. Like the other calls that
// change a repository, it fails with CodeUntrusted if Git could run untrusted code from the folder.
func (c *Commits) ReviewStage(chatID, path, version string, blocks [][4]int, staged bool) error {
	return c.api.Call(func(ctx context.Context, e *engine.Engine) error {
		return e.Repository.Stage(ctx, chatID, path, version, blocks, staged)
	})
}

// ReviewCommit starts a commit and returns the ID of its job. The job's progress and result arrive as ReviewJob events.
// ReviewCommit fails at once if nothing can be committed.
func (c *Commits) ReviewCommit(chatID string, request backend.ReviewCommitRequest) (string, error) {
	return c.call(func(ctx context.Context, e *engine.Engine) (string, error) {
		return e.Repository.Commit(ctx, chatID, request)
	})
}

// ReviewPush starts a push of the current branch and returns the ID of its job. The job's progress and result arrive as
// ReviewJob events. A push never overwrites commits on the remote.
func (c *Commits) ReviewPush(chatID string, request backend.ReviewPushRequest) (string, error) {
	return c.call(func(ctx context.Context, e *engine.Engine) (string, error) {
		return e.Repository.Push(ctx, chatID, request)
	})
}

// ReviewCancelJob cancels a job and ends all programs that it has started. Steps that are already complete aren't
// undone.
func (c *Commits) ReviewCancelJob(id string) error {
	return c.api.Call(func(_ context.Context, e *engine.Engine) error {
		e.Repository.Cancel(id)
		return nil
	})
}

// ReviewUndoCommit undoes the newest commit. It removes the commit from its branch or, if the commit amended another
// one, replaces it with that one and returns true. The changes of the undone commit are then staged. It fails with
// CodeStale if sha isn't the newest commit, and with CodeUnavailable if the commit is already on a remote.
func (c *Commits) ReviewUndoCommit(chatID, sha string) (amended bool, err error) {
	err = c.api.Call(func(ctx context.Context, e *engine.Engine) error {
		amended, err = e.Repository.UndoCommit(ctx, chatID, sha)
		return err
	})
	return amended, err
}

// ReviewOpenPull starts a job that opens a pull request for the current branch with the GitHub CLI, and returns the
// job's ID. When the job is done, /data/review-pull returns the pull request.
func (c *Commits) ReviewOpenPull(chatID string, request backend.ReviewPullRequest) (string, error) {
	return c.call(func(ctx context.Context, e *engine.Engine) (string, error) {
		return e.Repository.OpenPull(ctx, chatID, request)
	})
}

// ReviewDraftMessage starts to draft a commit message with the chat's model and returns the ID of the draft. Its
// progress and result arrive as MessageDraft events. The draft isn't part of the chat. ReviewDraftMessage fails with
// CodeUnavailable if a message for the chat is already being drafted.
func (c *Commits) ReviewDraftMessage(chatID string, request backend.MessageDraftRequest) (string, error) {
	return c.call(func(_ context.Context, e *engine.Engine) (string, error) {
		return e.CommitMessages.Start(chatID, request)
	})
}

// ReviewCancelDraft cancels the draft of a chat's commit message. It does nothing if the draft has ended.
func (c *Commits) ReviewCancelDraft(chatID, id string) error {
	return c.api.Call(func(_ context.Context, e *engine.Engine) error {
		e.CommitMessages.Cancel(chatID, id)
		return nil
	})
}
