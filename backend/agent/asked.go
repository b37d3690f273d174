package agent

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// askedChanges are the changes that a request for call carries, one of each
// file: in its input as a diff in git's form, or as the texts before and after.
// path is what the request is about and named what it names. gitFiles says that
// it is a diff in git's form of several files.
func (s *session) askedChanges(path string, named []string, call gjson.Result) (changes []diff, gitFiles bool) {
	text := call.Get("rawInput.diff").String()
	if d, ok := gitDiff(path, text); ok {
		return []diff{d}, false
	}
	if parts := gitParts(text); len(parts) > 1 {
		for _, part := range parts {
			old, now := part.names()
			if old != "" && now != "" { // it is called something else from now on
				changes = append(changes, diff{path: s.absInGit(old, part, named)})
			}
			d, _ := part.diff(s.absInGit(cmp.Or(now, old), part, named))
			changes = append(changes, d)
		}
		return s.joined(changes), true
	}
	for _, c := range call.Get(`content.#(type=="diff")#`).Array() {
		changes = append(changes, diffOf(s.abs(c.Get("path").String()), c.Get("oldText").String(), c.Get("newText").String()))
	}
	return s.joined(changes), false
}

// absInGit is the file that a name in a diff in git's form means: the CLI's own
// diffs have whole paths, others begin at the root of a repository, which is the
// folder or above it.
func (s *session) absInGit(name string, part gitPart, named []string) string {
	if part.byCLI() && !filepath.IsAbs(name) {
		return filepath.Clean(string(filepath.Separator) + name)
	}
	here := s.abs(name)
	if slices.Contains(named, here) {
		return here
	}
	for root := s.folder; filepath.Dir(root) != root; {
		root = filepath.Dir(root)
		if there := filepath.Join(root, name); slices.Contains(named, there) {
			return there
		}
	}
	return here
}

// joined puts what is about one file together, in the order of the files.
func (s *session) joined(changes []diff) (out []diff) {
	at := map[string]int{}
	for _, d := range changes {
		where := s.whereIs(d.path)
		i, there := at[where]
		if !there {
			at[where] = len(out)
			out = append(out, d)
			continue
		}
		out[i] = out[i].and(d)
	}
	return out
}

// whereIs is what tells whether two paths are one file.
func (s *session) whereIs(path string) string {
	if place, err := workspace.Locate(s.folder, path); err == nil {
		return place.Path
	}
	return path
}

// preview makes the contents that show what is asked for, and says in p which
// they are: the changes of files, or the whole command. named are all paths that
// the request is about.
func (s *session) preview(t *toolItem, p *backend.Permission, changes []diff, named []string) (events []backend.Event) {
	if len(p.Commands) > 0 && (p.Kind == backend.ToolExecute || len(changes) == 0) {
		line := strings.ToValidUTF8(strings.Join(p.Commands, "\n"), "\uFFFD")
		events = s.put(events, t, slotCommand, backend.Content{Type: backend.ContentCommand}, []byte(line))
		if sl := t.slots[slotCommand]; sl != nil {
			p.ContentID = sl.content.ID
		}
		return events
	}
	files := s.distinct(p, named)
	shown := map[string][]string{} // the contents of a file
	for _, d := range changes {
		if len(d.body) == 0 {
			continue
		}
		key := t.askedSlot(d.path, len(files) <= 1)
		events = s.put(events, t, key, d.content(), d.body)
		if sl := t.slots[key]; sl != nil {
			shown[s.whereIs(d.path)] = []string{sl.content.ID}
		}
	}
	if p.Kind == t.item.Tool.Kind { // then what the call shows itself counts too
		own := map[string][]string{}
		for _, key := range slices.Sorted(maps.Keys(t.slots)) {
			if c := t.slots[key].content; c.Type == backend.ContentDiff {
				own[s.whereIs(c.Path)] = append(own[s.whereIs(c.Path)], c.ID)
				files = s.distinct(p, append(files, c.Path))
			}
		}
		for where, ids := range own {
			if shown[where] == nil {
				shown[where] = ids
			}
		}
	}
	for _, path := range files {
		ids := shown[s.whereIs(path)]
		if len(ids) == 0 {
			p.Files = append(p.Files, backend.PermissionFile{Path: path})
		}
		for _, id := range ids {
			p.Files = append(p.Files, backend.PermissionFile{Path: path, ContentID: id})
			if p.ContentID == "" {
				p.ContentID = id
			}
		}
	}
	whole := len(p.Files) <= 1
	if p.Kind == backend.ToolMove { // Path and To say which
		whole = !slices.ContainsFunc(p.Files, func(f backend.PermissionFile) bool {
			return f.Path != p.Path && f.Path != p.To || f.ContentID != "" && f.ContentID != p.ContentID
		})
	}
	if whole {
		p.Files = nil
	}
	return events
}

// distinct are the paths without those that lead where one before does, what p
// says that it is about first.
func (s *session) distinct(p *backend.Permission, paths []string) (out []string) {
	seen := map[string]bool{}
	for _, path := range slices.Concat([]string{p.Path, p.To}, paths) {
		if where := s.whereIs(path); path != "" && !seen[where] {
			seen[where] = true
			out = append(out, path)
		}
	}
	return out
}

// askedSlot is the key under which the call shows the change of a file that is
// asked for: in the place of the one diff of it that it showed. alone says that
// the request is about no other file.
func (t *toolItem) askedSlot(path string, alone bool) string {
	var shown []string
	for key, sl := range t.slots {
		if sl.content.Type == backend.ContentDiff && (alone || sl.content.Path == path) {
			shown = append(shown, key)
		}
	}
	switch {
	case len(shown) == 1:
		return shown[0]
	case alone:
		return slotChange
	}
	return slotChange + path
}
