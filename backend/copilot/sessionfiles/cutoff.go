package sessionfiles

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/voxpilot/voxpilot/internal/jsontext"
)

// IsCutOff reports whether the last line of a session's log was cut off: it has no line ending and isn't JSON. The CLI
// ignores such a line. If home is "", the CLI's default home is used. The error is ErrNoSession or a file system error.
func IsCutOff(home, id string) (bool, error) {
	log, err := OpenLog(home, id)
	if err != nil {
		return false, err
	}
	defer log.Close()
	info, err := log.Stat()
	if err != nil {
		return false, err
	}
	const part = 64 << 10
	for size := int64(part); ; size *= 4 {
		tail := make([]byte, min(size, info.Size()))
		if _, err := log.ReadAt(tail, info.Size()-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		start := bytes.LastIndexByte(tail, '\n')
		if start < 0 && int64(len(tail)) < info.Size() && size < maxEvent {
			continue
		}
		last := bytes.Trim(tail[start+1:], "\x00\ufeff \t\r")
		return len(last) > 0 && !jsontext.Valid(last), nil
	}
}

// EachLogged calls see with each event in a session's log; see must not retain the event. Damaged events and lines that
// are too long are left out. The error is ErrNoSession, ctx's error or a file system error.
func EachLogged(ctx context.Context, home, id string, see func(Event)) error {
	log, err := OpenLog(home, id)
	if err != nil {
		return err
	}
	defer log.Close()
	from := bufio.NewReaderSize(&reader{ctx, log}, maxLogHead)
	for {
		line, err := readLine(from, maxEvent)
		switch {
		case errors.Is(err, errTooLong):
			err = skipLine(from)
		case err == nil && len(line) == 0:
			return nil
		case err == nil:
			_, err = EachEvent(line, func(e Event) error { see(e); return nil })
		}
		if err != nil {
			return err
		}
	}
}
