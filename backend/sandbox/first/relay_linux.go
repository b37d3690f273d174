package first

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/backend/sandbox/inside"
)

// Limits of the relay.
const (
	dialTime    = 10 * time.Second
	statusTime  = time.Second
	tryAgain    = 10 * time.Millisecond
	maxAnswer   = 64 << 10 // bytes of the proxy's response to a CONNECT request
	maxBlocked  = 10       // hosts that a note names
	maxHostName = 253
)

// open returns the non-blocking socket with the descriptor fd as a file. It is used instead of package net, which takes
// longer to start than the rest of this program.
func open(fd int) *os.File { return os.NewFile(uintptr(fd), "socket") }

// relayed is set once a program in the sandbox has connected to the proxy.
var relayed atomic.Bool

// serve accepts clients on server, a listening socket, and connects each of them to the proxy. If port isn't 0, it
// instead makes the proxy connect the client to that port on 127.0.0.1 outside the sandbox.
func serve(server *os.File, proxy string, port int) {
	for {
		conn, err := accept(server)
		if err != nil {
			time.Sleep(tryAgain) // for example, too many files are open
			continue
		}
		if port == 0 {
			relayed.Store(true)
		}
		go func() {
			defer conn.Close()
			up, err := dial(proxy)
			if err != nil {
				return
			}
			defer up.Close()
			from := io.Reader(up)
			if port != 0 {
				if from, err = connect(up, "127.0.0.1:"+strconv.Itoa(port)); err != nil {
					return
				}
			}
			both(conn, up, from)
		}()
	}
}

// accept waits for a connection and returns it.
func accept(server *os.File) (*os.File, error) {
	raw, err := server.SyscallConn()
	if err != nil {
		return nil, err
	}
	fd := -1
	var acceptErr error
	err = raw.Read(func(listening uintptr) bool {
		fd, _, acceptErr = unix.Accept4(int(listening), unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
		return acceptErr != unix.EAGAIN && acceptErr != unix.EINTR
	})
	if err = errors.Join(err, acceptErr); err != nil {
		return nil, err
	}
	return open(fd), nil
}

// dial connects to the Unix socket of the proxy or the launcher. While the socket's queue is full, it retries for up to
// dialTime.
func dial(path string) (*os.File, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(dialTime); ; time.Sleep(tryAgain) {
		err = unix.Connect(fd, &unix.SockaddrUnix{Name: path})
		if err != unix.EAGAIN || time.Now().After(end) {
			break
		}
	}
	if err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	return open(fd), nil
}

// connect sends a CONNECT request for address over a connection to the proxy. It returns a reader for the data that
// arrives from address.
func connect(up *os.File, address string) (io.Reader, error) {
	_ = up.SetDeadline(time.Now().Add(dialTime))
	if _, err := fmt.Fprintf(up, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", address, address); err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(up, maxAnswer)
	for first := true; ; first = false {
		line, err := r.ReadSlice('\n')
		text := strings.TrimSpace(string(line))
		switch {
		case err != nil:
			return nil, err
		case first && !strings.HasPrefix(text, "HTTP/1.1 200") && !strings.HasPrefix(text, "HTTP/1.0 200"):
			return nil, fmt.Errorf("the proxy answered %q", text)
		case text == "":
			return r, up.SetDeadline(time.Time{})
		}
	}
}

// both copies data between two connections until each direction has ended. Data from the second connection is read
// through the given reader.
func both(conn, up *os.File, from io.Reader) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(up, conn)
		closeWrite(up)
	}()
	_, _ = io.Copy(conn, from)
	closeWrite(conn)
	<-done
}

// closeWrite tells the other side that no more data follows.
func closeWrite(conn *os.File) {
	if raw, err := conn.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _ = unix.Shutdown(int(fd), unix.SHUT_WR) })
	}
}

// blocked returns the hosts that the proxy blocked in this run, up to maxBlocked of them. The proxy responds with a
// JSON list of strings. blocked skips strings that contain anything other than a host and a port.
func blocked(proxy string) []string {
	conn, err := dial(proxy)
	if err != nil {
		return nil
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(statusTime))
	if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.0\r\nHost: voxpilot.sandbox\r\n\r\n", inside.Blocked); err != nil {
		return nil
	}
	answer, _ := io.ReadAll(io.LimitReader(conn, maxAnswer))
	head, body, ok := strings.Cut(string(answer), "\r\n\r\n")
	if !ok || !strings.Contains(strings.SplitN(head, "\r\n", 2)[0], " 200") {
		return nil
	}
	var plain []string
	for i, text := range strings.Split(body, `"`) { // every second part is the content of a string
		if i%2 == 1 && len(plain) < maxBlocked && text != "" && len(text) <= maxHostName && strings.Trim(text, hostLetters) == "" {
			plain = append(plain, text)
		}
	}
	return plain
}

// hostLetters lists the characters allowed in hosts with ports.
const hostLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]"
