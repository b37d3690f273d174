package tools

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

const globSchema = `{
  "type": "object",
  "properties": {
    "pattern": {"type": "string", "description": "The glob, such as *.go, src/**/*.ts or **/*.{yml,yaml}. Without a slash it is matched with the file's name in every folder."},
    "path": {"type": "string", "description": "The folder to look in, from the chat's folder on or absolute. Default: the chat's folder."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "description": "How many files to show. Default 200."}
  },
  "required": ["pattern"],
  "additionalProperties": false
}`

// Limits of glob.
const (
	defaultNames = 200
	mostNames    = 1000
)

type globArgs struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
	Limit   int    `json:"limit"`
}

func (b *Box) glob(ctx context.Context, c call) (Result, error) {
	var args globArgs
	if err := decode(c.Arguments, &args); err != nil {
		return Result{}, err
	}
	if args.Pattern == "" {
		return Result{}, wrong("The argument \"pattern\" is needed: a glob, such as **/*.go.")
	}
	p, err := newPattern(args.Pattern, "pattern")
	if err == nil {
		err = between("limit", args.Limit, 1, mostNames)
	}
	if err != nil {
		return Result{}, err
	}
	if args.Limit == 0 {
		args.Limit = defaultNames
	}
	place, err := c.locate(args.Path)
	if err != nil {
		return Result{Path: place.Path}, err
	}
	res := Result{Path: place.Path}
	tree, err := workspace.OpenTree(c.folder)
	if err != nil {
		return res, err
	}
	defer tree.Close()
	names, all, err := b.files(ctx, c, place, tree)
	if err != nil {
		return res, err
	}
	type found struct {
		name string
		at   backend.Millis
	}
	var hits []found
	for _, name := range names {
		if ctx.Err() != nil {
			return res, ctx.Err()
		}
		if !p.matches(place.Rel(), name) {
			continue
		}
		if info, ok := tree.Stat(name); ok {
			hits = append(hits, found{name, backend.Millis(info.ModTime().UnixMilli())})
		}
	}
	slices.SortStableFunc(hits, func(a, b found) int { return cmp.Compare(b.at, a.at) })
	var text strings.Builder
	shown := 0
	for _, h := range hits[:min(args.Limit, len(hits))] {
		if text.Len()+len(h.name) > maxText {
			break
		}
		text.WriteString(h.name + "\n")
		shown++
	}
	res.Text, res.Fact = text.String(), backend.Count(len(hits), "1 file", "%d files")
	if len(hits) == 0 {
		res.Text = "No file matches. Files that git ignores are not looked at, unless path names their folder."
	}
	if shown < len(hits) {
		res.Text += "[These are the newest " + backend.Grouped(shown) + " of " + backend.Count(len(hits), "1 file", "%d files").String() + ". Narrow the pattern or the path, or raise limit.]\n"
	}
	if !all {
		res.Text += "[The folder has more files than can be looked at. Name a folder in path.]\n"
	}
	return res, nil
}
