package inside

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Limits of the relay.
const (
	backlog     = 1024
	dialTime    = 10 * time.Second
	statusTime  = time.Second
	tryAgain    = 10 * time.Millisecond
	maxAnswer   = 64 << 10 // bytes of the proxy's answer to a CONNECT
	maxBlocked  = 10       // hosts in a note
	maxHostName = 253
)

// relay forwards connections to 127.0.0.1 in the sandbox to the proxy and to ports outside.
type relay struct {
	proxy   string
	sockets []socket
	url     string // of the proxy for the command, or ""
}

// socket is a listening socket whose connections are forwarded to a port outside, or to the proxy if port is
// 0.
type socket struct{ fd, port int }

// listen opens the sockets of the job's relay.
func listen(job Job) (*relay, error) {
	r := &relay{proxy: job.Proxy}
	if job.Proxy == "" {
		return r, nil
	}
	ports := job.Ports
	if job.Sites {
		ports = append([]int{0}, ports...)
	}
	for _, port := range ports {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
		if err == nil {
			err = unix.Bind(fd, &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}})
		}
		if err == nil {
			err = unix.Listen(fd, backlog)
		}
		if err != nil {
			return nil, fmt.Errorf("can't listen on port %d: %w", port, err)
		}
		r.sockets = append(r.sockets, socket{fd, port})
		if port != 0 {
			continue
		}
		name, err := unix.Getsockname(fd)
		address, ok := name.(*unix.SockaddrInet4)
		if err != nil || !ok {
			return nil, fmt.Errorf("no address: %w", err)
		}
		r.url = "http://127.0.0.1:" + strconv.Itoa(address.Port)
	}
	return r, nil
}

// environment returns env with the variables for the proxy.
func (r *relay) environment(env []string) []string {
	if r.url == "" {
		return env
	}
	return append(env, proxyVariables(r.url, env)...)
}

// start starts accepting connections.
func (r *relay) start() {
	for _, s := range r.sockets {
		go serve(open(s.fd), r.proxy, s.port)
	}
}

// proxyVariables returns the environment variables that make programs use the proxy at url.
func proxyVariables(url string, env []string) []string {
	const direct = "localhost,127.0.0.1,::1"
	var vars []string
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		vars = append(vars, name+"="+url, strings.ToLower(name)+"="+url)
	}
	// Node.js before version 24 doesn't support this option and ignores the variable.
	vars = append(vars, "NO_PROXY="+direct, "no_proxy="+direct, "NODE_USE_ENV_PROXY=1",
		"npm_config_proxy="+url, "npm_config_https_proxy="+url, "npm_config_noproxy="+direct,
		"YARN_HTTP_PROXY="+url, "YARN_HTTPS_PROXY="+url, "PIP_PROXY="+url, "CARGO_HTTP_PROXY="+url)
	// A proxy in git's configuration would take precedence over the variables.
	count := 0
	for _, v := range env {
		if n, ok := strings.CutPrefix(v, "GIT_CONFIG_COUNT="); ok {
			count, _ = strconv.Atoi(n)
		}
	}
	return append(vars, fmt.Sprintf("GIT_CONFIG_COUNT=%d", count+1), fmt.Sprintf("GIT_CONFIG_KEY_%d=http.proxy", count), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", count, url))
}

// open returns the non-blocking socket fd as a file. Package net takes longer to start than the rest of this
// program.
func open(fd int) *os.File { return os.NewFile(uintptr(fd), "socket") }

// serve connects each client to the proxy or, through the proxy, to a local port if port isn't 0.
func serve(server *os.File, proxy string, port int) {
	for {
		conn, err := accept(server)
		if err != nil {
			time.Sleep(tryAgain) // such as too many open files
			continue
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

// accept waits for a connection.
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

// dial connects to the proxy or the launcher. It doesn't wait: a Unix socket either accepts at once or has a full
// queue.
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

// connect requests a connection to address from the proxy and returns a reader of its data.
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

// both copies data in both directions until both have ended. from is the reader for up.
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

// closeWrite signals to the other side that no more data follows.
func closeWrite(conn *os.File) {
	if raw, err := conn.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _ = unix.Shutdown(int(fd), unix.SHUT_WR) })
	}
}

// blocked returns the hosts that the proxy blocked in this run. The proxy responds with a JSON list of
// strings; those that aren't plain names are skipped.
func blocked(proxy string) []string {
	conn, err := dial(proxy)
	if err != nil {
		return nil
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(statusTime))
	if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.0\r\nHost: voxpilot.sandbox\r\n\r\n", Blocked); err != nil {
		return nil
	}
	answer, _ := io.ReadAll(io.LimitReader(conn, maxAnswer))
	head, body, ok := strings.Cut(string(answer), "\r\n\r\n")
	if !ok || !strings.Contains(strings.SplitN(head, "\r\n", 2)[0], " 200") {
		return nil
	}
	var plain []string
	for i, text := range strings.Split(body, `"`) { // every second part is a string
		if i%2 == 1 && len(plain) < maxBlocked && text != "" && len(text) <= maxHostName && strings.Trim(text, hostLetters) == "" {
			plain = append(plain, text)
		}
	}
	return plain
}

// hostLetters lists the characters allowed in hosts with ports.
const hostLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]"
