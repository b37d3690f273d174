package repository

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// Commit starts a commit in the background and returns the ID of its job. Until the commit exists, the job works on
// copies of the index, so that a failure leaves everything unchanged. Commit returns an error at once if nothing can be
// committed. It returns CodeStale if the files of the commit are no longer those that were shown.
func (m *Manager) Commit(ctx context.Context, chatID string, q backend.ReviewCommitRequest) (jobID string, err error) {
	r, err := m.open(chatID)
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(q.Message) == "" {
		return "", errNoMessage
	}
	if q.Paths, err = r.actual(ctx, q.Paths); err == nil {
		q.Paths, err = r.inRoot(q.Paths)
	}
	if err != nil {
		return "", err
	}
	switch q.Files {
	case backend.CommitAll, backend.CommitStaged:
	case backend.CommitChosen, backend.CommitViewed:
		if len(q.Paths) == 0 && !q.Amend {
			return "", backend.Invalid("Choose the files to commit.")
		}
	default:
		return "", backend.Invalid("Choose the files to commit.")
	}
	if err := r.checkCommit(ctx); err != nil {
		return "", err
	}
	if err := r.checkShown(ctx, q); err != nil {
		return "", err
	}
	return m.start(r, func(ctx context.Context, j *job) error {
		if err := r.checkCommit(ctx); err != nil { // the state may have changed while an earlier job was running
			return err
		}
		if err := r.commit(ctx, j, q); err != nil || !q.Push {
			return err
		}
		return r.push(ctx, j, backend.ReviewPushRequest{Remote: q.Remote})
	})
}

var errOtherFiles = &backend.Error{Code: backend.CodeStale, Message: backend.Say("The files of this commit have changed since they were shown. Check them, then commit again.")}

// actual converts paths from the form that the page received (backend.ShownPath) to the real paths of the files. The
// paths are relative to the chat's folder.
func (r *repo) actual(ctx context.Context, paths []string) ([]string, error) {
	if r.m.cfg.Files == nil || !slices.ContainsFunc(paths, func(p string) bool { return strings.ContainsRune(p, utf8.RuneError) }) {
		return paths, nil
	}
	files, err := r.m.cfg.Files(ctx, r.chat.ID)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, f := range files {
		names[backend.ShownPath(f.Path)] = f.Path
		if f.From != "" {
			names[backend.ShownPath(f.From)] = f.From
		}
	}
	all := slices.Clone(paths)
	for i, p := range all {
		if name, ok := names[p]; ok {
			all[i] = name
		}
	}
	return all, nil
}

// checkShown returns CodeStale if the files of the commit aren't those that the user saw: one of the files or the
// staged changes have changed, or a different set of files differs from HEAD. The paths are relative to the
// repository's root.
func (r *repo) checkShown(ctx context.Context, q backend.ReviewCommitRequest) error {
	switch {
	case q.Files == backend.CommitStaged:
		return r.checkStaged(ctx, q.StagedVersion)
	case r.m.cfg.Files == nil:
		return nil
	case q.Files == backend.CommitAll:
		if q.Versions == nil {
			return nil
		}
	case len(q.Paths) == 0:
		return nil
	}
	files, err := r.m.cfg.Files(ctx, r.chat.ID)
	if err != nil {
		return err
	}
	if q.Files == backend.CommitAll {
		isShown := func(f backend.ReviewFile) bool { return q.Versions[backend.ShownPath(f.Path)] == f.Version }
		if len(files) != len(q.Versions) || slices.ContainsFunc(files, func(f backend.ReviewFile) bool { return !isShown(f) }) {
			return errOtherFiles
		}
		return nil
	}
	shown := map[string]bool{}
	for _, f := range files {
		if v, ok := q.Versions[backend.ShownPath(f.Path)]; ok && v == f.Version {
			shown[path.Join(r.prefix, f.Path)] = true
			if f.From != "" {
				shown[path.Join(r.prefix, f.From)] = true
			}
		}
	}
	for _, p := range q.Paths {
		if !shown[p] {
			name := strings.TrimPrefix(p, r.prefix+"/")
			return &backend.Error{Code: backend.CodeStale, Message: backend.Say("%s has changed since it was shown. Look at its changes again.", name)}
		}
	}
	return nil
}

// checkStaged returns CodeStale if the version of the staged changes isn't the given one. If version is "", it checks
// nothing.
func (r *repo) checkStaged(ctx context.Context, version string) error {
	if version == "" {
		return nil
	}
	head, err := r.head(ctx)
	if err != nil {
		return gitError(err)
	}
	tree, err := r.headOr(ctx, head)
	if err != nil {
		return gitError(err)
	}
	staged, err := r.staged(ctx, "", tree)
	switch {
	case err != nil:
		return gitError(err)
	case versionOf(staged) != version:
		return errOtherFiles
	}
	return nil
}

// versionOf returns a hash that identifies changes, or "" if there are none.
func versionOf(changes []change) string {
	if len(changes) == 0 {
		return ""
	}
	sum := sha256.New()
	for _, c := range changes {
		fmt.Fprintf(sum, "%s %s\t%s\x00", c.to.mode, c.to.hash, c.path)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// checkCommit returns the reason why nothing can be committed in the repository, or nil.
func (r *repo) checkCommit(ctx context.Context) error {
	if err := r.checkTrust(ctx); err != nil {
		return err
	}
	if err := r.checkState(ctx); err != nil {
		return err
	}
	if r.isLocked() {
		return errLocked
	}
	return nil
}

// checkState returns the reason why the state of the repository doesn't allow a commit, or nil. Unlike checkCommit, it
// checks neither the user's trust nor the lock of the index. That lock is usually released within moments.
func (r *repo) checkState(ctx context.Context) error {
	if err := r.checkBusy(); err != nil {
		return err
	}
	conflicts, err := r.hasConflicts(ctx)
	switch {
	case err != nil:
		return gitError(err)
	case conflicts:
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Some files have conflicts. Resolve them first.")}
	case r.author(ctx) == "" || r.line(ctx, "var", "GIT_COMMITTER_IDENT") == "":
		return errIdentity
	}
	return nil
}

// checkBusy returns an error if a git operation that takes several commands, such as a rebase, is still in progress.
func (r *repo) checkBusy() error {
	messages := map[backend.ReviewBusy]backend.Message{
		backend.BusyRebase:     backend.Say("A rebase is in progress. Continue or abort it in a terminal first."),
		backend.BusyMerge:      backend.Say("A merge is in progress. Finish or abort it in a terminal first."),
		backend.BusyCherryPick: backend.Say("A cherry-pick is in progress. Finish or abort it in a terminal first."),
		backend.BusyRevert:     backend.Say("A revert is in progress. Finish or abort it in a terminal first."),
		backend.BusyBisect:     backend.Say("A bisect is in progress. End it in a terminal first."),
	}
	if m, is := messages[r.Busy()]; is {
		return &backend.Error{Code: backend.CodeUnavailable, Message: m}
	}
	return nil
}

// gitError returns the user-facing error for err, an error that repo.read has returned. An error because the context was
// canceled is returned unchanged.
func gitError(err error) error {
	var failed *readError
	if errors.As(err, &failed) && !errors.Is(err, context.Canceled) {
		return gitFailed(failed.stderr)
	}
	return err
}
