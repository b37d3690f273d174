package repository

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Limits for Contents.
const (
	maxDiff     = 48 << 10 // bytes of a diff
	maxDiffLine = 400      // bytes of a line in a diff
	maxDiffed   = 100      // number of files whose changes are in the diff
	maxNamed    = 300      // number of files that are named
	maxNames    = 16 << 10 // bytes of file names that are passed to git
	maxPatch    = 8 << 20  // bytes of git's output that are read
	maxNewFile  = 1 << 20  // bytes of an untracked file; larger files aren't read
)

// bigFiles makes git treat files of more than 5 MB as binary, so that it doesn't compare them.
const bigFiles = "core.bigFileThreshold=5m"

// Contents describes the changes that a commit would contain. It is for a model that writes the commit's message. None
// of its texts can be trusted.
type Contents struct {
	Branch   string   // "" for a detached HEAD
	Subjects []string // subjects of the latest commits, newest first
	// Message is the current message of the commit to amend, and Before is the diff of the changes that this commit
	// already contains. Both are "" if no commit is amended.
	Message string
	Before  string
	// Files lists the changed files. Each name is preceded by the letter that git diff --raw uses for the kind of
	// change. More is the number of changed files that aren't listed.
	Files []string
	More  int
	// Diff contains the changes in the format of git diff, shortened so that a model can read them.
	Diff string
}

// IsEmpty reports whether the commit would contain no changes.
func (c Contents) IsEmpty() bool { return len(c.Files) == 0 && c.Before == "" }

// Contents returns the changes that a commit of the files selected by q would contain. It runs no programs specified by
// the repository. It returns CodeUntrusted if the user doesn't trust the chat's folder.
func (m *Manager) Contents(ctx context.Context, chatID string, q backend.MessageDraftRequest) (Contents, error) {
	r, err := m.openTrusted(ctx, chatID)
	if err != nil {
		return Contents{}, err
	}
	if q.Paths, err = r.inRoot(q.Paths); err != nil {
		return Contents{}, err
	}
	c, err := r.contents(ctx, q)
	if err != nil && ctx.Err() == nil {
		err = gitError(err)
	}
	return c, err
}

func (r *repo) contents(ctx context.Context, q backend.MessageDraftRequest) (c Contents, err error) {
	head, err := r.head(ctx)
	if err != nil {
		return c, err
	}
	tree, err := r.headOr(ctx, head)
	if err != nil {
		return c, err
	}
	c.Branch = r.branch(ctx)
	if head != "" {
		out := r.line(ctx, "log", "--no-show-signature", "--no-merges", "--max-count="+strconv.Itoa(styleCommits), "--format=%s", head, "--")
		for line := range strings.Lines(r.plain(out)) {
			c.Subjects = append(c.Subjects, excerpt.FirstLine(line, 200))
		}
	}
	if q.Amend && head != "" {
		if err := r.addAmended(ctx, &c, head); err != nil {
			return c, err
		}
	}
	changes, err := r.selected(ctx, tree, q.Files, q.Paths)
	if err != nil {
		return c, err
	}
	for _, f := range changes[:min(len(changes), maxNamed)] {
		c.Files = append(c.Files, r.plain(string(f.status)+" "+f.path))
	}
	c.More = len(changes) - len(c.Files)
	patches, err := r.patches(ctx, tree, changes, q.Files == backend.CommitStaged)
	c.Diff = fit(patches, maxDiff)
	return c, err
}

// addAmended sets c.Message to the message of the commit head, and c.Before to the diff of its changes.
func (r *repo) addAmended(ctx context.Context, c *Contents, head string) error {
	_, message, parents, err := r.commitAt(ctx, head)
	if err != nil {
		return err
	}
	before := ""
	if len(parents) > 0 {
		before = parents[0]
	}
	if before, err = r.headOr(ctx, before); err != nil {
		return err
	}
	c.Message = excerpt.Head(r.plain(message), backend.MaxMessageDraft)
	out, err := r.readUpTo(ctx, maxPatch, append(workspace.GitOptions(), "-c", bigFiles), "", nil, append(slices.Clone(diffOptions), before, head, "--")...)
	c.Before = fit(r.split(out.String()), maxDiff/2)
	return err
}

// plain returns text as valid UTF-8, without the secrets that VoxPilot knows.
func (r *repo) plain(text string) string {
	return r.m.cfg.Redact(strings.ToValidUTF8(text, "\uFFFD"))
}

