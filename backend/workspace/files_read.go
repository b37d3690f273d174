package workspace

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// read returns the files and folders in a folder, except ignored ones. If git is installed and the folder is
// in a repository, git lists the files; otherwise, read walks the folder.
func (f *Files) read(ctx context.Context, folder string) []entry {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil
	}
	defer func() { _ = root.Close() }()
	r := &reader{ctx: ctx, root: root, folder: folder}
	r.git = Program(folder, f.cfg.LoginPath(), "git")
	r.env = GitEnvironment(f.cfg.LoginPath())
	if r.git == "" || !r.repository(".", 0) {
		r.entries = nil
		r.walk()
	}
	return withFolders(r.entries)
}

// reader reads a folder once.
type reader struct {
	ctx     context.Context
	root    *os.Root // all access goes through it, so no link leads out of the folder
	folder  string
	git     string
	env     []string
	entries []entry
}

// maxNested is the maximum depth of nested repositories that are read.
const maxNested = 5

func (r *reader) full() bool { return len(r.entries) >= MaxFiles || r.ctx.Err() != nil }

// repository adds the files that git lists below a folder. It returns false if git fails, for example because the
// folder isn't in a repository, or lists no files, because the folder is ignored or empty.
func (r *reader) repository(below string, depth int) bool {
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	args := append(GitOptions(), "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd := Command(ctx, filepath.Join(r.folder, filepath.FromSlash(below)), r.git, r.env, args...)
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return false
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	lines.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if i := bytes.IndexByte(data, 0); i >= 0 {
			return i + 1, data[:i], nil
		}
		return 0, nil, nil // a name without a terminator was truncated
	})
	before := len(r.entries)
	var nested []string
	last := ""
	for lines.Scan() && !r.full() {
		name := path.Join(below, lines.Text())
		if name == last { // git lists a file several times in a merge conflict
			continue
		}
		last = name
		if info, ok := r.stat(name); !ok {
			continue
		} else if info.IsDir() {
			nested = append(nested, name)
		}
	}
	cut := r.full()
	if cut {
		cancel() // the rest isn't needed
	}
	if err := cmd.Wait(); err != nil && !cut {
		return false
	}
	for _, name := range nested { // nested repositories
		if depth < maxNested && !r.full() {
			r.repository(name, depth+1)
		}
	}
	return len(r.entries) > before
}

// stat adds a file, or a link to a file or directory in the folder. ok is false for special files, missing files and
// names that lead out of the folder. It doesn't add directories: they are added together with the files in them.
func (r *reader) stat(name string) (info fs.FileInfo, ok bool) {
	own := filepath.FromSlash(name)
	info, err := r.root.Lstat(own)
	if err != nil {
		return nil, false
	}
	to := info
	if info.Mode()&fs.ModeSymlink != 0 {
		if to, err = r.root.Stat(own); err != nil {
			return nil, false
		}
	}
	switch {
	case info.IsDir():
	case to.IsDir():
		r.entries = append(r.entries, entry{path: name + "/"})
	case to.Mode().IsRegular():
		r.entries = append(r.entries, entry{path: name, changed: to.ModTime().UnixNano()})
	default:
		return nil, false
	}
	return info, true
}

// walk adds the content of the folder, breadth first, except the files excluded by a .gitignore or by
// .git/info/exclude.
func (r *reader) walk() {
	type dir struct {
		name  string
		rules []ignoreRule
	}
	todo := []dir{{name: "."}}
	todo[0].rules = r.rules(".", filepath.Join(".git", "info", "exclude"))
	for len(todo) > 0 && !r.full() {
		d := todo[0]
		todo = todo[1:]
		d.rules = slices.Concat(d.rules, r.rules(d.name, filepath.Join(filepath.FromSlash(d.name), ".gitignore")))
		list, err := fs.ReadDir(r.root.FS(), d.name)
		if err != nil {
			continue
		}
		for _, e := range list {
			name := path.Join(d.name, e.Name())
			if r.full() || e.Name() == ".git" || ignored(d.rules, name, e.IsDir()) {
				continue
			}
			if info, ok := r.stat(name); ok && info.IsDir() {
				todo = append(todo, dir{name: name, rules: d.rules})
			}
		}
	}
}

// rules returns the rules that a file contains for the folder at the path dir. It returns none if the file isn't a
// regular file: reading a pipe, for example, might never end.
func (r *reader) rules(dir, file string) []ignoreRule {
	f, err := r.root.OpenFile(file, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(f, maxRules))
	if err != nil {
		return nil
	}
	return ignoreRules(dir, text)
}
