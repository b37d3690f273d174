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

// Guard knows the folders of this computer that Protected is about.
type Guard struct {
	Home string // the user's
	// Data are folders of VoxPilot's own, and Agent those of agents, such as
	// COPILOT_HOME.
	Data, Agent []string
}

// Protected says why an edit of the path is always asked for, or "". The path is
// absolute; links on the way are the caller's business, which asks for the path
// as it was named and as it leads. Letters of another case count as the same.
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
		parts[i] = strings.TrimRight(part, ". ") // Windows takes these away
		if at := strings.IndexByte(parts[i], ':'); i > 0 && at > 0 {
			parts[i] = parts[i][:at] // and this names a stream of the same file
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

// isGit reports whether the parts of a path are a file of a git directory that
// says what git runs, or the place of a git directory.
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
		for i := 1; i < len(rest); i++ { // the name of a submodule may be anything
			if slices.ContainsFunc(gitFiles, func(pattern string) bool { return covers(pattern, rest[i:]) }) {
				return true
			}
		}
		// Any other folder may have them.
		return !slices.ContainsFunc(rest[1:], func(part string) bool { return slices.Contains(gitContent, part) })
	}
	for _, pattern := range gitFiles {
		if covers(pattern, rest) || len(rest) == 1 && strings.HasPrefix(pattern, rest[0]+"/") {
			return true
		}
	}
	return false
}

// folded is a path in letters of one case, without the characters that some file
// systems leave out of names: as those of macOS and Windows compare it.
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

// isOnPathTo reports whether a path, by its parts, is a folder that a place is in,
// which a move or a link could replace with all that is below.
func isOnPathTo(parts []string, pattern string) bool {
	want := strings.Split(strings.TrimSuffix(pattern, "/**"), "/")
	for n := 1; n < len(want); n++ {
		if len(parts) >= n && slices.Equal(parts[len(parts)-n:], want[:n]) {
			return true
		}
	}
	return false
}

// ends reports whether a path, by its parts, is at a place below any folder.
func ends(parts []string, pattern string) bool {
	for i := range parts {
		if covers(pattern, parts[i:]) {
			return true
		}
	}
	return false
}

// covers reports whether the parts are what the pattern names: all below a
// folder where it ends with "/**".
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

// relative is the file below dir with slashes.
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

// Below reports whether the file is dir or in it, by name alone and in letters of
// any case.
func Below(dir, file string) bool {
	_, ok := relative(dir, file)
	return ok
}
