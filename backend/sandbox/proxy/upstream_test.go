package proxy

import (
	"bufio"
	"context"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestUpstream_UsedWithCredentials(t *testing.T) {
	web := newOrigin(t)
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("me:pass word"))
	for _, secure := range []bool{false, true} {
		user := newUserProxy(t, web.Listener.Addr().String(), secure)
		var roots *x509.CertPool
		if secure {
			roots = x509.NewCertPool()
			roots.AddCert(user.Certificate())
		}
		env := user.env(t)
		_, dial := serve(t, Config{Allow: allowing("*.good.test", "direct.test"), Env: env, Roots: roots}, defaultLimits)
		raw := "GET http://www.good.test/ HTTP/1.1\r\nHost: www.good.test\r\n\r\n"
		if response, body := exchange(t, dial(), raw); response.StatusCode != http.StatusOK || body != "hello from www.good.test" {
			t.Errorf("plain: got %d, %q", response.StatusCode, body)
		}
		conn := dial()
		from := bufio.NewReader(conn)
		for _, raw := range []string{"CONNECT www.good.test:443 HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: inside\r\n\r\n"} {
			if _, err := io.WriteString(conn, raw); err != nil {
				t.Fatal(err)
			}
			if response, body := receive(t, conn, from, raw); response.StatusCode != http.StatusOK || raw[0] == 'G' && body != "hello from inside" {
				t.Errorf("%q: got %d, %q", raw, response.StatusCode, body)
			}
		}
		for target, part := range map[string]string{"refused.good.test:443": "status 407", "direct.test:443": "couldn't connect to direct.test:443"} {
			response, body := exchange(t, dial(), "CONNECT "+target+" HTTP/1.1\r\n\r\n")
			if response.StatusCode != http.StatusBadGateway || !strings.Contains(body, part) || strings.Contains(body, "pass") || strings.Contains(body, "127.0.0.1") {
				t.Errorf("%s: got %d, %q", target, response.StatusCode, body)
			}
		}
		if want := []string{"GET http://www.good.test/", "CONNECT www.good.test:443", "CONNECT refused.good.test:443"}; !slices.Equal(user.requests(), want) {
			t.Errorf("the user's proxy was asked for %q, want %q", user.requests(), want)
		}
		for _, got := range user.auth {
			if got != basic {
				t.Errorf("the user's proxy received %q, want %q", got, basic)
			}
		}
	}
}

// TestUpstream_EarlyDataAndLimit checks that the client receives data that the user's proxy sends along with its
// response. If that response is missing, never ends, isn't HTTP or has a status other than 200, the client gets an
// error.
func TestUpstream_EarlyDataAndLimit(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		status int
		data   string
	}{
		"early data":  {"HTTP/1.1 200 OK\r\n\r\nhello", 200, "hello"},
		"no end":      {"HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", 20<<10), 502, ""},
		"no HTTP":     {"SSH-2.0-x\r\n\r\n", 502, ""},
		"closes":      {"", 502, ""},
		"other reply": {"HTTP/1.1 204 No Content\r\n\r\n", 502, ""},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = http.ReadRequest(bufio.NewReader(conn))
			_, _ = io.WriteString(conn, c.answer)
			_ = conn.Close()
		}()
		_, dial := serve(t, Config{Allow: allowing("good.test"), Env: []string{"HTTPS_PROXY=http://" + l.Addr().String()}}, defaultLimits)
		conn := dial()
		from := bufio.NewReader(conn)
		raw := "CONNECT good.test:443 HTTP/1.1\r\n\r\n"
		if _, err := io.WriteString(conn, raw); err != nil {
			t.Fatal(err)
		}
		response, _ := receive(t, conn, from, raw)
		var rest []byte
		if response.StatusCode == http.StatusOK {
			rest, err = io.ReadAll(from)
		}
		if response.StatusCode != c.status || string(rest) != c.data || err != nil {
			t.Errorf("%s: got %d, %q, %v", name, response.StatusCode, rest, err)
		}
		_ = l.Close()
		<-done
	}
}

