package proxy

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/internal/hostname"
)

// Why is the reason why a connection was blocked.
type Why string

// The reasons for blocking a connection.
const (
	BySite    Why = "site"    // Config.Allow refused the host
	ByPrivate Why = "private" // the host is in a private network and isn't allowed by its exact name
	ByPort    Why = "port"    // a port on this computer that isn't listed
	ByAddress Why = "address" // an address that can never be reached
)

// Blocked is the error for a connection to a host and port that the sandbox may not reach.
type Blocked struct {
	Host string
	Port int
	Why  Why
	Text string // a sentence for the user or the agent
}

// Error returns the sentence in Text.
func (b Blocked) Error() string { return b.Text }

// maxBlocked is the maximum number of entries in Server.blocked.
const maxBlocked = 100

// Blocked returns the hosts and ports that were blocked and haven't been allowed since, in the order in which they were
// first blocked. The list has at most maxBlocked entries.
func (s *Server) Blocked() []Blocked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Blocked{}, s.blocked...)
}

// block records that a connection to a host and port was blocked, and returns the error for it. If that is a new entry
// in the list of blocked hosts, block calls Config.Blocked.
func (s *Server) block(host string, port int, why Why) Blocked {
	b := Blocked{Host: host, Port: port, Why: why, Text: "VoxPilot's sandbox blocked " + hostname.Join(host, port) + ": "}
	switch why {
	case BySite:
		b.Text += "this site isn't allowed here."
	case ByPrivate:
		b.Text += "it is in a private network, and only a site listed by its exact name may be there."
	case ByPort:
		b.Text += "this port of the computer isn't listed."
	case ByAddress:
		b.Text += "no command in the sandbox may reach its address."
	}
	s.mu.Lock()
	known := slices.ContainsFunc(s.blocked, func(old Blocked) bool { return old.Host == host && old.Port == port })
	if !known && len(s.blocked) < maxBlocked {
		s.blocked = append(s.blocked, b)
	} else {
		known = true
	}
	s.mu.Unlock()
	if !known && s.cfg.Blocked != nil {
		s.cfg.Blocked(b)
	}
	return b
}

// unblock removes the record that a host and port were blocked. It is called when a connection to them has been
// allowed.
func (s *Server) unblock(host string, port int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blocked = slices.DeleteFunc(s.blocked, func(b Blocked) bool { return b.Host == host && b.Port == port })
}

// isLocalhost reports whether a normalized name is localhost or a subdomain of it.
func isLocalhost(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// question is a running call of Config.Allow, shared by all requests that wait for its answer.
type question struct {
	waiting int // number of waiting requests; guarded by the server's mu
	end     context.CancelFunc
	done    chan struct{}
	answer  Answer // valid once done is closed
}

// errDisconnected is the error for a request if its client disconnects or the server is closed before the decision.
var errDisconnected = errors.New("the client has disconnected")

// ask returns the decision on a host and port. It returns errDisconnected if the client disconnects or the server is
// closed before the decision.
func (s *Server) ask(r *http.Request, host string, port int) (Answer, error) {
	key := hostname.Join(host, port)
	s.mu.Lock()
	q := s.asks[key]
	if q == nil && !s.closed {
		ctx, end := context.WithCancel(s.ctx)
		q = &question{end: end, done: make(chan struct{})}
		s.asks[key] = q
		s.running.Go(func() {
			defer end()
			q.answer = s.cfg.Allow(ctx, host, port)
			s.mu.Lock()
			if s.asks[key] == q {
				delete(s.asks, key)
			}
			s.mu.Unlock()
			close(q.done)
		})
	}
	if q == nil {
		s.mu.Unlock()
		return Refuse, errDisconnected
	}
	q.waiting++
	s.mu.Unlock()

	decided := s.wait(r, q.done)
	s.mu.Lock()
	q.waiting--
	if q.waiting == 0 {
		q.end()
		if s.asks[key] == q {
			delete(s.asks, key) // the next request calls Allow again
		}
	}
	s.mu.Unlock()
	if !decided || s.ctx.Err() != nil {
		return Refuse, errDisconnected
	}
	return q.answer, nil
}

// wait waits until done is closed, and returns true. If the client that sent r disconnects first, it returns false.
// net/http notices a disconnect only if it has received the request's complete body and nothing more, so wait also
// checks the connection.
func (s *Server) wait(r *http.Request, done <-chan struct{}) bool {
	conn, _ := r.Context().Value(connKey{}).(*clientConn)
	tick := time.NewTicker(s.limits.hangUp)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return true
		case <-r.Context().Done():
			return false
		case <-tick.C:
			if conn != nil && hungUp(conn.Conn) {
				return false
			}
		}
	}
}
