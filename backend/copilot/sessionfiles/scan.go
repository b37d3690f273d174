package sessionfiles

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/jsontext"
)

// Scan describes the log of a session up to an offset. Its zero value describes an empty log. Folder.Scan
// continues a Scan, which can be stored as JSON in the meantime.
type Scan struct {
	Offset int64 `json:"offset"`          // bytes that were read
	Rest   int64 `json:"rest,omitempty"`  // bytes after Offset, the start of an incomplete entry
	Lines  int   `json:"lines,omitempty"` // lines that were read, including empty ones
	// Check is a hash of the last checkSize bytes before Offset. The log is read again from its start if they have
	// changed.
	Check uint64 `json:"check,omitempty"`

	Users       int `json:"users,omitempty"`   // messages of the user
	Answers     int `json:"answers,omitempty"` // messages of the agent, without those of subagents
	ToolCalls   int `json:"toolCalls,omitempty"`
	Commands    int `json:"commands,omitempty"`
	FileChanges int `json:"fileChanges,omitempty"`
	Added       int `json:"added,omitempty"` // lines added to files
	Removed     int `json:"removed,omitempty"`
	// Files are hashes of the paths of the changed files, sorted.
	Files []uint32 `json:"files,omitempty"`

	// First, Last and Answer are the positions of the user's first and last messages and the agent's last message in the
	// log, plus one; 0 if there are none.
	First  int64  `json:"first,omitempty"`
	Last   int64  `json:"last,omitempty"`
	Answer int64  `json:"answer,omitempty"`
	Time   string `json:"time,omitempty"` // time of the last readable event

	HasStart bool `json:"hasStart,omitempty"` // the first session.start event belongs to the session
	Foreign  bool `json:"foreign,omitempty"`  // the first session.start event belongs to another session
	Invalid  int  `json:"invalid,omitempty"`  // entries that the CLI rejects
	Mixed    int  `json:"mixed,omitempty"`    // session.start events of another session
	// Bad is the position of the first damaged entry plus one, and BadLine is the number of its line, counted from 1;
	// both are 0 if there is none. BadEnd is the size of the last entry if that entry is cut off.
	Bad     int64 `json:"bad,omitempty"`
	BadLine int   `json:"badLine,omitempty"`
	BadEnd  int64 `json:"badEnd,omitempty"`

	NoLineEnd bool `json:"noLineEnd,omitempty"` // the last line that was read has no line ending
}

// Sizes in bytes for reading a log.
const (
	scanBuffer = 256 << 10
	maxLine    = 1 << 20 // longer lines aren't kept in memory
	lineTail   = 4 << 10 // end of a longer line that is kept in memory
	checkSize  = 4 << 10 // bytes that Scan.Check covers
)

// Messages returns the number of messages of the user and the agent.
func (s *Scan) Messages() int { return s.Users + s.Answers }

// Damage returns the damage that makes the CLI reject the log, or DamageNone. The CLI ignores an incomplete last entry
// without a line ending, and lines of zeros.
func (s *Scan) Damage() backend.SessionDamage {
	switch {
	case s.Foreign:
		return backend.DamageMixed
	case s.Invalid == 1 && s.BadEnd > 0:
		return backend.DamageCutOff
	case s.Invalid > 0:
		return backend.DamageInvalid
	case s.HasStart:
		return backend.DamageNone
	case s.Time == "" && s.Rest == 0:
		return backend.DamageEmpty
	}
	return backend.DamageNoStart
}

