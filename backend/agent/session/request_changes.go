package session

import (
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/internal/excerpt"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// preview makes the contents that show what is asked for, and says in the
// permission which they are: the whole command, the changes of files, and the names
// of those that are too many. Of a request that is about the same as its call, what
// the call shows counts, too. The caller must hold s.mu.
func (s *Session) preview(l *inspection) (events []backend.Event) {
	t, p, r := l.t, &l.p, l.requestPaths
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
	files, changes, own := l.files, l.changes, l.matchesCall
	if own { // what the call shows by now
		r.Add(t.shownFiles()...)
		files = r.Files
	}
	gone := map[string]bool{}
	shown := map[string][]string{} // the contents of a file
	for _, d := range changes {
		where, _ := r.Target(d.Path)
		gone[where] = d.Deletes
		if len(d.Body) == 0 {
			continue
		}
		key := t.requestSlot(d.Path, len(files) <= 1)
		events = s.put(events, t, key, d.Content(), d.Body)
		if sl := t.slots[key]; sl != nil {
			sl.steps = d.Replacements
			shown[where], r.Shown[where] = []string{sl.content.ID}, d.Replacements
		}
	}
	if own {
		ids := map[string][]string{}
		for _, key := range slices.Sorted(maps.Keys(t.slots)) {
			c := t.slots[key].content
			if c.Type != backend.ContentDiff {
				continue
			}
			if where, ok := r.Target(c.Path); ok && shown[where] == nil {
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
		where, _ := r.Target(path)
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
			r.AddOther(f.Path) // even one of which some changes are listed: others are not
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
	whole := len(rest) == 0 && (len(p.Files) == 0 || len(p.Files) == 1 && p.Path != "" && r.SameFile(p.Files[0].Path, p.Path))
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

// requestSlot is the key under which the call shows the change of a file that is
// asked for: in the place of the one diff of it that it showed. alone says that
// the request is about no other file.
func (t *toolItem) requestSlot(path string, alone bool) string {
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

// addRequestText makes the content of what the agent itself says of the request p, unless
// that is shown already.
func (s *Session) addRequestText(events []backend.Event, t *toolItem, p *backend.Permission, text string) []backend.Event {
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

// inspection is a request for permission with what its files and commands are now.
type inspection struct {
	params, call   gjson.Result
	p              backend.Permission // so far
	t              *toolItem
	turn           string // that ran when the request came, or the last one that did
	running        bool
	text           string   // what the agent itself says
	cwd            string   // where its commands run
	named          []string // the paths that the request names
	paths          []string // those, and the paths of its call
	contradictions []string // the fields that contradict its call
	matchesCall    bool     // it is about the same as its call
	shown          []string // the files whose changes the call shows

	requestPaths  *request.Paths
	run           *request.Run // the commands that it is about; nil if there are none
	changes       []diff.Diff
	files         []string        // the files that are listed
	absent        map[string]bool // of them those that are not there
	hasOtherFiles bool            // it is about other files than it names, or may be
	mixed         bool            // it changes files and has a command
}

// shownFiles are the files of which the call shows a change that was not refused.
// The caller must hold the lock of the session.
func (t *toolItem) shownFiles() (files []string) {
	for _, key := range slices.Sorted(maps.Keys(t.slots)) {
		if sl := t.slots[key]; sl.content.Type == backend.ContentDiff && !sl.refused {
			files = append(files, sl.content.Path)
		}
	}
	return files
}

// inspect follows the paths of the request and reads what is shown of its files. It
// may take as long as the disk does. The caller must not hold s.mu.
func (l *inspection) inspect(s *Session) {
	s.log.Debug("looking at the files of a request", "call", l.call.Get("toolCallId").String())
	p := &l.p
	if p.Kind == backend.ToolExecute {
		lines := p.Commands
		if len(lines) == 0 { // the title is all that is asked about
			lines = []string{strings.Trim(p.Title, "`")}
		}
		l.run = request.RunOf(s.Folder, l.cwd, lines)
	}
	if p.Kind == backend.ToolExecute && len(p.Commands) > 0 && l.cwd != "" {
		p.Commands = request.LinesInFolder(s.Folder, l.cwd, p.Commands)
		p.Command = excerpt.FirstLine(p.Commands[0], 300)
	}
	l.requestPaths = request.PathsOf(s.Folder, p.Path, p.To)
	l.requestPaths.Add(l.paths...)
	var changed []string
	l.changes, changed, l.hasOtherFiles = l.requestPaths.Changes(p.Path, l.paths, l.call)
	l.named = slices.Concat(l.named, changed)
	// Tools that edit give the name of what they do as a command.
	l.mixed = len(p.Commands) > 0 && request.KindGroup(p.Kind) != backend.ToolEdit &&
		(len(l.changes) > 0 || l.matchesCall && len(l.shown) > 0 && p.Kind != backend.ToolExecute)
	if len(p.Commands) > 0 && (l.mixed || p.Kind == backend.ToolExecute) {
		p.Marks = request.Marks(s.Folder, p.Commands)
	}
	if len(p.Commands) == 0 || len(l.changes) > 0 || l.mixed {
		l.files = l.requestPaths.First(slices.Concat([]string{p.Path, p.To}, l.named)...)
		if l.matchesCall {
			l.requestPaths.Add(l.shown...)
			l.files = l.requestPaths.Files
		}
		l.changes = l.requestPaths.Deletions(p.Kind, l.files, l.changes)
		l.absent = map[string]bool{}
		for _, path := range l.files {
			l.absent[path] = p.Kind == backend.ToolEdit && l.requestPaths.Absent(path)
		}
	}
	l.requestPaths.Done = true
}

// contradictions returns the fields by which a request, as asked says, contradicts the
// open call that it is for: another command, another folder for it, or another kind of
// change. The caller must hold the lock of the session.
func (t *toolItem) contradictions(asked *toolItem) (fields []string) {
	call, want := t.item.Tool, asked.item.Tool
	if !t.item.Open || t.fromRequest {
		return nil
	}
	if request.Mutates(call.Kind) && request.Mutates(want.Kind) && call.Kind != want.Kind {
		fields = append(fields, "kind")
	}
	if call.Kind != backend.ToolExecute || want.Kind != "" && want.Kind != call.Kind {
		return fields
	}
	if len(t.commands) > 0 && len(asked.commands) > 0 && !slices.Equal(trimLines(t.commands), trimLines(asked.commands)) {
		fields = append(fields, "command")
	}
	if t.cwd != "" && asked.cwd != "" && t.cwd != asked.cwd {
		fields = append(fields, "cwd")
	}
	return fields
}

func trimLines(lines []string) (out []string) {
	for _, line := range lines {
		out = append(out, strings.TrimSpace(line))
	}
	return out
}
