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

// Placeholders for the agent's address in a program's arguments: a socket in a folder
// that belongs to the user, or a free local port. Other users can also reach the port,
// and may occupy it before the program does.
const (
	socketWord = "{socket}"
	portWord   = "{port}"
)

// dialTime is the time limit for a connection attempt.
const dialTime = 10 * time.Second

// dialAgain is the interval between attempts to reach a program that isn't listening yet.
const dialAgain = 20 * time.Millisecond

// endpoint is the address of an agent.
type endpoint struct {
	network string // "tcp" or "unix"; "" for standard streams
	address string
	dir     string // the socket's folder, which remove deletes; "" for a port
}

// withEndpoint replaces the placeholders in args with the path of a socket and a free port, and returns the
// endpoint to connect to: the socket if args contains its placeholder, otherwise the port. Without placeholders,
// it returns args unchanged and a zero endpoint.
func withEndpoint(args []string) (filled []string, at endpoint, err error) {
	all := strings.Join(args, "\x00")
	wantsSocket, wantsPort := strings.Contains(all, socketWord), strings.Contains(all, portWord)
	words := []string{}
	if wantsPort {
		if at, err = freePort(); err != nil {
			return nil, at, backend.Problem("couldn't find a free port: %w", err)
		}
		words = append(words, portWord, at.address[strings.LastIndexByte(at.address, ':')+1:])
	}
	if wantsSocket {
		dir, err := os.MkdirTemp("", "voxpilot-*") // accessible to the user only
		if err != nil {
			return nil, at, backend.Problem("couldn't create a folder for a socket: %w", err)
		}
		at = endpoint{network: "unix", address: filepath.Join(dir, "agent.sock"), dir: dir}
		words = append(words, socketWord, at.address)
	}
	if at.network == "" {
		return args, at, nil
	}
	fill := strings.NewReplacer(words...)
	for _, arg := range args {
		filled = append(filled, fill.Replace(arg))
	}
	return filled, at, nil
}

func freePort() (endpoint, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // doesn't block
	if err != nil {
		return endpoint{}, err
	}
	return endpoint{network: "tcp", address: l.Addr().String()}, l.Close()
}

// remove deletes the folder that contains the socket.
func (at endpoint) remove() {
	if at.dir != "" {
		_ = os.RemoveAll(at.dir)
	}
}

// socket is a connection to an agent over TCP or a Unix socket. The connection is established in the background; reads
// and writes wait for it.
type socket struct {
	made   chan struct{} // closed when conn or err is set
	conn   net.Conn
	err    error
	cancel context.CancelFunc

	mu    sync.Mutex
	lost  backend.Message // reason the connection ended
	ended sync.Once
}

// errStranger is returned if another program listens on the agent's port.
var errStranger = backend.Problem("another program is answering on the agent's port, so VoxPilot sent nothing to it")

// connectTo connects p to an agent's endpoint in the background. It tries again until it succeeds, another program
// answers on the agent's port, or the agent exits, which closes the channel exited. If exited is nil, VoxPilot didn't
// start the agent, and there is only one attempt.
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

// reason returns a short description of why a connection ended.
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

// Close closes the connection or cancels the attempts to connect.
func (s *socket) Close() error {
	s.cancel()
	<-s.made
	if s.conn == nil {
		return nil
	}
	return s.conn.Close()
}

// hangUp closes the connection to a remote agent, which counts as the agent's exit.
func (p *Process) hangUp() {
	_ = p.socket.Close()
	p.socket.ended.Do(func() {
		p.Exit = ExitStatus{connectionLost: p.socket.why()}
		close(p.Exited)
	})
}
