package proxy

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestAllow_SharedAndEndsWithClients(t *testing.T) {
	lim := defaultLimits
	lim.hangUp = 5 * time.Millisecond
	asked, ended := make(chan string, 10), make(chan string, 10)
	s, dial := serve(t, Config{Allow: func(ctx context.Context, host string, _ int) Answer {
		asked <- host
		<-ctx.Done()
		ended <- host
		return Refuse
	}}, lim)
	for _, raw := range []string{
		"CONNECT a.test:443 HTTP/1.1\r\n\r\n",
		"CONNECT b.test:443 HTTP/1.1\r\n\r\nearly data",
		"GET http://c.test/ HTTP/1.1\r\nHost: c.test\r\n\r\n",
		"POST http://d.test/ HTTP/1.1\r\nHost: d.test\r\nContent-Length: 1000000\r\n\r\n" + strings.Repeat("x", 100<<10),
		"POST http://e.test/ HTTP/1.1\r\nHost: e.test\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
	} {
		first, second := dial(), dial()
		for _, conn := range []net.Conn{first, second} {
			if _, err := io.WriteString(conn, raw); err != nil {
				t.Fatal(err)
			}
		}
		host := <-asked
		for waiting := 0; waiting < 2; { // both requests wait for the same question
			s.mu.Lock()
			for _, q := range s.asks {
				waiting = q.waiting
			}
			s.mu.Unlock()
		}
		_ = first.Close()
		for waiting := 2; waiting > 1; {
			s.mu.Lock()
			for _, q := range s.asks {
				waiting = q.waiting
			}
			s.mu.Unlock()
		}
		select {
		case <-ended:
			t.Errorf("%.20q: the question ended while a client was waiting", raw)
		default:
		}
		_ = second.Close()
		select {
		case got := <-ended:
			if got != host {
				t.Errorf("%.20q: got the end of %s, want %s", raw, got, host)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%.20q: the question didn't end", raw)
		}
		select {
		case again := <-asked:
			t.Errorf("%.20q: asked again for %s", raw, again)
		default:
		}
	}
	if blocked := s.Blocked(); len(blocked) > 0 {
		t.Errorf("got blocks %v for clients that disconnected", blocked)
	}
}

func TestBlocked_ListedUntilAllowed(t *testing.T) {
	var allowed atomic.Bool
	var mu sync.Mutex
	var reported []string
	s, dial := serve(t, Config{
		Allow: func(context.Context, string, int) Answer {
			if allowed.Load() {
				return Allow
			}
			return Refuse
		},
		Blocked: func(b Blocked) {
			mu.Lock()
			defer mu.Unlock()
			reported = append(reported, at(b.Host, b.Port))
		},
	}, defaultLimits)
	s.lookup = answerWith(nil)
	if list := blockedList(t, dial()); list == nil || len(list) != 0 {
		t.Errorf("got %v, want an empty list", list)
	}
	for _, target := range []string{"a.test:443", "A.test.:443", "a.test:80", "localhost:1"} {
		exchange(t, dial(), "CONNECT "+target+" HTTP/1.1\r\n\r\n")
	}
	want := []string{"a.test:443", "a.test:80", "localhost:1"}
	if list := blockedList(t, dial()); !slices.Equal(list, want) {
		t.Errorf("a command gets %v, want %v", list, want)
	}
	if list := s.Blocked(); len(list) != 3 || list[0] != (Blocked{"a.test", 443, BySite, "VoxPilot's sandbox blocked a.test:443: this site isn't allowed here."}) || list[2].Why != ByPort {
		t.Errorf("got %v, want %v", list, want)
	}
	mu.Lock()
	if !slices.Equal(reported, want) {
		t.Errorf("reported %v, want %v", reported, want)
	}
	mu.Unlock()
	allowed.Store(true)
	response, body := exchange(t, dial(), "CONNECT a.test:443 HTTP/1.1\r\n\r\n")
	if response.StatusCode != http.StatusForbidden && response.StatusCode != http.StatusBadGateway || !strings.Contains(body, "no such host") {
		t.Errorf("got %d, %q", response.StatusCode, body)
	}
	allowed.Store(false)
	for i := range 2 * maxBlocked {
		_ = s.block("x.test", i+1, BySite)
	}
	if list := s.Blocked(); len(list) != maxBlocked {
		t.Errorf("got %d blocks, want %d", len(list), maxBlocked)
	}
}

// TestResolve_OnceAfterDecision checks that the proxy resolves a host's name only once per request, after the decision,
// and connects only to the addresses that are allowed.
func TestResolve_OnceAfterDecision(t *testing.T) {
	web := newOrigin(t)
	var allowed atomic.Bool
	var lookups atomic.Int64
	s, dial := serve(t, Config{Ports: []int{web.port}, Allow: func(context.Context, string, int) Answer {
		if allowed.Load() {
			return Allow
		}
		return Refuse
	}}, defaultLimits)
	s.lookup = func(context.Context, string, string) ([]netip.Addr, error) {
		if lookups.Add(1) > 1 { // the name's owner changes the answer
			return []netip.Addr{netip.MustParseAddr("169.254.169.254")}, nil
		}
		return []netip.Addr{netip.MustParseAddr("169.254.169.254"), netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("127.0.0.1")}, nil
	}
	raw := "GET http://" + at("rebind.test", web.port) + "/ HTTP/1.1\r\nHost: rebind.test\r\n\r\n"
	if response, _ := exchange(t, dial(), raw); response.StatusCode != http.StatusForbidden || lookups.Load() != 0 {
		t.Errorf("refused: got status %d after %d lookups, want 403 after none", response.StatusCode, lookups.Load())
	}
	allowed.Store(true)
	if response, body := exchange(t, dial(), raw); response.StatusCode != http.StatusOK || lookups.Load() != 1 || body != "hello from "+at("rebind.test", web.port) {
		t.Errorf("allowed: got status %d, %q after %d lookups, want 200 after one", response.StatusCode, body, lookups.Load())
	}
	if response, body := exchange(t, dial(), raw); response.StatusCode != http.StatusForbidden || !strings.Contains(body, "may reach its address") {
		t.Errorf("rebound: got status %d, %q", response.StatusCode, body)
	}
}

func TestPass_ByClassAndAnswer(t *testing.T) {
	s := &Server{}
	own := []netip.Addr{netip.MustParseAddr("203.0.113.9"), netip.MustParseAddr("192.168.0.9")}
	const ok = Why("")
	for _, c := range []struct {
		addrs          string
		public, anyNet Why // the expected blocks if Allow answers Allow and AllowPrivate
		listed         Why // the expected block at a listed port, if Allow answers Allow
	}{
		{"198.51.100.1", ok, ok, ok},
		{"2001:db8::1", ok, ok, ok},
		{"64:ff9b::c633:6401", ok, ok, ok},
		{"198.18.0.5", ok, ok, ok},
		{"10.0.0.1", ByPrivate, ok, ByPrivate},
		{"172.31.255.255", ByPrivate, ok, ByPrivate},
		{"172.32.0.1", ok, ok, ok},
		{"192.168.1.1", ByPrivate, ok, ByPrivate},
		{"100.64.0.1", ByPrivate, ok, ByPrivate},
		{"fd00::1", ByPrivate, ok, ByPrivate},
		{"::ffff:10.0.0.1", ByPrivate, ok, ByPrivate},
		{"64:ff9b::a00:1", ByPrivate, ok, ByPrivate},
		{"2002:a00:1::", ByPrivate, ok, ByPrivate},
		{"127.0.0.1", ByPort, ByPort, ok},
		{"::1", ByPort, ByPort, ok},
		{"::ffff:127.0.0.1", ByPort, ByPort, ok},
		{"203.0.113.9", ByPort, ByPort, ok},
		{"192.168.0.9", ByPort, ByPort, ok},
		{"0.0.0.0", ByAddress, ByAddress, ByAddress},
		{"::", ByAddress, ByAddress, ByAddress},
		{"169.254.169.254", ByAddress, ByAddress, ByAddress},
		{"fe80::1", ByAddress, ByAddress, ByAddress},
		{"fe80::1%lo", ByAddress, ByAddress, ByAddress},
		{"224.0.0.1", ByAddress, ByAddress, ByAddress},
		{"ff02::1", ByAddress, ByAddress, ByAddress},
		{"255.255.255.255", ByAddress, ByAddress, ByAddress},
		{"168.63.129.16", ByAddress, ByAddress, ByAddress},
		{"2001:0:1::1", ByAddress, ByAddress, ByAddress},
		{"::ffff:169.254.169.254", ByAddress, ByAddress, ByAddress},
		{"2002:a9fe:a9fe::", ByAddress, ByAddress, ByAddress},
		{"10.0.0.1 198.51.100.1", ok, ok, ok},
		{"169.254.0.1 10.0.0.1", ByPrivate, ok, ByPrivate},
	} {
		var addrs []netip.Addr
		for text := range strings.FieldsSeq(c.addrs) {
			addrs = append(addrs, netip.MustParseAddr(text))
		}
		check := func(answer Answer, listed bool, want Why) {
			passed, err := s.pass(addrs, own, "a.test", 443, answer, listed)
			var blocked Blocked
			errors.As(err, &blocked)
			if blocked.Why != want || (want == ok) != (len(passed) > 0) {
				t.Errorf("%s, answer %d, listed %t: got %v, %v, want %q", c.addrs, answer, listed, passed, err, want)
			}
			for _, addr := range passed {
				if kind := classify(addr, own); kind == never || kind == private && answer != AllowPrivate || kind == local && !listed {
					t.Errorf("%s, answer %d, listed %t: passed %s", c.addrs, answer, listed, addr)
				}
			}
		}
		check(Allow, false, c.public)
		check(AllowPrivate, false, c.anyNet)
		check(Allow, true, c.listed)
	}
}

// TestPrivateAddress_NeedsExactName checks that a request for a private address is blocked unless exactly this address
// is allowed, even if the connection would use the user's own proxy.
func TestPrivateAddress_NeedsExactName(t *testing.T) {
	web := newOrigin(t)
	user := newUserProxy(t, web.Listener.Addr().String(), false)
	_, dial := serve(t, Config{Env: user.env(t), Allow: func(_ context.Context, host string, _ int) Answer {
		if host == "10.1.1.1" {
			return AllowPrivate
		}
		return Allow
	}}, defaultLimits)
	for target, want := range map[string]int{"10.1.1.1:443": 200, "10.1.1.2:443": 403, "[::ffff:10.1.1.2]:443": 403, "[fd00::1]:443": 403, "127.0.0.1:443": 403} {
		if response, body := exchange(t, dial(), "CONNECT "+target+" HTTP/1.1\r\n\r\n"); response.StatusCode != want {
			t.Errorf("%s: got status %d, want %d: %s", target, response.StatusCode, want, body)
		}
	}
}