func TestUpstream_SOCKSByName(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	asked := make(chan string, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			asked <- err.Error()
			return
		}
		defer func() { _ = conn.Close() }()
		from := bufio.NewReader(conn)
		next := func(n int) []byte {
			b := make([]byte, n)
			_, _ = io.ReadFull(from, b)
			return b
		}
		next(int(next(2)[1]))
		_, _ = conn.Write([]byte{5, 2})
		next(1)
		name := string(next(int(next(1)[0])))
		password := string(next(int(next(1)[0])))
		_, _ = conn.Write([]byte{1, 0})
		kind := next(4)[3]
		host := string(next(int(next(1)[0])))
		next(2)
		asked <- fmt.Sprintf("%s:%s@%d %s", name, password, kind, host)
		_, _ = conn.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
		_, _ = io.Copy(io.Discard, from)
	}()
	_, dial := serve(t, Config{Allow: allowing("good.test"), Env: []string{"ALL_PROXY=socks5://me:pw@" + l.Addr().String()}}, defaultLimits)
	conn := dial()
	if response, body := exchange(t, conn, "CONNECT good.test:443 HTTP/1.1\r\n\r\n"); response.StatusCode != http.StatusOK {
		t.Errorf("got %d, %q", response.StatusCode, body)
	}
	if got := <-asked; got != "me:pw@3 good.test" {
		t.Errorf("got %q", got)
	}
	_ = conn.Close()
}

func TestLimits_ConnectionsHeadersAndIdle(t *testing.T) {
	web := newOrigin(t)
	lim := defaultLimits
	lim.conns, lim.readHeader, lim.idle = 2, 100*time.Millisecond, 100*time.Millisecond
	s, dial := serve(t, Config{Ports: []int{web.port}, Allow: allowing()}, lim)
	slow := dial()
	if _, err := io.WriteString(slow, "GET http://a.test/ HTTP/1.1\r\nHost:"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(slow); err != nil {
		t.Errorf("headers without end: %v", err)
	}
	empty := func() { // waits until no connection is counted
		for n := 1; n > 0; {
			s.mu.Lock()
			n = len(s.conns)
			s.mu.Unlock()
		}
	}
	empty()
	first, second := dial(), dial()
	for _, conn := range []net.Conn{first, second} {
		if response, _ := exchange(t, conn, "CONNECT "+at("localhost", web.port)+" HTTP/1.1\r\n\r\n"); response.StatusCode != http.StatusOK {
			t.Errorf("got %d", response.StatusCode)
		}
	}
	if response, body := exchange(t, dial(), "GET http://a.test/ HTTP/1.1\r\nHost: a\r\n\r\n"); response.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, "too many") {
		t.Errorf("third connection: got %d, %q", response.StatusCode, body)
	}
	blockedList(t, dial())
	if _, err := io.ReadAll(first); err != nil {
		t.Errorf("idle tunnel: %v", err)
	}
	if _, err := io.ReadAll(second); err != nil {
		t.Errorf("idle tunnel: %v", err)
	}
	empty()
	if response, _ := exchange(t, dial(), "GET http://"+at("localhost", web.port)+"/ HTTP/1.1\r\nHost: a\r\n\r\n"); response.StatusCode != http.StatusOK {
		t.Errorf("after idle tunnels: got %d", response.StatusCode)
	}
}

// TestClose_EndsEverything checks that Close ends open tunnels, unanswered requests and questions. TestMain checks that
// no goroutine is left.
func TestClose_EndsEverything(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	port := portOf(t, silent)
	asked := make(chan bool)
	s, dial := serve(t, Config{Ports: []int{port}, Allow: func(ctx context.Context, _ string, _ int) Answer {
		asked <- true
		<-ctx.Done()
		return AllowPrivate
	}}, defaultLimits)
	tunnel, plain, question := dial(), dial(), dial()
	if response, _ := exchange(t, tunnel, "CONNECT "+at("127.0.0.1", port)+" HTTP/1.1\r\n\r\n"); response.StatusCode != http.StatusOK {
		t.Fatalf("got %d", response.StatusCode)
	}
	if _, err := io.WriteString(plain, "GET http://"+at("127.0.0.1", port)+"/ HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		conn, err := silent.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
	}
	if _, err := io.WriteString(question, "CONNECT a.test:443 HTTP/1.1\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	<-asked
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, conn := range []net.Conn{tunnel, plain, question} {
		if rest, err := io.ReadAll(conn); len(rest) > 0 && strings.Contains(string(rest), " 200 ") {
			t.Errorf("got %q, %v", rest, err)
		}
	}
	if len(s.conns) > 0 || len(s.asks) > 0 {
		t.Errorf("left: %d connections, %d questions", len(s.conns), len(s.asks))
	}
}
