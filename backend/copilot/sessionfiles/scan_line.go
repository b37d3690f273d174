package sessionfiles

import (
	"bytes"
	"cmp"
	"hash/fnv"
	"slices"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// maxFiles is the maximum number of changed files in a Scan.
const maxFiles = 10_000

// take adds a line to the Scan.
func (s *scanner) take(line logLine) {
	glued := s.NoLineEnd && len(line.head) > 0 // it continues a line that seemed to be complete
	if !s.NoLineEnd {
		s.Lines++
	}
	s.NoLineEnd = !line.hasEnd
	if len(line.head) == 0 || line.zeros {
		return
	}
	s.BadEnd = 0
	if glued || !line.isValid() {
		s.addInvalid(s.Offset)
		if line.head[0] == '{' && line.hasEnd {
			s.BadEnd = line.size
		}
		if line.long == nil {
			s.takeRest(line.head)
		}
		return
	}
	if line.long != nil {
		s.takeLong(line)
	} else if !s.takeEvent(line.head, s.Offset) {
		s.addInvalid(s.Offset)
	}
}

// takeRest adds the readable events in a damaged line.
func (s *scanner) takeRest(line []byte) {
	_ = eventsIn(line, func(raw []byte, at int) error { // the function never fails
		if raw != nil {
			s.takeEvent(raw, s.Offset+int64(at))
		}
		return nil
	})
}

// addInvalid counts a damaged entry at the given position.
func (s *scanner) addInvalid(at int64) {
	s.Invalid++
	s.addBad(at)
}

func (s *scanner) addBad(at int64) {
	if s.Bad == 0 {
		s.Bad, s.BadLine = at+1, s.Lines
	}
}

// isConversation reports whether the CLI checks events of a type in the same way as parseEvent. The CLI ignores events
// of types that it doesn't know.
func isConversation(kind string) bool {
	switch kind {
	case eventStart, EventUser, EventAssistant, eventToolStart, EventToolComplete:
		return true
	}
	return false
}

// takeEvent adds an event at the given position, which is valid JSON. It returns false if the CLI rejects the event.
func (s *scanner) takeEvent(raw []byte, at int64) bool {
	kind := typeOf(raw)
	if !isConversation(kind) {
		if kind != "" {
			s.takeTime(raw)
		}
		return true
	}
	e, ok := parseEvent(raw)
	parent := gjson.GetBytes(raw, "parentId")
	if !ok || !parent.Exists() || parent.Type != gjson.Null && !uuid.MatchString(parent.String()) {
		return false
	}
	s.takeTime(raw)
	data := gjson.ParseBytes(e.Data)
	switch kind {
	case eventStart:
		s.takeStart(data.Get("sessionId").String())
	case EventUser, EventAssistant:
		s.takeMessage(kind, e.Agent, data.Get("content").Str != "", at)
	case eventToolStart:
		s.takeToolStart(data.Get("toolName").String())
	case EventToolComplete:
		s.takeToolComplete(data)
	}
	return true
}

// takeLong adds an event that is longer than maxLine. Only its start and its end are in memory.
func (s *scanner) takeLong(line logLine) {
	kind := typeOf(line.head)
	if kind != "" {
		s.takeTime(line.tail)
	}
	data := gjson.GetBytes(line.head, "data")
	switch kind {
	case EventUser, EventAssistant:
		agent := ""
		if isOfSubagent(line.tail) {
			agent = "another"
		}
		s.takeMessage(kind, agent, contentOf(line.head, utf8.UTFMax) != "", s.Offset)
	case eventToolStart:
		s.takeToolStart(data.Get("toolName").String())
	case EventToolComplete:
		s.takeToolComplete(data)
	}
}

// isOfSubagent reports whether an event belongs to a subagent. tail is the end of the event.
func isOfSubagent(tail []byte) bool {
	return bytes.LastIndex(tail, []byte(`"agentId":"`)) > bytes.LastIndex(tail, []byte(`},"id":"`))
}

func (s *scanner) takeTime(raw []byte) {
	if at := timeText(raw); at != "" {
		s.Time = at
	}
}

func (s *scanner) takeStart(session string) {
	isOwn := session == s.id
	if !isOwn {
		s.Mixed++
	}
	if s.HasStart || s.Foreign {
		return
	}
	if s.HasStart, s.Foreign = isOwn, !isOwn; s.Foreign {
		s.addBad(s.Offset)
	}
}

func (s *scanner) takeMessage(kind, agent string, hasText bool, at int64) {
	switch {
	case agent != "": // of a subagent, or for it
	case kind == EventUser:
		s.Users++
		s.Last = at + 1
		s.First = cmp.Or(s.First, s.Last)
	case hasText:
		s.Answers++
		s.Answer = at + 1
	}
}

// shells are the CLI's tools that run a command.
var shells = []string{"bash", "powershell", "pwsh", "shell", "cmd", "local_shell"}

func isShell(tool string) bool { return slices.Contains(shells, tool) }

func (s *scanner) takeToolStart(tool string) {
	s.ToolCalls++
	if isShell(tool) {
		s.Commands++
	}
}

func (s *scanner) takeToolComplete(data gjson.Result) {
	edits, lines := data.Get("fileEdits"), data.Get("toolTelemetry.metrics")
	if !data.Get("success").Bool() || !edits.IsArray() && !lines.Get("linesAdded").Exists() {
		return
	}
	s.FileChanges += max(len(edits.Array()), 1)
	s.Added += int(max(lines.Get("linesAdded").Int(), 0))
	s.Removed += int(max(lines.Get("linesRemoved").Int(), 0))
	for _, edit := range edits.Array() {
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(edit.Get("path").String())) // never fails
		at, has := slices.BinarySearch(s.Files, sum.Sum32())
		if !has && len(s.Files) < maxFiles {
			s.Files = slices.Insert(s.Files, at, sum.Sum32())
		}
	}
}
