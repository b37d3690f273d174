package session

import (
	"maps"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// preview makes the contents that show what is asked for, and says in the
// permission which they are: the whole command, the changes of files, and the names
// of those that are too many. Of a request that is about the same as its call, what
// the call shows counts, too. The caller must hold s.mu.
func (s *Session) preview(l *looked) (events []backend.Event) {
	t, p, r := l.t, &l.p, l.r
	if len(p.Commands) > 0 && (l.mixed || len(l.changes) == 0 || p.Kind == backend.ToolExecute) {
		line := strings.ToValidUTF8(strings.Join(p.Commands, "\n"), "\uFFFD")
		events = s.put(events, t, slotCommand, backend.Content{Type: backend.ContentCommand}, []byte(line))
		if sl := t.slots[slotCommand]; sl != nil {
			p.ContentID = sl.content.ID
		}
		if !l.mixed {
			return events
		}
	}
	files, changes, own := l.files, l.changes, l.own
	if own { // what the call shows by now
		r.Add(t.shownFiles()...)
		files = r.Files
	}
	gone := map[string]bool{}
	shown := map[string][]string{} // the contents of a file
	for _, d := range changes {
		where, _ := r.Leads(d.Path)
		gone[where] = d.Deletes
		if len(d.Body) == 0 {
			continue
		}
		key := t.askedSlot(d.Path, len(files) <= 1)
		events = s.put(events, t, key, d.Content(), d.Body)
		if sl := t.slots[key]; sl != nil {
			sl.steps = d.Steps
			shown[where], r.Shown[where] = []string{sl.content.ID}, d.Steps
		}
	}
	if own {
		ids := map[string][]string{}
		for _, key := range slices.Sorted(maps.Keys(t.slots)) {
			c := t.slots[key].content
			if c.Type != backend.ContentDiff {
				continue
			}
			if where, ok := r.Leads(c.Path); ok && shown[where] == nil {
				ids[where] = append(ids[where], c.ID)
				if r.Shown[where] == nil {
					r.Shown[where] = []diff.Replacement{} // something is shown, whatever it is made of
				}
				r.Shown[where] = append(r.Shown[where], t.slots[key].steps...)
			}
		}
		maps.Copy(shown, ids)
	}
	for _, path := range files {
		where, _ := r.Leads(path)
		ids := shown[where]
		file := backend.PermissionFile{Path: path, Deletes: gone[where]}
		file.Creates = p.Kind == backend.ToolEdit && !file.Deletes && l.absent[path]
		if len(ids) == 0 {
			p.Files = append(p.Files, file)
		}
		for _, id := range ids {
			file.ContentID = id
			p.Files = append(p.Files, file)
			if p.ContentID == "" {
				p.ContentID = id
			}
		}
	}
	if len(p.Files) > request.MaxFiles {
		listed, cut := p.Files[:request.MaxFiles], p.Files[request.MaxFiles:]
		for _, f := range cut {
			r.Besides(f.Path) // even one of which some changes are listed: others are not
		}
		p.Files = listed
	}
	rest := r.Rest
	if !own { // the call may name others
		mine := map[string]bool{}
		for _, path := range l.named {
			mine[realpath.Tidy(path)] = true
		}
		rest = slices.DeleteFunc(slices.Clone(rest), func(path string) bool { return !mine[path] })
	}
	if len(rest) > 0 {
		more := backend.PermissionFile{More: len(rest)}
		key := slotMore + p.ID
		events = s.put(events, t, key, backend.Content{Type: backend.ContentNames}, lines(rest))
		if sl := t.slots[key]; sl != nil {
			more.ContentID = sl.content.ID
		}
		p.Files = append(p.Files, more)
	}
	whole := len(rest) == 0 && (len(p.Files) == 0 || len(p.Files) == 1 && p.Path != "" && r.Same(p.Files[0].Path, p.Path))
	if p.Kind == backend.ToolMove { // Path and To say which
		whole = !slices.ContainsFunc(p.Files, func(f backend.PermissionFile) bool {
			return f.Path != p.Path && f.Path != p.To || f.ContentID != "" && f.ContentID != p.ContentID
		})
	}
	if whole && !l.mixed {
		if len(p.Files) == 1 && p.Kind == backend.ToolEdit {
			if p.Creates = p.Files[0].Creates; p.Files[0].Deletes {
				p.Kind = backend.ToolDelete
			}
		}
		p.Files = nil
	}
	return events
}

// lines are paths, a line each.
func lines(paths []string) []byte {
	var b []byte
	for _, path := range paths {
		b = append(b, strings.ReplaceAll(strings.ToValidUTF8(path, "\uFFFD"), "\n", `\n`)...)
		b = append(b, '\n')
	}
	return b
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

// sayText makes the content of what the agent itself says of the request p, unless
// that is shown already.
func (s *Session) sayText(events []backend.Event, t *toolItem, p *backend.Permission, text string) []backend.Event {
	if text == "" || text == strings.TrimSpace(p.Title) || text == strings.TrimSpace(strings.Join(p.Commands, "\n")) {
		return events
	}
	key := slotText + p.ID
	events = s.put(events, t, key, backend.Content{Type: backend.ContentRequest}, []byte(text))
	if sl := t.slots[key]; sl != nil {
		p.TextID = sl.content.ID
	}
	return events
}
