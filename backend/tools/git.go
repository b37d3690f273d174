package tools

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// git runs read-only git commands in a folder.
//
// A repository's configuration can name programs: for diffs, filters, hooks, signatures and remotes. None of these
// programs is run, because the user trusts the folder as a working directory, but not the contents of its .git.
type git struct {
	path, folder string
	env          []string
	options      []string
}

// diffOptions are options for commands that show differences. Changes inside submodules
// are ignored, because submodules have their own configuration.
var diffOptions = []string{"--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short", "--ignore-submodules=dirty"}

var errNoRepository = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The folder isn't in a Git repository, or Git isn't installed.")}

// git returns a runner of git commands in the folder. It returns errNoRepository if the folder isn't in a
// work tree or git isn't installed.
func (r *Registry) git(ctx context.Context, folder string) (*git, error) {
	g := &git{path: r.program(folder, "git"), folder: folder}
	if g.path == "" {
		return nil, errNoRepository
	}
	g.env = workspace.GitEnvironment(r.cfg.LoginPath())
	g.options = workspace.GitOptions()
	inside, err := g.run(ctx, 100, "rev-parse", "--is-inside-work-tree")
	if err != nil || string(bytes.TrimSpace(inside)) != "true" {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, errNoRepository
	}
	return g, g.switchFiltersOff(ctx)
}

// switchFiltersOff disables the filter programs in the repository's configuration.
func (g *git) switchFiltersOff(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	off, err := workspace.FiltersOff(limited, g.folder, g.path, g.env)
	var filter workspace.FilterError
	switch {
	case errors.As(err, &filter):
		return invalid("VoxPilot doesn't use Git in this repository because it can't turn off a configured filter with this name: %s", excerpt.Head(filter.Name, 100))
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return invalid("Couldn't read Git's configuration, so VoxPilot doesn't use Git in this folder. Git may be older than 2.26.")
	}
	g.options = append(slices.Clip(g.options), off...)
	return nil
}

// run runs a git command and returns at most limit bytes of its output. If there was more, the error is
// errTooMuch.
func (g *git) run(ctx context.Context, limit int, args ...string) ([]byte, error) {
	return run(ctx, g.folder, g.path, g.env, limit, slices.Concat(g.options, args)...)
}

// maxList is the maximum size of git's list of files in bytes.
var maxList = 64 << 20

// repositoryFiles returns the names of the tracked and untracked files in subfolder. The names and the path of the
// subfolder are relative to folder. The result names is nil if folder isn't in a repository, if git fails, or if the
// subfolder is ignored or empty. The result all is false if the list is incomplete because git's list is longer than
// maxList.
func (r *Registry) repositoryFiles(ctx context.Context, folder, subfolder string) (names []string, all bool) {
	g, err := r.git(ctx, folder)
	if err != nil {
		return nil, false
	}
	out, err := g.run(ctx, maxList, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", subfolder)
	isCut := errors.Is(err, errTooMuch)
	if err != nil && !isCut || len(out) == 0 {
		return nil, false
	}
	names = strings.Split(string(out), "\x00")
	return slices.DeleteFunc(names[:len(names)-1], func(name string) bool { // the last name is cut or empty
		return strings.HasSuffix(name, "/") // a nested repository
	}), !isCut
}

// checkRev checks that a revision from the model has a valid form and isn't an option.
func checkRev(rev string) error {
	if strings.HasPrefix(rev, "-") || len(rev) > 200 || strings.ContainsFunc(rev, func(r rune) bool { return r <= ' ' || r == 0x7F }) {
		return invalid("The argument \"rev\" must be a revision or a range, such as HEAD~2, main or main...HEAD, not %q.", excerpt.Head(rev, 100))
	}
	return nil
}

// gitFailed returns the error to show the model for a failed git command.
func gitFailed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	said := err.Error()
	if _, rest, ok := strings.Cut(said, ": "); ok {
		said = rest
	}
	return invalid("Git reported: %s", excerpt.Head(said, 500))
}

