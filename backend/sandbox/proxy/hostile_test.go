package proxy

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// TestRequest_HostileRefused checks that hostile and invalid requests are never answered with success, and never make
// the proxy connect to a service on this computer.
func TestRequest_HostileRefused(t *testing.T) {
	const h = " HTTP/1.1\r\nHost: good.test\r\n"
	secret := newOrigin(t) // stands for a service on this computer whose port isn't listed
	port := strings.TrimPrefix(secret.URL, "http://127.0.0.1")
	for raw, want := range map[string]int{
		// not proxy requests
		"GET /" + h + "\r\n":                                  400,
		"GET *" + h + "\r\n":                                  400,
		"OPTIONS *" + h + "\r\n":                              400,
		"GET //good.test/" + h + "\r\n":                       400,
		"GET good.test" + h + "\r\n":                          400,
		"GET https://good.test/" + h + "\r\n":                 400,
		"GET ftp://good.test/" + h + "\r\n":                   400,
		"GET file:///etc/passwd" + h + "\r\n":                 400,
		"GET http:good.test/" + h + "\r\n":                    400,
		"GET http:/good.test/" + h + "\r\n":                   400,
		"GET http:///etc" + h + "\r\n":                        400,
		"GET http://" + h + "\r\n":                            400,
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n":                    400,
		"GET http://good.test/\r\n\r\n":                       400,
		"GET http://good.test/ HTTP/3.0\r\n\r\n":              505,
		"GET http://good.test/ HTTP/1.1\r\n\r\n":              400, // no Host
		"GET http://good.test/ x HTTP/1.1\r\nHost: a\r\n\r\n": 400,
		// requests with user names, and with characters that parsers interpret differently
		"GET http://good.test@bad.test/" + h + "\r\n":                           400,
		"GET http://good.test:80@bad.test/" + h + "\r\n":                        400,
		"GET http://user:pass@good.test/" + h + "\r\n":                          400,
		"GET http://@good.test/" + h + "\r\n":                                   400,
		"GET http://bad.test\\@good.test/" + h + "\r\n":                         400,
		"GET http://bad.test\\.good.test/" + h + "\r\n":                         400,
		"GET http://good.test#@bad.test/" + h + "\r\n":                          400,
		"GET http://bad.test%2f.good.test/" + h + "\r\n":                        400,
		"GET http://bad.test%00.good.test/" + h + "\r\n":                        400,
		"GET http://%67ood.test/" + h + "\r\n":                                  400,
		"GET http://good.test\t.bad.test/" + h + "\r\n":                         400,
		"GET http://good.test\x00.bad.test/" + h + "\r\n":                       400,
		"GET http://good.test,bad.test/" + h + "\r\n":                           400,
		"GET http://good.test;bad.test/" + h + "\r\n":                           400,
		"GET http://good.test:80:80/" + h + "\r\n":                              400,
		"GET http://good.test:/" + h + "\r\n":                                   400,
		"GET http://good.test:0/" + h + "\r\n":                                  400,
		"GET http://good.test:99999/" + h + "\r\n":                              400,
		"GET http://good.test:080/" + h + "\r\n":                                400,
		"GET http://good.test:8 0/" + h + "\r\n":                                400,
		"GET http://.good.test/" + h + "\r\n":                                   400,
		"GET http://good..test/" + h + "\r\n":                                   400,
		"GET http://-good.test/" + h + "\r\n":                                   400,
		"GET http://*.good.test/" + h + "\r\n":                                  400,
		"CONNECT good.test" + h + "\r\n":                                        400,
		"CONNECT good.test:" + h + "\r\n":                                       400,
		"CONNECT good.test:https" + h + "\r\n":                                  400,
		"CONNECT :443" + h + "\r\n":                                             400,
		"CONNECT /good.test:443" + h + "\r\n":                                   400,
		"CONNECT good.test:443/" + h + "\r\n":                                   400,
		"CONNECT good.test:443/@bad.test" + h + "\r\n":                          400,
		"CONNECT http://good.test:443" + h + "\r\n":                             400,
		"CONNECT https://good.test/" + h + "\r\n":                               400,
		"CONNECT bad.test@good.test:443" + h + "\r\n":                           400,
		"CONNECT good.test:443@bad.test:443" + h + "\r\n":                       400,
		"CONNECT good.test:443?x" + h + "\r\n":                                  400,
		"CONNECT good.test:443#x" + h + "\r\n":                                  400,
		"CONNECT good.test:443" + h + "Content-Length: 1\r\n\r\nx":              400,
		"CONNECT good.test:443" + h + "Transfer-Encoding: chunked\r\n\r\n0\r\n": 400,
		// requests for this computer, and for addresses in unusual notations
		"CONNECT 127.0.0.1" + port + h + "\r\n":                                                        403,
		"CONNECT localhost" + port + h + "\r\n":                                                        403,
		"CONNECT LOCALHOST." + port + h + "\r\n":                                                       403,
		"CONNECT x.localhost" + port + h + "\r\n":                                                      403,
		"CONNECT 127.0.0.2" + port + h + "\r\n":                                                        403,
		"CONNECT [::1]" + port + h + "\r\n":                                                            403,
		"CONNECT [0:0:0:0:0:0:0:1]" + port + h + "\r\n":                                                403,
		"CONNECT [::ffff:127.0.0.1]" + port + h + "\r\n":                                               403,
		"CONNECT [::ffff:7f00:1]" + port + h + "\r\n":                                                  403,
		"CONNECT [::127.0.0.1]" + port + h + "\r\n":                                                    403,
		"CONNECT [64:ff9b::7f00:1]" + port + h + "\r\n":                                                403,
		"CONNECT [2002:7f00:1::]" + port + h + "\r\n":                                                  403,
		"CONNECT 0.0.0.0" + port + h + "\r\n":                                                          403,
		"CONNECT 0.1.2.3" + port + h + "\r\n":                                                          403,
		"CONNECT [::]" + port + h + "\r\n":                                                             403,
		"CONNECT 169.254.169.254:80" + h + "\r\n":                                                      403,
		"CONNECT [::ffff:169.254.169.254]:80" + h + "\r\n":                                             403,
		"CONNECT [64:ff9b::a9fe:a9fe]:80" + h + "\r\n":                                                 403,
		"CONNECT [fd00:ec2::254]:80" + h + "\r\n":                                                      403,
		"CONNECT 100.100.100.200:80" + h + "\r\n":                                                      403,
		"CONNECT [fe80::1]:80" + h + "\r\n":                                                            403,
		"CONNECT [fe80::1%25lo]:80" + h + "\r\n":                                                       400,
		"CONNECT [fe80::1%lo]:80" + h + "\r\n":                                                         400,
		"CONNECT 224.0.0.1:80" + h + "\r\n":                                                            403,
		"CONNECT [ff02::1]:80" + h + "\r\n":                                                            403,
		"CONNECT 255.255.255.255:80" + h + "\r\n":                                                      403,
		"CONNECT 0x7f.1" + port + h + "\r\n":                                                           400,
		"CONNECT 127.1" + port + h + "\r\n":                                                            400,
		"CONNECT 2130706433" + port + h + "\r\n":                                                       400,
		"CONNECT 0x7f000001" + port + h + "\r\n":                                                       400,
		"CONNECT 017700000001" + port + h + "\r\n":                                                     400,
		"CONNECT 0177.0.0.1" + port + h + "\r\n":                                                       400,
		"CONNECT 127.0.0.1." + port + h + "\r\n":                                                       403,
		"CONNECT \xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1" + port + h + "\r\n":                       400,
		"CONNECT [127.0.0.1]" + port + h + "\r\n":                                                      400,
		"CONNECT 127.0.0.1%20" + port + h + "\r\n":                                                     400,
		"GET http://127.0.0.1" + port + "/" + h + "\r\n":                                               403,
		"GET http://localhost" + port + "/" + h + "\r\n":                                               403,
		"GET http://2130706433" + port + "/" + h + "\r\n":                                              400,
		"GET http://[::1]" + port + "/" + h + "\r\n":                                                   403,
		"POST http://good.test/" + h + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab":              400,
		"POST http://good.test/" + h + "Content-Length: -1\r\n\r\n":                                    400,
		"POST http://good.test/" + h + "Content-Length: 0x1\r\n\r\na":                                  400,
		"POST http://good.test/" + h + "Transfer-Encoding: xchunked\r\n\r\n":                           501,
		"POST http://good.test/" + h + "Transfer-Encoding: chunked, identity\r\n\r\n":                  501,
		"POST http://good.test/" + h + "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n": 501,
		"GET http://good.test/" + h + "Host : bad.test\r\n\r\n":                                        400,
		"GET http://good.test/" + h + "X: a\x00b\r\n\r\n":                                              400,
		"GET http://good.test/" + h + "Host\t: bad.test\r\n\r\n":                                       400,
		"GET http://good.test/ HTTP/1.1\r\nHost: a b\r\n\r\n":                                          400,
		"GET http://good.test/" + h + "X: " + strings.Repeat("a", 80<<10) + "\r\n\r\n":                 431,
		"GET http://voxpilot.sandbox/" + h + "\r\n":                                                    404,
		"GET http://voxpilot.sandbox:81/blocked" + h + "\r\n":                                          404,
		"POST http://voxpilot.sandbox/blocked" + h + "\r\n":                                            404,
		"CONNECT voxpilot.sandbox:80" + h + "\r\n":                                                     404,
		// requests for hosts that aren't allowed
		"GET http://bad.test/" + h + "\r\n":                  403,
		"GET http://good.test.bad.test/" + h + "\r\n":        403,
		"GET http://bad-good.test/" + h + "\r\n":             403,
		"GET http://bad.test/http://good.test/" + h + "\r\n": 403,
		"GET http://bad.test?@good.test/" + h + "\r\n":       403,
		"CONNECT bad.test:443" + h + "\r\n":                  403,
		"CONNECT good.test:22" + h + "\r\n":                  403,
		"CONNECT sub.good.test:443" + h + "\r\n":             403,
		"CONNECT go\xc3\xb6d.test:443" + h + "\r\n":          403,
		"CONNECT xn--gd-fka.test:443" + h + "\r\n":           403,
	} {
		var mu sync.Mutex
		var asked []string
		s, dial := serve(t, Config{Allow: func(_ context.Context, host string, port int) Answer {
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, at(host, port))
			return Refuse
		}}, defaultLimits)
		conn := dial()
		response, body := exchange(t, conn, raw)
		if response.StatusCode != want {
			t.Errorf("%.90q: got status %d, want %d: %s", raw, response.StatusCode, want, body)
		}
		if blocked := s.Blocked(); (want == http.StatusForbidden) != (len(blocked) == 1) {
			t.Errorf("%.90q: got blocks %v", raw, blocked)
		}
		if want == http.StatusForbidden && (!strings.HasPrefix(body, "VoxPilot's sandbox blocked ") ||
			!strings.HasPrefix(response.Header.Get("Content-Type"), "text/plain") || strings.Count(body, "\n") != 1) {
			t.Errorf("%.90q: got %q, want one sentence", raw, body)
		}
		mu.Lock()
		if local := strings.Contains(raw, port); len(asked) > 0 && (want != http.StatusForbidden || local) {
			t.Errorf("%.90q: asked for %v", raw, asked)
		}
		mu.Unlock()
		_ = conn.Close()
		_ = s.Close()
	}
	if got := secret.requests(); len(got) > 0 {
		t.Errorf("a service of this computer received %v", got)
	}
}

