package practice_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/apptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestServer_TextArrivesUnchanged(t *testing.T) {
	text := "  Two  spaces,\na line, \t a tab; ünïcödé — and 日本語。\n\n"
	for _, words := range []int{0, 1, 2, 100} {
		s := start(t, apptest.Sequence(practice.Reply{practice.Text(text, practice.Pace{Words: words})}))
		chunks, whole := post(t, s, s.Key(), `{"role":"user","content":"Hi"}`)
		if whole != text {
			t.Errorf("with %d words a chunk: got %q, want %q", words, whole, text)
		}
		last := chunks[len(chunks)-1]
		if last.Get("usage.total_tokens").Int() == 0 {
			t.Errorf("the last chunk has no usage: %s", last)
		}
		if got := chunks[len(chunks)-2].Get("choices.0.finish_reason").String(); got != "stop" {
			t.Errorf("finish_reason is %q, want stop", got)
		}
		noServerErr(t, s)
	}
}

func TestServer_OneReplyCallsToolsTogether(t *testing.T) {
	s := start(t, apptest.Sequence(practice.Reply{
		practice.Text("Both."),
		practice.ToolCall("view", map[string]string{"path": "/a"}),
		practice.ToolCall("view", map[string]string{"path": "/b"}),
		practice.Usage(7, 9),
	}))
	chunks, _ := post(t, s, s.Key(), `{"role":"user","content":"Hi"}`)
	args := map[int64]string{}
	ids := map[string]bool{}
	for _, c := range chunks {
		for _, call := range c.Get("choices.0.delta.tool_calls").Array() {
			args[call.Get("index").Int()] += call.Get("function.arguments").String()
			if id := call.Get("id").String(); id != "" {
				ids[id] = true
			}
		}
	}
	if args[0] != `{"path":"/a"}` || args[1] != `{"path":"/b"}` || len(ids) != 2 {
		t.Errorf("got arguments %v and ids %v", args, ids)
	}
	last := chunks[len(chunks)-1]
	if p, c := last.Get("usage.prompt_tokens").Int(), last.Get("usage.completion_tokens").Int(); p != 7 || c != 9 {
		t.Errorf("usage is %d and %d, want 7 and 9", p, c)
	}
	if got := chunks[len(chunks)-2].Get("choices.0.finish_reason").String(); got != "tool_calls" {
		t.Errorf("finish_reason is %q, want tool_calls", got)
	}
	noServerErr(t, s)
}

func TestServer_RejectsWithoutKey(t *testing.T) {
	s := start(t, apptest.Sequence())
	for _, key := range []string{"", "wrong", s.Key() + "x"} {
		for _, url := range []string{s.URL() + "/models", s.URL() + "/chat/completions", s.URL() + "/other"} {
			res := do(t, http.MethodPost, url, key, `{"stream":true,"messages":[]}`)
			if res.StatusCode != http.StatusUnauthorized {
				t.Errorf("POST %s with key %q: status %d, want 401", url, key, res.StatusCode)
			}
		}
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d requests reached the script", n)
	}
	noServerErr(t, s)
}

func TestServer_KeysAreUnique(t *testing.T) {
	a, b := start(t, apptest.Sequence()), start(t, apptest.Sequence())
	if a.Key() == b.Key() || len(a.Key()) < 20 {
		t.Errorf("keys %q and %q", a.Key(), b.Key())
	}
}

func TestServer_ListsModel(t *testing.T) {
	s := start(t, apptest.Sequence())
	res := do(t, http.MethodGet, s.URL()+"/models", s.Key(), "")
	if id := gjson.Get(read(t, res), "data.0.id").String(); id != practice.Model {
		t.Errorf("the model's id is %q", id)
	}
}

