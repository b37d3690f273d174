package sessionfiles

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// ErrUnreadable means that the log of a session contains no user message that can be read.
var ErrUnreadable = errors.New("nothing in the session's log is readable")

// Repair copies a damaged session in home to a new session in a form that the CLI can load. The arguments from and to
// are the IDs of the two sessions. If home is "", the CLI's default home is used. folder is the working directory for a
// log that doesn't name one.
//
// The copy contains the complete events of the log. If the log doesn't begin with a session.start event for the
// session, the copy gets one. A workspace.yaml that isn't in the CLI's form is left out, because the CLI creates a new
// one. Repair calls see with each event of the copy; see must not retain it. The damaged session doesn't change.
//
// dropped is the number of entries that aren't in the copy because they are damaged or belong to another session. If
// Repair returns nil as the error, the copy is complete and synced to disk. Otherwise there is no copy. The error is
// ErrNoSession, ErrUnreadable, ctx's error or a file system error.
func Repair(ctx context.Context, home, from, to, folder string, see func(Event)) (dropped int, err error) {
	r := repair{copier: copier{ctx: ctx, from: from, to: to}, folder: folder, see: see}
	r.log, r.workspace = r.copyLog, r.copyWorkspace
	err = r.copySession(home, func() error {
		if !r.hasMessage {
			return ErrUnreadable
		}
		return nil
	})
	return r.dropped, err
}

// maxEvent is the maximum size of an event in bytes. The CLI's largest events contain the content of a file twice.
const maxEvent = 64 << 20

// repair is a repair in progress.
type repair struct {
	copier
	folder     string
	see        func(Event)
	out        *bufio.Writer
	started    bool // the copy has its first event
	hasMessage bool // the copy has a user message
	dropped    int
}

// copyLog writes the repaired log.
func (r *repair) copyLog(w *os.File, log io.Reader) error {
	from := bufio.NewReaderSize(log, maxLogHead)
	r.out = bufio.NewWriterSize(w, 1<<18)
	for {
		line, err := readLine(from, maxEvent)
		switch {
		case errors.Is(err, errTooLong):
			r.dropped++
			err = skipLine(from)
		case len(line) == 0 && err == nil:
			return r.out.Flush()
		case err == nil:
			err = r.copyLine(line)
		}
		if err != nil {
			return err
		}
	}
}

// copyLine writes the events in a line of the damaged log.
func (r *repair) copyLine(line []byte) error {
	dropped, err := EachEvent(line, func(e Event) error {
		if r.isOwn(e) {
			return r.copyEvent(e)
		}
		r.dropped++
		return nil
	})
	r.dropped += dropped
	return err
}

// eventPrefix is the start of each event in a log.
var eventPrefix = []byte(`{"type":"`)

// isOwn reports whether e belongs to the session. Only session.start events name a session, and the first event of a
// log is assumed to belong to its session.
func (r *repair) isOwn(e Event) bool {
	if e.Type != eventStart || !r.started {
		return true
	}
	return gjson.GetBytes(e.Data, "sessionId").String() == r.from
}

func (r *repair) copyEvent(e Event) error {
	if !r.started {
		r.started = true
		if err := r.start(e); err != nil || e.Type == eventStart {
			return err
		}
	}
	r.hasMessage = r.hasMessage || e.Type == EventUser && e.Agent == ""
	return r.write(e)
}

// start writes the first event of the copy, a session.start. first is the first event of the damaged log.
func (r *repair) start(first Event) error {
	data := map[string]any{
		"version": 1, "producer": "copilot-agent", "copilotVersion": backend.TestedCLIVersion, "startTime": first.At.Format(timeFormat),
		"context": map[string]any{"cwd": r.folder},
	}
	e := Event{Type: eventStart, ID: NewID(), At: first.At}
	if first.Type == eventStart {
		if err := json.Unmarshal(first.Data, &data); err != nil {
			return err
		}
		e.ID = first.ID
	}
	data["sessionId"] = r.to
	var err error
	if e.Data, err = json.Marshal(data); err != nil {
		return err
	}
	e.Raw, err = json.Marshal(map[string]any{
		"type": e.Type, "data": json.RawMessage(e.Data), "id": e.ID, "timestamp": e.At.Format(timeFormat), "parentId": nil,
	})
	if err != nil {
		return err
	}
	return r.write(e)
}

// write writes an event to the copy.
func (r *repair) write(e Event) error {
	r.see(e)
	if _, err := r.out.Write(bytes.ReplaceAll(e.Raw, []byte(r.from), []byte(r.to))); err != nil {
		return err
	}
	return r.out.WriteByte('\n')
}

// workspaceLine matches a line of workspace.yaml as the CLI writes it.
var workspaceLine = regexp.MustCompile(`^[a-z_]+: ?[^\x00-\x08\x0e-\x1f]*$`)

// copyWorkspace copies workspace.yaml, with the session's ID replaced by that of the copy. It returns errNoWorkspace if
// a line isn't in the CLI's form or if the file doesn't contain the ID.
func (r *repair) copyWorkspace(w *os.File, from io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(from, maxSmall))
	if err != nil {
		return err
	}
	has := false
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		if !workspaceLine.Match(line) {
			return errNoWorkspace
		}
		has = has || string(line) == "id: "+r.from
	}
	if !has {
		return errNoWorkspace
	}
	_, err = w.Write(bytes.ReplaceAll(text, []byte(r.from), []byte(r.to)))
	return err
}

// errNoWorkspace means that workspace.yaml isn't copied because it is damaged.
var errNoWorkspace = fmt.Errorf("%s is damaged: %w", sessionWorkspace, errSkip)

// timeFormat is the format of times in the log.
const timeFormat = "2006-01-02T15:04:05.000Z"

// uuid matches the ID of an event.
var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// parseEvent parses an event in a log. It returns false if the CLI can't load the event: the CLI checks the fields that
// all events have, and the data of events that belong to the conversation.
func parseEvent(raw []byte) (e Event, ok bool) {
	var err error
	e.Raw = raw
	var data, at gjson.Result
	gjson.Parse(text(raw)).ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "type":
			e.Type = strings.Clone(v.String())
		case "data":
			data = v
			e.Data = raw[v.Index : v.Index+len(v.Raw)]
		case "id":
			e.ID = strings.Clone(v.String())
		case "timestamp":
			at = v
		case "agentId":
			e.Agent = strings.Clone(v.String())
		}
		return true
	})
	e.At, err = time.Parse(time.RFC3339, at.String())
	e.At = e.At.UTC()
	if err != nil || e.Type == "" || !uuid.MatchString(e.ID) || !data.IsObject() {
		return e, false
	}
	isString := func(names ...string) bool {
		for _, name := range names {
			if data.Get(name).Type != gjson.String {
				return false
			}
		}
		return true
	}
	switch e.Type {
	case eventStart:
		return e, isString("sessionId", "producer", "copilotVersion", "startTime") && data.Get("version").Type == gjson.Number
	case EventUser:
		return e, isString("content")
	case EventAssistant:
		return e, isString("content", "messageId")
	case eventToolStart:
		return e, isString("toolCallId", "toolName")
	case EventToolComplete:
		return e, isString("toolCallId") && data.Get("success").IsBool()
	}
	return e, true
}
