package fakegithub

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"
)

// Client returns a client that calls the server directly, without a network, for tests with simulated time.
func (s *Server) Client() *http.Client {
	return &http.Client{Transport: direct{s}, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

type direct struct{ s *Server }

var errCut = errors.New("connection reset by the fake GitHub")

func (d direct) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	defer func() {
		switch p := recover(); p {
		case nil:
		case http.ErrAbortHandler:
			resp, err = nil, errCut
		default:
			panic(p)
		}
		if r.Context().Err() != nil {
			resp, err = nil, r.Context().Err()
		}
	}()
	w := httptest.NewRecorder()
	d.s.ServeHTTP(w, r)
	return w.Result(), nil
}

// ServeHTTP answers requests as GitHub would.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == controlPath {
		s.control(w, r)
		return
	}
	_ = r.ParseForm() // net/http notices that the client disconnects only once the whole body is read
	request := Request{Method: r.Method, Path: r.URL.Path}
	s.mu.Lock()
	hold := s.hold
	at := len(s.requests)
	s.requests = append(s.requests, request)
	s.mu.Unlock()
	if hold != nil && isAmong(request.Path, hold.paths) {
		hold.Arrived <- request
		select {
		case <-hold.over:
		case <-r.Context().Done():
		}
	}
	status := s.answer(w, r, s.troubleAt(r.URL.Path))
	s.mu.Lock()
	s.requests[at].Status = status
	s.mu.Unlock()
}

// answer writes the response and returns its status.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, trouble Trouble) int {
	if trouble != None {
		return s.inTrouble(w, r, trouble)
	}
	s.strict(r)
	route := r.Method + " " + strings.TrimPrefix(r.URL.Path, "/api/v3")
	switch {
	case route == "POST /login/device/code":
		status, body := s.giveCode(r)
		return reply(w, status, body)
	case route == "POST /login/oauth/access_token":
		status, body := s.giveToken(r)
		return reply(w, status, body)
	case route == "GET /user":
		return s.user(w, r)
	case strings.HasPrefix(route, "GET /avatars/"):
		return s.picture(w, r)
	case route == "GET /login/device":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintln(w, "<!doctype html><title>Type the code</title>")
		return http.StatusOK
	}
	s.blame("%s %s", r.Method, r.URL.Path)
	return reply(w, http.StatusNotFound, map[string]any{"message": "Not Found"})
}

// strict records requests that the real GitHub rejects or that no well-behaved client sends.
func (s *Server) strict(r *http.Request) {
	api := strings.HasSuffix(r.URL.Path, "/user")
	switch {
	case r.Header.Get("User-Agent") == "":
		s.blame("no User-Agent for %s", r.URL.Path)
	case r.Header.Get("Authorization") != "" && !api:
		s.blame("a token for %s, which needs none", r.URL.Path)
	case r.URL.RawQuery != "":
		s.blame("a query for %s", r.URL.Path)
	case r.Method == http.MethodPost && r.Header.Get("Accept") != "application/json":
		s.blame("no wish for JSON from %s", r.URL.Path)
	}
}

func (s *Server) blame(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unexpected = append(s.unexpected, fmt.Sprintf(format, args...))
}

func reply(w http.ResponseWriter, status int, body any) int {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-GitHub-Request-Id", "FAKE:1234:5678")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
	return status
}

// user answers GET /user.
func (s *Server) user(w http.ResponseWriter, r *http.Request) int {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	s.mu.Lock()
	user, ok := s.users[token]
	s.mu.Unlock()
	switch {
	case token == "":
		return reply(w, http.StatusUnauthorized, map[string]any{"message": "Requires authentication", "status": "401"})
	case !ok || strings.HasPrefix(token, ended):
		return reply(w, http.StatusUnauthorized, map[string]any{"message": "Bad credentials", "status": "401"})
	}
	if !user.ExpiresAt.IsZero() {
		w.Header().Set("GitHub-Authentication-Token-Expiration", user.ExpiresAt.UTC().Format("2006-01-02 15:04:05 MST"))
	}
	return reply(w, http.StatusOK, map[string]any{
		"login": user.Login, "name": user.Name, "id": 1, "avatar_url": s.URL + "/avatars/" + user.Login,
	})
}

// dot is a one-pixel PNG image.
var dot, _ = base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")

func (s *Server) picture(w http.ResponseWriter, r *http.Request) int {
	login := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	body := dot
	s.mu.Lock()
	for _, user := range s.users {
		if user.Login == login && user.Picture != nil {
			body = user.Picture
		}
	}
	s.mu.Unlock()
	w.Header().Set("Content-Type", "image/png")
	_, _ = w.Write(body)
	return http.StatusOK
}

