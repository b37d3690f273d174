package snapshot

import (
	"context"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// ruleSet holds the ignore rules for the content of a folder. As long as the rules don't change, the same pointer is
// used for them, so that match results can be reused.
type ruleSet struct {
	parent *ruleSet // the rules to which a .gitignore was added, or nil if none was added
	list   workspace.IgnoreRules
	prefix string      // path of the chat's folder in the repository, with a trailing slash, or ""
	cut    string      // path of a nested repository in the chat's folder, with a trailing slash, or ""
	own    *inclusions // for a nested repository: files that it tracks although the rules exclude them
	from   stat        // the state of the added .gitignore when it was read
	racy   bool
}

// match reports whether the rules exclude a path. The path is relative to the chat's folder.
func (r *ruleSet) match(path string, isDir bool) bool {
	return r.list.Match(r.prefix+path[len(r.cut):], isDir)
}

// in returns the path of a folder relative to the repository that contains it. The rules need that form. The parameter
// is the path relative to the chat's folder.
func (r *ruleSet) in(path string) string {
	if len(path) < len(r.cut) {
		path = r.cut // the nested repository itself
	}
	if at := strings.TrimSuffix(r.prefix+path[len(r.cut):], "/"); at != "" {
		return at
	}
	return "."
}

const (
	gitignore = ".gitignore"
	// maxRules is the maximum number of bytes read from a rules file.
	maxRules = 64 << 10
	// gitTime is the time limit for a git command.
	gitTime = 20 * time.Second
)

// rulesIn returns the rules for the content of the open directory d: those of its parent folder, passed as rules,
// followed by those in its own .gitignore. In a nested repository, the rules of the parent folder are replaced by the
// result of nestedRules. names are the sorted names in the directory; partial means that Git ignores the directory.
func (c *scanner) rulesIn(d folder, path string, names []string, old *node, rules *ruleSet, partial bool) *ruleSet {
	if path != "" && slices.ContainsFunc(names, isGit) {
		rules = c.s.nestedRules(c.ctx, path, partial)
	}
	if _, ok := slices.BinarySearch(names, gitignore); !ok {
		return rules
	}
	st, err := d.lstat(gitignore)
	if err != nil || st.kind != File {
		return rules
	}
	if old != nil && old.rules != nil && old.rules.parent == rules && old.rules.from == st && !old.rules.racy {
		return old.rules
	}
	if old != nil && old.rules != nil {
		c.newRules.Store(true)
	}
	started := time.Now()
	f, st, err := d.open(gitignore)
	if err != nil {
		return rules
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxRules))
	if err != nil {
		return rules
	}
	return &ruleSet{
		parent: rules, list: rules.list.With(rules.in(path), text), prefix: rules.prefix, cut: rules.cut, own: rules.own,
		from: st, racy: st.isRacy(started),
	}
}

// source is a file with ignore rules other than a .gitignore in the chat's folder: the user's global file, the
// repository's info/exclude, or a .gitignore above the chat's folder.
type source struct {
	file, dir string // dir is the folder that the rules apply to, relative to the repository
	text      string
}

// inclusions holds the ignored files that are included in snapshots nevertheless.
type inclusions struct {
	files map[string]bool
	dirs  map[string][]string // the folders that contain the files; for each, the names of the files directly in it
}

func inclusionsOf(lists ...[]string) *inclusions {
	w := &inclusions{map[string]bool{}, map[string][]string{}}
	for _, file := range slices.Concat(lists...) {
		if w.files[fold(file)] {
			continue
		}
		w.files[fold(file)] = true
		dir := fold(path.Dir(file))
		w.dirs[dir] = append(w.dirs[dir], path.Base(file))
		for dir = path.Dir(dir); dir != "." && w.dirs[dir] == nil; dir = path.Dir(dir) {
			w.dirs[dir] = []string{}
		}
	}
	return w
}

// has reports whether an ignored path is included in the snapshot nevertheless. It needs the path's node in the last
// snapshot, which is nil if the path wasn't included there.
func (w *inclusions) has(path string, isDir bool, was *node) bool {
	if len(w.files) > 0 && (w.files[fold(path)] || isDir && w.dirs[fold(path)] != nil) {
		return true
	}
	return was != nil && (was.isFile() && !isDir || was.Kind == Dir && isDir && (was.partial || was.files > 0 && was.files <= maxSticky))
}

// namesIn returns the names of the included files in a folder. w may be nil.
func (w *inclusions) namesIn(dir string) []string {
	if w == nil {
		return nil
	}
	return w.dirs[fold(dir)]
}

