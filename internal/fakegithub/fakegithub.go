// Package fakegithub is a scripted GitHub: the device flow, token renewal, the user endpoint, and
// everything that can go wrong with them. Go tests run it in the test process; the end-to-end tests run it as a
// program (cmd).
//
// It is strict: requests that clients must not send to the real GitHub (such as unknown endpoints, early polls and
// unneeded tokens) are answered as GitHub would and recorded, and Close returns them as an error.
package fakegithub

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// ClientID is the only client ID that the server accepts.
const ClientID = "Ov23fakefakefakefake"

// User is a GitHub account.
type User struct {
	Login string `json:"login"`
	Name  string `json:"name,omitempty"`
	// ExpiresAt is the expiry time that GitHub reports for the user's token. If it is zero, GitHub reports none.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	// Picture is the image at the user's avatar URL. If it is nil, the server sends a small PNG.
	Picture []byte `json:"picture,omitempty"`
}

// Trouble is a fault in GitHub or in the network.
type Trouble string

// Faults. Each lasts until the next one is set.
const (
	None      Trouble = ""
	Cut       Trouble = "cut"       // connections are dropped
	Limited   Trouble = "limited"   // 403 with rate limit headers
	TooMany   Trouble = "too_many"  // 429
	Forbidden Trouble = "forbidden" // 403: the account is suspended
	Broken    Trouble = "broken"    // 502 with an HTML page
	Failing   Trouble = "failing"   // 503 with a JSON error
	Captive   Trouble = "captive"   // 200 with the page of a captive portal
	Proxy     Trouble = "proxy"     // 401 from an intermediary
	Redirect  Trouble = "elsewhere" // a redirect to another host
	Garbage   Trouble = "garbage"   // 200 with truncated JSON
	Slow      Trouble = "slow"      // no response until the client gives up
)

// Approval describes the account and token that the client gets for a code once the user has approved
// it.
type Approval struct {
	User User `json:"user"`
	// Token is the issued token. If it is "", the server generates one.
	Token string `json:"token,omitempty"`
	// ExpiresIn is the token's lifetime in seconds, as reported to the client. If it isn't 0, the client also gets a
	// refresh token.
	ExpiresIn int `json:"expiresIn,omitempty"`
}

// Request is an HTTP request that the server has received.
type Request struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Status int    `json:"status"` // HTTP status of the response; 0 if there was none
}

// Server is a fake GitHub. It is safe for concurrent use.
type Server struct {
	URL string // of a listening server; otherwise an invalid host

	listener net.Listener
	http     *http.Server
	served   chan struct{}

	mu         sync.Mutex
	users      map[string]User   // by token
	refreshes  map[string]string // refresh token → token that it renews
	codes      map[string]*code  // by device code
	trouble    Trouble
	troubled   []string // path suffixes affected by trouble; all if empty
	hold       *Hold
	interval   time.Duration
	lasts      time.Duration
	slowDowns  int
	made       int
	requests   []Request
	unexpected []string
}

// New returns a server that only its Client can reach.
func New() *Server {
	return &Server{
		URL:   "http://github.invalid",
		users: map[string]User{}, refreshes: map[string]string{}, codes: map[string]*code{},
		interval: 5 * time.Second, lasts: 15 * time.Minute,
	}
}

// Start returns a server that listens on addr, a loopback address.
func Start(addr string) (*Server, error) {
	s := New()
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", addr)
	if err != nil {
		return nil, err
	}
	s.listener, s.URL, s.served = listener, "http://"+listener.Addr().String(), make(chan struct{})
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(listener)
	}()
	return s, nil
}

// Close stops the server. It returns an error if a client misbehaved.
func (s *Server) Close() error {
	s.mu.Lock()
	held := s.hold
	s.mu.Unlock()
	if held != nil {
		held.Release()
	}
	var err error
	if s.http != nil {
		err = s.http.Close()
		<-s.served
	}
	if bad := s.Unexpected(); len(bad) > 0 {
		err = errors.Join(err, fmt.Errorf("unexpected at GitHub: %s", strings.Join(bad, "; ")))
	}
	return err
}

// Base returns the addresses of this server's website and API, for auth.Config. They are the same for every
// host.
func (s *Server) Base(string) (web, api string) { return s.URL, s.URL + "/api/v3" }

// Grant makes token a valid token for user.
func (s *Server) Grant(token string, user User) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users[token] = user
}

// Revoke invalidates a token and its refresh tokens. Revoke("") invalidates all tokens.
func (s *Server) Revoke(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for old := range s.users {
		if token == "" || token == old {
			s.end(old)
		}
	}
}

// End makes a token expire. The token can still be renewed.
func (s *Server) End(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	user := s.users[token]
	delete(s.users, token)
	s.users[ended+token] = user
}

// ended is the prefix that an expired token has in Server.users. The token stays there only so that its user can be
// found when it is renewed.
const ended = "ended "

func (s *Server) end(token string) {
	delete(s.users, token)
	for refresh, of := range s.refreshes {
		if ended+of == token || of == token {
			delete(s.refreshes, refresh)
		}
	}
}

// Renewable returns a new refresh token for the given access token.
func (s *Server) Renewable(token string) (refresh string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.renewable(token)
}

func (s *Server) renewable(token string) string {
	refresh := s.invent("ghr_")
	s.refreshes[refresh] = token
	return refresh
}

func (s *Server) invent(prefix string) string {
	s.made++
	return fmt.Sprintf("%sfake%032d", prefix, s.made)
}

// Set sets a fault, or ends the current one if t is None. If paths are given, the fault affects only
// requests whose path ends with one of them.
func (s *Server) Set(t Trouble, paths ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble, s.troubled = t, paths
}

// troubleAt returns the fault that affects requests to path, or None.
func (s *Server) troubleAt(path string) Trouble {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !isAmong(path, s.troubled) {
		return None
	}
	return s.trouble
}

// isAmong reports whether path has one of the suffixes in ends. If ends is empty, every path matches.
func isAmong(path string, ends []string) bool {
	return len(ends) == 0 || slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(path, end) })
}

// Hold delays requests until it is released.
type Hold struct {
	Arrived chan Request // receives each delayed request when it arrives
	paths   []string
	over    chan struct{}
	once    sync.Once
}

// Release lets the delayed requests continue. Later requests aren't delayed.
func (h *Hold) Release() { h.once.Do(func() { close(h.over) }) }

// Hold makes requests wait until the returned Hold is released. If paths are given, only requests whose path ends with
// one of them wait.
func (s *Server) Hold(paths ...string) *Hold {
	h := &Hold{Arrived: make(chan Request, 100), paths: paths, over: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hold = h
	return h
}

// Requests returns the requests received so far whose URL path ends with the given path.
func (s *Server) Requests(path string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var rs []Request
	for _, r := range s.requests {
		if strings.HasSuffix(r.Path, path) {
			rs = append(rs, r)
		}
	}
	return rs
}

// Unexpected returns descriptions of everything that clients have done wrong so far.
func (s *Server) Unexpected() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.unexpected...)
}
