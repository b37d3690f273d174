package tools

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

const gitDiffSchema = `{
  "type": "object",
  "properties": {
    "rev": {"type": "string", "description": "What to compare: a revision with the files as they are now (HEAD, main), a range (main...HEAD), or one commit (abc123^!). Default: the index with the files as they are now."},
    "staged": {"type": "boolean", "description": "Compare the index with HEAD, or with rev."},
    "path": {"type": "string", "description": "Only this file or folder."},
    "stat": {"type": "boolean", "description": "Only the names of the files with counts of lines."},
    "context": {"type": "integer", "minimum": 1, "maximum": 100, "description": "Lines around each change. Default 3."}
  },
  "additionalProperties": false
}`

// mostUntracked names of new files are shown with a diff.
const mostUntracked = 50

type gitDiffArgs struct {
	Rev     string `json:"rev"`
	Staged  bool   `json:"staged"`
	Path    string `json:"path"`
	Stat    bool   `json:"stat"`
	Context int    `json:"context"`
}

func (b *Box) gitDiff(ctx context.Context, c call) (Result, error) {
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
	g, err := b.git(ctx, c.folder)
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
	res.Fact = factOf(counts)
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
		res.Text = lines(wholeLines(res.Text), "[The diff is longer than this. Name a file in path; stat=true names the files.]")
	}
	if res.Text == "" {
		res.Text = "[No changes.]"
	}
	if args.Rev == "" && !args.Staged {
		res.Text = lines(res.Text, g.untracked(ctx, place.Rel()))
	}
	return res, nil
}

// untracked names the new files, which are in no diff.
func (g *git) untracked(ctx context.Context, below string) string {
	out, err := g.run(ctx, maxText, "ls-files", "-z", "--others", "--exclude-standard", "--directory", "--", below)
	if err != nil || len(out) == 0 {
		return ""
	}
	names := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	text := "[New files that git does not know yet: " + strings.Join(names[:min(mostUntracked, len(names))], ", ")
	if len(names) > mostUntracked {
		text += ", … " + backend.Grouped(len(names)) + " in all"
	}
	return text + "]"
}

// factOf sums up what --numstat tells.
func factOf(numstat string) backend.Message {
	files, added, removed := 0, 0, 0
	for line := range strings.Lines(numstat) {
		fields := strings.SplitN(line, "\t", 3)
		if len(fields) < 3 {
			continue
		}
		files++
		n, _ := strconv.Atoi(fields[0]) // "-" of a binary file counts as none
		m, _ := strconv.Atoi(fields[1])
		added, removed = added+n, removed+m
	}
	if files == 0 {
		return backend.Say("no changes")
	}
	return backend.Say("%s, +%s −%s", backend.Count(files, "1 file", "%d files"), backend.Count(added, "1", "%d"), backend.Count(removed, "1", "%d"))
}

// wholeLines is text without the last line where that is cut.
func wholeLines(text string) string {
	return text[:strings.LastIndexByte(text, '\n')+1]
}
