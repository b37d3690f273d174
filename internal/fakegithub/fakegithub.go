// Package fakegithub is a GitHub that does as it is told: the sign-in by code,
// the renewal of tokens, the question whose a token is, and all that goes wrong
// with them. Tests run it in their own process, the end-to-end tests as a
// program (cmd).
//
// It is strict: what a client may not do to the real one (a request that it does
// not have, polls that come too early, a token where none belongs) is answered
// as GitHub would and remembered, and Close returns it as an error.
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

// ClientID is the one that sign-ins by code may use.
const ClientID = "Ov23fakefakefakefake"

// User is somebody with an account.
type User struct {
	Login string `json:"login"`
	Name  string `json:"name,omitempty"`
	// ExpiresAt is when the user's token ends, as GitHub tells; zero is not told.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	// Picture is what the address of the avatar answers; nil is a small PNG.
	Picture []byte `json:"picture,omitempty"`
}

// Trouble is what is wrong with GitHub, or with the way to it.
type Trouble string

// Troubles. They last until the next one is set.
const (
	None      Trouble = ""
	Cut       Trouble = "cut"       // connections are dropped
	Limited   Trouble = "limited"   // 403, with the marks of a rate limit
	TooMany   Trouble = "too_many"  // 429
	Forbidden Trouble = "forbidden" // 403: the account is suspended
	Broken    Trouble = "broken"    // 502, with a page
	Failing   Trouble = "failing"   // 503, with an error in JSON
	Captive   Trouble = "captive"   // 200 with the page of a hotel's network
	Proxy     Trouble = "proxy"     // 401 by something in between
	Elsewhere Trouble = "elsewhere" // a redirect to another host
	Garbage   Trouble = "garbage"   // 200 with half of the JSON
	Slow      Trouble = "slow"      // no answer until the client gives up
)

// Approval is what a code comes to once the user has typed it.
type Approval struct {
	User User `json:"user"`
	// Token is what is given; "" makes one up.
	Token string `json:"token,omitempty"`
	// ExpiresIn gives a token that ends, in seconds, with one to renew it.
	ExpiresIn int `json:"expiresIn,omitempty"`
}

// Request is one that came in.
type Request struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Status int    `json:"status"` // 0 where it was dropped
}

// Server is a GitHub. Its methods can be used from several goroutines.
type Server struct {
	URL string // of a server that listens; else that of nowhere

	listener net.Listener
	http     *http.Server
	served   chan struct{}

	mu         sync.Mutex
	users      map[string]User   // by token
	refreshes  map[string]string // refresh token → the token that it renews
	codes      map[string]*code  // by device code
	trouble    Trouble
	troubled   []string // the ends of the paths that it is about; none are all
	hold       *Hold
	interval   time.Duration
	lasts      time.Duration
	slowDowns  int
	made       int
	requests   []Request
	unexpected []string
}

// New returns a GitHub that is reached by its Client only.
func New() *Server {
	return &Server{
		URL:   "http://github.invalid",
		users: map[string]User{}, refreshes: map[string]string{}, codes: map[string]*code{},
		interval: 5 * time.Second, lasts: 15 * time.Minute,
	}
}

// Start returns a GitHub that listens on a loopback address.
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

// Close ends the server. It returns what clients did that they may not do.
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

// Base is for auth.Config: the addresses of this GitHub, whatever the host.
func (s *Server) Base(string) (web, api string) { return s.URL, s.URL + "/api/v3" }

// Grant makes token one of user's.
func (s *Server) Grant(token string, user User) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users[token] = user
}

// Revoke makes a token nobody's, and with it what could renew it; "" revokes all
// there are.
func (s *Server) Revoke(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for old := range s.users {
		if token == "" || token == old {
			s.end(old)
		}
	}
}

// End makes a token nobody's that can still be renewed.
func (s *Server) End(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	user := s.users[token]
	delete(s.users, token)
	s.users[ended+token] = user
}

// ended marks a token that is only good to say whose the renewed one is.
const ended = "ended "

func (s *Server) end(token string) {
	delete(s.users, token)
	for refresh, of := range s.refreshes {
		if ended+of == token || of == token {
			delete(s.refreshes, refresh)
		}
	}
}

// Renewable returns a token that renews another one.
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

// Set puts GitHub into trouble, or out of it. Where paths are given, it is only
// requests whose path ends like one of them.
func (s *Server) Set(t Trouble, paths ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble, s.troubled = t, paths
}

// troubleAt is what is wrong with a path.
func (s *Server) troubleAt(path string) Trouble {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !isAmong(path, s.troubled) {
		return None
	}
	return s.trouble
}

// isAmong says whether a path ends like one of these; none are all.
func isAmong(path string, ends []string) bool {
	return len(ends) == 0 || slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(path, end) })
}

// Hold is a stop for requests.
type Hold struct {
	Arrived chan Request // each request as it comes in
	paths   []string
	over    chan struct{}
	once    sync.Once
}

// Release lets the requests go on that were held, and those to come.
func (h *Hold) Release() { h.once.Do(func() { close(h.over) }) }

// Hold has requests wait from now on, until they are released. Where paths are
// given, it is only those whose path ends like one of them.
func (s *Server) Hold(paths ...string) *Hold {
	h := &Hold{Arrived: make(chan Request, 100), paths: paths, over: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hold = h
	return h
}

// Requests are those that came in so far whose path ends like this.
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

// Unexpected is what clients did that they may not do.
func (s *Server) Unexpected() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.unexpected...)
}
