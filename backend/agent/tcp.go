package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"
)

// portWord stands in the arguments of a program for a free port, at which the
// agent is then reached.
const portWord = "{port}"

// dialTime is how long a connection may take to be made.
const dialTime = 10 * time.Second

// dialAgain is the time between two tries to reach a program that was just
// started and does not listen yet.
const dialAgain = 20 * time.Millisecond

// withPort puts a free port where args want one; address is "" where they do
// not.
func withPort(args []string) (with []string, address string, err error) {
	if !strings.Contains(strings.Join(args, "\x00"), portWord) {
		return args, "", nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it does not wait
	if err != nil {
		return nil, "", fmt.Errorf("finding a free port: %w", err)
	}
	address = l.Addr().String()
	_, port, err := net.SplitHostPort(address)
	if err = errors.Join(err, l.Close()); err != nil {
		return nil, "", fmt.Errorf("finding a free port: %w", err)
	}
	for _, arg := range args {
		with = append(with, strings.ReplaceAll(arg, portWord, port))
	}
	return with, address, nil
}

// socket is the connection to an agent that is reached by TCP. It is made in
// the background; what reads or writes waits until it is there.
type socket struct {
	made   chan struct{} // closed when conn or err is set
	conn   net.Conn
	err    error
	cancel context.CancelFunc

	mu    sync.Mutex
	lost  string // why nothing more comes
	ended sync.Once
}

// talkTo makes the process one that is reached at address. exited is closed
// where it is no use to try any more; nil where the agent is not ours, and one
// refusal is enough.
func (p *process) talkTo(address string, exited <-chan struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	s := &socket{made: make(chan struct{}), cancel: cancel}
	p.socket, p.stdin, p.stdout = s, s, s
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
			s.conn, s.err = dialer.DialContext(ctx, "tcp", address)
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
	if s.lost == "" {
		s.lost = reason(err)
	}
	s.mu.Unlock()
	return 0, err
}

func (s *socket) why() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost == "" {
		return "the connection was ended"
	}
	return s.lost
}

// reason is the end of a connection in few words.
func reason(err error) string {
	var op *net.OpError
	switch {
	case errors.Is(err, io.EOF):
		return "it closed the connection"
	case errors.As(err, &op) && op.Addr != nil:
		return fmt.Sprintf("%s: %v", op.Addr, op.Err)
	}
	return err.Error()
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
func (p *process) hangUp() {
	_ = p.socket.Close()
	p.socket.ended.Do(func() {
		p.exit = exitStatus{lost: p.socket.why()}
		close(p.exited)
	})
}
