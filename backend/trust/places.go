package trust

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// sharedFolders are folders in which programs also create unprotected files, so only the protected places in them are
// listed. If any other folder of a protected place doesn't exist yet, the whole folder is listed.
var sharedFolders = []string{".github", ".vscode", ".config"}

// Limits for finding repositories and protected files in a chat's folder. Anything beyond them isn't found.
const (
	maxPlaces     = 400 // places that are listed
	maxPlaceDepth = 6   // levels of folders that are searched
	placesTime    = 50 * time.Millisecond
)

// skippedFolders are folders in which Places doesn't look for protected files and folders, because they contain many
// files. The method places.git handles .git.
var skippedFolders = []string{".git", "node_modules", ".venv", "venv", "target", "vendor"}

// Places returns the protected files and folders in dir, as absolute paths, so that programs can be kept from changing
// them. These are the paths that Protected protects. At the top of dir, they are listed even if they don't exist yet;
// in subfolders, only existing ones are listed, and the places of repositories. A folder in which all files are
// protected is listed instead of its content. dir must be a path without symlinks.
func (g Guard) Places(dir string) []string {
	p := &places{guard: g, found: map[string]bool{}, end: time.Now().Add(placesTime)}
	p.top(dir)
	p.below(dir, 0)
	for _, f := range homeFiles {
		p.add(filepath.Join(g.Home, filepath.FromSlash(strings.TrimSuffix(f.path, "/**"))), dir)
	}
	for _, own := range slices.Concat(g.Data, g.Agent) {
		p.add(own, dir)
	}
	return p.list
}

// GitPlaces is like Places, but for a git directory outside the chat's folder.
func GitPlaces(dir string) []string {
	p := &places{found: map[string]bool{}, end: time.Now().Add(placesTime)}
	p.gitDirectory(dir)
	return p.list
}

// places collects protected places.
type places struct {
	guard Guard
	list  []string
	found map[string]bool
	end   time.Time
}

// add adds a place if it is below dir, unless it is already listed or maxPlaces has been reached.
func (p *places) add(place, dir string) {
	if rel, err := filepath.Rel(dir, place); err != nil || !filepath.IsLocal(rel) || rel == "." || p.found[place] || len(p.list) >= maxPlaces {
		return
	}
	p.found[place] = true
	p.list = append(p.list, place)
}

// top adds the places at the top level of dir, whether they exist or not.
func (p *places) top(dir string) {
	for _, l := range Locations {
		if !l.Steers {
			p.pattern(dir, l.Path)
		}
	}
	for _, pattern := range managedHooks {
		p.pattern(dir, pattern)
	}
	p.git(dir)
}

// pattern adds the place in dir that contains everything matched by a pattern: a file or a folder. The pattern has the
// form of Location.Path.
func (p *places) pattern(dir, pattern string) {
	name := strings.TrimSuffix(pattern, "/**")
	if strings.Contains(name, "*") { // lists the folder, because files of many names may match
		name = path.Dir(name)
	}
	first, _, more := strings.Cut(name, "/")
	if more && !slices.Contains(sharedFolders, first) {
		if _, err := os.Lstat(filepath.Join(dir, first)); err != nil {
			name = first
		}
	}
	p.add(filepath.Join(dir, filepath.FromSlash(name)), dir)
}

// git adds the places of the repository at dir, or the place for a repository that could be created there.
func (p *places) git(dir string) {
	file := filepath.Join(dir, ".git")
	if info, err := os.Lstat(file); err == nil && info.IsDir() {
		p.gitDirectory(file)
	} else {
		p.add(file, dir)
	}
	if repo := workspace.FindRepository(dir); repo.Dir == dir { // bare
		p.gitDirectory(dir)
	}
}

// gitDirectory adds the places of a git directory and of its submodules' and worktrees' git directories.
func (p *places) gitDirectory(dir string) {
	p.gitFiles(dir)
	entries, _ := os.ReadDir(filepath.Join(dir, "worktrees")) // most repositories have none
	for _, e := range entries {
		p.gitFiles(filepath.Join(dir, "worktrees", e.Name()))
	}
	_ = filepath.WalkDir(filepath.Join(dir, "modules"), func(at string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || p.late():
			return fs.SkipAll
		case !e.IsDir():
			return nil
		case slices.Contains(gitContent, e.Name()) || e.Name() == "hooks" || e.Name() == "info":
			return fs.SkipDir
		}
		if _, err := os.Lstat(filepath.Join(at, "HEAD")); err == nil {
			p.gitFiles(at)
		}
		return nil
	})
}

// gitFiles adds the places of one git directory.
func (p *places) gitFiles(dir string) {
	for _, pattern := range gitFiles {
		name := filepath.FromSlash(strings.TrimSuffix(pattern, "/**"))
		if pattern == "gitdir" { // git uses it only in the directory of a worktree
			if _, err := os.Lstat(filepath.Join(dir, name)); err != nil && filepath.Base(filepath.Dir(dir)) != "worktrees" {
				continue
			}
		}
		p.add(filepath.Join(dir, name), dir)
	}
}

func (p *places) late() bool { return len(p.list) >= maxPlaces || time.Now().After(p.end) }

// isProtectedFolder reports whether Protected protects all files in a folder with this path, at any depth of a chat's
// folder.
func isProtectedFolder(path string) bool {
	name := folded(filepath.ToSlash(path))
	contains := func(pattern string) bool {
		folder, all := strings.CutSuffix(pattern, "/**")
		return all && strings.HasSuffix(name, "/"+folded(folder))
	}
	return slices.ContainsFunc(managedHooks, contains) ||
		slices.ContainsFunc(Locations, func(l Location) bool { return !l.Steers && contains(l.Path) })
}

// below adds the existing places in the subfolders of dir.
func (p *places) below(dir string, depth int) {
	entries, err := os.ReadDir(dir)
	if err != nil || p.late() {
		return
	}
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		switch {
		case e.Name() == ".git":
			if depth > 0 {
				p.git(dir)
			}
		case depth > 0 && (isProtectedFolder(at) || !e.IsDir() && p.guard.Protected(at) != ""):
			p.add(at, dir)
		case e.IsDir() && depth < maxPlaceDepth && !slices.Contains(skippedFolders, e.Name()) && !p.found[at]:
			p.below(at, depth+1)
		}
	}
}
