package fakegithub

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// controlPath is where another process tells the server what to do, by POST, and
// asks what it has seen, by GET.
const controlPath = "/_control"

// Command is what another process tells the server.
type Command struct {
	// Do is one of approve, deny, expire, slow_down, grant, revoke, end, trouble,
	// codes.
	Do       string   `json:"do"`
	Approval Approval `json:"approval"`          // for approve
	Token    string   `json:"token,omitempty"`   // for grant, end, and revoke, where "" is all
	User     User     `json:"user"`              // for grant
	Trouble  Trouble  `json:"trouble,omitempty"` // for trouble; "" ends it
	Paths    []string `json:"paths,omitempty"`   // for trouble: the ends of those that it is about
	Times    int      `json:"times,omitempty"`   // for slow_down
	Interval int      `json:"interval,omitempty"`
	Lasts    int      `json:"lasts,omitempty"` // for codes, in seconds
}

// Seen is what GET of the control path answers.
type Seen struct {
	Requests   []Request `json:"requests"`
	Unexpected []string  `json:"unexpected"`
	Code       string    `json:"code,omitempty"` // the newest that waits for the user
	Tokens     int       `json:"tokens"`         // that are good
}

func (s *Server) control(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		reply(w, http.StatusOK, s.seen())
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
	reply(w, http.StatusOK, s.seen())
}

func (s *Server) seen() Seen {
	requests, unexpected := s.Requests(""), s.Unexpected()
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := Seen{Requests: requests, Unexpected: unexpected}
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
		return fmt.Errorf("nobody knows how to %q", c.Do)
	}
	return nil
}
