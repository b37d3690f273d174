package sessionfiles

import (
	"bufio"
	"context"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// LogPosition is the position up to which the texts of a log were read. Its zero value is the start.
type LogPosition struct {
	Offset int64
	Check  int64 // hash of the last checkSize bytes before Offset
}

// LogTexts is a part of the texts in a log.
type LogTexts struct {
	Texts []backend.SessionText // without IDs
	To    LogPosition           // end of the part
	// Restarted reports whether the log has changed before the given position, so that it was read from its start.
	Restarted bool
	More      bool // the log continues after To
}

// ReadTexts reads messages, answers and tool calls in a log from the given position, until their texts have limit bytes or
// the log ends. The last one may exceed the limit. It skips damaged events, and doesn't read an incomplete last line. It
// calls pause after each part of about a megabyte. A missing log is like an empty one.
//
// The error is ErrNoSession, ctx's error or a file system error. The memory that ReadTexts needs depends only on limit.
func (f *Folder) ReadTexts(ctx context.Context, id string, from LogPosition, limit int, pause func()) (r LogTexts, err error) {
	s, log, err := f.openLog(id)
	if s != nil {
		defer s.close()
	}
	if err != nil {
		return r, err
	}
	if log == nil {
		r.Restarted = from.Offset > 0
		return r, nil
	}
	defer log.close()
	if from.Offset > 0 {
		sum, err := checkSum(log, from.Offset)
		if err != nil {
			return r, err
		}
		if from.Offset > log.size || int64(sum) != from.Check {
			from, r.Restarted = LogPosition{}, true
		}
	}
	in := textReader{scanner: scanner{Scan: Scan{Offset: from.Offset}, ctx: ctx, id: id, pause: pause, lineStart: make([]byte, 0, scanBuffer)}}
	if r.More, err = in.readTexts(io.NewSectionReader(log, from.Offset, log.size-from.Offset), limit); err != nil {
		return r, err
	}
	sum, err := checkSum(log, in.Offset)
	r.Texts, r.To = in.texts, LogPosition{Offset: in.Offset, Check: int64(sum)}
	return r, err
}

// textReader reads the texts of a log.
type textReader struct {
	scanner

	texts []backend.SessionText
	bytes int // of the texts
}

// readTexts reads lines until the texts have limit bytes. more is false at the end of the log.
func (r *textReader) readTexts(log io.Reader, limit int) (more bool, err error) {
	const pauseSize = 1 << 20
	in, paused := bufio.NewReaderSize(log, scanBuffer), r.Offset
	for r.bytes < limit {
		line, err := r.next(in)
		if err != nil {
			return false, err
		}
		if line.size == 0 || !line.hasEnd && !line.isValid() {
			return false, nil
		}
		r.line(line)
		if r.Offset += line.size; r.Offset-paused >= pauseSize {
			r.pause()
			paused = r.Offset
		}
	}
	return true, nil
}

// line adds the texts in a line.
func (r *textReader) line(line logLine) {
	switch {
	case len(line.head) == 0 || line.zeros:
	case line.long != nil:
		// Only its start and its end are in memory. The text comes first, followed by images, for example.
		if kind := typeOf(line.head); line.isValid() && (kind == EventUser || kind == EventAssistant) {
			r.message(kind, isOfSubagent(line.tail), "", contentOf(line.head, backend.MaxSessionText), millisOf(timeText(line.tail)))
		}
	default:
		_ = eventsIn(line.head, func(raw []byte, _ int) error { // the function never fails
			r.event(raw)
			return nil
		})
	}
}

// event adds the text of an event. raw is nil if the event is damaged.
func (r *textReader) event(raw []byte) {
	kind := typeOf(raw)
	if kind != EventUser && kind != EventAssistant && kind != eventToolStart {
		return
	}
	e, ok := parseEvent(raw)
	if !ok {
		return
	}
	data, at := e.JSON(), backend.Millis(max(e.At.UnixMilli(), 0))
	if kind == eventToolStart {
		r.toolCall(e.Agent != "", data, at)
		return
	}
	r.message(kind, e.Agent != "", data.Get("source").Str, data.Get("content").Str, at)
}

// message adds a message of the user or the agent. Messages from a source other than the user, and tasks for subagents,
// are left out: VoxPilot doesn't show them in a chat.
func (r *textReader) message(kind string, bySubagent bool, source, content string, at backend.Millis) {
	t := backend.SessionText{Kind: backend.HitMessage, BySubagent: bySubagent, At: at}
	if kind == EventUser {
		if t.Kind = backend.HitUser; bySubagent || source != "" && source != "user" {
			return
		}
	}
	r.add(t, content)
}

// searchedTools maps the names of CLI tools to the kinds by which the search distinguishes their calls. Calls of all
// other tools are backend.ToolOther.
var searchedTools = map[string]backend.ToolKind{
	"view": backend.ToolRead, "create": backend.ToolEdit, "edit": backend.ToolEdit, "str_replace": backend.ToolEdit, "insert": backend.ToolEdit,
	"apply_patch": backend.ToolEdit, "grep": backend.ToolSearch, "glob": backend.ToolSearch, "web_search": backend.ToolSearch, "web_fetch": backend.ToolFetch,
}

// searchedArguments are the arguments of a tool call that describe it.
var searchedArguments = []string{"description", "command", "path", "pattern", "url", "query"}

// toolCall adds the description of a tool call: the tool's name and the arguments that the chat shows.
func (r *textReader) toolCall(bySubagent bool, data gjson.Result, at backend.Millis) {
	name, args := data.Get("toolName").Str, data.Get("arguments")
	kind, known := searchedTools[name]
	switch {
	case isShell(name):
		kind = backend.ToolExecute
	case !known:
		kind = backend.ToolOther
	}
	parts := []string{name}
	for _, key := range searchedArguments {
		if text := args.Get(key); text.Type == gjson.String && strings.TrimSpace(text.Str) != "" {
			parts = append(parts, excerpt.Head(text.Str, backend.MaxSessionText/4))
		}
	}
	r.add(backend.SessionText{Kind: backend.HitTool, Tool: kind, BySubagent: bySubagent, At: at}, strings.Join(parts, "\n"))
}

// add adds a text that isn't empty.
func (r *textReader) add(t backend.SessionText, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	t.Text = strings.Clone(strings.ToValidUTF8(excerpt.Head(text, backend.MaxSessionText), "\uFFFD"))
	if len(t.Text) > backend.MaxSessionText {
		t.Text = excerpt.Head(t.Text, backend.MaxSessionText)
	}
	r.texts = append(r.texts, t)
	r.bytes += len(t.Text)
}
