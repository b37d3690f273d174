package proxy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"

	"github.com/voxpilot/voxpilot/internal/hostname"
)

// ControlHost is the host name under which the proxy itself responds to programs in the sandbox. A GET request for
// http://voxpilot.sandbox/blocked returns a JSON array with the blocked hosts and ports ("host:port").
const ControlHost = "voxpilot.sandbox"

// errRequest is the error for a request whose target is invalid or ambiguous.
var errRequest = errors.New("VoxPilot's sandbox blocked a request: its address isn't a plain host name with a valid port")

// targetOf returns the host and port that a request names. It parses the request line as it was sent, and returns an
// error if net/http interpreted the line differently.
func targetOf(r *http.Request) (host string, port int, err error) {
	if r.Method == http.MethodConnect {
		if r.ContentLength != 0 || len(r.TransferEncoding) > 0 {
			return "", 0, errRequest
		}
		if host, port, err = hostname.Parse(r.RequestURI, 0); err != nil {
			return "", 0, errRequest
		}
		return host, port, nil
	}
	const scheme = "http://"
	if len(r.RequestURI) < len(scheme) || !strings.EqualFold(r.RequestURI[:len(scheme)], scheme) {
		return "", 0, errRequest
	}
	authority := r.RequestURI[len(scheme):]
	if i := strings.IndexAny(authority, "/?#"); i >= 0 {
		authority = authority[:i]
	}
	host, port, err = hostname.Parse(authority, 80)
	if err != nil || r.URL.User != nil || r.URL.Scheme != "http" {
		return "", 0, errRequest
	}
	if sameHost, samePort, err := hostname.Parse(r.URL.Host, 80); err != nil || sameHost != host || samePort != port {
		return "", 0, errRequest
	}
	return host, port, nil
}

// ServeHTTP decides on a request and, if it is allowed, forwards it or opens a tunnel.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		panic(http.ErrAbortHandler) // net/http would send status 200
	}
	defer s.running.Done()
	host, port, err := targetOf(r)
	if err != nil {
		w.Header().Set("Connection", "close")
		reply(w, http.StatusBadRequest, err.Error())
		return
	}
	if host == ControlHost {
		s.serveControl(w, r, port)
		return
	}
	if c, ok := r.Context().Value(connKey{}).(*clientConn); ok && c.surplus {
		w.Header().Set("Connection", "close")
		reply(w, http.StatusServiceUnavailable, "VoxPilot's sandbox blocked "+hostname.Join(host, port)+": too many connections are open")
		return
	}
	conn, upstream, err := s.open(r, host, port)
	if err != nil {
		var blocked Blocked
		switch {
		case errors.As(err, &blocked):
			reply(w, http.StatusForbidden, blocked.Text)
		case r.Context().Err() != nil || errors.Is(err, errDisconnected):
			panic(http.ErrAbortHandler)
		default:
			reply(w, http.StatusBadGateway, "VoxPilot's sandbox couldn't connect to "+hostname.Join(host, port)+": "+reason(err))
		}
		return
	}
	defer func() { _ = conn.Close() }()
	if r.Method == http.MethodConnect {
		s.tunnel(w, conn)
		return
	}
	s.forward(w, r, hostname.Join(host, port), conn, upstream)
}

// reply sends a response that consists of one sentence.
func reply(w http.ResponseWriter, status int, text string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, strings.TrimSuffix(text, ".")+".\n")
}

// serveControl responds to requests for ControlHost.
func (s *Server) serveControl(w http.ResponseWriter, r *http.Request, port int) {
	if r.Method != http.MethodGet || port != 80 || r.URL.Path != "/blocked" {
		reply(w, http.StatusNotFound, "VoxPilot's sandbox has no such address")
		return
	}
	sites := []string{}
	for _, b := range s.Blocked() {
		sites = append(sites, hostname.Join(b.Host, b.Port))
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(sites)
}

// tunnel connects the client of a CONNECT request with conn until both have ended.
func (s *Server) tunnel(w http.ResponseWriter, conn net.Conn) {
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer func() { _ = client.Close() }()
	early, err := buffered.Peek(buffered.Reader.Buffered())
	if err != nil {
		return
	}
	if _, err := io.WriteString(client, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	if _, err := conn.Write(early); err != nil {
		return
	}
	pipe(s.ctx, client, conn, s.limits.idle)
}

// forward sends a request other than CONNECT over conn, and passes the response to the client. conn leads to the host
// and port in authority or, if upstream isn't nil, to the proxy with that URL. Each connection carries only one
// request, so that each request is decided separately.
func (s *Server) forward(w http.ResponseWriter, r *http.Request, authority string, conn net.Conn, upstream *url.URL) {
	transport := &http.Transport{
		DialContext:       once(&idleConn{conn, s.limits.idle}),
		DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: int64(s.limits.header),
	}
	if upstream != nil {
		transport.Proxy = func(*http.Request) (*url.URL, error) { return upstream, nil }
	}
	proxy := httputil.ReverseProxy{
		Transport: transport, FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0), // entries could contain parts of requests
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Scheme, p.Out.URL.Host = "http", strings.TrimSuffix(authority, ":80")
			p.Out.URL.RawQuery = p.In.URL.RawQuery
			p.Out.Host = p.Out.URL.Host
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() != nil {
				panic(http.ErrAbortHandler)
			}
			reply(w, http.StatusBadGateway, "VoxPilot's sandbox got no answer from "+authority+": "+reason(err))
		},
	}
	proxy.ServeHTTP(w, r)
}

// reason returns a short description of an error, without the addresses that it contains.
func reason(err error) string {
	var dns *net.DNSError
	var status upstreamError
	var wait interface{ Timeout() bool }
	switch {
	case errors.As(err, &status):
		return status.Error()
	case errors.As(err, &dns) && dns.IsNotFound:
		return "no such host"
	case errors.As(err, &wait) && wait.Timeout():
		return "it took too long"
	case errors.As(err, &dns):
		return "couldn't look up the name"
	default:
		return "the connection failed"
	}
}

// upstreamError is the error for a connection that the user's proxy refused. Its value is the HTTP status that the
// proxy returned.
type upstreamError int

func (e upstreamError) Error() string {
	return fmt.Sprintf("your proxy answered with status %d", int(e))
}
