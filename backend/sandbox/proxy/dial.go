package proxy

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"time"

	"github.com/voxpilot/voxpilot/internal/hostname"
)

// loopbacks are the addresses of localhost.
var loopbacks = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}

// open decides whether the request r may connect to a host and port and, if so, opens the connection. If upstream isn't
// nil, it is the URL of the user's proxy. conn then leads to this proxy, and the request itself must be sent to it. The
// error is a Blocked if the connection isn't allowed.
func (s *Server) open(r *http.Request, host string, port int) (conn net.Conn, upstream *url.URL, err error) {
	listed := slices.Contains(s.cfg.Ports, port)
	addr, err := netip.ParseAddr(host)
	literal := err == nil
	kind := public
	if literal {
		kind = classify(addr, ownAddresses())
	}
	switch {
	case kind == never:
		return nil, nil, s.block(host, port, ByAddress)
	case isLocalhost(host) || kind == local:
		if !listed {
			return nil, nil, s.block(host, port, ByPort)
		}
		addrs := loopbacks
		if literal {
			addrs = []netip.Addr{addr}
		}
		ctx, cancel := context.WithTimeout(r.Context(), s.limits.dial)
		defer cancel()
		conn, err = dialFirst(ctx, addrs, port)
		return conn, nil, err
	}
	answer, err := s.ask(r, host, port)
	if err != nil {
		return nil, nil, err
	}
	if answer == Refuse {
		return nil, nil, s.block(host, port, BySite)
	}
	if kind == private && answer != AllowPrivate {
		return nil, nil, s.block(host, port, ByPrivate)
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.limits.dial)
	defer cancel()
	tunnel := r.Method == http.MethodConnect
	if proxy := s.proxyFor(host, port, tunnel); proxy != nil {
		s.unblock(host, port)
		return s.openUpstream(ctx, proxy, host, port, tunnel)
	}
	addrs := []netip.Addr{addr}
	if !literal {
		if addrs, err = s.resolve(ctx, host, port, answer, listed); err != nil {
			return nil, nil, err
		}
	}
	s.unblock(host, port)
	conn, err = dialFirst(ctx, addrs, port)
	return conn, nil, err
}

// resolve resolves a name and returns those of its addresses that are allowed. The error is a Blocked if there are
// none.
func (s *Server) resolve(ctx context.Context, host string, port int, answer Answer, listed bool) ([]netip.Addr, error) {
	addrs, err := s.lookup(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	return s.pass(addrs, ownAddresses(), host, port, answer, listed)
}

// pass returns those of a host's addresses that the sandbox may reach. The error is a Blocked if there are none. own
// holds the addresses of this computer. listed is true if the port is in Config.Ports.
func (s *Server) pass(addrs, own []netip.Addr, host string, port int, answer Answer, listed bool) ([]netip.Addr, error) {
	why := ByAddress
	var passed []netip.Addr
	for _, a := range addrs {
		switch classify(a, own) {
		case public:
			passed = append(passed, a.Unmap())
		case private:
			if answer == AllowPrivate {
				passed = append(passed, a.Unmap())
			} else {
				why = ByPrivate
			}
		case local:
			if listed {
				passed = append(passed, a.Unmap())
			} else if why == ByAddress {
				why = ByPort
			}
		case never:
		}
	}
	if len(passed) == 0 {
		return nil, s.block(host, port, why)
	}
	return passed, nil
}

// dialFirst tries the addresses in order and returns the first connection that succeeds. If ctx has a deadline, each
// attempt gets an equal share of the remaining time.
func dialFirst(ctx context.Context, addrs []netip.Addr, port int) (net.Conn, error) {
	var failed error
	for i, addr := range addrs {
		share := ctx
		cancel := context.CancelFunc(func() {})
		if end, has := ctx.Deadline(); has {
			share, cancel = context.WithTimeout(ctx, time.Until(end)/time.Duration(len(addrs)-i))
		}
		conn, err := (&net.Dialer{}).DialContext(share, "tcp", hostname.Join(addr.String(), port))
		cancel()
		if err == nil {
			return conn, nil
		}
		failed = errors.Join(failed, err)
	}
	return nil, failed
}
