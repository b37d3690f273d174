package sessionfiles

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Description describes a session by the start and the end of its log and by workspace.yaml.
type Description struct {
	Name       string         `json:"name,omitempty"`   // given by the user or the CLI; "" if there is none
	First      string         `json:"first,omitempty"`  // start of the user's first message
	Last       string         `json:"last,omitempty"`   // start of the user's last message; "" if unknown
	Folder     string         `json:"cwd,omitempty"`    // working directory
	Branch     string         `json:"branch,omitempty"` // Git branch when the session was last used
	Model      string         `json:"model,omitempty"`  // ID of the model that was used last
	Created    backend.Millis `json:"created,omitempty"`
	Updated    backend.Millis `json:"updated,omitempty"`    // time of the last event; 0 if unknown
	HasMessage bool           `json:"hasMessage,omitempty"` // the user has sent a message
	// NamedByUser means that the user chose Name. Otherwise, the CLI took it from the first message.
	NamedByUser bool `json:"namedByUser,omitempty"`
	// BadWorkspace means that the CLI can't read workspace.yaml. A missing file is fine.
	BadWorkspace bool `json:"badWorkspace,omitempty"`
}

// Sizes in bytes of the parts of a log that are read for a Description. If the wanted message isn't in the part, a part
// of the next size is read.
var (
	headSizes = []int64{4 << 10, 64 << 10, 1 << 20}
	tailSizes = []int64{8 << 10, 64 << 10, 512 << 10}
)

// maxShown is the maximum size in bytes of the start of a message in a Description.
const maxShown = 1000

// Describe describes a session by the start of its log, up to the user's first message. at is the state of the log. The
// error is ErrNoSession or a file system error.
func (f *Folder) Describe(id string) (d Description, at FileStamp, err error) {
	if !sessionID.MatchString(id) {
		return d, at, ErrNoSession
	}
	b := f.heads.Get().(*[]byte)
	defer f.heads.Put(b)
	if n, at, ok := quickHead(f.conn, id, *b); ok {
		f.read.Add(int64(n))
		if takeHead(&d, (*b)[:n], int64(n) >= at.Size) {
			return d, at, nil
		}
	}
	d = Description{}
	s, log, err := f.openLog(id)
	if s != nil {
		defer s.close()
	}
	if log == nil {
		return d, FileStamp{Size: -1}, err
	}
	defer log.close()
	return d, log.stamp, describeHead(log, &d)
}

