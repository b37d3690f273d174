package repository

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// Form returns the form for a commit of files in a chat's folder. It runs no programs specified by the repository.
// paths selects the files if files is CommitChosen or CommitViewed.
func (m *Manager) Form(ctx context.Context, chatID string, files backend.ReviewCommitFiles, paths []string, amend bool) (backend.ReviewCommitForm, error) {
	form := backend.ReviewCommitForm{Hooks: []string{}, Remotes: []string{}}
	r, err := m.open(chatID)
	if backend.CodeOf(err) == backend.CodeUnavailable {
		form.Message = backend.MessageOf(err)
		return form, nil
	}
	if err != nil {
		return form, err
	}
	if paths, err = r.inRoot(paths); err != nil {
		return form, err
	}
	head, err := r.head(ctx)
	if err != nil { // for example, the folder belongs to another user
		if ctx.Err() != nil {
			return form, ctx.Err()
		}
		form.Message = backend.AsError(gitError(err)).Message
		return form, nil
	}
	form.Branch = r.branch(ctx)
	form.Author = r.author(ctx)
	form.Hooks = append(form.Hooks, r.hooks(ctx, append(commitHooks(amend), "pre-push"))...)
	form.Signing = r.signs(ctx)
	if err := r.whyNot(ctx); err != nil {
		if ctx.Err() != nil {
			return form, ctx.Err()
		}
		form.Message, form.Untrusted = backend.AsError(err).Message, errors.Is(err, errUntrusted)
	}
	tree, err := r.headOr(ctx, head)
	if err != nil {
		return form, err
	}
	staged, err := r.staged(ctx, "", tree)
	if err != nil {
		return form, gitError(err)
	}
	form.Staged, form.StagedVersion = len(staged), versionOf(staged)
	if err := r.addLast(ctx, &form, head); err != nil {
		return form, gitError(err)
	}
	r.addRemotes(ctx, &form, head)
	form.Note = backend.Sentences(form.Note, r.stagedOutside(staged))
	if form.Suggestion, err = r.suggest(ctx, tree, head, files, paths); err != nil {
		m.cfg.Log.Warn("couldn't suggest a commit message", "chat", chatID, "err", err)
	}
	return form, ctx.Err()
}

// stagedOutside returns a note that names staged files outside the chat's folder, which the review doesn't list. It
// returns the zero Message if there are none.
func (r *repo) stagedOutside(staged []change) backend.Message {
	var names []string
	for _, c := range staged {
		if !r.isInFolder(c.path) {
			names = append(names, c.path)
		}
	}
	switch n := len(names); {
	case n == 0:
		return backend.Message{}
	case n <= maxOutside:
		return backend.Say("Some staged files are outside this folder. Committing the staged files will include them: %s.", strings.Join(names, ", "))
	default:
		return backend.Say("Some staged files are outside this folder. Committing the staged files will include them: %s and others.", strings.Join(names[:maxOutside], ", "))
	}
}

// maxOutside is the maximum number of staged files outside the chat's folder that a form names.
const maxOutside = 5

// whyNot returns the reason why nothing can be committed, or nil.
func (r *repo) whyNot(ctx context.Context) error {
	if err := r.checkState(ctx); err != nil {
		return err
	}
	return r.checkTrust(ctx)
}

// branch returns the checked-out branch, which may have no commit yet, or "" for a detached HEAD.
func (r *repo) branch(ctx context.Context) string {
	return r.line(ctx, "symbolic-ref", "--quiet", "--short", "HEAD")
}

// author returns the author of a new commit as "Name <mail>", or "" if git has no identity for the user.
func (r *repo) author(ctx context.Context) string {
	ident := r.line(ctx, "var", "GIT_AUTHOR_IDENT")
	return strings.ToValidUTF8(ident[:strings.LastIndexByte(ident, '>')+1], "\uFFFD")
}

// signs reports whether git is set up to sign commits.
func (r *repo) signs(ctx context.Context) bool {
	return r.line(ctx, "config", "--type=bool", "--get", "commit.gpgSign") == "true"
}

// addLast sets form.Last to the commit with the hash head, which is at HEAD. It does nothing if head is "".
func (r *repo) addLast(ctx context.Context, form *backend.ReviewCommitForm, head string) error {
	if head == "" {
		return nil
	}
	c, message, _, err := r.commitAt(ctx, head)
	if err != nil {
		return err
	}
	pushed, err := r.isPushed(ctx, head)
	form.Last = &backend.ReviewLastCommit{SHA: c.SHA, Subject: c.Subject, Message: message, Pushed: pushed}
	return err
}

