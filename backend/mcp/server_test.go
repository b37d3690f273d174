package mcp_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend/mcp"
	"github.com/voxpilot/voxpilot/backend/tools"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// Idle connections of the tests' HTTP clients.
		goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"), goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"),
		// A server waits half a second before it closes a rejected connection.
		goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

const schema = `{"type":"object","properties":{"x":{"type":"string"}},"additionalProperties":false}`

// env is a server with test tools.
type env struct {
	*mcp.Server
	run func(ctx context.Context, c tools.Call) tools.Result
}

func newEnv(t *testing.T, run func(ctx context.Context, c tools.Call) tools.Result) *env {
	t.Helper()
	s, err := mcp.New(mcp.Config{
		Version: "test",
		List: func() []tools.Tool {
			return []tools.Tool{
				{Name: "read_file", Description: "Reads.", Schema: json.RawMessage(schema), ReadOnly: true},
				{Name: "copilot_agent", Description: "Works.", Schema: json.RawMessage(schema)},
			}
		},
		Run: run, Turn: func(chatID string) string { return "turn of " + chatID },
		Every: 20 * time.Millisecond,
		Log:   slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return &env{Server: s, run: run}
}

// tokenTransport adds a token to each request.
type tokenTransport struct {
	token string
	base  http.RoundTripper
}

func (w tokenTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+w.token)
	return w.base.RoundTrip(r)
}

// client connects an MCP client with the chat's token. It passes each progress notification that the client receives to
// the given function, which may be nil.
func client(t *testing.T, d *env, chatID string, on func(*sdk.ProgressNotificationParams)) *sdk.ClientSession {
	t.Helper()
	url, token := d.Grant(chatID)
	base := &http.Transport{}
	t.Cleanup(base.CloseIdleConnections)
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			if on != nil {
				on(r.Params)
			}
		},
	})
	session, err := c.Connect(t.Context(), &sdk.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: tokenTransport{token, base}}, MaxRetries: -1,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func callParams(name string) *sdk.CallToolParams {
	p := &sdk.CallToolParams{Name: name, Arguments: map[string]any{"x": "y"}}
	p.SetProgressToken("p")
	return p
}

// textOf returns the text of a result that consists of a single piece of text, or "" for other results.
func textOf(res *sdk.CallToolResult) string {
	if len(res.Content) == 1 {
		if text, ok := res.Content[0].(*sdk.TextContent); ok {
			return text.Text
		}
	}
	return ""
}

func TestServer_ReadOnlyToolsAnnotated(t *testing.T) {
	d := newEnv(t, nil)
	list, err := client(t, d, "a", nil).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	hints := map[string]bool{}
	for _, tool := range list.Tools {
		hints[tool.Name] = tool.Annotations.ReadOnlyHint
		if tool.Description == "" {
			t.Errorf("%s has no description", tool.Name)
		}
	}
	if len(hints) != 2 || !hints["read_file"] || hints["copilot_agent"] {
		t.Errorf("the tools are %v", hints)
	}
}

func TestServer_StructuredResultAlsoAsText(t *testing.T) {
	d := newEnv(t, func(context.Context, tools.Call) tools.Result {
		return tools.Result{Text: "for others", Structured: json.RawMessage(`{"stop_reason":"end_turn","message":"a < b"}`), IsError: true}
	})
	res, err := client(t, d, "a", nil).CallTool(t.Context(), callParams("copilot_agent"))
	if err != nil {
		t.Fatal(err)
	}
	if text := textOf(res); text != `{"stop_reason":"end_turn","message":"a < b"}` || !res.IsError {
		t.Errorf("the text is %s, error %v", text, res.IsError)
	}
	if got, _ := res.StructuredContent.(map[string]any); got["message"] != "a < b" {
		t.Errorf("the structured content is %v", res.StructuredContent)
	}
}

func TestServer_RunningCallReportsProgress(t *testing.T) {
	heard := make(chan string, 100)
	d := newEnv(t, func(ctx context.Context, c tools.Call) tools.Result {
		for _, line := range []string{"one", "two"} {
			c.Progress(line)
			for seen := 0; seen < 2; { // once as it arrives, and again after the interval
				select {
				case got := <-heard:
					if got == line {
						seen++
					}
				case <-ctx.Done():
					return tools.Result{IsError: true}
				}
			}
		}
		return tools.Result{Text: "done"}
	})
	var mu sync.Mutex
	last := 0.0
	c := client(t, d, "a", func(p *sdk.ProgressNotificationParams) {
		mu.Lock()
		if p.Progress <= last || p.ProgressToken != "p" {
			t.Errorf("after %v came %+v", last, p)
		}
		last = p.Progress
		mu.Unlock()
		heard <- p.Message
	})
	res, err := c.CallTool(t.Context(), callParams("copilot_agent"))
	if err != nil || res.IsError {
		t.Fatal(res, err)
	}
}

