package fakegithub

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// code is the state of one device flow.
type code struct {
	device   string
	user     string
	state    string // "pending", "approved", or the error that ends it
	approval Approval
	started  time.Time
	polled   time.Time
	interval time.Duration
	lasts    time.Duration
}

// Codes sets the polling interval and the lifetime of new codes.
func (s *Server) Codes(interval, lasts time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.interval, s.lasts = interval, lasts
}

// SlowDown makes the server answer the next n polls with "slow_down".
func (s *Server) SlowDown(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slowDowns = n
}

// Approve approves the newest code, as the user would.
func (s *Server) Approve(a Approval) error { return s.decide("approved", a) }

// Deny denies the newest code, as the user would.
func (s *Server) Deny() error { return s.decide("access_denied", Approval{}) }

// Expire makes the newest code expire.
func (s *Server) Expire() error { return s.decide("expired_token", Approval{}) }

func (s *Server) decide(state string, a Approval) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.newest()
	if c == nil || c.state != "pending" {
		return errors.New("no code is waiting for the user")
	}
	c.state, c.approval = state, a
	return nil
}

func (s *Server) newest() *code {
	var newest *code
	for _, c := range s.codes {
		if newest == nil || c.device > newest.device { // device codes are numbered
			newest = c
		}
	}
	return newest
}

// giveCode answers POST /login/device/code.
func (s *Server) giveCode(r *http.Request) (int, any) {
	if r.PostFormValue("client_id") != ClientID {
		return http.StatusNotFound, map[string]any{"error": "Not Found"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made++
	c := &code{
		device: fmt.Sprintf("device%034d", s.made), user: fmt.Sprintf("FAKE-%04d", s.made),
		state: "pending", started: time.Now(), interval: s.interval, lasts: s.lasts,
	}
	c.polled = c.started
	s.codes[c.device] = c
	return http.StatusOK, map[string]any{
		"device_code": c.device, "user_code": c.user, "verification_uri": s.URL + "/login/device",
		"expires_in": int(c.lasts.Seconds()), "interval": int(c.interval.Seconds()),
	}
}

// giveToken answers POST /login/oauth/access_token.
func (s *Server) giveToken(r *http.Request) (int, any) {
	if r.PostFormValue("client_id") != ClientID {
		return http.StatusOK, failed("incorrect_client_credentials")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.PostFormValue("grant_type") {
	case "urn:ietf:params:oauth:grant-type:device_code":
		return http.StatusOK, s.poll(r.PostFormValue("device_code"))
	case "refresh_token":
		return http.StatusOK, s.renew(r.PostFormValue("refresh_token"))
	default:
		return http.StatusOK, failed("unsupported_grant_type")
	}
}

func failed(code string) map[string]any {
	return map[string]any{"error": code, "error_description": "The fake GitHub says " + code + "."}
}

func (s *Server) poll(device string) map[string]any {
	c := s.codes[device]
	if c == nil {
		return failed("incorrect_device_code")
	}
	early := time.Since(c.polled) < c.interval
	c.polled = time.Now()
	if early {
		s.unexpected = append(s.unexpected, "a poll before its time")
	}
	if early || s.slowDowns > 0 {
		s.slowDowns = max(0, s.slowDowns-1)
		c.interval += 5 * time.Second
		answer := failed("slow_down")
		answer["interval"] = int(c.interval.Seconds())
		return answer
	}
	switch {
	case time.Since(c.started) >= c.lasts && c.state == "pending":
		return failed("expired_token")
	case c.state == "pending":
		return failed("authorization_pending")
	case c.state != "approved":
		return failed(c.state)
	}
	delete(s.codes, device)
	a := c.approval
	if a.Token == "" && a.ExpiresIn > 0 {
		a.Token = s.invent("ghu_")
	} else if a.Token == "" {
		a.Token = s.invent("gho_")
	}
	s.users[a.Token] = a.User
	return s.pair(a.Token, a.ExpiresIn)
}

func (s *Server) pair(token string, expiresIn int) map[string]any {
	answer := map[string]any{"access_token": token, "token_type": "bearer", "scope": "read:user"}
	if expiresIn > 0 {
		answer["expires_in"] = expiresIn
		answer["refresh_token"] = s.renewable(token)
		answer["refresh_token_expires_in"] = 15897600
	}
	return answer
}

// renew exchanges a refresh token for a new access token and a new refresh token. The old access token and its refresh
// tokens become invalid.
func (s *Server) renew(refresh string) map[string]any {
	old, ok := s.refreshes[refresh]
	if !ok {
		return failed("bad_refresh_token")
	}
	user, ok := s.users[old]
	if !ok {
		user = s.users[ended+old]
	}
	s.end(old)
	s.end(ended + old)
	token := s.invent("ghu_")
	s.users[token] = user
	return s.pair(token, 28800)
}
