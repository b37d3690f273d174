// Package sessionimport shows sessions of the Copilot CLI as chats: it reads their logs into the rows of a chat.
//
// A Reader does that for one session. It continues where it stopped, even after a restart of the app, so it can follow
// a log that grows. A Manager opens sessions in new chats.
package sessionimport

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/internal/atomicfile"
)

// Target identifies the session of a chat whose log is read.
type Target struct {
	ChatID string `json:"chatId"`
	Name   string `json:"name"`   // name of the session in the chat
	ACPID  string `json:"acpId"`  // ID of the session
	Home   string `json:"home"`   // the CLI's home directory that contains the session; "" for the default one
	Folder string `json:"folder"` // absolute path, against which relative paths are resolved
}

// Stats counts what a Reader has read.
type Stats struct {
	Messages int `json:"messages"` // messages of the user and of the agent, without those of subagents
	Turns    int `json:"turns"`
	Damaged  int `json:"damaged"` // events that couldn't be read
	Skipped  int `json:"skipped"` // lines longer than sessionfiles.MaxLine
	Unknown  int `json:"unknown"` // events of unknown kinds
	// First is the time of the first message of the user, and Last that of the last event.
	First backend.Millis `json:"first"`
	Last  backend.Millis `json:"last"`
	Model string         `json:"model"` // ID of the model that was used last
	Title string         `json:"title"` // title that the CLI gave the session, or else the start of the first message
	// State is the state of the last turn, or "" if there is none.
	State backend.TurnState `json:"state"`
}

// Reader turns the log of a session into rows of a chat. The IDs of the rows depend only on the chat and the log, so
// rows that are written twice are the same rows.
//
// Its state is stored in a file after each commit. If the app is killed in between, the lines since the last stored
// state are read again. A Reader isn't safe for concurrent use.
type Reader struct {
	// Live means that another program may be writing the log. A turn that hasn't ended at the end of the log is then
	// shown as running, otherwise as interrupted.
	Live bool

	file string // where the state is stored; "" if it isn't
	s    state
	out  batch
	log  io.ReaderAt // while Read runs
	at   int64       // offset of the current line
	size int64       // size of the current line
	nth  int         // number of the event in the line
}

// state is everything that a Reader knows about the part of the log that it has read.
type state struct {
	Version  int     `json:"version"`
	Target   Target  `json:"target"`
	Offset   int64   `json:"offset"`          // offset in the log of the first byte that wasn't read
	Skip     bool    `json:"skip,omitempty"`  // the offset is inside a line that is too long
	Check    []byte  `json:"check,omitempty"` // hash of the last bytes before the offset, or nil if unknown
	Complete bool    `json:"complete,omitempty"`
	Copy     bool    `json:"copy,omitempty"` // VoxPilot made the session for the chat
	Stats    Stats   `json:"stats"`
	Turn     *turn   `json:"turn,omitempty"`
	Tools    []*tool `json:"tools,omitempty"` // tool calls that haven't ended, oldest first
	Assets   []asset `json:"assets,omitempty"`
	// AssetBytes is the number of bytes of assets that have been read to resolve references.
	AssetBytes int64 `json:"assetBytes,omitempty"`
	Reasoned   bool  `json:"reasoned,omitempty"` // the thoughts before the next message were already shown
	HasUsage   bool  `json:"hasUsage,omitempty"` // the log has usage records
}

// stateVersion is the version of the format of the state.
const stateVersion = 1

// NewReader returns a Reader that starts at the beginning of the log. If file isn't "", the reader stores its state there.
func NewReader(file string, target Target) *Reader {
	return &Reader{file: file, s: state{Version: stateVersion, Target: target}}
}

// Load returns a Reader that continues from the state in file. If there is no such file, the error is fs.ErrNotExist.
func Load(file string) (*Reader, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := &Reader{file: file}
	if err := json.Unmarshal(text, &r.s); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if r.s.Version != stateVersion {
		return nil, fmt.Errorf("%s has version %d", file, r.s.Version)
	}
	return r, nil
}

// Save stores the state. Read does so after each commit.
func (r *Reader) Save() error {
	state, err := r.encoded()
	if err != nil {
		return err
	}
	return r.save(state)
}

// encoded returns the state as it is stored.
func (r *Reader) encoded() ([]byte, error) {
	if r.file == "" {
		return nil, nil
	}
	r.s.Check = nil
	if r.log != nil {
		sum, err := checkSum(r.log, r.s.Offset)
		if err != nil {
			return nil, err
		}
		r.s.Check = sum
	}
	return json.Marshal(&r.s)
}

// save stores an encoded state.
func (r *Reader) save(state []byte) error {
	if r.file == "" {
		return nil
	}
	return atomicfile.Write(r.file, func(w io.Writer) error {
		_, err := w.Write(append(state, '\n'))
		return err
	})
}

// checkSize is the number of bytes that state.Check covers.
const checkSize = 4 << 10

// checkSum returns the hash of the last checkSize bytes of a log before an offset.
func checkSum(log io.ReaderAt, offset int64) ([]byte, error) {
	part := make([]byte, min(offset, checkSize))
	if _, err := log.ReadAt(part, offset-int64(len(part))); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	sum := sha256.Sum256(part)
	return sum[:16], nil
}

// Verify returns an error if log isn't the one that was read before, because another program has replaced it.
func (r *Reader) Verify(log Log) error {
	if r.s.Check == nil {
		return nil
	}
	sum, err := checkSum(log, r.s.Offset)
	if err == nil && !bytes.Equal(sum, r.s.Check) {
		err = errReplaced
	}
	return err
}

// Target returns the session that is read.
func (r *Reader) Target() Target { return r.s.Target }

// Stats returns counts of everything read so far.
func (r *Reader) Stats() Stats { return r.s.Stats }

