package repository

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// maxSubject is the maximum number of characters in a suggested subject.
const maxSubject = 72

// maxLooked is the maximum number of untracked files that are compared with removed ones to find moved files.
const maxLooked = 100

// suggest returns a commit message for the given files, in the style of the log. It follows fixed rules and uses no
// model. If nothing has changed, suggest returns "".
func (r *repo) suggest(ctx context.Context, tree, head string, files backend.ReviewCommitFiles, paths []string) (string, error) {
	changes, err := r.selected(ctx, tree, files, paths)
	if err != nil || len(changes) == 0 {
		return "", err
	}
	s := summary{changes: changes}
	if err := s.findMoves(ctx, r); err != nil {
		return "", err
	}
	if len(changes) == 1 && changes[0].status == 'M' {
		s.function, s.adds = r.function(ctx, tree, changes[0].path, files == backend.CommitStaged)
	}
	return r.style(ctx, head).message(s), nil
}

// selected returns the differences from the given tree that a commit of the given files would contain.
func (r *repo) selected(ctx context.Context, tree string, files backend.ReviewCommitFiles, paths []string) (changes []change, err error) {
	if files == backend.CommitStaged {
		return r.staged(ctx, "", tree)
	}
	if changes, err = r.changedFiles(ctx, tree); err != nil {
		return nil, err
	}
	if files == backend.CommitChosen || files == backend.CommitViewed {
		changes = slices.DeleteFunc(changes, func(c change) bool { return !slices.Contains(paths, c.path) })
	}
	return changes, nil
}

// summary describes the changes of a commit for its message.
type summary struct {
	changes  []change          // all changes except those of moved files
	moved    map[string]string // the old paths of moved files, by new path
	function string            // the only function that changed in the only file, or ""
	adds     bool              // the function is a new one
}

// findMoves moves the files that were moved without other changes from s.changes to s.moved.
func (s *summary) findMoves(ctx context.Context, r *repo) error {
	s.moved = map[string]string{}
	removed := map[string]string{} // paths by hash
	var unknown []string           // untracked files, whose hashes aren't known yet
	for _, c := range s.changes {
		switch {
		case c.status == 'D':
			removed[c.from.hash] = c.path
		case c.status == 'A' && strings.Trim(c.to.hash, "0") == "" && len(unknown) < maxLooked:
			unknown = append(unknown, c.path)
		}
	}
	if len(removed) == 0 {
		return nil
	}
	hashes := map[string]string{}
	if len(unknown) > 0 && !strings.Contains(strings.Join(unknown, ""), "\n") {
		out, err := r.read(ctx, "", []byte(strings.Join(unknown, "\n")+"\n"), "hash-object", "--no-filters", "--stdin-paths")
		if err != nil {
			return err
		}
		for i, h := range strings.Fields(string(out)) {
			hashes[unknown[i]] = h
		}
	}
	gone := map[string]bool{}
	for _, c := range s.changes {
		hash := c.to.hash
		if h := hashes[c.path]; h != "" {
			hash = h
		}
		if from := removed[hash]; c.status == 'A' && from != "" && !gone[from] {
			s.moved[c.path], gone[from] = from, true
		}
	}
	s.changes = slices.DeleteFunc(slices.Clone(s.changes), func(c change) bool { return s.moved[c.path] != "" || gone[c.path] })
	return nil
}

// declaration matches a line that declares a function or a class in one of many languages.
var declaration = regexp.MustCompile(`^\s*(?:(?:export|default|pub(?:\([^)]*\))?|public|private|protected|internal|static|async|abstract|final|override|virtual|unsafe)\s+)*(?:func|function|def|fn|fun|class|interface|struct|trait)\b\*?\s*(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]*)`)

// function returns the name of the function or class that the changes of a file affect, or "" unless they affect
// exactly one. adds is true if the function is new.
func (r *repo) function(ctx context.Context, tree, file string, staged bool) (name string, adds bool) {
	args := append(slices.Clone(diffOptions), "--unified=0")
	if staged {
		args = append(args, "--cached")
	}
	out, err := r.read(ctx, "", nil, append(args, tree, "--", file)...)
	if err != nil {
		return "", false
	}
	in, new := map[string]bool{}, map[string]bool{}
	section, declared, hunks := "", false, 0
	end := func() {
		if hunks > 0 && !declared {
			in[section] = true
		}
	}
	for line := range strings.Lines(string(out)) {
		switch {
		case strings.HasPrefix(line, "@@"):
			end()
			hunks++
			section, declared = "", false
			if parts := strings.SplitN(line, "@@", 3); len(parts) == 3 {
				if m := declaration.FindStringSubmatch(strings.TrimSpace(parts[2])); m != nil {
					section = m[1]
				}
			}
		case hunks > 0 && strings.HasPrefix(line, "+"):
			if m := declaration.FindStringSubmatch(line[1:]); m != nil {
				in[m[1]], new[m[1]], declared = true, true, true
			}
		case hunks > 0 && strings.HasPrefix(line, "-"):
			if m := declaration.FindStringSubmatch(line[1:]); m != nil {
				in[m[1]], declared = true, true
				delete(new, m[1])
			}
		}
	}
	end()
	if len(in) != 1 || in[""] {
		return "", false
	}
	for f := range in {
		name = f
	}
	old := regexp.MustCompile(`(?m)^-.*\b` + regexp.QuoteMeta(name) + `\b`)
	return name, new[name] && !old.Match(out)
}