func TestServer_ReturnsScriptedError(t *testing.T) {
	s := start(t, apptest.Sequence(practice.Reply{
		practice.HTTPError(http.StatusTooManyRequests, `{"error":{"message":"slow down"}}`, http.Header{"Retry-After": {"1"}}),
	}))
	res := do(t, http.MethodPost, s.URL()+"/chat/completions", s.Key(), `{"stream":true,"messages":[]}`)
	if res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") != "1" || !strings.Contains(read(t, res), "slow down") {
		t.Errorf("got %d %v", res.StatusCode, res.Header)
	}
	noServerErr(t, s)
}

func TestServer_CutStreamHasNoEnd(t *testing.T) {
	s := start(t, apptest.Sequence(practice.Reply{practice.Text("Half of"), practice.Cut(), practice.Text(" it")}))
	res := do(t, http.MethodPost, s.URL()+"/chat/completions", s.Key(), `{"stream":true,"messages":[]}`)
	body, err := io.ReadAll(res.Body)
	if err == nil {
		t.Error("the stream ended as if it were whole")
	}
	if !bytes.Contains(body, []byte("Half of")) || bytes.Contains(body, []byte(" it")) || bytes.Contains(body, []byte("[DONE]")) {
		t.Errorf("got %s", body)
	}
	noServerErr(t, s)
}