func TestServer_ProgressNeverBlocks(t *testing.T) {
	d := newEnv(t, func(_ context.Context, c tools.Call) tools.Result {
		for range 10_000 {
			c.Progress("much")
		}
		return tools.Result{Text: "done", IsError: false}
	})
	p := &sdk.CallToolParams{Name: "read_file"} // without a progress token, lines are discarded
	if _, err := client(t, d, "a", nil).CallTool(t.Context(), p); err != nil {
		t.Fatal(err)
	}
}

func TestServer_CallsRunInParallel(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	d := newEnv(t, func(context.Context, tools.Call) tools.Result {
		both.Done()
		both.Wait()
		return tools.Result{Text: "both"}
	})
	c := client(t, d, "a", nil)
	var calls sync.WaitGroup
	for range 2 {
		calls.Go(func() {
			if _, err := c.CallTool(t.Context(), callParams("copilot_agent")); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
}

// blockingTool returns a tool that runs until it is canceled, and channels that receive a value when a call of the tool
// starts and ends.
func blockingTool() (run func(ctx context.Context, c tools.Call) tools.Result, began, ended chan struct{}) {
	began, ended = make(chan struct{}, 10), make(chan struct{}, 10)
	return func(ctx context.Context, _ tools.Call) tools.Result {
		began <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return tools.Result{IsError: true, Text: "stopped"}
	}, began, ended
}

func TestServer_CancelEndsCall(t *testing.T) {
	run, began, ended := blockingTool()
	d := newEnv(t, run)
	c := client(t, d, "a", nil)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, callParams("copilot_agent"))
		done <- err
	}()
	<-began
	cancel()
	<-ended
	if err := <-done; err == nil {
		t.Error("a call that was cancelled has a result")
	}
}

func TestServer_RevokedGrantEndsCallsAndSessions(t *testing.T) {
	run, began, ended := blockingTool()
	d := newEnv(t, run)
	c, other := client(t, d, "a", nil), client(t, d, "b", nil)
	done := make(chan error, 1)
	go func() {
		_, err := c.CallTool(t.Context(), callParams("copilot_agent"))
		done <- err
	}()
	<-began
	_, token := d.Grant("a")
	d.Revoke("a")
	<-ended
	if err := <-done; err == nil {
		t.Error("a call of a revoked chat has a result")
	}
	if _, err := c.ListTools(t.Context(), nil); err == nil {
		t.Error("a session of a revoked chat goes on")
	}
	if _, err := other.ListTools(t.Context(), nil); err != nil {
		t.Errorf("another chat's session ended too: %v", err)
	}
	if _, again := d.Grant("a"); again == token {
		t.Error("a revoked token is given out again")
	}
}

func TestServer_ClosedClientEndsCall(t *testing.T) {
	run, began, ended := blockingTool()
	d := newEnv(t, run)
	session, request := startSession(t, d)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		r := request(ctx, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"copilot_agent","arguments":{}}}`)
		r.Header.Set("Mcp-Session-Id", session)
		if res, err := http.DefaultClient.Do(r); err == nil {
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
		}
	}()
	<-began
	cancel() // the connection drops without a cancel notification
	<-ended
	<-gone
}

// startSession creates a session for the chat "a" with raw HTTP requests and returns its ID. The returned function
// creates further requests with the chat's token but without the session ID.
func startSession(t *testing.T, d *env) (session string, request func(ctx context.Context, body string) *http.Request) {
	t.Helper()
	url, token := d.Grant("a")
	request = func(ctx context.Context, body string) *http.Request {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		return r
	}
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	} {
		r := request(t.Context(), body)
		if session != "" {
			r.Header.Set("Mcp-Session-Id", session)
		}
		res := do(t, r)
		if session == "" {
			session = res.Header.Get("Mcp-Session-Id")
		}
		if res.StatusCode/100 != 2 || session == "" {
			t.Fatalf("%s: %s, session %q", body, res.Status, session)
		}
	}
	return session, request
}

func do(t *testing.T, r *http.Request) *http.Response {
	t.Helper()
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	return res
}

func TestServer_DeadSessionsRemoved(t *testing.T) {
	d := newEnv(t, func(context.Context, tools.Call) tools.Result { return tools.Result{Text: "done"} })
	first, _ := startSession(t, d)
	var last string
	var request func(context.Context, string) *http.Request
	for range 20 {
		last, request = startSession(t, d)
	}
	status := func(session string) int {
		r := request(t.Context(), `{"jsonrpc":"2.0","id":9,"method":"tools/list"}`)
		r.Header.Set("Mcp-Session-Id", session)
		return do(t, r).StatusCode
	}
	if got := status(last); got != http.StatusOK {
		t.Errorf("the newest session: %d", got)
	}
	for status(first) != http.StatusNotFound { // it ends concurrently
		runtime.Gosched()
	}
}