// DescribeRest adds to d the information in workspace.yaml and at the end of the log: the user's last message, if it is
// near the end, the time of the last event, and the last model. It returns the state of the files before they were
// read.
func (f *Folder) DescribeRest(id string, d *Description) (at Stamp, err error) {
	s, err := f.open(id)
	if err != nil {
		return at, err
	}
	defer s.close()
	if at, err = s.stamp(); err != nil {
		return at, err
	}
	log, err := s.file(sessionLog)
	if err == nil {
		err = describeEnd(log, d)
		log.close()
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return at, errors.Join(err, s.describeWorkspace(d))
}

// maxTitle is the maximum size in bytes of a title.
const maxTitle = 200

// Title returns the session's name or, if it has none, the first line of the user's first message. It returns "" if
// neither is known.
func (d *Description) Title() string {
	return excerpt.FirstLine(cmp.Or(strings.TrimSpace(d.Name), d.First), maxTitle)
}

// Title returns the title of a session in home, like Description.Title. It returns "" if the session can't be read.
func Title(home, id string) string {
	f, err := OpenFolder(home)
	if err != nil {
		return ""
	}
	defer f.Close()
	d, _, err := f.Describe(id)
	if err != nil {
		return ""
	}
	_, _ = f.DescribeRest(id, &d) // without it, the title is the first message
	return d.Title()
}

func describeHead(log *countedFile, d *Description) error {
	for i, size := range headSizes {
		head, err := log.part(0, size)
		if err != nil {
			return err
		}
		*d = Description{}
		if takeHead(d, head, size >= log.size || i == len(headSizes)-1) {
			return nil
		}
	}
	return nil
}

// takeHead adds the information in the start of a log, up to the user's first message. It returns false if more of the
// log must be read. isAll means that head is the whole log.
func takeHead(d *Description, head []byte, isAll bool) (done bool) {
	for line := range bytes.Lines(head) {
		d.take(line)
		if isCut := !isAll && line[len(line)-1] != '\n'; isCut && len(d.Last) < maxShown-utf8.UTFMax {
			return false
		}
		if d.HasMessage {
			break
		}
	}
	d.First, d.Last = d.Last, ""
	return d.HasMessage || isAll
}

// take adds the information in an event, which may be cut off.
func (d *Description) take(line []byte) {
	line = trimLine(line)
	kind := typeOf(line)
	switch kind {
	case eventStart, eventResume:
		data := gjson.GetBytes(line, "data")
		at := data.Get("context")
		if kind == eventStart {
			d.Created = millisOf(data.Get("startTime").String())
		}
		if folder := at.Get("cwd").String(); folder != "" {
			d.Folder, d.Branch = excerpt.Head(folder, maxField), excerpt.Head(at.Get("branch").String(), maxField)
		}
		d.takeModel(data.Get("selectedModel"))
	case eventModel:
		d.takeModel(gjson.GetBytes(line, "data.newModel"))
	case EventAssistant:
		d.takeModel(gjson.GetBytes(line, "data.model"))
	case EventUser:
		if gjson.GetBytes(line, "agentId").String() == "" {
			d.HasMessage, d.Last = true, contentOf(line, maxShown)
		}
	}
}

func (d *Description) takeModel(id gjson.Result) {
	if id.Type == gjson.String && id.Str != "" {
		d.Model = excerpt.Head(id.Str, maxField)
	}
}

func (s *openSession) describeWorkspace(d *Description) error {
	file, err := s.file(sessionWorkspace)
	if errors.Is(err, fs.ErrNotExist) {
		_, err := s.root.Stat(sessionWorkspace)
		d.BadWorkspace = !errors.Is(err, fs.ErrNotExist)
		return nil
	}
	if err != nil {
		return err
	}
	defer file.close()
	text, err := file.part(0, maxSmall)
	if err != nil {
		return err
	}
	w := parseWorkspace(text)
	d.Name, d.NamedByUser, d.BadWorkspace = w.name, w.namedByUser, !w.isValid
	if w.folder != "" && w.folder != d.Folder {
		d.Folder, d.Branch = w.folder, ""
	}
	d.Branch = cmp.Or(w.branch, d.Branch)
	return nil
}

func describeEnd(log *countedFile, d *Description) error {
	for _, size := range tailSizes {
		start := max(log.size-size, 0)
		tail, err := log.part(start, size)
		if err != nil {
			return err
		}
		if start > 0 { // the first line is cut off
			_, tail, _ = bytes.Cut(tail, []byte("\n"))
		}
		var end Description
		for line := range bytes.Lines(tail) {
			if at := timeOf(line); at > 0 {
				end.Updated = at
			}
			end.take(line)
		}
		if end.HasMessage || start == 0 || size == tailSizes[len(tailSizes)-1] {
			d.addEnd(end)
			return nil
		}
	}
	return nil
}

func (d *Description) addEnd(end Description) {
	d.Updated = end.Updated
	d.HasMessage = d.HasMessage || end.HasMessage
	d.Last = end.Last
	if end.Model != "" {
		d.Model = end.Model
	}
}

// trimLine removes the characters around an event that the CLI ignores.
func trimLine(line []byte) []byte { return bytes.Trim(line, "\ufeff \t\r\n") }

// eventStartText is the start of an event in the form in which the CLI writes it.
var eventStartText = []byte(`{"type":"`)

// typeOf returns the type of an event, which may be cut off, or "" if it has none.
func typeOf(line []byte) string {
	if rest, ok := bytes.CutPrefix(line, eventStartText); ok {
		if end := bytes.IndexByte(rest[:min(len(rest), 200)], '"'); end >= 0 {
			return string(rest[:end])
		}
	}
	if len(line) == 0 || line[0] != '{' {
		return ""
	}
	if kind := gjson.GetBytes(line, "type"); kind.Type == gjson.String {
		return kind.Str
	}
	return ""
}

// contentOf returns up to limit bytes of the text of a message, which may be cut off.
func contentOf(line []byte, limit int) string {
	text := gjson.GetBytes(line, "data.content")
	s := text.Str
	if !text.Exists() { // cut off: gjson finds only complete values
		_, rest, _ := bytes.Cut(line, contentMark)
		s = cutText(rest[:min(len(rest), 8*limit+maxShown)])
	}
	return strings.ToValidUTF8(excerpt.Head(s, limit), "\uFFFD")
}

// contentMark precedes the text of a message. Other fields with that name come later.
var contentMark = []byte(`"content":"`)

// cutText returns the text of a JSON string whose end is missing. raw has no opening quotation mark.
func cutText(raw []byte) string {
	const escapes = 12 // size of two escapes such as \ud83d\ude00, which may be cut off
	if at := bytes.IndexByte(raw[max(len(raw)-escapes, 0):], '\\'); at >= 0 {
		raw = raw[:max(len(raw)-escapes, 0)+at]
	}
	return gjson.Parse(`"` + string(raw) + `"`).String()
}

// timeMark precedes the time of an event. The CLI writes it after the data.
var timeMark = []byte(`"timestamp":"`)

// timeOf returns the time of an event, or 0 if unknown.
func timeOf(line []byte) backend.Millis { return millisOf(timeText(line)) }

// timeText returns the time of an event as written in the log, or "" if it isn't found.
func timeText(line []byte) string {
	at := bytes.LastIndex(line, timeMark)
	if at < 0 {
		return ""
	}
	rest := line[at+len(timeMark):]
	end := bytes.IndexByte(rest[:min(len(rest), 40)], '"')
	if end < 0 {
		return ""
	}
	return string(rest[:end])
}

// millisOf parses a time in the log. It returns 0 if the text isn't a time.
func millisOf(text string) backend.Millis {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.UnixMilli() < 0 {
		return 0
	}
	return backend.Millis(at.UnixMilli())
}
