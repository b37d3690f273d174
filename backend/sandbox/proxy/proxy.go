// Package proxy implements the proxy through which a sandbox reaches the network if only some sites, or some ports of
// this computer, are allowed. It is an HTTP proxy for one run. It accepts CONNECT and plain HTTP requests, and decides
// on each of them by host and port.
//
// The rules, in order:
//
//  1. A request must name its host unambiguously; otherwise, the response has status 400. The request must not contain
//     a user name, a zone, a path instead of a host, or a number that some programs read as an address, such as 0x7f.1.
//     Only the request line counts; the proxy derives the Host header that it sends from that line.
//  2. localhost, its subdomains and the addresses of this computer can be reached only at the listed ports, and Allow
//     isn't called for them. Unspecified, link-local, multicast and reserved addresses and those of cloud metadata
//     services can never be reached.
//  3. Allow decides on all other hosts. No name is resolved before that, because looking up a name sends it
//     to the name's owner.
//  4. If the user's environment names a proxy for the host, the request goes there by name. That proxy resolves
//     the name, so rules 2 and 5 can apply only to addresses in the request.
//  5. Otherwise, the proxy resolves the name once and connects only to addresses that are allowed. Addresses of rule 2
//     aren't allowed (except those of this computer, at listed ports). Private addresses are allowed only if Allow has
//     returned AllowPrivate. Callers return that for hosts that the user or a tool's configuration names exactly, such
//     as a company's registry, and not for patterns such as *.example.test: the owner of a domain could make its
//     subdomains resolve to addresses in the user's network.
//
// The proxy can't control what an allowed host does with a connection: a large provider may serve other sites from the
// same host. Nothing is logged.
package proxy

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"
)

// Answer is the decision on a host.
type Answer int

// Answers of Config.Allow.
const (
	Refuse       Answer = iota
	Allow               // allows the host if it is on the internet
	AllowPrivate        // also allows the host if it is in a private network
)

// Config holds the parameters of Start.
type Config struct {
	// Allow decides on connections to a host and port. The host is normalized (see internal/hostname). Allow may be
	// called from several goroutines at the same time, and may wait for the user. Requests for the same host and port
	// that arrive during a call share its result. ctx ends when the clients of all these requests have disconnected or
	// the server is closed; Allow must then return.
	Allow func(ctx context.Context, host string, port int) Answer
	// Ports lists the ports on this computer that the sandbox may reach.
	Ports []int
	// Env is the user's environment. Its proxy variables apply to all connections except those to this computer.
	Env []string
	// Roots holds the root certificates to trust if a proxy in Env has an https address; nil means those of the system.
	Roots *x509.CertPool
	// Blocked, if not nil, is called when a host and port are added to the list that Server.Blocked returns. It must
	// return quickly.
	Blocked func(Blocked)
}

// limits holds the limits of one server.
type limits struct {
	header     int           // bytes of a request's or response's headers
	conns      int           // simultaneous connections from the sandbox
	readHeader time.Duration // for receiving the headers of a request
	dial       time.Duration // for resolving a name and connecting
	idle       time.Duration // for a connection that transfers no data
	hangUp     time.Duration // interval between checks whether a client has disconnected
}

var defaultLimits = limits{
	header: 64 << 10, conns: 256, readHeader: 30 * time.Second,
	dial: 30 * time.Second, idle: 10 * time.Minute, hangUp: 500 * time.Millisecond,
}

// Server is a running proxy.
type Server struct {
	cfg      Config
	limits   limits
	upstream func(*url.URL) (*url.URL, error) // returns the user's proxy for a URL, or nil
	lookup   func(ctx context.Context, network, host string) ([]netip.Addr, error)
	http     *http.Server
	ctx      context.Context
	end      context.CancelFunc
	running  sync.WaitGroup // handlers, questions and the loop that accepts connections

	mu      sync.Mutex
	closed  bool
	conns   map[*clientConn]bool
	asks    map[string]*question // by host and port
	blocked []Blocked            // in the order in which they were first blocked
}

// Start starts a server that serves the connections accepted by l until Close is called. It takes ownership of l.
func Start(l net.Listener, cfg Config) *Server { return start(l, cfg, defaultLimits) }

func start(l net.Listener, cfg Config, lim limits) *Server {
	s := &Server{
		cfg: cfg, limits: lim, upstream: upstreamOf(cfg.Env), lookup: net.DefaultResolver.LookupNetIP,
		conns: map[*clientConn]bool{}, asks: map[string]*question{},
	}
	s.ctx, s.end = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler: s, MaxHeaderBytes: lim.header, ReadHeaderTimeout: lim.readHeader, IdleTimeout: lim.idle,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     log.New(io.Discard, "", 0), // entries could contain parts of requests
		BaseContext:                  func(net.Listener) context.Context { return s.ctx },
		ConnContext:                  func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) },
	}
	s.running.Go(func() { _ = s.http.Serve(&listener{l, s}) })
	return s
}

// Close closes all connections and waits until all of the server's goroutines have ended.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	conns := make([]*clientConn, 0, len(s.conns))
	for c := range s.conns {
		conns = append(conns, c)
	}
	s.mu.Unlock()
	s.end()
	err := s.http.Close()
	for _, c := range conns { // also those that http.Server no longer knows, the tunnels
		err = errors.Join(err, c.Close())
	}
	s.running.Wait()
	return err
}

// enter registers a running handler, for which Close waits. It returns false if the server is closed.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.running.Add(1)
	}
	return !s.closed
}

// listener accepts connections, limits their number and registers them with the server.
type listener struct {
	net.Listener
	s *Server
}

// Accept accepts the next connection. It marks connections above the limit as surplus, so that the client receives the
// reason why its requests are refused. Above twice the limit, it closes connections immediately.
func (l *listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &clientConn{Conn: conn, s: l.s}
		l.s.mu.Lock()
		n := len(l.s.conns)
		c.surplus = n >= l.s.limits.conns
		ok := !l.s.closed && n < 2*l.s.limits.conns
		if ok {
			l.s.conns[c] = true
		}
		l.s.mu.Unlock()
		if ok {
			return c, nil
		}
		_ = conn.Close()
	}
}

// connKey is the context key under which a request's context holds its clientConn.
type connKey struct{}

// clientConn is a connection from the sandbox.
type clientConn struct {
	net.Conn
	s       *Server
	surplus bool // the connection is above the limit; only its requests to ControlHost are served
	once    sync.Once
	err     error
}

func (c *clientConn) Close() error {
	c.once.Do(func() {
		c.err = c.Conn.Close()
		c.s.mu.Lock()
		delete(c.s.conns, c)
		c.s.mu.Unlock()
	})
	return c.err
}

func (c *clientConn) CloseWrite() error { return closeWrite(c.Conn) }