// Scan reads the log of a session from where a previous Scan ended. It reads the whole log if the part that was read
// has changed. It calls pause after each part of about a megabyte. The memory that it needs doesn't depend on the size
// of the log.
//
// If Scan returns an error, the returned Scan is still valid and can be continued. The error is ErrNoSession, ctx's
// error or a file system error. A missing log is like an empty one.
func (f *Folder) Scan(ctx context.Context, id string, from Scan, pause func()) (Scan, error) {
	s, log, err := f.openLog(id)
	if s != nil {
		defer s.close()
	}
	switch {
	case err != nil:
		return from, err
	case log == nil:
		return Scan{}, nil
	}
	defer log.close()
	if from.Offset > 0 {
		sum, err := checkSum(log, from.Offset)
		if err != nil {
			return from, err
		}
		if from.Offset > log.size || sum != from.Check {
			from = Scan{}
		}
	}
	scan := scanner{Scan: from, ctx: ctx, id: id, pause: pause, lineStart: make([]byte, 0, scanBuffer)}
	scan.Scan.Files = append([]uint32(nil), from.Files...)
	err = scan.read(io.NewSectionReader(log, from.Offset, log.size-from.Offset))
	sum, e := checkSum(log, scan.Offset)
	if e != nil {
		return from, errors.Join(err, e)
	}
	scan.Check = sum
	return scan.Scan, err
}

// checkSum returns the hash of the last checkSize bytes before the offset.
func checkSum(log *countedFile, offset int64) (uint64, error) {
	start := max(offset-checkSize, 0)
	part, err := log.part(start, offset-start)
	sum := sha256.Sum256(part)
	return binary.LittleEndian.Uint64(sum[:]), err
}

// scanner is a Scan in progress.
type scanner struct {
	Scan
	ctx       context.Context
	id        string
	pause     func()
	lineStart []byte // of the current line
}

// read reads to the end of the log.
func (s *scanner) read(log io.Reader) error {
	const pauseSize = 1 << 20
	from, paused := bufio.NewReaderSize(log, scanBuffer), s.Offset
	for {
		line, err := s.next(from)
		if err != nil {
			return err
		}
		if line.size == 0 {
			s.Rest = 0
			return nil
		}
		if !line.hasEnd && !line.isValid() {
			s.Rest = line.size
			return nil
		}
		s.take(line)
		s.Offset += line.size
		if s.Offset-paused >= pauseSize {
			s.pause()
			paused = s.Offset
		}
	}
}

// logLine is a line of the log.
type logLine struct {
	head   []byte // the line without surrounding characters that the CLI ignores; only its start if longer than maxLine
	tail   []byte // the end of a line longer than maxLine
	size   int64  // in the log, including the line ending
	hasEnd bool   // it has a line ending
	long   *jsonReader
	zeros  bool // it consists of zero bytes
}

func (l *logLine) isValid() bool {
	if l.long != nil {
		return l.long.isValid()
	}
	return jsontext.Valid(l.head)
}

// next reads the next line. Its size is 0 at the end of the log.
func (s *scanner) next(from *bufio.Reader) (line logLine, err error) {
	s.lineStart = s.lineStart[:0]
	line.zeros = true
	for {
		if err := s.ctx.Err(); err != nil {
			return line, err
		}
		part, err := from.ReadSlice('\n')
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		line.size += int64(len(part))
		line.zeros = line.zeros && len(bytes.Trim(part, "\x00\r\n")) == 0
		line.hasEnd = err == nil
		switch isWhole := line.hasEnd || errors.Is(err, io.EOF); {
		case isWhole && line.size == int64(len(part)):
			line.head = trimLine(part) // valid until the next line is read
			return line, nil
		case line.long == nil && len(s.lineStart)+len(part) > maxLine:
			line.long = &jsonReader{}
			line.long.write(trimStart(s.lineStart, s.Offset))
			fallthrough
		case line.long != nil:
			line.long.write(part)
			line.tail = append(line.tail, part[max(len(part)-lineTail, 0):]...)
			line.tail = line.tail[max(len(line.tail)-lineTail, 0):]
		default:
			s.lineStart = append(s.lineStart, part...)
		}
		if line.hasEnd || errors.Is(err, io.EOF) {
			line.head = trimLine(s.lineStart)
			if line.long != nil {
				line.tail = trimLine(line.tail)
			}
			return line, nil
		}
	}
}

// trimStart removes the byte order mark at the start of a log.
func trimStart(part []byte, offset int64) []byte {
	if offset == 0 {
		return bytes.TrimPrefix(part, []byte("\ufeff"))
	}
	return part
}