// The kinds of files. Except for codeFile, a kind is also a type in the subject of conventional commits.
const (
	testFile = "test"
	docFile  = "docs"
	ciFile   = "ci"
	makeFile = "build"
	codeFile = ""
)

var tests = regexp.MustCompile(`(^|/)(tests?|spec|__tests__|testdata|e2e)/|_test\.\w+$|[.-](test|spec)\.\w+$|(^|/)test_[^/]*\.py$`)

// fileKind returns the kind of a file, judging only by its path.
func fileKind(p string) string {
	base, ext := strings.ToLower(path.Base(p)), strings.ToLower(path.Ext(p))
	switch {
	case tests.MatchString(p):
		return testFile
	case strings.HasPrefix(p, ".github/workflows/") || strings.HasPrefix(p, ".ci/") || base == ".gitlab-ci.yml" || base == "jenkinsfile":
		return ciFile
	case ext == ".md" || ext == ".rst" || ext == ".adoc" || strings.HasPrefix(p, "docs/") || base == "license" || base == "readme" || base == "changelog":
		return docFile
	case slices.Contains([]string{"makefile", "dockerfile", "go.mod", "go.sum", "package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "cargo.toml", "cargo.lock", "cmakelists.txt", "pom.xml", "build.gradle"}, base):
		return makeFile
	}
	return codeFile
}

// kind returns the kind that all files have in common, or codeFile if their kinds differ.
func (s summary) kind() string {
	var kinds []string
	for _, p := range s.paths() {
		kinds = append(kinds, fileKind(p))
	}
	slices.Sort(kinds)
	if kinds = slices.Compact(kinds); len(kinds) == 1 {
		return kinds[0]
	}
	return codeFile
}

// paths returns the sorted paths of all files. The path of a moved file is its new one.
func (s summary) paths() (all []string) {
	for _, c := range s.changes {
		all = append(all, c.path)
	}
	for to := range s.moved {
		all = append(all, to)
	}
	slices.Sort(all)
	return all
}

// folder returns the deepest folder that contains all files, or "" for the root.
func (s summary) folder() string {
	dir := ""
	for i, p := range s.paths() {
		at := path.Dir(p)
		if i == 0 {
			dir = at
		}
		for dir != "." && at != dir && !strings.HasPrefix(at, dir+"/") {
			dir = path.Dir(dir)
		}
	}
	if dir == "." {
		return ""
	}
	return dir
}

// actions returns the actions of the commit as pairs of a verb and an object, such as "add" and "menu.go". area is the
// folder that the message already names, or "".
func (s summary) actions(area string) (all [][2]string) {
	if s.function != "" {
		if s.adds {
			return [][2]string{{"add", s.function}}
		}
		return [][2]string{{"change", s.function + " in " + path.Base(s.changes[0].path)}}
	}
	of := map[byte][]string{}
	for _, c := range s.changes {
		status := c.status
		if status == 'T' || status == 'M' {
			status = 'M'
		}
		of[status] = append(of[status], c.path)
	}
	for _, v := range []struct {
		status byte
		verb   string
	}{{'A', "add"}, {'M', "update"}, {'D', "remove"}} {
		if files := of[v.status]; len(files) > 0 {
			all = append(all, [2]string{v.verb, s.list(files, area)})
		}
	}
	switch len(s.moved) {
	case 0:
	case 1:
		for to, from := range s.moved {
			if path.Base(to) == path.Base(from) {
				all = append(all, [2]string{"move", path.Base(from) + " to " + path.Dir(to)})
			} else {
				all = append(all, [2]string{"rename", path.Base(from) + " to " + path.Base(to)})
			}
		}
	default:
		all = append(all, [2]string{"move", strconv.Itoa(len(s.moved)) + " files"})
	}
	return all
}

// list returns a phrase for files. For up to three files, the phrase consists of their names, if it isn't too long.
// Otherwise, it consists of the number of files, their kind and their folder. A folder equal to area is left out.
func (s summary) list(files []string, area string) string {
	var names []string
	for _, f := range files {
		names = append(names, path.Base(f))
	}
	slices.Sort(names)
	distinct := len(slices.Compact(slices.Clone(names))) == len(names)
	if len(names) == 1 {
		return names[0]
	}
	if len(names) <= 3 && distinct {
		if text := strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]; len(text) <= 50 {
			return text
		}
	}
	of := summary{}
	for _, f := range files {
		of.changes = append(of.changes, change{path: f})
	}
	noun := map[string]string{testFile: " tests", docFile: " documents"}[of.kind()]
	if noun == "" {
		noun = " files"
	}
	text := strconv.Itoa(len(files)) + noun
	if dir := of.folder(); dir != "" && path.Base(dir) != area && dir != area {
		text += " in " + dir
	}
	return text
}
