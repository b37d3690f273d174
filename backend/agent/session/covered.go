package session

import (
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// covers returns a test of grants, which reports whether a grant covers the write
// of text, which is to take the place of what is in the file now: it is the file that
// was decided on and, if a change of it was shown, that change. It reads the file at
// once, so that the test needs no disk.
func covers(place workspace.Place, text string) func(grant) bool {
	was, err := place.Read(0, 0)
	readable := err == nil || backend.CodeOf(err) == backend.CodeNotFound
	return func(g grant) bool {
		return g.write && g.path == place.Path && (g.shown == nil || readable && diff.Applied(was, text, g.shown))
	}
}

// kindShown is the kind of a request whose call has none, by what the request
// shows: changes of files are an edit, and words that name one file or command say
// which. asked gets that path or command. It is "" if the kind stays unknown, also of
// changes with a command, such as one of commands, which are those of the call.
func (s *Session) kindShown(asked *toolItem, commands []string, call gjson.Result, text string) backend.ToolKind {
	tool := asked.item.Tool
	if shown := call.Get(`content.#(type=="diff")#.path`).Array(); len(shown) > 0 && len(asked.commands)+len(commands) == 0 {
		if tool.Path == "" && len(shown) == 1 {
			tool.Path = request.Abs(s.Folder, shown[0].String())
		}
		return backend.ToolEdit
	}
	if call.Get("rawInput").IsObject() || tool.Path != "" || len(asked.commands) > 0 {
		return ""
	}
	parts := strings.Split(text, "`")
	if len(parts) != 3 || strings.TrimSpace(parts[1]) == "" {
		return ""
	}
	around, named := parts[0]+" "+parts[2], strings.TrimSpace(parts[1])
	switch writes, runs := wordsOfWrites.MatchString(around), wordsOfRuns.MatchString(around); {
	case writes && !runs && !strings.Contains(named, "\n"):
		tool.Path = request.Abs(s.Folder, named)
		return backend.ToolEdit
	case runs && !writes:
		tool.Command, asked.commands = excerpt.FirstLine(named, 300), []string{named}
		return backend.ToolExecute
	}
	return ""
}

// The words by which a request says that a file is to be written, and that a command
// is to be run.
var (
	wordsOfWrites = regexp.MustCompile(`(?i)\b(?:write|edit|create|change|modify|update|overwrite|append)\b`)
	wordsOfRuns   = regexp.MustCompile(`(?i)\b(?:run|execute)\b`)
)

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
