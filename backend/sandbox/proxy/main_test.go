package proxy

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/internal/hostname"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// allowing returns an Allow function that allows hosts that match any of the patterns.
func allowing(patterns ...string) func(context.Context, string, int) Answer {
	return func(_ context.Context, host string, port int) Answer {
		switch hostname.Match(patterns, host, port) {
		case hostname.ByName:
			return AllowPrivate
		case hostname.ByStar:
			return Allow
		default:
			return Refuse
		}
	}
}

// serve starts a server on a Unix socket and returns it with a function that connects to it.
func serve(t *testing.T, cfg Config, lim limits) (*Server, func() net.Conn) {
	t.Helper()
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "p"))
	if err != nil {
		t.Fatal(err)
	}
	s := start(l, cfg, lim)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s, func() net.Conn {
		conn, err := net.Dial("unix", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		return conn
	}
}

// exchange sends raw bytes and returns the response with its body.
func exchange(t *testing.T, conn net.Conn, raw string) (*http.Response, string) {
	t.Helper()
	if _, err := io.WriteString(conn, raw); err != nil {
		t.Fatal(err)
	}
	return receive(t, conn, bufio.NewReader(conn), raw)
}

func receive(t *testing.T, conn net.Conn, from *bufio.Reader, raw string) (*http.Response, string) {
	t.Helper()
	method, _, _ := strings.Cut(raw, " ")
	response, err := http.ReadResponse(from, &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	if method == http.MethodConnect && response.StatusCode == http.StatusOK {
		return response, ""
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	return response, string(body)
}

// origin is a web server on this computer that records the requests that it receives.
type origin struct {
	*httptest.Server
	port int
	mu   sync.Mutex
	got  []string // method, host, path and body of each request
	seen []http.Header
}

func newOrigin(t *testing.T) *origin {
	t.Helper()
	o := &origin{}
	o.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		o.mu.Lock()
		o.got = append(o.got, r.Method+" "+r.Host+" "+r.RequestURI+" "+string(body))
		o.seen = append(o.seen, r.Header.Clone())
		o.mu.Unlock()
		_, _ = io.WriteString(w, "hello from "+r.Host)
	}))
	t.Cleanup(o.Close)
	o.port = portOf(t, o.Listener)
	return o
}

func (o *origin) requests() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]string{}, o.got...)
}

// userProxy stands in for the user's own proxy. It records its requests and connects to the same address for every
// host, but refuses hosts whose names start with "refused.".
type userProxy struct {
	*httptest.Server
	mu   sync.Mutex
	got  []string // method and target of each request
	auth []string
}

func newUserProxy(t *testing.T, to string, secure bool) *userProxy {
	t.Helper()
	u := &userProxy{}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		u.mu.Lock()
		u.got = append(u.got, r.Method+" "+r.RequestURI)
		u.auth = append(u.auth, r.Header.Get("Proxy-Authorization"))
		u.mu.Unlock()
		if strings.HasPrefix(r.Host, "refused.") {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		conn, err := net.Dial("tcp", to)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer func() { _ = conn.Close() }()
		r.Header.Del("Proxy-Authorization")
		if r.Method != http.MethodConnect {
			if err := r.Write(conn); err != nil {
				return
			}
		}
		client, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer func() { _ = client.Close() }()
		if r.Method == http.MethodConnect {
			_, _ = io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n")
		}
		go func() {
			_, _ = io.Copy(conn, buffered)
			_ = closeWrite(conn)
		}()
		_, _ = io.Copy(client, conn)
	})
	u.Server = httptest.NewUnstartedServer(handler)
	if secure {
		u.StartTLS()
	} else {
		u.Start()
	}
	t.Cleanup(u.Close)
	return u
}

// env returns the environment variables that set the proxy, with a user name and a password.
func (u *userProxy) env(t *testing.T) []string {
	t.Helper()
	at, err := url.Parse(u.URL)
	if err != nil {
		t.Fatal(err)
	}
	at.User = url.UserPassword("me", "pass word")
	return []string{"HTTP_PROXY=" + at.String(), "https_proxy=" + at.String(), "NO_PROXY=direct.test"}
}

func (u *userProxy) requests() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return append([]string{}, u.got...)
}

// answerWith returns a function that resolves names to the addresses listed in table.
func answerWith(table map[string][]string) func(context.Context, string, string) ([]netip.Addr, error) {
	return func(_ context.Context, _, host string) ([]netip.Addr, error) {
		var addrs []netip.Addr
		for _, text := range table[host] {
			addrs = append(addrs, netip.MustParseAddr(text))
		}
		if addrs == nil {
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		}
		return addrs, nil
	}
}

// blockedList requests a server's list of blocked hosts in the same way as a command in the sandbox.
func blockedList(t *testing.T, conn net.Conn) []string {
	t.Helper()
	response, body := exchange(t, conn, "GET http://voxpilot.sandbox/blocked HTTP/1.0\r\n\r\n")
	var list []string
	if err := json.Unmarshal([]byte(body), &list); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %q: %v", response.StatusCode, body, err)
	}
	return list
}

// portOf returns the port of a listener.
func portOf(t testing.TB, l net.Listener) int {
	t.Helper()
	addr, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		t.Fatalf("%v has no port", l.Addr())
	}
	return addr.Port
}

func at(host string, port int) string { return net.JoinHostPort(host, strconv.Itoa(port)) }