// Offset returns the offset up to which the log was read.
func (r *Reader) Offset() int64 { return r.s.Offset }

// Log is the log of a session, such as an *os.File.
type Log interface {
	io.ReaderAt
	Stat() (os.FileInfo, error)
}

// maxBodies is the maximum size of the texts and bodies in a commit, in bytes. The last text or body may exceed it.
const maxBodies = 8 << 20

// maxEvents is the maximum number of events in a commit, except for those of a single line. The first commit has at most
// firstEvents, and each following one at most twice as many, so that a chat soon shows messages and the progress moves.
var maxEvents = 8000

const firstEvents = 250

// errReplaced means that the log is shorter than the part that was read, or contains different text there.
var errReplaced = errors.New("the session's log was replaced")

// Read reads the log from the offset to its end. It passes the rows to commit in batches, and returns its error. After
// each commit, it stores the state and calls progress with the number of bytes that were read and the size of the log.
// While another goroutine commits a batch, Read already reads the next one. progress is called in that goroutine, but
// not concurrently.
//
// A last line that is incomplete isn't read yet. Damaged events are counted and skipped. After an error, the Reader is
// ahead of the rows: only Load returns one that continues after the last commit.
func (r *Reader) Read(ctx context.Context, log Log, commit func(context.Context, []backend.Event) error, progress func(read, size int64)) (err error) {
	info, err := log.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if size < r.s.Offset {
		return errReplaced
	}
	r.log = log
	defer func() { r.log = nil }()
	var committed chan error // receives the result of the commit in progress; nil if there is none
	wait := func() error {
		if committed == nil {
			return nil
		}
		err := <-committed
		committed = nil
		return err
	}
	defer func() {
		if failed := wait(); err == nil {
			err = failed
		}
	}()
	flush := func() error {
		events := r.take()
		state, err := r.encoded()
		if err := errors.Join(wait(), err); err != nil {
			return err
		}
		done := make(chan error, 1)
		committed = done
		upTo := r.s.Offset
		go func() {
			var err error
			if len(events) > 0 {
				err = commit(ctx, events)
			}
			if err == nil {
				err = r.save(state)
			}
			if err == nil {
				progress(upTo, size)
			}
			done <- err
		}()
		return nil
	}
	in := bufio.NewReaderSize(&cancelReader{ctx, io.NewSectionReader(log, r.s.Offset, size-r.s.Offset)}, 1<<18)
	var long []byte
	most := min(firstEvents, maxEvents)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		var line []byte
		line, long, err = r.nextLine(in, long)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(line) == 0 && err != nil {
			break
		}
		if err != nil && !isComplete(line) {
			break
		}
		r.at, r.size = r.s.Offset, int64(len(line))
		r.line(line)
		r.s.Offset += int64(len(line))
		if r.out.isFull(most) {
			most = min(2*most, maxEvents)
			if err := flush(); err != nil {
				return err
			}
		}
		if cap(long) > maxBodies {
			long = nil
		}
	}
	r.settle()
	return flush()
}

// cancelReader reads from another reader until its context is done. Reading a line can take long, because a line can be
// as long as the log.
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

// nextLine returns the next line with its ending, or the rest of the log with io.EOF. It skips lines that are too long.
// The line is valid until the next call. long is the buffer for long lines.
func (r *Reader) nextLine(in *bufio.Reader, long []byte) (line, buffer []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if !r.s.Skip && err == nil {
			return part, long, nil
		}
		long = long[:0]
		for {
			if r.s.Skip {
				r.s.Offset += int64(len(part))
			} else {
				long = append(long, part...)
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				break
			}
			if len(long) > sessionfiles.MaxLine {
				r.s.Offset += int64(len(long))
				r.s.Skip, long = true, long[:0]
				r.s.Stats.Skipped++
			}
			part, err = in.ReadSlice('\n')
		}
		switch {
		case err != nil && len(long) <= sessionfiles.MaxLine:
			return long, long, err
		case r.s.Skip:
			r.s.Skip = err != nil
		case len(long) > sessionfiles.MaxLine:
			r.s.Offset += int64(len(long))
			r.s.Stats.Skipped++
			r.s.Skip = err != nil
		default:
			return long, long, nil
		}
		if err != nil {
			return nil, nil, err
		}
	}
}

// isComplete reports whether a last line without a line ending is a complete event.
func isComplete(line []byte) bool {
	line = bytes.TrimSpace(line)
	return bytes.HasPrefix(line, []byte("{")) && bytes.HasSuffix(line, []byte("}")) && json.Valid(line)
}

// line adds the rows of the events in a line of the log, and counts the damaged events.
func (r *Reader) line(line []byte) {
	r.nth = 0
	damaged, _ := sessionfiles.EachEvent(line, func(e sessionfiles.Event) error {
		r.nth++
		r.event(e)
		return nil
	})
	r.s.Stats.Damaged += damaged
}

// SkipToEnd sets the offset to the end of the log's last complete line, because the chat already has the rows of the part
// before it. The next Read starts there.
func (r *Reader) SkipToEnd(log Log) error {
	info, err := log.Stat()
	if err != nil {
		return err
	}
	end := info.Size()
	buf := make([]byte, 64<<10)
	for end > 0 {
		n := min(end, int64(len(buf)))
		if _, err := log.ReadAt(buf[:n], end-n); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			end += int64(i) + 1 - n
			break
		}
		end -= n
	}
	r.s.Offset, r.s.Skip, r.s.Turn, r.s.Tools, r.s.Reasoned = end, false, nil, nil, false
	return r.Save()
}

// millis converts the time of an event. The result is positive, because 0 means that there is no time.
func millis(at time.Time) backend.Millis { return max(1, backend.Millis(at.UnixMilli())) }
