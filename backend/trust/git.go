package trust

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// git adds the entries of the git directories of a repository, its worktrees and its submodules.
func (w *walker) git(work *tree, repo workspace.Repository) {
	root, err := os.OpenRoot(repo.Common)
	if err != nil {
		w.findings.Incomplete = true
		return
	}
	defer root.Close()
	work.level = "."
	t := &tree{walker: w, root: root, prefix: ".git/", level: ".", work: work}
	if repo.Common == repo.Root {
		t.prefix = ""
	}
	c := &config{tree: t, dir: repo.Common, seen: map[string]bool{}}
	t.gitDirectory(c, ".")
	worktrees := Location{ID: GitConfigID}
	for _, e := range t.list(worktrees, "worktrees") {
		c.file(path.Join("worktrees", e.Name(), "config.worktree"), 0)
	}
	t.modules(c, "modules", 0)
}

// gitDirectory adds the entries of a git directory, which belongs to the repository or a submodule. If that directory
// has hooks, gitDirectory also adds the files of hook managers in the work tree.
func (t *tree) gitDirectory(c *config, gitDir string) {
	c.hooks = nil
	c.file(path.Join(gitDir, "config"), 0)
	c.file(path.Join(gitDir, "config.worktree"), 0)
	before := len(t.findings.Entries)
	t.gitHooks(path.Join(gitDir, "hooks"))
	for _, dir := range c.hooks {
		t.work.gitHooks(dir)
	}
	if len(t.findings.Entries) > before {
		for _, name := range managedHooks {
			t.work.scan(Location{ID: GitHookID}, name)
		}
	}
}

// modules adds the entries of the git directories of submodules, which may be nested.
func (t *tree) modules(c *config, dir string, depth int) {
	if depth > maxDepth {
		t.findings.Incomplete = true
		return
	}
	for _, e := range t.list(Location{ID: GitConfigID}, dir) {
		if t.full() {
			return
		}
		name := path.Join(dir, e.Name())
		if info, err := t.root.Stat(name); err != nil || !info.IsDir() {
			continue
		}
		if _, err := t.root.Lstat(path.Join(name, "HEAD")); err == nil {
			t.gitDirectory(c, name)
			t.modules(c, path.Join(name, "modules"), depth+1)
			continue
		}
		t.modules(c, name, depth+1)
	}
}

// gitHooks adds an entry for each file that git would run as a hook. The parameter dir is the hooks folder.
func (t *tree) gitHooks(dir string) {
	p := Location{ID: GitHookID}
	for _, e := range t.list(p, dir) {
		if t.full() {
			return
		}
		name := path.Join(dir, e.Name())
		info, err := t.root.Stat(name)
		if err == nil && (!info.Mode().IsRegular() || !runs(info.Mode())) || strings.HasSuffix(name, ".sample") {
			continue
		}
		t.file(p, name)
	}
}

// config reads git configuration files.
type config struct {
	*tree
	dir   string          // path of the tree in the file system
	seen  map[string]bool // files that were already read
	hooks []string        // folders in the work tree named by core.hooksPath
}

// maxIncludes is the maximum include depth; git's own limit is 10.
const maxIncludes = 10

// file adds the entries of a configuration file and of the files that it includes, except included files outside the
// repository.
func (c *config) file(name string, depth int) { c.of(c.tree, name, depth) }

func (c *config) of(t *tree, name string, depth int) {
	p := Location{ID: GitConfigID, Read: ReadJSON}
	key := t.prefix + "\x00" + name
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	body, whole, sum, err := t.read(name)
	switch {
	case errors.Is(err, errFolder):
		return
	case err != nil:
		t.noteUnread(p, name, err)
		return
	case !whole:
		t.note(p, name, NoteLarge, "", sum)
		return
	}
	settings, ok := parseConfig(string(body))
	if !ok { // git fails here, but a later version may not
		t.add(Location{ID: p.ID}, name, "", string(body), string(body))
		return
	}
	for _, s := range settings {
		if !s.runs() {
			continue
		}
		t.add(p, name, s.name(), s.value, s.value)
		switch s.key() {
		case "include.path", "includeif.*.path":
			if depth == maxIncludes {
				t.findings.Incomplete = true
				continue
			}
			if in, at, ok := c.inside(t, path.Dir(name), s.value); ok {
				c.of(in, at, depth+1)
			}
		case "core.hookspath":
			if in, at, ok := c.inside(c.work, ".", s.value); ok {
				if in == c.work {
					c.hooks = append(c.hooks, at)
				} else {
					in.gitHooks(at)
				}
			}
		}
	}
}

// inside resolves target, a path that a configuration file in the tree t contains. The parameter dir is the folder of
// that file. It returns the tree that contains the target, and the name of the target in that tree. It returns false if
// the target isn't in the work tree or the git directory.
func (c *config) inside(t *tree, dir, target string) (*tree, string, bool) {
	target = filepath.FromSlash(target)
	if strings.HasPrefix(target, "~") {
		return nil, "", false
	}
	base := c.dir
	if t == c.work {
		base = c.findings.Root
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(base, filepath.FromSlash(dir), target)
	}
	for _, in := range []struct {
		*tree
		dir string
	}{{c.tree, c.dir}, {c.work, c.findings.Root}} {
		if rel, err := filepath.Rel(in.dir, filepath.Clean(target)); err == nil && filepath.IsLocal(rel) {
			return in.tree, filepath.ToSlash(rel), true
		}
	}
	return nil, "", false
}
