package tools

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

const gitLogSchema = `{
  "type": "object",
  "properties": {
    "rev": {"type": "string", "description": "Where to begin, or a range: main, v1.0..HEAD. Default HEAD."},
    "path": {"type": "string", "description": "Only commits that changed this file or folder."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 200, "description": "How many commits. Default 20."},
    "skip": {"type": "integer", "minimum": 1, "maximum": 100000, "description": "How many of the newest commits to leave out."},
    "full": {"type": "boolean", "description": "With the whole message and the files that were changed."}
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

func (b *Box) gitLog(ctx context.Context, c call) (Result, error) {
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
	g, err := b.git(ctx, c.folder)
	if err != nil {
		return res, err
	}
	// One commit more than asked for tells whether there are more. A commit
	// begins with a mark that no message has.
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
		// Renames would need what is in the files, which a partial clone has not.
		cmd = append(cmd, "--name-status", "--no-renames")
	}
	if args.Rev != "" {
		cmd = append(cmd, args.Rev)
	}
	cmd = append(cmd, "--")
	// The commits of the whole repository, merges too, unless the folder is but
	// a part of it.
	if prefix, err := g.run(ctx, 10<<10, "rev-parse", "--show-prefix"); place.Rel() != "." || err != nil || len(strings.TrimSpace(string(prefix))) > 0 {
		cmd = append(cmd, place.Rel())
	}
	out, err := g.run(ctx, maxText, cmd...)
	cut := errors.Is(err, errTooMuch)
	if err != nil && !cut {
		if strings.Contains(err.Error(), "does not have any commits yet") {
			res.Text, res.Fact = "[There are no commits yet.]", backend.Say("no commits")
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
		res.Text, res.Fact = "[No commits.]", backend.Say("no commits")
		return res, nil
	}
	res.Fact = backend.Count(len(commits), "1 commit", "%d commits")
	var text strings.Builder
	for _, commit := range commits {
		text.WriteString(strings.TrimRight(commit, "\n") + "\n")
		if args.Full {
			text.WriteString("\n")
		}
	}
	res.Text = text.String()
	if more {
		res.Text += "[There are older commits. Go on with skip=" + strconv.Itoa(args.Skip+len(commits)) + ".]\n"
	}
	return res, nil
}
