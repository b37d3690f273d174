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

// preview creates the content items that show the request: the whole command, the file changes, and a list of the files
// that exceed request.MaxFiles. It stores the items' IDs in the permission and returns the events to publish. If the
// request is of the same kind as its tool call, the call's own diffs are included. The caller must hold s.mu.
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
	if own { // includes the diffs that the call shows by now
		r.Add(t.shownFiles()...)
		files = r.Files
	}
	gone := map[string]bool{}
	shown := map[string][]string{} // content IDs by file
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
			shown[where], r.Proposed[where] = []string{sl.content.ID}, d.Replacements
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
				if r.Proposed[where] == nil {
					r.Proposed[where] = []diff.Replacement{} // an empty list if the replacements aren't known
				}
				r.Proposed[where] = append(r.Proposed[where], t.slots[key].steps...)
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
			r.AddOther(f.Path) // even if some changes of the file are listed, because others aren't
		}
		p.Files = listed
	}
	rest := r.Rest
	if !own { // exclude other files of the call
		mine := map[string]bool{}
		for _, path := range l.named {
			mine[realpath.Tidy(path)] = true
		}
		rest = slices.DeleteFunc(slices.Clone(rest), func(path string) bool { return !mine[path] })
	}
	if len(rest) > 0 {
		more := backend.PermissionFile{More: len(rest)}
		key := slotMore + p.ID
		events = s.put(events, t, key, backend.Content{Type: backend.ContentNames}, pathLines(rest))
		if sl := t.slots[key]; sl != nil {
			more.ContentID = sl.content.ID
		}
		p.Files = append(p.Files, more)
	}
	whole := len(rest) == 0 && (len(p.Files) == 0 || len(p.Files) == 1 && p.Path != "" && r.SameFile(p.Files[0].Path, p.Path))
	if p.Kind == backend.ToolMove { // Path and To identify the files
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

// pathLines returns the paths, one per line. Line breaks in paths are escaped.
func pathLines(paths []string) []byte {
	var b []byte
	for _, path := range paths {
		b = append(b, strings.ReplaceAll(strings.ToValidUTF8(path, "\uFFFD"), "\n", `\n`)...)
		b = append(b, '\n')
	}
	return b
}

// requestSlot returns the key of the slot for a requested change to path. If the call has exactly one diff of that
// file, this is the slot of the diff, which the change replaces. Otherwise, the change gets its own slot. If alone is
// true, the request is about no other file, and all diffs of the call are considered diffs of that file.
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

// addRequestText creates a content item with the text that the agent sent with the request p. If that text is already
// shown, it creates nothing. addRequestText appends the event for the item to the given events and returns them all.
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

// inspection is a permission request while it is being inspected, with the current state of its files and commands.
type inspection struct {
	params, call   gjson.Result
	p              backend.Permission // completed by inspect and present
	t              *toolItem
	turn           string   // ID of the running or last turn at the request's arrival
	running        bool     // whether that turn was running
	text           string   // text in the request's content
	cwd            string   // working directory of the commands, or ""
	named          []string // paths named in the request
	paths          []string // paths named in the request or its tool call
	contradictions []string // names of fields in which the request contradicts its tool call
	matchesCall    bool     // the request is of the same kind as its tool call
	proposed       []string // files whose changes the tool call already shows

	requestPaths  *request.Paths
	run           *request.Run // the commands that the request concerns, or nil
	changes       []diff.Diff
	files         []string        // files to list
	absent        map[string]bool // true for each element of files that an edit would create
	hasOtherFiles bool            // the request's diff covers, or may cover, more files than its path
	mixed         bool            // the request combines file changes with a command
}

// shownFiles returns the files for which the call shows changes that weren't rejected.
// The caller must hold the session's mutex.
func (t *toolItem) shownFiles() (files []string) {
	for _, key := range slices.Sorted(maps.Keys(t.slots)) {
		if sl := t.slots[key]; sl.content.Type == backend.ContentDiff && !sl.refused {
			files = append(files, sl.content.Path)
		}
	}
	return files
}

// inspect resolves the request's paths, finds the potentially harmful parts of its commands and reads the
// files to show. Reading may block on the disk, so the caller must not hold s.mu.
func (l *inspection) inspect(s *Session) {
	s.log.Debug("reading the files of a permission request", "call", l.call.Get("toolCallId").String())
	p := &l.p
	if p.Kind == backend.ToolExecute {
		lines := p.Commands
		if len(lines) == 0 { // the request names the command only in its title
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
	// In the input of editing tools, "command" is the name of the operation.
	l.mixed = len(p.Commands) > 0 && request.KindGroup(p.Kind) != backend.ToolEdit &&
		(len(l.changes) > 0 || l.matchesCall && len(l.proposed) > 0 && p.Kind != backend.ToolExecute)
	if len(p.Commands) > 0 && (l.mixed || p.Kind == backend.ToolExecute) {
		p.Marks = request.Marks(s.Folder, p.Commands)
	}
	if len(p.Commands) == 0 || len(l.changes) > 0 || l.mixed {
		l.files = l.requestPaths.First(slices.Concat([]string{p.Path, p.To}, l.named)...)
		if l.matchesCall {
			l.requestPaths.Add(l.proposed...)
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

// contradictions returns the names of the fields in which a permission request contradicts its open call t. It
// compares the command, the working directory and the kind of change. asked is the parsed request. The caller must
// hold the session's mutex.
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