// patches returns the diffs of the first maxDiffed changed files, with shortened lines.
func (r *repo) patches(ctx context.Context, tree string, changes []change, staged bool) (patches []string, err error) {
	var tracked, added []string
	names := 0
	for _, c := range changes[:min(len(changes), maxDiffed)] {
		if !staged && c.status == 'A' && strings.Trim(c.to.hash, "0") == "" && c.from == (entry{}) {
			added = append(added, c.path) // the file is untracked, or was added to the index and changed since
			continue
		}
		if names += len(c.path); names <= maxNames {
			tracked = append(tracked, c.path)
		}
	}
	if len(tracked) > 0 {
		off, err := workspace.FiltersOff(ctx, r.Root, r.git, r.m.environment("LC_ALL=C"))
		if err != nil {
			return nil, err
		}
		args := slices.Clone(diffOptions)
		if staged {
			args = append(args, "--cached")
		}
		args = append(append(args, tree, "--"), tracked...)
		out, err := r.readUpTo(ctx, maxPatch, slices.Concat(workspace.GitOptions(), off, []string{"-c", bigFiles}), "", nil, args...)
		if err != nil {
			return nil, err
		}
		patches = r.split(out.String())
	}
	if len(added) == 0 {
		return patches, ctx.Err()
	}
	files, err := workspace.OpenTree(r.Root)
	if err != nil {
		return patches, err
	}
	defer files.Close()
	for _, name := range added {
		patches = append(patches, r.shorten("diff --git a/"+name+" b/"+name+"\nnew file\n"+newLines(files, name)))
	}
	return patches, ctx.Err()
}

// newLines returns the lines of a new file in the form of a diff. For a file that isn't text or is larger than
// maxNewFile, it returns a note.
func newLines(files *workspace.Tree, name string) string {
	f, info, err := files.Open(name)
	if err != nil {
		return "(a link, or a file that can't be read)\n"
	}
	defer f.Close()
	if info.Size() > maxNewFile {
		return "(" + strconv.FormatInt(info.Size(), 10) + " bytes)\n"
	}
	text, err := io.ReadAll(io.LimitReader(f, maxNewFile))
	if err != nil || strings.ContainsRune(string(text), 0) {
		return "(a binary file of " + strconv.Itoa(len(text)) + " bytes)\n"
	}
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		if out.Len() > maxDiff+maxDiffLine {
			break
		}
		out.WriteString("+" + excerpt.Head(strings.TrimRight(line, "\r\n"), maxDiffLine+1) + "\n")
	}
	return out.String()
}

// split splits the output of git diff into one part per file, with shortened lines.
func (r *repo) split(out string) (parts []string) {
	start := 0
	for at := range out {
		if at > start && out[at-1] == '\n' && strings.HasPrefix(out[at:], "diff --git ") {
			parts = append(parts, r.shorten(out[start:at]))
			start = at
		}
	}
	if out[start:] != "" {
		parts = append(parts, r.shorten(out[start:]))
	}
	return parts
}

// shorten truncates overlong lines of a diff, such as those of minified files, and drops the lines that don't fit into
// maxDiff bytes. It also removes secrets (see plain).
func (r *repo) shorten(diff string) string {
	var out strings.Builder
	for line := range strings.Lines(diff) {
		if out.Len() > maxDiff { // the rest doesn't fit in any case
			break
		}
		if text := strings.TrimRight(line, "\r\n"); len(text) > maxDiffLine {
			line = excerpt.Head(text, maxDiffLine) + "…\n"
		}
		out.WriteString(line)
	}
	return r.plain(out.String())
}

// fit joins the diffs of several files. The parameter total is the approximate maximum size of the result in bytes. If
// the diffs are larger, fit truncates the largest of them.
func fit(parts []string, total int) string {
	sizes := make([]int, len(parts))
	for i, p := range parts {
		sizes[i] = len(p)
	}
	slices.Sort(sizes)
	share, rest := total, total
	for i, size := range sizes {
		if share = rest / (len(sizes) - i); size > share {
			break
		}
		rest -= size
	}
	var out strings.Builder
	for _, p := range parts {
		if len(p) > share {
			p = excerpt.Head(p, share)
			p = p[:strings.LastIndexByte(p, '\n')+1] + "(the rest of this file's changes isn't shown)\n"
		}
		if out.WriteString(p); p != "" && !strings.HasSuffix(p, "\n") {
			out.WriteByte('\n')
		}
	}
	return out.String()
}
