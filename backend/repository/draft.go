package repository

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// draft is a commit in progress. Its temporary files are in the folder dir.
type draft struct {
	*repo
	dir    string
	before []byte // content of the repository's index at the start
	base   string // hash of the commit at HEAD at the start; "" if there is none
	tree   string // base or, if it is "", the hash of the empty tree
	// index is the path of the index that the repository will have, and commits is the path of the index to commit. The
	// two are the same if the commit includes everything that is staged.
	index, commits string
}

// original returns the path of a copy of the repository's index. The copy was made when the commit started.
func (d *draft) original() string { return filepath.Join(d.dir, "original") }

// commit makes the commit that q describes, as part of the job j.
func (r *repo) commit(ctx context.Context, j *job, q backend.ReviewCommitRequest) error {
	dir, err := os.MkdirTemp("", "voxpilot-commit-")
	if err != nil {
		return fileError(err)
	}
	defer os.RemoveAll(dir)
	if len(r.hooks(ctx, []string{indexHook})) > 0 {
		own := *r
		own.hookOutput = &j.output
		r = &own
	}
	d := &draft{repo: r, dir: dir, index: filepath.Join(dir, "index")}
	if d.base, err = r.head(ctx); err != nil {
		return gitError(err)
	}
	if d.tree, err = r.headOr(ctx, d.base); err != nil {
		return gitError(err)
	}
	if d.before, err = copyIndex(r.index(), d.original()); err == nil {
		_, err = copyIndex(d.original(), d.index)
	}
	if err != nil {
		return fileError(err)
	}
	if err := d.stage(ctx, q); err != nil {
		return err
	}
	if err := r.checkShown(ctx, q); err != nil { // after the files were added, so that no later change is committed
		return err
	}
	changed, err := r.staged(ctx, d.commits, d.tree)
	if err != nil {
		return gitError(err)
	}
	if len(changed) == 0 && !q.Amend {
		return errNothing
	}
	if err := d.run(ctx, j, q); err != nil {
		return err
	}
	// The commit exists, so the index must be updated even if the job is canceled.
	return d.finish(context.WithoutCancel(ctx), j)
}

// stage adds the files that q selects to d.index, and sets d.commits to the index to commit. That is d.index or, if
// other changes are also staged, an index in which only the selected files are changed.
func (d *draft) stage(ctx context.Context, q backend.ReviewCommitRequest) error {
	d.commits = d.index
	if q.Files == backend.CommitStaged {
		return nil
	}
	var chosen map[string]bool
	if q.Files == backend.CommitAll {
		if err := d.addAll(ctx, d.index); err != nil {
			return err
		}
		if d.prefix == "" {
			return nil
		}
	} else {
		chosen = map[string]bool{}
		if err := d.add(ctx, d.index, q.Paths); err != nil {
			return err
		}
		for _, p := range q.Paths {
			chosen[p] = true
		}
	}
	// Other staged changes don't become part of the commit.
	changes, err := d.staged(ctx, d.index, d.tree)
	if err != nil {
		return gitError(err)
	}
	files, others := map[string]entry{}, false
	for _, c := range changes {
		if chosen == nil && d.isInFolder(c.path) || chosen[c.path] {
			files[c.path] = c.to
		} else {
			others = true
		}
	}
	if !others {
		return nil
	}
	d.commits = filepath.Join(d.dir, "commits")
	if _, err := copyIndex(d.index, d.commits); err != nil {
		return fileError(err)
	}
	read := []string{"read-tree", "-m", "-i", d.tree} // -i: ignore differences between the files and the index
	if d.base == "" {
		read = []string{"read-tree", "--empty"}
	}
	if err := d.write(ctx, d.commits, nil, read...); err != nil {
		return err
	}
	if err := d.set(ctx, d.commits, files); err != nil {
		return err
	}
	// Hooks that look for unstaged changes need the times of the files in the index. The exit code only reports changed
	// files.
	_ = d.write(ctx, d.commits, nil, "update-index", "-q", "--refresh")
	return ctx.Err()
}

// add adds the current state of files to an index, as git add does. It skips a file that exists neither on disk nor in
// the index, because its removal is already staged.
func (r *repo) add(ctx context.Context, index string, paths []string) error {
	out, err := r.read(ctx, index, nil, "ls-files", "-z", "--full-name") // also those with conflicts
	if err != nil {
		return gitError(err)
	}
	have := map[string]bool{}
	for p := range strings.SplitSeq(string(out), "\x00") {
		have[p] = true
	}
	var list bytes.Buffer
	for _, p := range paths {
		if _, err := os.Lstat(filepath.Join(r.Root, filepath.FromSlash(p))); err == nil || have[p] {
			list.WriteString(p + "\x00")
		}
	}
	if list.Len() == 0 {
		return nil
	}
	return r.write(ctx, index, list.Bytes(), "add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul")
}

// addAll adds the current state of all files in the chat's folder to an index. It leaves out repositories inside the
// folder that aren't submodules: the review doesn't list these, and git would add them as submodules without a URL.
func (r *repo) addAll(ctx context.Context, index string) error {
	_, embedded, err := r.untracked(ctx, workspace.GitOptions(), index)
	if err != nil {
		return gitError(err)
	}
	var list bytes.Buffer
	list.WriteString(":(literal)./" + r.prefix + "\x00")
	for _, p := range embedded {
		list.WriteString(":(exclude,literal)" + p + "\x00")
	}
	return r.write(ctx, index, list.Bytes(), "--no-literal-pathspecs", "add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul")
}

