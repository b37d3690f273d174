package proxy

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// pipeBuffer is the size in bytes of the buffer for one direction of a tunnel.
const pipeBuffer = 32 << 10

// pipe copies data between two connections in both directions, and then closes them. It ends when both directions have
// ended, when one of them fails, when ctx ends, or when no data has been transferred in either direction for the
// duration idle.
func pipe(ctx context.Context, a, b net.Conn, idle time.Duration) {
	closeBoth := func() { _, _ = a.Close(), b.Close() }
	stop := context.AfterFunc(ctx, closeBoth)
	defer stop()
	defer closeBoth()
	var last atomic.Int64 // time of the last data
	last.Store(time.Now().UnixNano())
	var both sync.WaitGroup
	for _, ends := range [][2]net.Conn{{a, b}, {b, a}} {
		both.Go(func() {
			if err := copyStream(ends[1], ends[0], &last, idle); err != nil || closeWrite(ends[1]) != nil {
				closeBoth()
			}
		})
	}
	both.Wait()
}

// copyStream copies data from one connection to another. It returns nil when the source has sent everything.
func copyStream(dst, src net.Conn, last *atomic.Int64, idle time.Duration) error {
	buffer := make([]byte, pipeBuffer)
	for {
		until := time.Unix(0, last.Load()).Add(idle)
		if err := src.SetReadDeadline(until); err != nil {
			return err
		}
		n, err := src.Read(buffer)
		if n > 0 {
			last.Store(time.Now().UnixNano())
			if err := dst.SetWriteDeadline(time.Now().Add(idle)); err != nil {
				return err
			}
			if _, err := dst.Write(buffer[:n]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, os.ErrDeadlineExceeded) && time.Unix(0, last.Load()).Add(idle).After(until):
			// The other direction has transferred data meanwhile, so the tunnel isn't idle.
		case err != nil:
			return err
		}
	}
}

// closeWrite tells the other side that no more data will follow. It returns errors.ErrUnsupported if the connection
// doesn't support that.
func closeWrite(conn net.Conn) error {
	if c, ok := conn.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return errors.ErrUnsupported
}

// earlyConn is a connection from which some data has already been read.
type earlyConn struct {
	net.Conn
	early []byte
}

func (c *earlyConn) Read(p []byte) (int, error) {
	if len(c.early) > 0 {
		n := copy(p, c.early)
		c.early = c.early[n:]
		return n, nil
	}
	return c.Conn.Read(p)
}

func (c *earlyConn) CloseWrite() error { return closeWrite(c.Conn) }

// idleConn is a connection on which each read and each write times out after the duration idle.
type idleConn struct {
	net.Conn
	idle time.Duration
}

func (c *idleConn) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(c.idle)); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

func (c *idleConn) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.idle)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// once returns a dial function that returns conn on the first call and an error on all later ones.
func once(conn net.Conn) func(context.Context, string, string) (net.Conn, error) {
	var used atomic.Bool
	return func(context.Context, string, string) (net.Conn, error) {
		if used.Swap(true) {
			return nil, errors.New("the connection has been used")
		}
		return conn, nil
	}
}
