package tools

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// git runs git commands that read, in a folder.
//
// A repository's own configuration can name programs: for diffs, filters,
// hooks, signatures, other machines. None of them is run: the user trusts the
// folder to be worked in, and not what somebody wrote into its .git.
type git struct {
	path, folder string
	env          []string
	options      []string
}

// Options of what shows differences. Submodules have a configuration of their
// own, so nobody looks into them.
var diffOptions = []string{"--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short", "--ignore-submodules=dirty"}

var errNoRepository = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The folder is in no git repository, or git is not installed.")}

// git prepares git for the folder, which has to be in a repository.
func (b *Box) git(ctx context.Context, folder string) (*git, error) {
	g := &git{path: b.program(folder, "git"), folder: folder}
	if g.path == "" {
		return nil, errNoRepository
	}
	g.env = workspace.GitEnvironment(b.cfg.LoginPath())
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

// switchFiltersOff keeps the programs from running that the repository's own
// configuration has for what goes into it.
func (g *git) switchFiltersOff(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	off, err := workspace.FiltersOff(limited, g.folder, g.path, g.env)
	var filter workspace.FilterError
	switch {
	case errors.As(err, &filter):
		return wrong("The repository's configuration has a filter with a name that cannot be switched off: %s. git is not used here.", clip(filter.Name, 100))
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return wrong("git could not tell its configuration, so it is not used here. It may be older than 2.26.")
	}
	g.options = append(slices.Clip(g.options), off...)
	return nil
}

// run is the output of a command of git.
func (g *git) run(ctx context.Context, limit int, args ...string) ([]byte, error) {
	return run(ctx, g.folder, g.path, g.env, limit, slices.Concat(g.options, args)...)
}

// repositoryFiles are the files below a folder of the chat's folder that git
// knows or would add. It is nil where the folder is in no repository, and where
// git knows of no file there: then the folder is ignored or empty.
func (b *Box) repositoryFiles(ctx context.Context, folder, below string) []string {
	g, err := b.git(ctx, folder)
	if err != nil {
		return nil
	}
	out, err := g.run(ctx, 64<<20, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", below)
	if err != nil && !errors.Is(err, errTooMuch) || len(out) == 0 {
		return nil
	}
	names := strings.Split(string(out), "\x00")
	return slices.DeleteFunc(names[:len(names)-1], func(name string) bool {
		return strings.HasSuffix(name, "/") // a repository inside of this one
	})
}

// checkRev checks that a revision of the model's is one, and no option.
func checkRev(rev string) error {
	if strings.HasPrefix(rev, "-") || len(rev) > 200 || strings.ContainsFunc(rev, func(r rune) bool { return r <= ' ' || r == 0x7F }) {
		return wrong("The argument \"rev\" must be a revision or a range, such as HEAD~2, main or main...HEAD; %q is none.", clip(rev, 100))
	}
	return nil
}

// gitFailed is what the model is told when a command of git failed.
func gitFailed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	_, said, _ := strings.Cut(err.Error(), ": ")
	return wrong("git answered: %s", clip(said, 500))
}
