package sessionfiles

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/jsontext"
)

// Names of files in the folder of a Copilot CLI session.
const (
	sessionLog       = "events.jsonl"
	sessionWorkspace = "workspace.yaml"
)

// Limits for reading the files of a session. The log can be hundreds of megabytes in size, so it is never read into
// memory as a whole.
const (
	maxLogHead = 1 << 20   // bytes of a log line that are read at a time
	maxMessage = 512 << 20 // bytes of a user message with its images
	maxSmall   = 4 << 20   // bytes of workspace.yaml
)

// ErrNoSession means that the Copilot CLI has no session with the given ID, or has it only in the format of
// an old version.
var ErrNoSession = errors.New("the Copilot CLI has no such session")

// ErrNothingLater means that a session has no user message from the given time or later. A fork would be a copy
// of the whole session.
var ErrNothingLater = errors.New("the session has no later message")

// ErrNothingEarlier means that a session has no user message from before the given time. A fork would be empty.
var ErrNothingEarlier = errors.New("the session has no earlier message")

// HomeDir returns home or, if it is "", the CLI's default home.
func HomeDir(home string) string {
	if home != "" {
		return home
	}
	user, _ := os.UserHomeDir() // without a home directory, sessions are looked for below the current one
	return filepath.Join(user, ".copilot")
}

// HomeOf returns the CLI's home directory that contains the session, or "" for the default.
func HomeOf(s backend.Session) string { return cmp.Or(s.Home, os.Getenv("COPILOT_HOME")) }

// SameHome reports whether two values of backend.Session.Home are the same directory.
func SameHome(a, b string) bool {
	a, b = HomeDir(HomeOf(backend.Session{Home: a})), HomeDir(HomeOf(backend.Session{Home: b}))
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	was, err := os.Stat(a)
	is, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(was, is)
}

// NewID returns a new random ID for a session of the Copilot CLI.
func NewID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Fork copies a session in home, whose ID is from, to a new session with the ID to. This new session is the fork. If
// home is "", the CLI's default home is used. The fork ends before the first user message that the CLI received at or
// after the time before; if before is zero, the fork contains the whole session. If the last line of the log is
// incomplete, for example after a kill, it isn't copied. The session itself doesn't change.
//
// If Fork returns nil, the fork is complete and synced to disk. If it returns an error, there is no fork. The error is
// ErrNoSession, ErrNothingLater, ErrNothingEarlier, ctx's error or a file system error.
func Fork(ctx context.Context, home, from, to string, before time.Time) error {
	f := fork{copier: copier{ctx: ctx, from: from, to: to}, before: before}
	f.log, f.workspace = f.copyLog, f.copyWorkspace
	return f.copySession(home, func() error {
		switch {
		case !f.cut && !before.IsZero():
			return ErrNothingLater
		case f.messages == 0:
			return ErrNothingEarlier
		}
		return nil
	})
}

// fork is a fork in progress.
type fork struct {
	copier
	before   time.Time // as in Fork
	cut      bool      // the log has a later user message, so it isn't copied to the end
	messages int       // number of user messages copied
}

// copyLog copies the session's log and replaces the session's ID with the fork's. It ends before the first user
// message that the CLI received at or after the time in f.before.
func (f *fork) copyLog(w *os.File, r io.Reader) error {
	from := bufio.NewReaderSize(r, maxLogHead)
	to := bufio.NewWriterSize(w, 1<<18)
	names := &renamer{out: to, from: []byte(f.from), name: []byte(f.to), end: make([]byte, 0, 2*len(f.from))}
	var copied int64 // bytes copied so far
	for {
		head, err := from.ReadSlice('\n')
		if errors.Is(err, io.EOF) && !jsontext.Valid(head) { // an incomplete last line, or the end of the log
			return to.Flush()
		}
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		goesOn := errors.Is(err, bufio.ErrBufferFull)
		if isMessage(head) {
			line := bytes.Clone(head)
			if goesOn {
				rest, err := readLine(from, maxMessage)
				if err != nil {
					return err
				}
				line = append(line, rest...)
			}
			if !jsontext.Valid(line) { // an incomplete last line
				return to.Flush()
			}
			if f.isLater(line) {
				f.cut = true
				return to.Flush()
			}
			head, goesOn = line, false
		}
		start := copied
		for {
			if _, err := names.Write(head); err != nil {
				return err
			}
			copied += int64(len(head))
			if !goesOn {
				break
			}
			head, err = from.ReadSlice('\n')
			if errors.Is(err, io.EOF) { // an incomplete last line
				return errors.Join(to.Flush(), w.Truncate(start))
			}
			if goesOn = err != nil; goesOn && !errors.Is(err, bufio.ErrBufferFull) {
				return err
			}
		}
		if err := names.flush(); err != nil {
			return err
		}
		if !bytes.HasSuffix(head, []byte("\n")) { // the last line is complete, but has no line ending
			copied++
			if err := to.WriteByte('\n'); err != nil {
				return err
			}
		}
	}
}

// readLine reads the rest of a line, including its line ending if it has one. It returns an error if the result is
// longer than limit bytes.
func readLine(r *bufio.Reader, limit int) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil || errors.Is(err, io.EOF):
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(line) > limit:
			return nil, fmt.Errorf("%w: %s has one of more than %d MB", errTooLong, sessionLog, limit>>20)
		}
	}
}

// errTooLong means that a line is longer than the limit.
var errTooLong = errors.New("the line is too long")

// skipLine reads up to and including the next line ending.
func skipLine(r *bufio.Reader) error {
	for {
		if _, err := r.ReadSlice('\n'); !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return err
		}
	}
}

// isMessage reports whether a line of the log that starts with head is a user message.
func isMessage(head []byte) bool {
	return gjson.GetBytes(head[:min(len(head), 1024)], "type").String() == "user.message"
}

// isLater reports whether the user message in line was received by the CLI at or after the time in f.before. If it
// wasn't, isLater increments f.messages. For a prompt for a subagent, it only returns false.
func (f *fork) isLater(line []byte) bool {
	if gjson.GetBytes(line, "agentId").String() != "" {
		return false
	}
	at, err := time.Parse(time.RFC3339, gjson.GetBytes(line, "timestamp").String())
	if err == nil && !f.before.IsZero() && !at.Before(f.before) {
		return true
	}
	f.messages++
	return false
}

// renamer is an io.Writer that passes its input on to another writer and replaces each occurrence of the session
// ID r.from with r.name, which has the same length. It holds back the last bytes until flush is called, because
// they may be the start of an occurrence.
type renamer struct {
	out        io.Writer
	from, name []byte
	rest       []byte // the bytes held back, stored in end
	end        []byte // buffer
}

func (r *renamer) Write(p []byte) (int, error) {
	text := p
	if len(r.rest) > 0 {
		text = append(r.rest, p...)
	}
	if bytes.Contains(text, r.from) {
		text = bytes.ReplaceAll(text, r.from, r.name)
	}
	keep := min(len(text), len(r.from)-1)
	_, err := r.out.Write(text[:len(text)-keep])
	r.rest = append(r.end[:0], text[len(text)-keep:]...)
	return len(p), err
}

// flush writes the bytes that Write has held back.
func (r *renamer) flush() error {
	_, err := r.out.Write(r.rest)
	r.rest = nil
	return err
}
