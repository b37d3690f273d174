package repository

import (
	"context"
	"io"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
)

var (
	errNoBranch = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("No branch is checked out. Create one before you push.")}
	errNoRemote = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This repository has no remote to push to. Add one in a terminal.")}
)

func errNoCommits(branch string) error {
	return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The branch %s has no commits yet.", branch)}
}

// Push starts a push of the current branch in the background and returns the ID of its job. A push never overwrites
// commits on the remote. Push returns an error at once if nothing can be pushed.
func (m *Manager) Push(ctx context.Context, chatID string, q backend.ReviewPushRequest) (jobID string, err error) {
	r, err := m.openTrusted(ctx, chatID)
	if err != nil {
		return "", err
	}
	if _, err := r.destination(ctx, q); err != nil {
		return "", err
	}
	return m.start(r, func(ctx context.Context, j *job) error { return r.push(ctx, j, q) })
}

// destination is the target of a push.
type destination struct {
	remote, from, to string // to and from are the full names of references
	setUpstream      bool
}

func (r *repo) destination(ctx context.Context, q backend.ReviewPushRequest) (d destination, err error) {
	branch := r.branch(ctx)
	head, err := r.head(ctx)
	switch {
	case err != nil:
		return d, gitError(err)
	case branch == "":
		return d, errNoBranch
	case head == "":
		return d, errNoCommits(branch)
	}
	t := r.tracking(ctx, branch)
	switch {
	case len(t.remotes) == 0:
		return d, errNoRemote
	case q.Remote != "" && !slices.Contains(t.remotes, q.Remote):
		return d, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("The remote %s doesn't exist.", q.Remote)}
	case q.Remote != "" && q.Remote != t.push:
		t.push, t.pushBranch, t.foreign = q.Remote, branch, false
	case t.push == "":
		return d, backend.Invalid("Choose a remote to push to.")
	}
	return destination{remote: t.push, from: "refs/heads/" + branch, to: "refs/heads/" + t.pushBranch, setUpstream: q.SetUpstream || t.setsUpstream()}, nil
}

// push pushes the current branch as part of the job j.
func (r *repo) push(ctx context.Context, j *job, q backend.ReviewPushRequest) error {
	j.step(backend.StepPush)
	if err := r.checkTrust(ctx); err != nil { // hooks of the commit may have changed the configuration
		return err
	}
	d, err := r.destination(ctx, q)
	if err != nil {
		return err
	}
	args := []string{"push", "--porcelain", "--no-force", "--no-force-with-lease"}
	if d.setUpstream {
		args = append(args, "--set-upstream")
	}
	status := &limited{most: 64 << 10} // also receives the output of the pre-push hook
	code, output, err := j.run(ctx, program{
		path: r.git, args: append(args, "--", d.remote, d.from+":"+d.to), dir: r.Root, env: r.m.environment(), stdout: io.MultiWriter(status, &j.output),
	})
	switch {
	case err != nil:
		return err
	case code != 0:
		return pushFailed(output, status.String(), len(r.hooks(ctx, []string{"pre-push"})) > 0)
	}
	j.change(func(info *backend.ReviewJob) { info.Pushed = true })
	return nil
}
