package repository

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// UndoCommit removes the commit sha, which must be at HEAD, from its branch. If the commit was amended, the commit that
// it replaced comes back, and amended is true. The index and the files don't change, so the commit's changes are staged
// afterward. UndoCommit returns CodeStale if the commit isn't at HEAD. It returns CodeUnavailable if a remote-tracking
// branch contains the commit, if a shallow clone lacks its parent, or if an operation such as a rebase is in progress.
func (m *Manager) UndoCommit(ctx context.Context, chatID, sha string) (amended bool, err error) {
	r, err := m.openTrusted(ctx, chatID)
	if err != nil {
		return false, err
	}
	if err := r.checkBusy(); err != nil {
		return false, err
	}
	head, err := r.head(ctx)
	switch {
	case err != nil:
		return false, gitError(err)
	case head == "" || head != sha:
		return false, &backend.Error{Code: backend.CodeStale, Message: backend.Say("This is no longer the latest commit on the current branch, so it can't be undone here.")}
	}
	pushed, err := r.isPushed(ctx, sha)
	if err != nil {
		return false, gitError(err)
	}
	if pushed {
		return false, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This commit is already on a remote, so it can't be undone here.")}
	}
	_, _, parents, err := r.commitAt(ctx, sha)
	if err != nil {
		return false, gitError(err)
	}
	before, err := r.amended(ctx, sha, parents)
	if err != nil {
		return false, gitError(err)
	}
	if before != "" {
		return true, r.write(ctx, "", nil, "update-ref", "-m", "reset: moving to "+before, "HEAD", before, sha)
	}
	if len(parents) == 0 && r.line(ctx, "rev-parse", "--is-shallow-repository") == "true" {
		return false, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This is a shallow clone without the previous commit, so this commit can't be undone here.")}
	}
	// With the old value, git fails if HEAD has moved meanwhile.
	args := []string{"update-ref", "-m", "reset: moving to HEAD^", "HEAD"}
	if len(parents) == 0 {
		args = []string{"update-ref", "-m", "reset: the first commit", "-d", "HEAD", sha}
	} else {
		args = append(args, parents[0], sha)
	}
	return false, r.write(ctx, "", nil, args...)
}

// maxReflog is the maximum number of entries of HEAD's reflog that are read.
const maxReflog = 1000

// amended returns the hash of the commit that was amended to make the commit sha. The parameter parents holds the
// parents of sha. amended returns "" if sha wasn't made by amending a commit, or if the reflog doesn't show it.
func (r *repo) amended(ctx context.Context, sha string, parents []string) (string, error) {
	out, err := r.read(ctx, "", nil, "log", "-g", "-"+strconv.Itoa(maxReflog), "--no-show-signature", "--format=%H%x00%gs", "HEAD", "--")
	if err != nil {
		return "", err
	}
	isNext := false // the next entry has the value of HEAD before the commit was made
	for line := range strings.Lines(string(out)) {
		at, what, _ := strings.Cut(strings.TrimSpace(line), "\x00")
		if isNext {
			if _, _, before, err := r.commitAt(ctx, at); err != nil || !slices.Equal(before, parents) {
				return "", ctx.Err()
			}
			return at, nil
		}
		if at == sha && strings.HasPrefix(what, "commit") {
			if isNext = strings.HasPrefix(what, "commit (amend)"); !isNext {
				return "", nil
			}
		}
	}
	return "", nil
}
