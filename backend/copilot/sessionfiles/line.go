package sessionfiles

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"unsafe"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/internal/jsontext"
)

// MaxLine is the maximum size of a line in a log, in bytes. Longer lines are skipped.
const MaxLine = maxEvent

// EachEvent calls do with each event in a line of a log. A line contains more than one event if a line ending is
// missing. If an event is damaged, for example because it was cut off by a crash, EachEvent continues with the next one
// in the line. dropped is the number of damaged events. Data and Raw of the events are parts of line, so they are valid
// only as long as the line isn't changed. EachEvent stops at the first error of do and returns it.
func EachEvent(line []byte, do func(Event) error) (dropped int, err error) {
	err = eventsIn(line, func(raw []byte, _ int) error {
		if e, ok := parseEvent(raw); ok {
			return do(e)
		}
		dropped++
		return nil
	})
	return dropped, err
}

// maxRereads is the number of times that eventsIn may read each byte of a damaged line without finding an event.
const maxRereads = 4

// eventsIn calls take with each event in a line of a log, and with the event's position in the line. The line may be
// damaged. A line contains more than one event if a line ending is missing. If an event is damaged, for example because
// it was cut off by a crash, take is called with nil, and the next event in the line follows. In a line with very many
// damaged events, the part after the limit maxRereads counts as one damaged event. If take returns an error, eventsIn
// returns it.
func eventsIn(line []byte, take func(raw []byte, at int) error) error {
	whole := len(line)
	line = bytes.TrimRight(line, "\x00\ufeff \t\r\n")
	right := whole - len(line)
	line = bytes.TrimLeft(line, "\x00\ufeff \t\r\n")
	if len(line) > 0 && jsontext.Valid(line) {
		return take(line, whole-right-len(line))
	}
	rest := countedReader{budget: maxRereads*len(line) + 1<<20}
	for len(line) > 0 {
		at := whole - right - len(line)
		var raw json.RawMessage
		before := rest.budget
		rest.from = bytes.NewReader(line)
		events := json.NewDecoder(&rest)
		if err := events.Decode(&raw); err != nil {
			if err := take(nil, at); err != nil {
				return err
			}
			next := bytes.Index(line[1:], eventPrefix)
			if next < 0 || rest.budget <= 0 {
				return nil
			}
			line = line[1+next:]
			continue
		}
		rest.budget = before
		line = bytes.TrimLeft(line[events.InputOffset():], "\x00 \t\r")
		if err := take(raw, at); err != nil {
			return err
		}
	}
	return nil
}

// countedReader reads from one source after another, until it has read budget bytes in all.
type countedReader struct {
	from   *bytes.Reader
	budget int
}

func (r *countedReader) Read(p []byte) (int, error) {
	if r.budget <= 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := r.from.Read(p)
	r.budget -= n
	return n, err
}

// JSON returns the parsed data of the event. The result and its strings are parts of e.Data.
func (e Event) JSON() gjson.Result { return gjson.Parse(text(e.Data)) }

// text returns b as a string without copying it. The string is valid only as long as b isn't changed.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// OpenLog opens the log of a session in home for reading. If home is "", the CLI's default home is used. Links aren't
// followed, and a log that isn't a regular file isn't opened. The error is ErrNoSession or a file system error.
func OpenLog(home, id string) (*os.File, error) { return openFile(home, id, sessionLog) }

// openFile opens a file in the folder of a session.
func openFile(home, id, name string) (*os.File, error) {
	if !sessionID.MatchString(id) {
		return nil, fmt.Errorf("%w: %q", ErrNoSession, id)
	}
	root, err := os.OpenRoot(filepath.Join(HomeDir(home), "session-state"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", ErrNoSession, err)
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	folder, err := root.Lstat(id)
	if err == nil && !folder.IsDir() {
		err = fs.ErrNotExist
	}
	var before, now fs.FileInfo
	if err == nil {
		before, err = root.Lstat(path.Join(id, name))
	}
	if err == nil && !before.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	var file *os.File
	if err == nil {
		file, err = root.OpenFile(path.Join(id, name), os.O_RDONLY|openFlags, 0)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s: %w", ErrNoSession, name, err)
	}
	if err != nil {
		return nil, err
	}
	if now, err = file.Stat(); err == nil && !os.SameFile(before, now) {
		err = fmt.Errorf("%w: %s was replaced", ErrNoSession, name)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
