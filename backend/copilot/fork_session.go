package copilot

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// Files in the folder of a session of the Copilot CLI.
const (
	sessionLog       = "events.jsonl"
	sessionWorkspace = "workspace.yaml"
)

// forkTemp is the prefix of the folder of a fork that isn't complete.
const forkTemp = ".voxpilot-fork-"

// Limits for the log of a session, which can have hundreds of megabytes: it is never read as a whole.
const (
	maxLogHead = 1 << 20   // bytes of a line that are read to find out what it is
	maxMessage = 512 << 20 // bytes of a user's message with its images
	maxSmall   = 4 << 20   // bytes of workspace.yaml
)

// ErrNoSession means that the Copilot CLI has no session with this ID, or only in the format of an old version.
var ErrNoSession = errors.New("the Copilot CLI has no such session")

// ErrNothingLater means that a session has no message of the user from the given time on, so that a fork would
// have all of it.
var ErrNothingLater = errors.New("the session has no later message")

// ErrNothingEarlier means that a session has no message of the user before the given time, so that a fork would be
// empty.
var ErrNothingEarlier = errors.New("the session has no earlier message")

// NewSessionID returns an ID for a session of the Copilot CLI.
func NewSessionID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// ForkSession copies the session with the ID from, in home, to one with the ID to, up to the first message of
// the user that the CLI received at the given time or later. If home is "", the CLI's default home is used. The
// original stays as it is. If before is zero, all of it is copied. A line of its log that was cut off, such as by a
// kill, isn't copied.
//
// The fork is durable and complete when ForkSession returns nil. Otherwise there is no fork: ErrNoSession,
// ErrNothingLater, ErrNothingEarlier, or an error of the system.
func ForkSession(home, from, to string, before time.Time) (err error) {
	if !sessionID.MatchString(from) || !sessionID.MatchString(to) {
		return fmt.Errorf("%w: %q", ErrNoSession, from)
	}
	root, err := os.OpenRoot(filepath.Join(homeOr(home), "session-state"))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", ErrNoSession, err)
	}
	if err != nil {
		return err
	}
	defer root.Close()
	if info, err := root.Lstat(path.Join(from, sessionLog)); err != nil || !info.Mode().IsRegular() {
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: it has no log", ErrNoSession)
		}
		return err
	}
	temp := forkTemp + to
	defer func() {
		if err != nil {
			err = errors.Join(err, root.RemoveAll(temp))
		}
	}()
	f := fork{root: root, from: from, to: to, temp: temp, before: before}
	if err := f.copyFolder("."); err != nil {
		return err
	}
	switch {
	case !f.cut && !before.IsZero():
		return ErrNothingLater
	case f.messages == 0:
		return ErrNothingEarlier
	}
	if err := root.Rename(temp, to); err != nil {
		return err
	}
	return syncFolder(root)
}

// RemoveForks removes what forks that were interrupted left in home.
func RemoveForks(home string) error {
	dir := filepath.Join(homeOr(home), "session-state")
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer root.Close()
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if id, is := strings.CutPrefix(e.Name(), forkTemp); is && sessionID.MatchString(id) {
			err = errors.Join(err, root.RemoveAll(e.Name()))
		}
	}
	return err
}

// fork is a copy of a session that is being made.
type fork struct {
	root     *os.Root // with all sessions
	from, to string
	temp     string // folder of the copy
	before   time.Time
	cut      bool // the log has a message that isn't copied
	messages int  // that are copied
}

