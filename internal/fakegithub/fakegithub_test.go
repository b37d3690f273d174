package fakegithub_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/internal/fakegithub"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func send(t *testing.T, c *http.Client, method, address string, form url.Values, change func(*http.Request)) (int, map[string]any) {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("User-Agent", "test")
	req.Header.Set("Accept", "application/json")
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if change != nil {
		change(req)
	}
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var body map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, body
}

func TestClose_ReportsInvalidRequests(t *testing.T) {
	for what, do := range map[string]func(c *http.Client, s *fakegithub.Server){
		"DELETE /user":    func(c *http.Client, s *fakegithub.Server) { send(t, c, http.MethodDelete, s.URL+"/user", nil, nil) },
		"GET /user/repos": func(c *http.Client, s *fakegithub.Server) { send(t, c, http.MethodGet, s.URL+"/user/repos", nil, nil) },
		"a query for /user": func(c *http.Client, s *fakegithub.Server) {
			send(t, c, http.MethodGet, s.URL+"/user?access_token=x", nil, nil)
		},
		"a token for /login/device": func(c *http.Client, s *fakegithub.Server) {
			send(t, c, http.MethodPost, s.URL+"/login/device/code", nil, func(r *http.Request) { r.Header.Set("Authorization", "Bearer x") })
		},
		"no wish for JSON": func(c *http.Client, s *fakegithub.Server) {
			send(t, c, http.MethodPost, s.URL+"/login/device/code", nil, func(r *http.Request) { r.Header.Set("Accept", "*/*") })
		},
	} {
		s := fakegithub.New()
		do(s.Client(), s)
		if err := s.Close(); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("Close says %v, want %q", err, what)
		}
	}
}

func TestPoll_EarlyOneSlowedAndReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := fakegithub.New()
		_, code := send(t, s.Client(), http.MethodPost, s.URL+"/login/device/code", url.Values{"client_id": {fakegithub.ClientID}}, nil)
		poll := func() map[string]any {
			_, body := send(t, s.Client(), http.MethodPost, s.URL+"/login/oauth/access_token", url.Values{
				"client_id": {fakegithub.ClientID}, "device_code": {fmt.Sprint(code["device_code"])},
				"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"},
			}, nil)
			return body
		}
		time.Sleep(5 * time.Second)
		if body := poll(); body["error"] != "authorization_pending" {
			t.Errorf("the answer is %v", body)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if body := poll(); body["error"] != "slow_down" || body["interval"] != 10.0 {
			t.Errorf("the answer is %v", body)
		}
		if err := s.Close(); err == nil {
			t.Error("nobody is blamed")
		}
	})
}

func TestCodes_SetForNewCodesOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := fakegithub.New()
		request := func() map[string]any {
			_, code := send(t, s.Client(), http.MethodPost, s.URL+"/login/device/code", url.Values{"client_id": {fakegithub.ClientID}}, nil)
			return code
		}
		old := request()
		s.Codes(time.Second, time.Minute)
		if code := request(); code["expires_in"] != 60.0 || code["interval"] != 1.0 {
			t.Errorf("got the new code %v", code)
		}
		time.Sleep(2 * time.Minute)
		_, body := send(t, s.Client(), http.MethodPost, s.URL+"/login/oauth/access_token", url.Values{
			"client_id": {fakegithub.ClientID}, "device_code": {fmt.Sprint(old["device_code"])},
			"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"},
		}, nil)
		if old["expires_in"] != 900.0 || body["error"] != "authorization_pending" {
			t.Errorf("got %v for the old code %v", body, old)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestProgram_TakesCommandsAndReports(t *testing.T) {
	program := filepath.Join(t.TempDir(), "fakegithub")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./cmd").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), program)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSpace(address)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	tell := func(c fakegithub.Command) (int, map[string]any) {
		body, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Post(address+"/_control", "application/json", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		var seen map[string]any
		if err := json.NewDecoder(resp.Body).Decode(&seen); err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, seen
	}
	if status, said := tell(fakegithub.Command{Do: "approve"}); status != http.StatusBadRequest {
		t.Errorf("approved without a code: %v", said)
	}
	if status, seen := tell(fakegithub.Command{Do: "grant", Token: "gho_x", User: fakegithub.User{Login: "octocat"}}); status != http.StatusOK || seen["tokens"] != 1.0 {
		t.Errorf("%d: %v", status, seen)
	}
	_, user := send(t, client, http.MethodGet, address+"/user", nil, func(r *http.Request) { r.Header.Set("Authorization", "Bearer gho_x") })
	if user["login"] != "octocat" {
		t.Errorf("the user is %v", user)
	}
	send(t, client, http.MethodGet, address+"/unheard/of", nil, nil)
	_, seen := send(t, client, http.MethodGet, address+"/_control", nil, nil)
	if text := fmt.Sprint(seen["requests"], seen["unexpected"]); strings.Count(text, "path:") != 2 || !strings.HasSuffix(text, "[GET /unheard/of]") {
		t.Errorf("it has seen %s", text)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("the program ended well although a client did what it may not do")
	}
}