// TestRequest_HostFollowsRequestLine checks that the request received by an allowed host names that host, whatever
// other hosts the original request names.
func TestRequest_HostFollowsRequestLine(t *testing.T) {
	web := newOrigin(t)
	user := newUserProxy(t, web.Listener.Addr().String(), false)
	_, dial := serve(t, Config{Allow: allowing("good.test"), Env: user.env(t)}, defaultLimits)
	for _, c := range []struct{ raw, want string }{
		{"GET http://good.test/a?b=;c HTTP/1.1\r\nHost: bad.test\r\n\r\n", "GET good.test /a?b=;c "},
		{"GET http://GOOD.test.:80/ HTTP/1.1\r\nHost: bad.test\r\nX-Forwarded-Host: bad.test\r\n\r\n", "GET good.test / "},
		{"GET http://good.test HTTP/1.1\r\nHost: good.test\r\nProxy-Authorization: Basic eA==\r\nProxy-Connection: keep-alive\r\n\r\n", "GET good.test / "},
		{"POST http://good.test/ HTTP/1.1\r\nHost: good.test\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", "POST good.test / ab"},
		{"POST http://good.test/ HTTP/1.1\r\nHost: good.test\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab", "POST good.test / ab"},
		{"GET http://good.test/ HTTP/1.1\r\nHost: good.test\r\nX: a\r\nConnection: close, X, Host\r\n\r\n", "GET good.test / "},
		{"GET http://good.test//bad.test/%2e%2e/x HTTP/1.0\r\n\r\n", "GET good.test //bad.test/%2e%2e/x "},
	} {
		before := len(web.requests())
		response, body := exchange(t, dial(), c.raw)
		got := web.requests()
		if response.StatusCode != http.StatusOK || body != "hello from good.test" || len(got) != before+1 || got[before] != c.want {
			t.Errorf("%q: got status %d, %q, requests %q", c.raw, response.StatusCode, body, got[before:])
			continue
		}
		for _, name := range []string{"Proxy-Authorization", "Proxy-Connection", "X-Forwarded-Host", "X-Forwarded-For"} {
			if value := web.seen[before].Get(name); value != "" {
				t.Errorf("%q: the host received %s: %s", c.raw, name, value)
			}
		}
	}
}