// recordAbsent adds a None entry to the content of a partial directory for each name in c.included, in rules.own or in
// old that doesn't exist on disk. Without these entries, the states of the names would be unknown.
func (c *scanner) recordAbsent(kids []*node, path string, old *node, rules *ruleSet) []*node {
	var missing []*node
	if old != nil {
		missing = slices.DeleteFunc(slices.Clone(old.kids), func(n *node) bool { return n.Kind == Unknown })
	}
	for _, name := range slices.Concat(c.included.namesIn(path), rules.own.namesIn(path)) {
		missing = append(missing, &node{name: name})
	}
	byName := func(a, b *node) int { return strings.Compare(a.name, b.name) }
	for _, n := range missing {
		if i, ok := slices.BinarySearchFunc(kids, n, byName); !ok {
			if n.Kind != None {
				n = &node{name: n.name}
			}
			kids = slices.Insert(kids, i, n)
		}
	}
	return kids
}

func fold(path string) string {
	if foldsCase {
		return strings.ToLower(path)
	}
	return path
}

// ignoring returns the ignore rules of the chat's folder, and the ignored files that are included nevertheless. If
// neither has changed since the last call, it returns the same pointers.
func (s *Store) ignoring(ctx context.Context) (*ruleSet, *inclusions, error) {
	repo := workspace.FindRepository(s.folder)
	if repo.Dir != "" && repo.Root == repo.Dir {
		return nil, nil, ErrGitDirectory
	}
	var reading sync.WaitGroup // both functions may run git
	reading.Go(func() { s.tracked = s.trackedIn(ctx, s.folder, repo, s.tracked) })
	if s.excludes == nil {
		file := s.excludesFile(ctx)
		s.excludes = &file
	}
	reading.Wait()
	sources := []source{{file: *s.excludes, dir: "."}}
	prefix := ""
	if repo.Dir != "" {
		sources = append(sources, source{file: filepath.Join(repo.Common, "info", "exclude"), dir: "."})
		if rel, err := filepath.Rel(repo.Root, s.folder); err == nil && rel != "." {
			prefix = filepath.ToSlash(rel) + "/"
			at := "."
			for name := range strings.SplitSeq(strings.TrimSuffix(prefix, "/"), "/") {
				sources = append(sources, source{file: filepath.Join(repo.Root, filepath.FromSlash(at), gitignore), dir: at})
				at = path.Join(at, name)
			}
		}
	}
	for i := range sources {
		sources[i].text = readRules(sources[i].file)
	}
	if s.top != nil && !slices.Equal(s.sources, sources) { // other files may now be tracked although they are ignored
		s.tracked.index = index{}
		s.tracked = s.trackedIn(ctx, s.folder, repo, s.tracked)
	}
	tracked := s.tracked.files
	kept := slices.Collect(keysOf(s.baselines))
	if s.top != nil && s.top.prefix == prefix && slices.Equal(s.sources, sources) && s.included != nil && s.baselineCount == len(kept) && slices.Equal(tracked, s.trackedLast) {
		return s.top, s.included, nil
	}
	top := &ruleSet{prefix: prefix}
	for _, src := range sources {
		top.list = top.list.With(src.dir, []byte(src.text))
	}
	for at := strings.TrimSuffix(prefix, "/"); at != "" && at != "."; at = path.Dir(at) {
		if top.list.Match(at, true) { // the repository ignores the folder, but the user works in it
			top.list = workspace.IgnoreRules{}
			break
		}
	}
	s.top, s.sources, s.nested = top, sources, nil
	s.included, s.baselineCount, s.trackedLast = inclusionsOf(kept, tracked), len(kept), tracked
	return s.top, s.included, nil
}

func keysOf(m map[string]Entry) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// readRules returns the first maxRules bytes of a rules file, or "" if it isn't a regular file or can't be read.
func readRules(file string) string {
	if file == "" {
		return ""
	}
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxRules))
	if err != nil {
		return ""
	}
	return string(text)
}

// excludesFile returns the path of the user's global ignore rules, or "" if the home directory is unknown.
func (s *Store) excludesFile(ctx context.Context) string {
	out, err := s.git(ctx, s.folder, "config", "--type=path", "--get", "core.excludesFile")
	if file := strings.TrimRight(string(out), "\r\n"); err == nil && filepath.IsAbs(file) {
		return file
	}
	dir := os.Getenv("XDG_CONFIG_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "git", "ignore")
}
