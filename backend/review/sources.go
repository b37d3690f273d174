package review

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// maxSourceText is the maximum size in bytes of ReviewTurnSource.Text.
const maxSourceText = 200

// Sources returns the sources of changes that the user can review in a chat's folder.
func (m *Manager) Sources(ctx context.Context, chatID string) (backend.ReviewSources, error) {
	res := backend.ReviewSources{Turns: []backend.ReviewTurnSource{}, Commits: []backend.ReviewCommitSource{}}
	chat, err := m.cfg.Chat(chatID)
	if err != nil {
		return res, err
	}
	if res.Turns, err = m.turnSources(ctx, chat); err != nil {
		return res, err
	}
	r := m.repositoryOf(chat.Folder)
	if r == nil {
		return res, nil
	}
	res.Repository, res.Busy = true, r.at.Busy()
	res.Branch = r.branch(ctx)
	res.Detached = res.Branch == ""
	res.Base = r.baseBranch(ctx, res.Branch)
	if res.Branch != "" {
		res.Upstream = r.line(ctx, "for-each-ref", "--format=%(upstream:short)", "refs/heads/"+res.Branch)
	}
	against := res.Upstream
	if against == "" {
		against = res.Base
	}
	if against != "" {
		counts := strings.Fields(r.line(ctx, "rev-list", "--left-right", "--count", "--end-of-options", "HEAD..."+against))
		if len(counts) == 2 {
			res.Ahead, _ = strconv.Atoi(counts[0])
			res.Behind, _ = strconv.Atoi(counts[1])
		}
	}
	res.Commits = r.log(ctx)
	return res, nil
}

// turnSources returns the latest turns of a chat that changed files, newest first. It leaves out turns whose changes are
// no longer stored.
func (m *Manager) turnSources(ctx context.Context, chat backend.Chat) ([]backend.ReviewTurnSource, error) {
	list := []backend.ReviewTurnSource{}
	undos, err := m.cfg.Store.TurnUndos(ctx, chat.ID)
	if err != nil {
		return list, err
	}
	st, err := m.cfg.Undo.Snapshots().Open(chat.ID, chat.Folder)
	if err != nil {
		st = nil // the list of changes shows the error
	}
	var ids []string
	for _, u := range slices.Backward(undos) {
		if len(list) == backend.MaxReviewSources {
			break
		}
		if u.Files == 0 && u.State != backend.UndoRecording || u.Before == "" {
			continue
		}
		if st != nil && (!has(st, u.Before) || u.After != "" && !has(st, u.After)) {
			continue
		}
		turn, err := m.cfg.Store.Turn(ctx, u.TurnID)
		if err != nil || turn.Aside != "" {
			continue // the turn was set aside or removed
		}
		ids = append(ids, u.TurnID)
		list = append(list, backend.ReviewTurnSource{ID: u.TurnID, At: turn.StartedAt, Files: u.Files, Added: u.Added, Removed: u.Removed})
	}
	prompts, err := m.cfg.Store.Prompts(ctx, chat.ID, ids, maxSourceText)
	for _, p := range prompts {
		if i := slices.Index(ids, p.TurnID); i >= 0 {
			list[i].Text = p.Text
		}
	}
	return list, err
}

// branch returns the name of the checked-out branch, or "" for a detached HEAD.
func (r *repository) branch(ctx context.Context) string {
	if name := r.at.Branch(); name != "" {
		return name
	}
	return r.line(ctx, "symbolic-ref", "--quiet", "--short", "HEAD") // the repository may store its references in tables
}

// baseBranch returns the branch into which the given branch will probably be merged, such as "origin/main", or "" if
// there is none.
func (r *repository) baseBranch(ctx context.Context, branch string) string {
	names := []string{"refs/remotes/origin/HEAD", "refs/remotes/upstream/HEAD"}
	for _, name := range []string{"main", "master", "develop", "trunk"} {
		names = append(names, "refs/remotes/origin/"+name, "refs/remotes/upstream/"+name, "refs/heads/"+name)
	}
	out := r.line(ctx, append([]string{"for-each-ref", "--format=%(refname) %(symref)"}, names...)...)
	found := map[string]string{}
	for line := range strings.Lines(out) {
		name, target, _ := strings.Cut(strings.TrimSpace(line), " ")
		if target == "" {
			target = name
		}
		found[name] = target
	}
	for _, name := range names {
		if target := found[name]; target != "" && target != "refs/heads/"+branch {
			return strings.TrimPrefix(strings.TrimPrefix(target, "refs/remotes/"), "refs/heads/")
		}
	}
	return ""
}

// log returns the latest commits up to HEAD that changed files in the folder, newest first. In the root of a repository,
// it returns all commits.
func (r *repository) log(ctx context.Context) []backend.ReviewCommitSource {
	list := []backend.ReviewCommitSource{}
	var within []string
	if r.folder != r.at.Root {
		within = []string{"."}
	}
	out, err := r.run(ctx, nil, append([]string{"log", "-z", "--no-show-signature", "--no-patch", "--no-decorate", "-n", strconv.Itoa(backend.MaxReviewSources), "--format=%H%x1f%h%x1f%s%x1f%an%x1f%ct", "HEAD", "--"}, within...)...)
	if err != nil {
		return list // there is no commit yet
	}
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		f := strings.Split(entry, "\x1f")
		if len(f) != 5 {
			continue
		}
		seconds, _ := strconv.ParseInt(f[4], 10, 64) // printed by git
		list = append(list, backend.ReviewCommitSource{SHA: f[0], Short: f[1], Subject: f[2], Author: f[3], At: backend.Millis(seconds * 1000)})
	}
	return list
}