// run runs git commit. If it returns nil, the commit exists and is stored in the job's info.
func (d *draft) run(ctx context.Context, j *job, q backend.ReviewCommitRequest) error {
	if now, err := d.head(ctx); err != nil || now != d.base {
		return errors.Join(err, errMoved)
	}
	step := backend.StepCommit
	if len(d.hooks(ctx, commitHooks(q.Amend))) > 0 {
		step = backend.StepHooks
	}
	j.step(step)
	message, err := d.message(ctx, q)
	if err != nil {
		return err
	}
	defer discard(message)
	args := []string{"commit", "--quiet", "--file=-"}
	if q.Amend {
		args = append(args, "--amend")
	}
	if q.SignOff {
		args = append(args, "--signoff")
	}
	text := filepath.Join(d.Dir, "COMMIT_EDITMSG")
	was, wasErr := os.ReadFile(text)
	trace := filepath.Join(d.dir, "trace")
	code, output, err := j.run(ctx, program{path: d.git, args: args, dir: d.Root, input: message, env: d.m.environment("GIT_INDEX_FILE="+d.commits, "GIT_TRACE2_EVENT="+trace)})
	after := context.WithoutCancel(ctx)
	if made := d.made(after, code == 0, q.Amend); made != nil { // possible even if the job was canceled
		j.change(func(info *backend.ReviewJob) { info.Commit = made })
		return nil
	}
	switch { // git writes the message to this file before it runs the hooks that can reject it
	case wasErr == nil:
		_ = os.WriteFile(text, was, 0o666)
	case errors.Is(wasErr, fs.ErrNotExist):
		_ = os.Remove(text)
	}
	if err != nil {
		return err
	}
	return commitFailed(output, failedHook(trace), d.signs(after))
}

// made returns the commit that git has made, or nil if there is none. If git failed or was killed, made checks the
// parents and files of the commit at HEAD, because another program may have moved HEAD.
func (d *draft) made(ctx context.Context, succeeded, amend bool) *backend.ReviewCommit {
	now, err := d.head(ctx)
	if err != nil || now == "" || now == d.base {
		return nil
	}
	c, _, parents, err := d.commitAt(ctx, now)
	if err != nil {
		return nil
	}
	c.Files = d.filesIn(ctx, now, parents)
	if succeeded {
		return &c
	}
	var want []string
	if d.base != "" {
		want = []string{d.base}
	}
	if amend {
		if _, _, want, err = d.commitAt(ctx, d.base); err != nil {
			return nil
		}
	}
	differ, err := d.staged(ctx, d.commits, now)
	if err != nil || len(differ) > 0 || !slices.Equal(parents, want) {
		return nil
	}
	return &c
}

// filesIn returns the number of files that a commit changes, as git prints it after a commit, or 0 if it is unknown.
func (r *repo) filesIn(ctx context.Context, sha string, parents []string) int {
	args := []string{"diff-tree", "-r", "-z", "-M", "--name-only", "--no-commit-id", "--root", sha}
	if len(parents) > 0 {
		args = append(args[:6:6], parents[0], sha)
	}
	out, err := r.read(ctx, "", nil, append(args, "--")...)
	if err != nil {
		return 0
	}
	return bytes.Count(out, []byte{0})
}

// finish updates the repository's index: it adds the committed files and keeps the other staged changes.
func (d *draft) finish(ctx context.Context, j *job) error {
	err := d.updateIndex(ctx, j.info.Commit.SHA)
	if err != nil {
		d.m.cfg.Log.Error("couldn't update the index after a commit", "chat", d.chat.ID, "err", err)
		detail := err.Error()
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The commit was made, but the index couldn't be updated: %s", backend.MessageOf(err)), Detail: detail}
	}
	return nil
}

func (d *draft) updateIndex(ctx context.Context, sha string) error {
	changed, err := d.between(ctx, d.tree, sha)
	if err != nil {
		return gitError(err)
	}
	committed := map[string]entry{}
	for _, c := range changed {
		committed[c.path] = c.to
	}
	if d.commits != d.index { // hooks may have changed the content of the commit
		future, err := d.entries(ctx, d.index)
		if err != nil {
			return gitError(err)
		}
		differ := map[string]entry{}
		for name, e := range committed {
			if future[name] != e {
				differ[name] = e
			}
		}
		if err := d.set(ctx, d.index, differ); err != nil {
			return err
		}
	}
	done, err := d.install(ctx, d.index, d.before)
	if done || err != nil {
		return err
	}
	// Another program has changed the index meanwhile. Its changes are kept.
	was, err1 := d.entries(ctx, d.original())
	now, err2 := d.entries(ctx, "")
	if err := errors.Join(err1, err2); err != nil {
		return gitError(err)
	}
	for name := range committed {
		if was[name] != now[name] {
			delete(committed, name)
		}
	}
	return d.set(ctx, "", committed)
}
