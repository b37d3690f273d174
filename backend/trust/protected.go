package trust

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/voxpilot/voxpilot/backend"
)

// Guard holds the folders on this computer that Protected checks.
type Guard struct {
	Home string // the user's home directory
	// Data holds VoxPilot's folders, and Agent holds agents' folders, such as COPILOT_HOME.
	Data, Agent []string
}

// Protected returns the reason why editing the file always requires the user's permission, or "" if the file isn't
// protected. The path must be absolute. Protected doesn't resolve links: the caller must check both the path as named
// and its target. Case is ignored.
func (g Guard) Protected(file string) backend.Protection {
	for _, dir := range g.Data {
		if Below(dir, file) {
			return backend.ProtectsApp
		}
	}
	for _, dir := range g.Agent {
		if Below(dir, file) {
			return backend.ProtectsAgent
		}
	}
	name := folded(filepath.ToSlash(filepath.Clean(file)))
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = strings.TrimRight(part, ". ") // Windows ignores trailing dots and spaces
		if at := strings.IndexByte(parts[i], ':'); i > 0 && at > 0 {
			parts[i] = parts[i][:at] // a stream of the same file on Windows
		}
	}
	if isGit(parts) {
		return backend.ProtectsGit
	}
	for _, p := range Locations {
		if !p.Steers && (ends(parts, strings.ToLower(p.Path)) || isOnPathTo(parts, strings.ToLower(p.Path))) {
			return cmp.Or(p.Why, backend.ProtectsSession)
		}
	}
	if slices.ContainsFunc(managedHooks, func(pattern string) bool { return ends(parts, pattern) }) {
		return backend.ProtectsGit
	}
	if rel, ok := relative(g.Home, file); ok {
		below := strings.Split(rel, "/")
		for _, f := range homeFiles {
			if covers(folded(f.path), below) || isOnPathTo(below, folded(f.path)) {
				return f.why
			}
		}
	}
	return ""
}

// isGit reports whether a path, split into parts, leads to a git directory, or to a file there that defines what git
// runs.
func isGit(parts []string) bool {
	at := slices.IndexFunc(parts, func(part string) bool { return part == ".git" || part == "git~1" })
	if at < 0 {
		return false
	}
	rest := parts[at+1:]
	if len(rest) == 0 || isGit(rest) {
		return true
	}
	if rest[0] == "modules" || rest[0] == "worktrees" {
		for i := 1; i < len(rest); i++ { // the name of a submodule is arbitrary
			if slices.ContainsFunc(gitFiles, func(pattern string) bool { return covers(pattern, rest[i:]) }) {
				return true
			}
		}
		// Any other folder may contain such files.
		return !slices.ContainsFunc(rest[1:], func(part string) bool { return slices.Contains(gitContent, part) })
	}
	for _, pattern := range gitFiles {
		if covers(pattern, rest) || len(rest) == 1 && strings.HasPrefix(pattern, rest[0]+"/") {
			return true
		}
	}
	return false
}

// folded returns a path with folded case and without ignorable characters, because the
// file systems of macOS and Windows ignore these differences between names.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Variation_Selector) {
			return -1
		}
		for next := unicode.SimpleFold(r); next != r && next < r; next = unicode.SimpleFold(next) {
			r = next
		}
		return unicode.ToLower(r)
	}, name)
}

// isOnPathTo reports whether a path, split into parts, is that of a folder above a location that matches the pattern.
// Moving or linking that folder could replace everything in it.
func isOnPathTo(parts []string, pattern string) bool {
	want := strings.Split(strings.TrimSuffix(pattern, "/**"), "/")
	for n := 1; n < len(want); n++ {
		if len(parts) >= n && slices.Equal(parts[len(parts)-n:], want[:n]) {
			return true
		}
	}
	return false
}

// ends reports whether a path, split into parts, ends with a location that matches the pattern.
func ends(parts []string, pattern string) bool {
	for i := range parts {
		if covers(pattern, parts[i:]) {
			return true
		}
	}
	return false
}

// covers reports whether the parts match the pattern. A pattern that ends with "/**" matches its folder and everything
// below it.
func covers(pattern string, parts []string) bool {
	dir, all := strings.CutSuffix(pattern, "/**")
	want := strings.Split(dir, "/")
	if len(parts) < len(want) || !all && len(parts) != len(want) {
		return false
	}
	for i, w := range want {
		if ok, err := path.Match(w, parts[i]); !ok || err != nil {
			return false
		}
	}
	return true
}

// relative returns the path of a file relative to dir, in folded form and with slashes. It returns false if the file
// is neither dir nor in dir.
func relative(dir, file string) (string, bool) {
	if dir == "" {
		return "", false
	}
	rel, err := filepath.Rel(folded(dir), folded(file))
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// Below reports whether a path is dir or is inside dir. It compares only names, and ignores case.
func Below(dir, file string) bool {
	_, ok := relative(dir, file)
	return ok
}