const gitDiffSchema = `{
  "type": "object",
  "properties": {
    "rev": {"type": "string", "description": "What to compare: a revision against the working tree (HEAD, main), a range (main...HEAD), or one commit (abc123^!). Default: the index against the working tree."},
    "staged": {"type": "boolean", "description": "Compare the index against HEAD, or against rev."},
    "path": {"type": "string", "description": "Limit to this file or folder."},
    "stat": {"type": "boolean", "description": "Show only file names with line counts."},
    "context": {"type": "integer", "minimum": 1, "maximum": 100, "description": "Lines of context around each change. Default 3."}
  },
  "additionalProperties": false
}`

// maxUntracked is the maximum number of untracked files listed with a diff.
const maxUntracked = 50

type gitDiffArgs struct {
	Rev     string `json:"rev"`
	Staged  bool   `json:"staged"`
	Path    string `json:"path"`
	Stat    bool   `json:"stat"`
	Context int    `json:"context"`
}

func (r *Registry) gitDiff(ctx context.Context, c call) (Result, error) {
	var args gitDiffArgs
	if err := decode(c.Arguments, &args); err != nil {
		return Result{}, err
	}
	if err := errors.Join(checkRev(args.Rev), between("context", args.Context, 1, 100)); err != nil {
		return Result{}, err
	}
	place, err := c.locate(args.Path)
	if err != nil {
		return Result{Path: place.Path}, err
	}
	res := Result{Path: place.Path}
	g, err := r.git(ctx, c.folder)
	if err != nil {
		return res, err
	}
	what := []string{}
	if args.Staged {
		what = append(what, "--cached")
	}
	if args.Rev != "" {
		what = append(what, args.Rev)
	}
	diff := func(limit int, options ...string) (string, error) {
		out, err := g.run(ctx, limit, slices.Concat([]string{"diff", "--relative"}, diffOptions, options, what, []string{"--", place.Rel()})...)
		return strings.ToValidUTF8(string(out), "\uFFFD"), err
	}
	counts, err := diff(maxText, "--numstat")
	if err != nil && !errors.Is(err, errTooMuch) {
		return res, gitFailed(ctx, err)
	}
	res.Summary = diffSummary(counts)
	stat := counts
	if args.Stat {
		res.Text = stat
	} else {
		around := 3
		if args.Context > 0 {
			around = args.Context
		}
		res.Text, err = diff(maxText, "--unified="+strconv.Itoa(around))
		if err != nil && !errors.Is(err, errTooMuch) {
			return res, gitFailed(ctx, err)
		}
	}
	if errors.Is(err, errTooMuch) {
		res.Text = lines(wholeLines(res.Text), "[Diff truncated. Pass a file in path; stat=true lists the files.]")
	}
	if res.Text == "" {
		res.Text = "[No changes.]"
	}
	if args.Rev == "" && !args.Staged {
		res.Text = lines(res.Text, g.untracked(ctx, place.Rel()))
	}
	return res, nil
}

// untracked returns a note that lists the untracked files at path. A diff doesn't contain these files. It returns ""
// if there are none or git fails.
func (g *git) untracked(ctx context.Context, path string) string {
	out, err := g.run(ctx, maxText, "ls-files", "-z", "--others", "--exclude-standard", "--directory", "--", path)
	if err != nil || len(out) == 0 {
		return ""
	}
	names := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	text := "[Untracked files: " + strings.Join(names[:min(maxUntracked, len(names))], ", ")
	if len(names) > maxUntracked {
		text += ", … " + backend.GroupDigits(len(names)) + " in all"
	}
	return text + "]"
}

// diffSummary returns a short summary of a diff for the user. The parameter numstat is the output of git diff
// --numstat.
func diffSummary(numstat string) backend.Message {
	files, added, removed := 0, 0, 0
	for line := range strings.Lines(numstat) {
		fields := strings.SplitN(line, "\t", 3)
		if len(fields) < 3 {
			continue
		}
		files++
		n, _ := strconv.Atoi(fields[0]) // "-" for a binary file counts as 0
		m, _ := strconv.Atoi(fields[1])
		added, removed = added+n, removed+m
	}
	if files == 0 {
		return backend.Say("no changes")
	}
	return backend.Say("%s, +%s −%s", backend.Count(files, "1 file", "%d files"), backend.Count(added, "1", "%d"), backend.Count(removed, "1", "%d"))
}

