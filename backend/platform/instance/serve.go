package instance

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/internal/localsocket"
)

func (i *Instance) accept(handle Handler) {
	places := make(chan struct{}, maxPeers)
	for {
		conn, err := i.server.Accept()
		if i.ctx.Err() != nil {
			if err == nil {
				_ = conn.Close()
			}
			return
		}
		if err != nil { // a failed connection or a temporary error, such as too many open files
			select {
			case <-i.ctx.Done():
				return
			case <-time.After(tryAgain):
			}
			continue
		}
		select {
		case places <- struct{}{}:
			i.tasks.Go(func() {
				defer func() { <-places }()
				i.answer(conn, handle)
			})
		default:
			_ = write(conn, Response{Done: true, Error: "VoxPilot is busy with other requests. Try again in a moment."})
			_ = conn.Close()
		}
	}
}

// answer reads the single request on a connection, calls handle and sends the responses. It closes the connection
// without a response if the client runs as another user or doesn't send a complete request in time.
func (i *Instance) answer(conn net.Conn, handle Handler) {
	ctx, cancel := context.WithCancel(i.ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer func() { stop(); _ = conn.Close() }()
	if !localsocket.SameUser(conn) {
		return
	}
	_ = conn.SetReadDeadline(time.Now().Add(requestTime))
	lines := bufio.NewReaderSize(io.LimitReader(conn, maxLine), 4096)
	line, err := lines.ReadBytes('\n')
	if err != nil {
		return
	}
	var r Request
	if err := json.Unmarshal(line, &r); err != nil {
		_ = write(conn, Response{Done: true, Error: "VoxPilot doesn't understand this request."})
		return
	}
	_ = conn.SetReadDeadline(time.Time{})
	gone := make(chan struct{})
	go func() { // the client sends nothing more, so any read is a disconnect
		defer close(gone)
		_, _ = conn.Read(make([]byte, 1))
		cancel()
	}()
	last := handle(ctx, r, func(a Response) error {
		a.Done = false
		return write(conn, a)
	})
	last.Done = true
	if write(conn, last) == nil {
		_ = conn.SetReadDeadline(time.Now().Add(writeTime)) // time for the client to disconnect
		<-gone
		return
	}
	cancel()
	_ = conn.Close()
	<-gone
}

func write(conn net.Conn, a Response) error {
	line, err := json.Marshal(a)
	if err != nil {
		return err
	}
	_ = conn.SetWriteDeadline(time.Now().Add(writeTime))
	_, err = conn.Write(append(line, '\n'))
	return err
}

// Do sends r to the VoxPilot that runs for the data directory dir. It calls the function got with each response except
// the last one, in order. Do returns nil when the request is done, ErrNotRunning if no VoxPilot responds, a
// *RemoteError if the request failed, and another error if ctx ended or the connection failed.
func Do(ctx context.Context, dir string, r Request, got func(Response)) error {
	address, err := os.ReadFile(filepath.Join(dir, addressName))
	if err != nil {
		return ErrNotRunning
	}
	dialing, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	conn, err := localsocket.Dial(dialing, strings.TrimSpace(string(address)))
	if err != nil {
		return errors.Join(ErrNotRunning, err)
	}
	defer conn.Close()
	if !localsocket.SameUser(conn) {
		return errors.New("the program answering in place of VoxPilot belongs to another user")
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_ = conn.SetWriteDeadline(time.Now().Add(writeTime))
	if _, err := conn.Write(append(line, '\n')); err != nil {
		return connectionError(ctx, err)
	}
	for lines := bufio.NewReader(conn); ; {
		line, err := readLine(lines)
		if err != nil {
			return connectionError(ctx, err)
		}
		var a Response
		if err := json.Unmarshal(line, &a); err != nil {
			return fmt.Errorf("the running VoxPilot sent a response that this version can't read: %w", err)
		}
		switch {
		case a.Error != "":
			return &RemoteError{Message: a.Error, Code: a.Code}
		case a.Done:
			return nil
		}
		got(a)
	}
}

// readLine reads a line. It returns an error if the line is longer than maxLine.
func readLine(from *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		piece, err := from.ReadSlice('\n')
		line = append(line, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > maxLine {
			return nil, errors.New("the answer is too long")
		}
	}
}

// connectionError returns the error to report if the connection failed with err before the response was complete. If
// ctx has ended, it returns an error about that instead.
func connectionError(ctx context.Context, err error) error {
	if cause := ctx.Err(); cause != nil {
		if errors.Is(cause, context.DeadlineExceeded) {
			return errNoResponse
		}
		return cause
	}
	return fmt.Errorf("%w: %w", errDisconnected, err)
}

// errDisconnected means that the connection ended before the response.
var errDisconnected = errors.New("the running VoxPilot closed the connection before it responded")

// RemoteError is an error that the running VoxPilot returned for a request.
type RemoteError struct {
	Message string
	Code    string // Response.Code
}

func (r *RemoteError) Error() string { return r.Message }
