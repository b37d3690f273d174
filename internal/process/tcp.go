package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// Words that stand in the arguments of a program for where the agent is then reached:
// a socket in a folder of the user's own, or a free port of this machine, which
// another user may reach too, and may take before the program does.
const (
	socketWord = "{socket}"
	portWord   = "{port}"
)

// dialTime is how long a connection may take to be made.
const dialTime = 10 * time.Second

// dialAgain is the time between two tries to reach a program that was just
// started and does not listen yet.
const dialAgain = 20 * time.Millisecond

// endpoint is where an agent is reached.
type endpoint struct {
	network string // "tcp" or "unix"; "" where it is reached by its standard streams
	address string
	dir     string // the folder of the socket, which is removed with it
}

// withEndpoint puts a socket or a free port where args want one. Where they want
// both, the agent is reached by the socket.
func withEndpoint(args []string) (with []string, at endpoint, err error) {
	all := strings.Join(args, "\x00")
	wantsSocket, wantsPort := strings.Contains(all, socketWord), strings.Contains(all, portWord)
	words := []string{}
	if wantsPort {
		if at, err = freePort(); err != nil {
			return nil, at, backend.Problem("finding a free port: %w", err)
		}
		words = append(words, portWord, at.address[strings.LastIndexByte(at.address, ':')+1:])
	}
	if wantsSocket {
		dir, err := os.MkdirTemp("", "voxpilot-*") // the user's alone
		if err != nil {
			return nil, at, backend.Problem("making a folder for a socket: %w", err)
		}
		at = endpoint{network: "unix", address: filepath.Join(dir, "agent.sock"), dir: dir}
		words = append(words, socketWord, at.address)
	}
	if at.network == "" {
		return args, at, nil
	}
	fill := strings.NewReplacer(words...)
	for _, arg := range args {
		with = append(with, fill.Replace(arg))
	}
	return with, at, nil
}

func freePort() (endpoint, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it does not wait
	if err != nil {
		return endpoint{}, err
	}
	return endpoint{network: "tcp", address: l.Addr().String()}, l.Close()
}

// remove removes the folder of the socket.
func (at endpoint) remove() {
	if at.dir != "" {
		_ = os.RemoveAll(at.dir)
	}
}

// socket is the connection to an agent that is reached by TCP. It is made in
// the background; what reads or writes waits until it is there.
type socket struct {
	made   chan struct{} // closed when conn or err is set
	conn   net.Conn
	err    error
	cancel context.CancelFunc

	mu    sync.Mutex
	lost  backend.Message // why nothing more comes
	ended sync.Once
}

// errStranger is the error for a port at which another program answers.
var errStranger = backend.Problem("another program is answering on the agent's port, so nothing was sent there")

// connectTo makes the process one that is reached at the endpoint. exited is closed
// where it is no use to try any more; nil where the agent is not ours, and one
// refusal is enough.
func (p *Process) connectTo(at endpoint, exited <-chan struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	s := &socket{made: make(chan struct{}), cancel: cancel}
	p.socket, p.Stdin, p.Stdout = s, s, s
	go func() {
		defer close(s.made)
		defer cancel()
		if exited != nil {
			go func() {
				select {
				case <-exited:
					cancel()
				case <-ctx.Done():
				}
			}()
		}
		dialer := net.Dialer{Timeout: dialTime}
		for {
			s.conn, s.err = dialer.DialContext(ctx, at.network, at.address)
			if s.err == nil && exited != nil && at.network == "tcp" {
				if s.err = p.answers(ctx, s.conn); s.err != nil {
					_ = s.conn.Close()
					_, _ = fmt.Fprintln(p.Stderr, s.err)
					return
				}
			}
			if s.err == nil || exited == nil || ctx.Err() != nil {
				return
			}
			select {
			case <-time.After(dialAgain):
			case <-ctx.Done():
				return
			}
		}
	}()
}

func (s *socket) Read(b []byte) (int, error) {
	<-s.made
	err := s.err
	if err == nil {
		var n int
		if n, err = s.conn.Read(b); err == nil {
			return n, nil
		}
	}
	s.mu.Lock()
	if s.lost.IsZero() {
		s.lost = reason(err)
	}
	s.mu.Unlock()
	return 0, err
}

func (s *socket) why() backend.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost.IsZero() {
		return backend.Say("the connection was closed")
	}
	return s.lost
}

// reason is the end of a connection in few words.
func reason(err error) backend.Message {
	var op *net.OpError
	switch {
	case errors.Is(err, io.EOF):
		return backend.Say("it closed the connection")
	case errors.As(err, &op) && op.Addr != nil:
		return backend.Say("%s: %s", op.Addr, op.Err)
	}
	return backend.MessageOf(err)
}

func (s *socket) Write(b []byte) (int, error) {
	<-s.made
	if s.err != nil {
		return 0, s.err
	}
	return s.conn.Write(b)
}

// Close ends the connection, or the tries to make one.
func (s *socket) Close() error {
	s.cancel()
	<-s.made
	if s.conn == nil {
		return nil
	}
	return s.conn.Close()
}

// hangUp ends the connection to an agent that is not ours.
func (p *Process) hangUp() {
	_ = p.socket.Close()
	p.socket.ended.Do(func() {
		p.Exit = ExitStatus{connectionLost: p.socket.why()}
		close(p.Exited)
	})
}