func (s *Server) inTrouble(w http.ResponseWriter, r *http.Request, trouble Trouble) int {
	switch trouble {
	case Limited:
		w.Header().Set("X-RateLimit-Remaining", "0")
		w.Header().Set("X-RateLimit-Reset", fmt.Sprint(time.Now().Add(time.Hour).Unix()))
		return reply(w, http.StatusForbidden, map[string]any{"message": "API rate limit exceeded for user ID 1."})
	case TooMany:
		return reply(w, http.StatusTooManyRequests, map[string]any{"message": "You have exceeded a secondary limit."})
	case Forbidden:
		return reply(w, http.StatusForbidden, map[string]any{"message": "Sorry. Your account was suspended"})
	case Broken:
		return page(w, http.StatusBadGateway, "Unicorn!")
	case Failing:
		return reply(w, http.StatusServiceUnavailable, map[string]any{"message": "We are having trouble.", "error": "server_error"})
	case Captive:
		return page(w, http.StatusOK, "Welcome to our hotel. Type your room number.")
	case Proxy:
		return page(w, http.StatusUnauthorized, "Who goes there?")
	case Redirect:
		w.Header().Set("Location", "http://elsewhere.invalid/user")
		return page(w, http.StatusFound, "Over there.")
	case Garbage:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"login":"octo`)
		return http.StatusOK
	case Slow:
		<-r.Context().Done()
		return 0
	case Cut, None:
	}
	panic(http.ErrAbortHandler)
}

func page(w http.ResponseWriter, status int, text string) int {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<!doctype html><title>%[1]s</title><p>%[1]s", text)
	return status
}

// controlPath is the URL path through which another process controls the server (POST) and reads its state (GET).
const controlPath = "/_control"

// Command is an instruction from another process.
type Command struct {
	// Do is one of approve, deny, expire, slow_down, grant, revoke, end, trouble and codes.
	Do       string   `json:"do"`
	Approval Approval `json:"approval"`           // for approve
	Token    string   `json:"token,omitempty"`    // for grant, end, and revoke, for which "" means all
	User     User     `json:"user"`               // for grant
	Trouble  Trouble  `json:"trouble,omitempty"`  // for trouble; "" ends it
	Paths    []string `json:"paths,omitempty"`    // for trouble: the affected path suffixes
	Times    int      `json:"times,omitempty"`    // for slow_down
	Interval int      `json:"interval,omitempty"` // for codes, in seconds
	Lasts    int      `json:"lasts,omitempty"`    // for codes, in seconds
}

// Report is the response to a GET request to the control path.
type Report struct {
	Requests   []Request `json:"requests"`
	Unexpected []string  `json:"unexpected"`
	Code       string    `json:"code,omitempty"` // user code of the newest device flow, if it is pending
	Tokens     int       `json:"tokens"`         // number of valid tokens
}

func (s *Server) control(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		reply(w, http.StatusOK, s.report())
		return
	}
	var c Command
	err := json.NewDecoder(r.Body).Decode(&c)
	if err == nil {
		err = s.obey(c)
	}
	if err != nil {
		reply(w, http.StatusBadRequest, map[string]any{"message": err.Error()})
		return
	}
	reply(w, http.StatusOK, s.report())
}

func (s *Server) report() Report {
	requests, unexpected := s.Requests(""), s.Unexpected()
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := Report{Requests: requests, Unexpected: unexpected}
	for token := range s.users {
		if !strings.HasPrefix(token, ended) {
			seen.Tokens++
		}
	}
	if c := s.newest(); c != nil && c.state == "pending" {
		seen.Code = c.user
	}
	return seen
}

func (s *Server) obey(c Command) error {
	switch c.Do {
	case "approve":
		return s.Approve(c.Approval)
	case "deny":
		return s.Deny()
	case "expire":
		return s.Expire()
	case "slow_down":
		s.SlowDown(c.Times)
	case "grant":
		s.Grant(c.Token, c.User)
	case "revoke":
		s.Revoke(c.Token)
	case "end":
		s.End(c.Token)
	case "trouble":
		s.Set(c.Trouble, c.Paths...)
	case "codes":
		s.Codes(time.Duration(c.Interval)*time.Second, time.Duration(c.Lasts)*time.Second)
	default:
		return fmt.Errorf("unknown command %q", c.Do)
	}
	return nil
}