// TestRequest_KeepAliveDecidedAgain checks that each request on a connection that stays open is decided separately.
func TestRequest_KeepAliveDecidedAgain(t *testing.T) {
	web := newOrigin(t)
	user := newUserProxy(t, web.Listener.Addr().String(), false)
	_, dial := serve(t, Config{Allow: allowing("good.test", "second.test"), Env: user.env(t)}, defaultLimits)
	conn := dial()
	from := bufio.NewReader(conn)
	send := func(raw string) int {
		if _, err := conn.Write([]byte(raw)); err != nil {
			t.Fatal(err)
		}
		response, _ := receive(t, conn, from, raw)
		return response.StatusCode
	}
	for _, c := range []struct {
		host string
		want int
	}{{"good.test", 200}, {"bad.test", 403}, {"second.test", 200}, {"127.0.0.1", 403}, {"good.test", 200}} {
		if got := send("GET http://" + c.host + "/ HTTP/1.1\r\nHost: good.test\r\n\r\n"); got != c.want {
			t.Errorf("%s: got status %d, want %d", c.host, got, c.want)
		}
	}
	// The packet contains two requests; the second is hidden behind the first one's body.
	both := "POST http://good.test/ HTTP/1.1\r\nHost: good.test\r\nContent-Length: 2\r\n\r\nabGET http://bad.test/ HTTP/1.1\r\nHost: good.test\r\n\r\n"
	if got := send(both); got != http.StatusOK {
		t.Errorf("first of two: got status %d", got)
	}
	if response, _ := receive(t, conn, from, "GET "); response.StatusCode != http.StatusForbidden {
		t.Errorf("second of two: got status %d", response.StatusCode)
	}
	for _, request := range web.requests() {
		if strings.Contains(request, "bad.test") {
			t.Errorf("a host received %q", request)
		}
	}
}