// addRemotes sets the fields of the form that depend on the branch and its remotes. head is the hash of the commit at
// HEAD, or "" if there is none.
func (r *repo) addRemotes(ctx context.Context, form *backend.ReviewCommitForm, head string) {
	t := r.tracking(ctx, form.Branch)
	form.Remotes = append(form.Remotes, t.remotes...)
	form.Remote, form.Upstream, form.SetsUpstream = t.push, t.upstream, t.setsUpstream()
	switch {
	case head == "":
	case t.upstream != "":
		counts := strings.Fields(r.line(ctx, "rev-list", "--left-right", "--count", "HEAD..."+form.Branch+"@{upstream}", "--"))
		if len(counts) == 2 {
			form.Ahead, _ = strconv.Atoi(counts[0])
			form.Behind, _ = strconv.Atoi(counts[1])
		}
		// Commits may be pushed to another branch than the upstream.
		if out, err := r.read(ctx, "", nil, "rev-list", "--count", t.target()+"..HEAD", "--"); t.push != "" && err == nil {
			form.Ahead, _ = strconv.Atoi(strings.TrimSpace(string(out)))
		}
	default:
		form.Ahead = r.count(ctx, "rev-list", "--count", "HEAD", "--not", "--remotes", "--")
	}
	if form.Last != nil && form.Last.Pushed {
		form.Last.PushedTo, _ = r.pushedTo(ctx, head, t.target(), "refs/remotes/"+t.upstream, "refs/remotes")
	}
	if form.Branch == "" {
		form.Note = backend.Say("No branch is checked out, so a commit could easily be lost. Create a branch first.")
		return
	}
	if t.push == "" {
		return
	}
	form.Protected = form.Branch == t.base || t.base == "" && (form.Branch == "main" || form.Branch == "master")
	if form.Protected {
		form.Note = backend.Say("You're on %s, the default branch. Others may base their work on it.", form.Branch)
	}
	form.CompareURL = comparePage(r.line(ctx, "remote", "get-url", t.push), t.base, t.pushBranch)
	if form.Protected {
		form.CompareURL = ""
	}
}

// diffOptions are the arguments with which git diff runs no external programs, whatever its configuration says.
var diffOptions = []string{"diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--no-relative", "--ignore-submodules=dirty"}

// changedFiles returns the differences between a commit or tree and the files in the chat's folder, including untracked
// files. It leaves out files of which only the time has changed. It doesn't run filters specified by the repository, so
// it may return an unchanged file to which a filter applies.
func (r *repo) changedFiles(ctx context.Context, tree string) ([]change, error) {
	off, err := workspace.FiltersOff(ctx, r.Root, r.git, r.m.environment("LC_ALL=C"))
	if err != nil {
		return nil, err
	}
	options := slices.Concat(workspace.GitOptions(), off)
	out, err := r.readWith(ctx, options, "", nil, slices.Concat(diffOptions, []string{"--raw", "--numstat", "-z", "--no-abbrev", tree, "--", "./" + r.prefix})...)
	if err != nil {
		return nil, err
	}
	list, counts := countedChanges(out)
	var changes []change
	var unsure []string // binary files of which perhaps only the time has changed
	for _, c := range list {
		count, counted := counts[c.path]
		if c.status == 'M' && c.from.mode == c.to.mode && !counted {
			continue
		}
		if changes = append(changes, c); c.status == 'M' && c.from.mode == c.to.mode && count == binaryCount && !strings.Contains(c.path, "\n") {
			unsure = append(unsure, c.path)
		}
	}
	same, err := r.hashes(ctx, options, unsure)
	if err != nil {
		return nil, err
	}
	changes = slices.DeleteFunc(changes, func(c change) bool { return same[c.path] == c.from.hash && c.from.hash != "" })
	files, _, err := r.untracked(ctx, options, "")
	for _, p := range files {
		changes = append(changes, change{path: p, to: entry{mode: "100644"}, status: 'A'})
	}
	return changes, err
}

// hashes returns the hashes that files on disk have in git, by path. It returns none if one of the files is removed
// meanwhile. No path may contain a line break.
func (r *repo) hashes(ctx context.Context, options, paths []string) (map[string]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	var quoted strings.Builder
	for _, p := range paths {
		if strings.HasPrefix(p, `"`) {
			p = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p) + `"`
		}
		quoted.WriteString(p + "\n")
	}
	out, err := r.readWith(ctx, options, "", []byte(quoted.String()), "hash-object", "--stdin-paths")
	if err != nil {
		return nil, ctx.Err()
	}
	hashes := map[string]string{}
	for i, hash := range strings.Fields(string(out)) {
		hashes[paths[i]] = hash
	}
	return hashes, nil
}

// untracked returns the files in the chat's folder that are neither in an index nor ignored, and the repositories
// inside the folder. The given options are placed before git's subcommand. If index is "", the repository's own index
// is used.
func (r *repo) untracked(ctx context.Context, options []string, index string) (files, embedded []string, err error) {
	out, err := r.readWith(ctx, options, index, nil, "ls-files", "-z", "--others", "--exclude-standard", "--full-name", "--", "./"+r.prefix)
	for p := range strings.SplitSeq(string(out), "\x00") {
		if dir, is := strings.CutSuffix(p, "/"); is {
			embedded = append(embedded, dir)
		} else if p != "" {
			files = append(files, p)
		}
	}
	return files, embedded, err
}
