package tools

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// Limits of what is looked at in one call.
const (
	mostFiles = 200_000
	walkTime  = 10 * time.Second
)

// skipped are folders that a walk passes over: they have what tools made, and
// no one wrote.
var skipped = []string{".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__", ".venv", ".tox", ".gradle", ".cache"}

// files are the files below a place, by name from the chat's folder on, with
// slashes, sorted. In a repository they are those that git knows or would add;
// what it ignores is left out, unless the place itself is ignored. all is false
// where there are more files than can be looked at.
func (b *Box) files(ctx context.Context, c call, place workspace.Place, tree *workspace.Tree) (names []string, all bool, err error) {
	if !place.IsDir() {
		if _, ok := tree.Stat(place.Rel()); !ok {
			_, _, err := place.Open() // says what it is instead
			return nil, false, err
		}
		return []string{place.Rel()}, true, nil
	}
	all = true
	if names = b.repositoryFiles(ctx, c.folder, place.Rel()); names == nil {
		if names, all, err = walk(ctx, tree, place.Rel()); err != nil {
			return nil, false, err
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) > mostFiles {
		names, all = names[:mostFiles], false
	}
	return names, all, nil
}

// walk finds the plain files below a folder of the tree. all is false where it
// was ended before it had seen them all.
func walk(ctx context.Context, tree *workspace.Tree, from string) (names []string, all bool, err error) {
	within, cancel := context.WithTimeout(ctx, walkTime)
	defer cancel()
	all = true
	err = fs.WalkDir(tree.FS(), from, func(name string, d fs.DirEntry, err error) error {
		switch {
		case within.Err() != nil || len(names) > mostFiles:
			all = false
			return fs.SkipAll
		case err != nil && name == from:
			return err
		case err != nil:
			return nil //nolint:nilerr // what may not be read is not seen
		case d.IsDir() && name != from && slices.Contains(skipped, d.Name()):
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

// pattern matches names of files. One without a slash is matched with the last
// part of the name, so that "*.go" finds Go files in every folder.
type pattern struct {
	glob string
	base bool
}

func newPattern(glob, argument string) (pattern, error) {
	glob = strings.TrimPrefix(glob, "./")
	if glob == "" || !doublestar.ValidatePattern(glob) {
		return pattern{}, wrong("The argument %q is no valid glob: %q. Examples: *.go, src/**/*.ts, **/*.{yml,yaml}.", argument, glob)
	}
	if alternatives(glob) > mostAlternatives {
		return pattern{}, wrong("The argument %q has too many alternatives in braces. Use fewer, or more calls.", argument)
	}
	return pattern{glob: strings.TrimPrefix(glob, "/"), base: !strings.Contains(glob, "/")}, nil
}

// mostAlternatives bounds the time that a name takes: each of them may have to
// be tried.
const mostAlternatives = 100

// alternatives is how many patterns without braces a glob stands for, or a few
// more. It is not counted on from mostAlternatives.
func alternatives(glob string) int {
	all := 1
	var open []int // alternatives in each brace that is open
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
		if all > mostAlternatives {
			break
		}
	}
	return all
}

// matches says whether the pattern matches name, which is below the folder
// from.
func (p pattern) matches(from, name string) bool {
	if p.base {
		return doublestar.MatchUnvalidated(p.glob, path.Base(name))
	}
	if from != "." {
		name = strings.TrimPrefix(name, from+"/")
	}
	return doublestar.MatchUnvalidated(p.glob, name)
}
