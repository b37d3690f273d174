package repository

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// Commit starts a commit in the background and returns the ID of its job. Until the commit exists, the job works on
// copies of the index, so that a failure leaves everything unchanged. Commit returns an error at once if nothing can be
// committed.
func (m *Manager) Commit(ctx context.Context, chatID string, q backend.ReviewCommitRequest) (jobID string, err error) {
	r, err := m.open(chatID)
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(q.Message) == "" {
		return "", errNoMessage
	}
	if q.Paths, err = r.inRoot(q.Paths); err != nil {
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
// checks neither the user's trust nor the lock of the index, which is usually released within moments.
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

// checkBusy returns an error if a git operation that takes several commands, such as a rebase, is in progress.
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

// gitError returns the user-facing error for err, an error of repo.read.
func gitError(err error) error {
	var failed *readError
	if errors.As(err, &failed) {
		return gitFailed(failed.stderr)
	}
	return err
}

// draft is a commit in progress. Its temporary files are in the folder dir.
type draft struct {
	*repo
	dir    string
	before []byte // content of the repository's index at the start
	base   string // hash of the commit at HEAD at the start; "" if there is none
	tree   string // base or, if it is "", the hash of the empty tree
	// index is the path of the index that the repository will have, and commits is the path of the index to commit.
	// They are the same if the commit includes everything that is staged.
	index, commits string
}

// original returns the path of the copy of the repository's index that was made when the commit started.
func (d *draft) original() string { return filepath.Join(d.dir, "original") }

// commit makes the commit that q describes, as part of the job j.
func (r *repo) commit(ctx context.Context, j *job, q backend.ReviewCommitRequest) error {
	dir, err := os.MkdirTemp("", "voxpilot-commit-")
	if err != nil {
		return fileError(err)
	}
	defer os.RemoveAll(dir)
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
		if err := d.write(ctx, d.index, nil, "add", "--all", "--", "./"+d.prefix); err != nil {
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
		if chosen == nil && d.holds(c.path) || chosen[c.path] {
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
	have, err := r.entries(ctx, index)
	if err != nil {
		return gitError(err)
	}
	var list bytes.Buffer
	for _, p := range paths {
		if _, err := os.Lstat(filepath.Join(r.Root, filepath.FromSlash(p))); err != nil {
			if _, in := have[p]; !in {
				continue
			}
		}
		list.WriteString(p + "\x00")
	}
	if list.Len() == 0 {
		return nil
	}
	return r.write(ctx, index, list.Bytes(), "add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul")
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
	code, said, err := j.run(ctx, program{path: d.git, args: args, dir: d.Root, input: message, env: d.m.environment("GIT_INDEX_FILE="+d.commits, "GIT_TRACE2_EVENT="+trace)})
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
	return commitFailed(said, failedHook(trace), d.signs(after))
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

// failedHook returns the name of the hook that failed, or "" if none did. trace is the path of the file to which git
// wrote its trace (GIT_TRACE2_EVENT).
func failedHook(trace string) string {
	file, err := os.Open(trace)
	if err != nil {
		return ""
	}
	defer file.Close()
	running := map[int]string{} // hooks by child ID
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e struct {
			Event string `json:"event"`
			SID   string `json:"sid"`
			Child int    `json:"child_id"`
			Class string `json:"child_class"`
			Hook  string `json:"hook_name"`
			Code  int    `json:"code"`
		}
		if json.Unmarshal(lines.Bytes(), &e) != nil || strings.Contains(e.SID, "/") { // the event is from a git command that a hook runs
			continue
		}
		switch {
		case e.Event == "child_start" && e.Class == "hook":
			running[e.Child] = path.Base(filepath.ToSlash(e.Hook))
		case e.Event == "child_exit" && e.Code != 0 && running[e.Child] != "":
			return running[e.Child]
		}
	}
	return ""
}