func TestServer_HangingReplyEndsWithClient(t *testing.T) {
	s := start(t, apptest.Sequence(practice.Reply{practice.Text("Well"), practice.Hang()}))
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL()+"/chat/completions", strings.NewReader(`{"stream":true,"messages":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.Key())
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() && !strings.Contains(lines.Text(), "Well") {
	}
	cancel()
	for lines.Scan() {
	}
	noServerErr(t, s)
}

func TestServer_CloseEndsWaitingReply(t *testing.T) {
	never := make(chan struct{})
	s := start(t, apptest.Sequence(practice.Reply{practice.Text("Well"), practice.Wait(never)}))
	res := do(t, http.MethodPost, s.URL()+"/chat/completions", s.Key(), `{"stream":true,"messages":[]}`)
	s.Close()
	if body, err := io.ReadAll(res.Body); err == nil {
		t.Errorf("the stream ended as if it were whole: %s", body)
	}
}

func TestServer_ReplyWaitsForCondition(t *testing.T) {
	fact := make(chan struct{})
	s := start(t, apptest.Sequence(practice.Reply{practice.Text("One "), practice.Wait(fact), practice.Text("two")}))
	res := do(t, http.MethodPost, s.URL()+"/chat/completions", s.Key(), `{"stream":true,"messages":[]}`)
	var seen strings.Builder
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		seen.WriteString(gjson.Get(strings.TrimPrefix(lines.Text(), "data: "), "choices.0.delta.content").String())
		if seen.String() == "One " && fact != nil {
			close(fact)
			fact = nil
		}
	}
	if seen.String() != "One two" {
		t.Errorf("got %q", seen.String())
	}
	noServerErr(t, s)
}

func TestServer_ExtraRequestReported(t *testing.T) {
	s := start(t, apptest.Sequence())
	res := do(t, http.MethodPost, s.URL()+"/chat/completions", s.Key(), `{"stream":true,"messages":[{"role":"user","content":"Surprise"}]}`)
	if res.StatusCode != http.StatusInternalServerError {
		t.Errorf("status %d, want 500", res.StatusCode)
	}
	if err := s.Err(); err == nil || !strings.Contains(err.Error(), "Surprise") {
		t.Errorf("Err is %v", err)
	}
}

func TestServer_UnusedReplyReported(t *testing.T) {
	s := start(t, apptest.Sequence(practice.Reply{practice.Text("never")}))
	if err := s.Err(); err == nil || !strings.Contains(err.Error(), "1 of 1 replies") {
		t.Errorf("Err is %v", err)
	}
}

func TestServer_UnreadableBodyRefused(t *testing.T) {
	s := start(t, apptest.Sequence())
	for _, body := range []string{"", "{", "[]", `{"messages":[]}`, `{"stream":false}`} {
		res := do(t, http.MethodPost, s.URL()+"/chat/completions", s.Key(), body)
		if res.StatusCode != http.StatusBadRequest {
			t.Errorf("%q: status %d, want 400", body, res.StatusCode)
		}
	}
	if s.Err() == nil {
		t.Error("Err tells nothing")
	}
}

func TestServer_SideRequestsUseNoReply(t *testing.T) {
	s := start(t, apptest.Sequence(practice.Reply{practice.Text("main")}))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/chat/completions", strings.NewReader(`{"stream":true,"messages":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.Key())
	req.Header.Set("X-Interaction-Type", "conversation-compaction")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body := read(t, res); res.StatusCode != http.StatusOK || strings.Contains(body, "main") {
		t.Errorf("the side request got %d %s", res.StatusCode, body)
	}
	if _, text := post(t, s, s.Key(), `{"role":"user","content":"Hi"}`); text != "main" {
		t.Errorf("the conversation got %q", text)
	}
	noServerErr(t, s)
}

func TestServer_ReadsWholeRequest(t *testing.T) {
	s := start(t, apptest.Sequence(practice.Reply{practice.Text("ok")}))
	post(t, s, s.Key(), `
		{"role":"system","content":"<environment>\n* Current working directory: /home/ann/my project\n* Operating System: linux\n"},
		{"role":"user","content":[{"type":"text","text":"<current_datetime>now</current_datetime>\n\n<mode_changed_notice>a\nb</mode_changed_notice>\n[[PLAN]] <b>Bold</b> & more\n\n<todo_status>none</todo_status>"}]},
		{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"view","arguments":"{\"path\":\"/a\"}"}}]},
		{"role":"tool","tool_call_id":"c1","content":"text"}`)
	r := s.Requests()[0]
	if got := r.Cwd(); got != "/home/ann/my project" {
		t.Errorf("Cwd is %q", got)
	}
	if got := r.User(); got != "<b>Bold</b> & more" {
		t.Errorf("User is %q", got)
	}
	if l := r.Last(); l.Role != "tool" || l.ToolCallID != "c1" || l.Text != "text" {
		t.Errorf("Last is %+v", l)
	}
	if c := r.Messages[2].Calls; len(c) != 1 || c[0].ID != "c1" || c[0].Name != "view" || string(c[0].Args) != `{"path":"/a"}` {
		t.Errorf("Calls are %+v", c)
	}
	noServerErr(t, s)
}

func start(t *testing.T, script practice.Script) *practice.Server {
	t.Helper()
	s, err := practice.New(script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func noServerErr(t *testing.T, s *practice.Server) {
	t.Helper()
	if err := s.Err(); err != nil {
		t.Error(err)
	}
}

func do(t *testing.T, method, url, key, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close(); http.DefaultClient.CloseIdleConnections() })
	return res
}

func read(t *testing.T, res *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// post sends messages. It returns the chunks of the answer and the complete text of the answer.
func post(t *testing.T, s *practice.Server, key, messages string) (chunks []gjson.Result, text string) {
	t.Helper()
	res := do(t, http.MethodPost, s.URL()+"/chat/completions", key, `{"model":"m","stream":true,"messages":[`+messages+`]}`)
	if res.StatusCode != http.StatusOK {
		t.Fatalf("status %d: %s", res.StatusCode, read(t, res))
	}
	done := false
	for line := range strings.Lines(read(t, res)) {
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		if !ok {
			continue
		}
		if data == "[DONE]" {
			done = true
			continue
		}
		if !json.Valid([]byte(data)) {
			t.Fatalf("not JSON: %s", data)
		}
		c := gjson.Parse(data)
		chunks = append(chunks, c)
		text += c.Get("choices.0.delta.content").String()
	}
	if !done {
		t.Fatal("the stream has no end")
	}
	return chunks, text
}
