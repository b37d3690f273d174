package tools

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// Limits on listing files in one call.
const (
	maxFiles = 200_000
	walkTime = 10 * time.Second
)

// skippedFolders are folders that walk skips, because they contain version control data, dependencies
// or generated files.
var skippedFolders = []string{".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__", ".venv", ".tox", ".gradle", ".cache"}

// files returns the names of all files in a folder and its subfolders. If the parameter place is the path of a file,
// files returns only its name. The names are sorted, slash-separated and relative to the chat's folder. In a
// repository, they are those of the tracked and untracked files; ignored ones are omitted unless place itself is
// ignored. The result all is false if the list is incomplete because there are more than maxFiles files, git's list is
// longer than maxList, or listing the files took longer than walkTime.
func (r *Registry) files(ctx context.Context, c call, place workspace.ResolvedPath, tree *workspace.Tree) (names []string, all bool, err error) {
	if !place.IsDir() {
		if _, ok := tree.Stat(place.Rel()); !ok {
			_, _, err := place.Open() // returns the specific error
			return nil, false, err
		}
		return []string{place.Rel()}, true, nil
	}
	if names, all = r.repositoryFiles(ctx, c.folder, place.Rel()); names == nil {
		if names, all, err = walk(ctx, tree, place.Rel()); err != nil {
			return nil, false, err
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) > maxFiles {
		names, all = names[:maxFiles], false
	}
	return names, all, nil
}

// walk returns the regular files of the tree in the given folder and its subfolders. The result all is false if walk
// stopped early because it reached maxFiles or walkTime.
func walk(ctx context.Context, tree *workspace.Tree, from string) (names []string, all bool, err error) {
	within, cancel := context.WithTimeout(ctx, walkTime)
	defer cancel()
	all = true
	err = fs.WalkDir(tree.FS(), from, func(name string, d fs.DirEntry, err error) error {
		switch {
		case within.Err() != nil || len(names) > maxFiles:
			all = false
			return fs.SkipAll
		case err != nil && name == from:
			return err
		case err != nil:
			return nil //nolint:nilerr // skips unreadable files
		case d.IsDir() && name != from && slices.Contains(skippedFolders, d.Name()):
			return fs.SkipDir
		case d.Type().IsRegular():
			names = append(names, name)
		}
		return nil
	})
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return names, all, err
}

// pattern matches file names. A pattern without a slash is matched against the base
// name, so that "*.go" finds Go files in every folder.
type pattern struct {
	glob string
	base bool
}

func newPattern(glob, argument string) (pattern, error) {
	glob = strings.TrimPrefix(glob, "./")
	if glob == "" || !doublestar.ValidatePattern(glob) {
		return pattern{}, invalid("The argument %q isn't a valid glob: %q. Examples: *.go, src/**/*.ts, **/*.{yml,yaml}.", argument, glob)
	}
	if alternatives(glob) > maxAlternatives {
		return pattern{}, invalid("The argument %q has too many alternatives in braces. Use fewer, or make several calls.", argument)
	}
	return pattern{glob: strings.TrimPrefix(glob, "/"), base: !strings.Contains(glob, "/")}, nil
}

// maxAlternatives is the maximum number of alternatives in a pattern. It limits the time needed to
// match a name, since every alternative may have to be tried.
const maxAlternatives = 100

// alternatives returns the number of brace-free patterns that a glob expands to, or a higher number. It stops counting
// above maxAlternatives.
func alternatives(glob string) int {
	all := 1
	var open []int // number of alternatives per open brace
	for _, c := range glob {
		switch n := len(open); {
		case c == '{':
			open = append(open, 1)
		case c == ',' && n > 0:
			open[n-1]++
		case c == '}' && n > 0:
			all *= open[n-1]
			open = open[:n-1]
		}
		if all > maxAlternatives {
			break
		}
	}
	return all
}

// matches reports whether the pattern matches the path of a file (name) that was found in a folder (from).
func (p pattern) matches(from, name string) bool {
	if p.base {
		return doublestar.MatchUnvalidated(p.glob, path.Base(name))
	}
	if from != "." {
		name = strings.TrimPrefix(name, from+"/")
	}
	return doublestar.MatchUnvalidated(p.glob, name)
}

const listSchema = `{
  "type": "object",
  "properties": {
    "path": {"type": "string", "description": "Directory to list, absolute or relative to the chat's folder. Default: the chat's folder."}
  },
  "additionalProperties": false
}`

// maxEntries is the maximum number of listed entries per folder.
const maxEntries = 500

type listArgs struct {
	Path string `json:"path"`
}

func (r *Registry) listDirectory(_ context.Context, c call) (Result, error) {
	var args listArgs
	if err := decode(c.Arguments, &args); err != nil {
		return Result{}, err
	}
	place, err := c.locate(args.Path)
	if err != nil {
		return Result{Path: place.Path}, err
	}
	res := Result{Path: place.Path}
	entries, more, err := place.Entries(maxEntries)
	if err != nil {
		return res, err
	}
	var dirs, files strings.Builder
	for _, e := range entries {
		switch {
		case e.IsDir():
			dirs.WriteString(e.Name() + "/\n")
		case e.Type()&fs.ModeSymlink != 0:
			files.WriteString(e.Name() + " (link)\n")
		case !e.Type().IsRegular():
			files.WriteString(e.Name() + " (special file)\n")
		default:
			files.WriteString(e.Name())
			if info, err := e.Info(); err == nil {
				files.WriteString(" (" + backend.Count(int(info.Size()), "1 byte", "%d bytes").String() + ")")
			}
			files.WriteString("\n")
		}
	}
	res.Summary = backend.Count(len(entries), "1 entry", "%d entries")
	res.Text = lines(dirs.String(), files.String())
	switch {
	case more:
		res.Summary = backend.Say("more than %s", res.Summary)
		res.Text = lines(res.Text, "[More entries not shown. Use glob to find files by name.]")
	case len(entries) == 0:
		res.Text = "[The folder is empty.]"
	}
	return res, nil
}

const globSchema = `{
  "type": "object",
  "properties": {
    "pattern": {"type": "string", "description": "The glob, such as *.go, src/**/*.ts or **/*.{yml,yaml}. Without a slash, it matches file names in every folder."},
    "path": {"type": "string", "description": "Directory to search, absolute or relative to the chat's folder. Default: the chat's folder."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "description": "Maximum number of files. Default 200."}
  },
  "required": ["pattern"],
  "additionalProperties": false
}`

// Limits of the glob tool.
const (
	defaultNames = 200
	maxNames     = 1000
)

type globArgs struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
	Limit   int    `json:"limit"`
}

func (r *Registry) glob(ctx context.Context, c call) (Result, error) {
	var args globArgs
	if err := decode(c.Arguments, &args); err != nil {
		return Result{}, err
	}
	if args.Pattern == "" {
		return Result{}, invalid("The argument \"pattern\" is required: a glob, such as **/*.go.")
	}
	p, err := newPattern(args.Pattern, "pattern")
	if err == nil {
		err = between("limit", args.Limit, 1, maxNames)
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
	names, all, err := r.files(ctx, c, place, tree)
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
	res.Text, res.Summary = text.String(), backend.Count(len(hits), "1 file", "%d files")
	if len(hits) == 0 {
		res.Text = "No files match. Files ignored by Git are skipped unless path is an ignored folder."
	}
	if shown < len(hits) {
		res.Text += "[Showing the newest " + backend.GroupDigits(shown) + " of " + backend.Count(len(hits), "1 file", "%d files").String() + ". Narrow the pattern or the path, or raise limit.]\n"
	}
	if !all {
		res.Text += "[The folder has too many files to search them all. Set path to a folder in it.]\n"
	}
	return res, nil
}