// copyFolder copies a folder of the session; name is relative to the session's folder. Files by which processes
// claim the session, and all that is neither a file nor a folder, aren't copied.
func (f *fork) copyFolder(name string) error {
	info, err := f.root.Lstat(path.Join(f.from, name))
	if err != nil {
		return err
	}
	if err := f.root.Mkdir(path.Join(f.temp, name), info.Mode().Perm()|0o700); err != nil {
		return err
	}
	dir, err := f.root.Open(path.Join(f.from, name))
	if err != nil {
		return err
	}
	entries, err := dir.ReadDir(-1)
	if err := errors.Join(err, dir.Close()); err != nil {
		return err
	}
	for _, e := range entries {
		at := path.Join(name, e.Name())
		switch {
		case e.IsDir():
			err = f.copyFolder(at)
		case !e.Type().IsRegular() || isClaim(e.Name()):
		case at == sessionLog:
			err = f.copyFile(at, f.copyLog)
		case at == sessionWorkspace:
			err = f.copyFile(at, f.copyWorkspace)
		default:
			err = f.copyFile(at, func(w *os.File, r io.Reader) error {
				_, err := io.Copy(w, r)
				return err
			})
			if errors.Is(err, fs.ErrNotExist) {
				err = nil // removed meanwhile
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isClaim reports whether a file in a session's folder marks it as being in use.
func isClaim(name string) bool {
	return strings.HasPrefix(name, "inuse.") || strings.HasSuffix(name, ".lock") || strings.HasSuffix(name, ".hold")
}

// copyFile copies a file with the function copy. The copy is durable afterwards.
func (f *fork) copyFile(name string, copy func(*os.File, io.Reader) error) error {
	from, err := f.root.Open(path.Join(f.from, name))
	if err != nil {
		return err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return err
	}
	to, err := f.root.OpenFile(path.Join(f.temp, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	return errors.Join(copy(to, from), to.Sync(), to.Close())
}

// copyWorkspace copies the description of the session.
func (f *fork) copyWorkspace(w *os.File, r io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(r, maxSmall))
	if err == nil {
		_, err = w.Write(bytes.ReplaceAll(text, []byte(f.from), []byte(f.to)))
	}
	return err
}

// copyLog copies the log up to the message from which on it is cut.
func (f *fork) copyLog(w *os.File, r io.Reader) error {
	from := bufio.NewReaderSize(r, maxLogHead)
	to := bufio.NewWriterSize(w, 1<<18)
	names := &renamer{to: to, from: []byte(f.from), name: []byte(f.to), end: make([]byte, 0, 2*len(f.from))}
	var copied int64 // bytes of whole lines
	for {
		head, err := from.ReadSlice('\n')
		if errors.Is(err, io.EOF) && !gjson.ValidBytes(head) { // cut off, or nothing
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
			if errors.Is(err, io.EOF) { // cut off
				return errors.Join(to.Flush(), w.Truncate(start))
			}
			if goesOn = err != nil; goesOn && !errors.Is(err, bufio.ErrBufferFull) {
				return err
			}
		}
		if err := names.flush(); err != nil {
			return err
		}
		if !bytes.HasSuffix(head, []byte("\n")) { // the end, but whole
			copied++
			if err := to.WriteByte('\n'); err != nil {
				return err
			}
		}
	}
}

// readLine reads the rest of a line.
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
			return nil, fmt.Errorf("%s has a message of more than %d MB", sessionLog, limit>>20)
		}
	}
}

// isMessage reports whether a line of the log, of which head is the start, is a message of the user.
func isMessage(head []byte) bool {
	return gjson.GetBytes(head[:min(len(head), 1024)], "type").String() == "user.message"
}

// isLater reports whether a message was received at or after the time from which on the log is cut, and otherwise
// counts it. The prompts of sub-agents don't count.
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

// renamer replaces a text by another one of the same length.
type renamer struct {
	to         io.Writer
	from, name []byte
	rest, end  []byte // rest, in the buffer end, is the end of what was written so far, which may be the start of the text
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
	_, err := r.to.Write(text[:len(text)-keep])
	r.rest = append(r.end[:0], text[len(text)-keep:]...)
	return len(p), err
}

// flush writes the rest.
func (r *renamer) flush() error {
	_, err := r.to.Write(r.rest)
	r.rest = nil
	return err
}

// syncFolder makes the names in a folder durable, where the system supports that.
func syncFolder(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	_ = dir.Sync() // Windows can't
	return dir.Close()
}

// HasSession reports whether the Copilot CLI has a session that ForkSession can copy.
func HasSession(home, id string) bool {
	info, err := os.Lstat(filepath.Join(homeOr(home), "session-state", id, sessionLog))
	return sessionID.MatchString(id) && err == nil && info.Mode().IsRegular()
}
