package sessionuse

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// maxLine is the maximum size of a line of the log in bytes. A longer one is ignored.
const maxLine = 64 << 20

// Span is a part of a log, from the offset From to the offset To.
type Span struct{ From, To int64 }

// found describes a part of the log.
type found struct {
	own      []Span // lines that VoxPilot's own agent wrote, and lines that don't belong to a conversation
	foreign  bool   // another program wrote to the part
	messages int    // messages of the user and the agent that another program wrote
	replaced bool   // the log was replaced by another one
}

// scan reads the log from st.Offset to its last complete line and updates st.
//
// If the log is shorter than the known part, or the known part doesn't end with a line, the log was replaced, and scan
// skips its content.
func scan(ctx context.Context, log io.ReadSeeker, st *state) (f found, err error) {
	size, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return f, err
	}
	if fits, err := endsLine(log, st.Offset, size); err != nil {
		return f, err
	} else if !fits {
		f.replaced = true
		return f, skipTo(log, size, st)
	}
	if _, err := log.Seek(st.Offset, io.SeekStart); err != nil {
		return f, err
	}
	from := bufio.NewReaderSize(&cancelReader{ctx, log}, 64<<10)
	for ctx.Err() == nil {
		line, n, err := nextLine(from)
		if errors.Is(err, io.EOF) {
			return f, nil // the rest of the last line is still missing
		}
		if err != nil {
			return f, err
		}
		if line != nil && st.isForeign(line) {
			f.foreign = true
			f.messages += messages(line)
		} else if last := len(f.own) - 1; last >= 0 && f.own[last].To == st.Offset {
			f.own[last].To += n
		} else {
			f.own = append(f.own, Span{st.Offset, st.Offset + n})
		}
		st.Offset += n
	}
	return f, ctx.Err()
}

// endsLine reports whether the offset is the start of the log or the end of a line. It may also be the end of an event
// whose line ending was still missing when the log was imported.
func endsLine(log io.ReadSeeker, offset, size int64) (bool, error) {
	if offset == 0 || offset > size {
		return offset == 0, nil
	}
	if _, err := log.Seek(offset-1, io.SeekStart); err != nil {
		return false, err
	}
	b := []byte{0, '\n'} // at the end of the log, only the first byte is read
	if _, err := io.ReadFull(log, b); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	return b[0] == '\n' || b[0] == '}' && bytes.IndexByte([]byte("\r\n{"), b[1]) >= 0, nil
}

// cancelReader reads from another reader until its context is done. A line can be as long as the log.
type cancelReader struct {
	ctx  context.Context
	from io.Reader
}

func (r *cancelReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}

// maxBack is the number of bytes at the end of a log in which skipTo looks for a line ending.
const maxBack = 2 * maxLine

// skipTo sets st.Offset to the end of the last complete line of a log of the given size. If more than maxBack bytes
// follow that line, the offset is the size.
func skipTo(log io.ReadSeeker, size int64, st *state) error {
	st.Offset, st.Writers = 0, nil
	const step = 64 << 10
	buf := make([]byte, step)
	for end := size; end > 0; {
		if size-end > maxBack { // it isn't a log, so what follows isn't read either
			st.Offset = size
			return nil
		}
		start := max(0, end-step)
		if _, err := log.Seek(start, io.SeekStart); err != nil {
			return err
		}
		if _, err := io.ReadFull(log, buf[:end-start]); err != nil {
			return err
		}
		if i := bytes.LastIndexByte(buf[:end-start], '\n'); i >= 0 {
			st.Offset = start + int64(i) + 1
			return nil
		}
		end = start
	}
	return nil
}

// nextLine reads a line with its line ending. n is its size in bytes. A line of more than maxLine bytes is skipped; the
// result is then nil. The error is io.EOF if the line has no ending yet.
func nextLine(r *bufio.Reader) (line []byte, n int64, err error) {
	tooLong := false
	for {
		part, err := r.ReadSlice('\n')
		n += int64(len(part))
		if tooLong = tooLong || n > maxLine; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, n, err
		}
	}
}

// Types of events that this package knows.
const (
	eventStart     = "session.start"
	eventResume    = "session.resume"
	eventUser      = "user.message"
	eventAssistant = "assistant.message"
)

// isForeign reports whether another program wrote the event in line as a part of a conversation, and updates the
// writers of st.
//
// Each process of the CLI that continues a session first writes a session.resume. Its later events each name the one
// before. A process is VoxPilot's own if its first user message is the pending prompt.
func (st *state) isForeign(line []byte) bool {
	e := gjson.ParseBytes(line)
	id, kind := e.Get("id").String(), e.Get("type").String()
	if !e.IsObject() || id == "" {
		return false
	}
	parent := e.Get("parentId").String()
	at := slices.IndexFunc(st.Writers, func(w writer) bool { return w.Last == parent })
	switch {
	case kind == eventStart || kind == eventResume || len(st.Writers) == 0:
		at = len(st.Writers)
		st.Writers = append(st.Writers, writer{})
	case at < 0: // events that continue none are probably those of the last writer
		at = len(st.Writers) - 1
	}
	w := st.Writers[at]
	w.Last = id
	if kind == eventUser && e.Get("agentId").String() == "" {
		switch own := st.isPending(e); {
		case own:
			w.Own, w.Known, st.Pending = true, true, nil
		case !w.Known:
			w.Own, w.Known = false, true
		}
	}
	// The last writer is last.
	st.Writers = append(slices.Delete(st.Writers, at, at+1), w)
	if over := len(st.Writers) - maxWriters; over > 0 {
		st.Writers = slices.Delete(st.Writers, 0, over)
	}
	return w.Known && !w.Own
}

// clockSlack is the time by which a prompt's time in the log may precede the time of sending, because times are
// rounded.
const clockSlack = 2 * time.Second

// isPending reports whether a user message in the log is VoxPilot's own prompt.
func (st *state) isPending(e gjson.Result) bool {
	if st.Pending == nil {
		return false
	}
	if at, err := time.Parse(time.RFC3339, e.Get("timestamp").String()); err == nil && at.UnixMilli() < int64(st.Pending.At)-clockSlack.Milliseconds() {
		return false
	}
	return strings.Contains(plain(e.Get("data.content").String()), st.Pending.Text)
}

// newPending returns the pending prompt with the given text.
func newPending(text string) *pending {
	text = plain(text)
	if len(text) > maxPending {
		text = text[:maxPending]
		for !utf8.ValidString(text) {
			text = text[:len(text)-1]
		}
	}
	return &pending{Text: text, At: backend.Now()}
}

// plain returns text in a form in which prompts are compared: without surrounding white space and invalid characters.
func plain(text string) string { return strings.TrimSpace(strings.ToValidUTF8(text, "")) }

// messages returns 1 if the event in line is a message of the user or the agent, otherwise 0.
func messages(line []byte) int {
	e := gjson.ParseBytes(line)
	if e.Get("agentId").String() != "" {
		return 0
	}
	switch e.Get("type").String() {
	case eventUser:
		return 1
	case eventAssistant:
		if strings.TrimSpace(e.Get("data.content").String()) != "" {
			return 1
		}
	}
	return 0
}