func FuzzRequest(f *testing.F) {
	for _, seed := range []string{
		"GET http://good.test/ HTTP/1.1\r\nHost: bad.test\r\n\r\n", "CONNECT good.test:443 HTTP/1.1\r\n\r\n",
		"GET http://good.test#@bad.test/ HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT [::ffff:1.2.3.4]:1 HTTP/1.0\r\n\r\n",
		"GET http://good.test:80@bad.test/ HTTP/1.1\r\nHost: x\r\n\r\n", "GET HTTP://b\xc3\xbccher.test:81?x HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
		if err != nil {
			return
		}
		host, port, err := targetOf(r)
		if err != nil {
			return
		}
		// The target is in the request line, before any path, in this or an equivalent spelling.
		line, _, _ := strings.Cut(raw, "\n")
		_, authority, _ := strings.Cut(line, " ")
		if r.Method != http.MethodConnect {
			authority = authority[len("http://"):]
		}
		if end := strings.IndexAny(authority, "/?# "); end >= 0 {
			authority = authority[:end]
		}
		wrote := strings.TrimSuffix(strings.ToLower(authority), "\r")
		ascii := strings.Trim(host, "0123456789.abcdef:") != "" && !strings.Contains(host, "xn--") && !strings.ContainsFunc(wrote, func(c rune) bool { return c >= 0x80 })
		if ascii && !strings.HasPrefix(wrote, host) || port < 1 || port > 65535 || strings.ContainsAny(wrote, "@\\%") {
			t.Fatalf("%q: got %s, %d", raw, host, port)
		}
	})
}