// wholeLines returns a text without its last line if that line is incomplete.
func wholeLines(text string) string {
	return text[:strings.LastIndexByte(text, '\n')+1]
}

const gitLogSchema = `{
  "type": "object",
  "properties": {
    "rev": {"type": "string", "description": "Starting revision or range, such as main or v1.0..HEAD. Default HEAD."},
    "path": {"type": "string", "description": "Only commits that changed this file or folder."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 200, "description": "Number of commits. Default 20."},
    "skip": {"type": "integer", "minimum": 1, "maximum": 100000, "description": "Number of newest commits to skip."},
    "full": {"type": "boolean", "description": "Include the full message and the changed files."}
  },
  "additionalProperties": false
}`

type gitLogArgs struct {
	Rev   string `json:"rev"`
	Path  string `json:"path"`
	Limit int    `json:"limit"`
	Skip  int    `json:"skip"`
	Full  bool   `json:"full"`
}

func (r *Registry) gitLog(ctx context.Context, c call) (Result, error) {
	var args gitLogArgs
	if err := decode(c.Arguments, &args); err != nil {
		return Result{}, err
	}
	if err := errors.Join(checkRev(args.Rev), between("limit", args.Limit, 1, 200), between("skip", args.Skip, 1, 100_000)); err != nil {
		return Result{}, err
	}
	if args.Limit == 0 {
		args.Limit = 20
	}
	place, err := c.locate(args.Path)
	if err != nil {
		return Result{Path: place.Path}, err
	}
	res := Result{Path: place.Path}
	g, err := r.git(ctx, c.folder)
	if err != nil {
		return res, err
	}
	// Requesting one commit more than the limit shows whether there are older ones. Each commit starts
	// with a random mark, which no commit message contains.
	mark := backend.NewID()
	format := mark + "%h %ad %an: %s"
	if args.Full {
		format = mark + "%h %ad %an <%ae>%n%n%w(0,4,4)%B%w(0,0,0)"
	}
	cmd := slices.Concat([]string{
		"log", "--relative", "--date=short", "--format=" + format,
		"--max-count=" + strconv.Itoa(args.Limit+1), "--skip=" + strconv.Itoa(args.Skip),
	}, diffOptions)
	if args.Full {
		// Detecting renames requires file contents, which a partial clone may not have.
		cmd = append(cmd, "--name-status", "--no-renames")
	}
	if args.Rev != "" {
		cmd = append(cmd, args.Rev)
	}
	cmd = append(cmd, "--")
	// Without a path, the log has all commits of the repository including merges. The command gets a path
	// only if the model passed one, or if the chat's folder is a subfolder of the repository.
	if prefix, err := g.run(ctx, 10<<10, "rev-parse", "--show-prefix"); place.Rel() != "." || err != nil || len(strings.TrimSpace(string(prefix))) > 0 {
		cmd = append(cmd, place.Rel())
	}
	out, err := g.run(ctx, maxText, cmd...)
	cut := errors.Is(err, errTooMuch)
	if err != nil && !cut {
		if strings.Contains(err.Error(), "does not have any commits yet") {
			res.Text, res.Summary = "[No commits yet.]", backend.Say("no commits")
			return res, nil
		}
		return res, gitFailed(ctx, err)
	}
	commits := strings.Split(strings.ToValidUTF8(string(out), "\uFFFD"), mark)[1:]
	more := len(commits) > args.Limit
	commits = commits[:min(args.Limit, len(commits))]
	if cut && !more && len(commits) > 1 {
		commits, more = commits[:len(commits)-1], true
	}
	if len(commits) == 0 {
		res.Text, res.Summary = "[No commits.]", backend.Say("no commits")
		return res, nil
	}
	res.Summary = backend.Count(len(commits), "1 commit", "%d commits")
	var text strings.Builder
	for _, commit := range commits {
		text.WriteString(strings.TrimRight(commit, "\n") + "\n")
		if args.Full {
			text.WriteString("\n")
		}
	}
	res.Text = text.String()
	if more {
		res.Text += "[Older commits not shown. Continue with skip=" + strconv.Itoa(args.Skip+len(commits)) + ".]\n"
	}
	return res, nil
}
