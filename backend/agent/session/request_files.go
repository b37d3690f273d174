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
)

// looked is a request for permission with what its files and commands are now.
type looked struct {
	params, call gjson.Result
	p            backend.Permission // so far
	t            *toolItem
	turn         string // that ran when the request came, or the last one that did
	running      bool
	text         string   // what the agent itself says
	cwd          string   // where its commands run
	named        []string // the paths that the request names
	paths        []string // those, and the paths of its call
	against      []string // the fields that contradict its call
	own          bool     // it is about the same as its call
	shown        []string // the files whose changes the call shows

	r       *request.Paths
	run     *request.Run // the commands that it is about; nil if there are none
	changes []diff.Diff
	files   []string        // the files that are listed
	absent  map[string]bool // of them those that are not there
	several bool            // it is about other files than it names, or may be
	mixed   bool            // it changes files and has a command
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

// look follows the paths of the request and reads what is shown of its files. It
// may take as long as the disk does. The caller must not hold s.mu.
func (l *looked) look(s *Session) {
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
		p.Commands = request.InPlace(s.Folder, l.cwd, p.Commands)
		p.Command = excerpt.FirstLine(p.Commands[0], 300)
	}
	l.r = request.PathsOf(s.Folder, p.Path, p.To)
	l.r.Add(l.paths...)
	var changed []string
	l.changes, changed, l.several = l.r.Changes(p.Path, l.paths, l.call)
	l.named = slices.Concat(l.named, changed)
	// Tools that edit give the name of what they do as a command.
	l.mixed = len(p.Commands) > 0 && request.KindGroup(p.Kind) != backend.ToolEdit &&
		(len(l.changes) > 0 || l.own && len(l.shown) > 0 && p.Kind != backend.ToolExecute)
	if len(p.Commands) > 0 && (l.mixed || p.Kind == backend.ToolExecute) {
		p.Marks = request.Marks(s.Folder, p.Commands)
	}
	if len(p.Commands) == 0 || len(l.changes) > 0 || l.mixed {
		l.files = l.r.First(slices.Concat([]string{p.Path, p.To}, l.named)...)
		if l.own {
			l.r.Add(l.shown...)
			l.files = l.r.Files
		}
		l.changes = l.r.Deletions(p.Kind, l.files, l.changes)
		l.absent = map[string]bool{}
		for _, path := range l.files {
			l.absent[path] = p.Kind == backend.ToolEdit && l.r.Absent(path)
		}
	}
	l.r.Done = true
}

// contradictions returns the fields by which a request, as asked says, contradicts the
// open call that it is for: another command, another folder for it, or another kind of
// change. The caller must hold the lock of the session.
func (t *toolItem) contradictions(asked *toolItem) (fields []string) {
	call, want := t.item.Tool, asked.item.Tool
	if !t.item.Open || t.byRequest {
		return nil
	}
	if request.Mutates(call.Kind) && request.Mutates(want.Kind) && call.Kind != want.Kind {
		fields = append(fields, "kind")
	}
	if call.Kind != backend.ToolExecute || want.Kind != "" && want.Kind != call.Kind {
		return fields
	}
	if len(t.commands) > 0 && len(asked.commands) > 0 && !slices.Equal(trimmed(t.commands), trimmed(asked.commands)) {
		fields = append(fields, "command")
	}
	if t.cwd != "" && asked.cwd != "" && t.cwd != asked.cwd {
		fields = append(fields, "cwd")
	}
	return fields
}

func trimmed(lines []string) (out []string) {
	for _, line := range lines {
		out = append(out, strings.TrimSpace(line))
	}
	return out
}
