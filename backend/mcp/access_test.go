package mcp_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/tools"
)

func TestServer_TokenSelectsChat(t *testing.T) {
	d := newEnv(t, func(_ context.Context, c tools.Call) tools.Result {
		return tools.Result{Text: c.ChatID + ", " + c.TurnID + ", " + c.Name + ", " + string(c.Arguments)}
	})
	for _, chat := range []string{"a", "b"} {
		res, err := client(t, d, chat, nil).CallTool(t.Context(), callParams("read_file"))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := textOf(res), chat+", turn of "+chat+`, read_file, {"x":"y"}`; got != want || res.IsError {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestServer_RejectsUnauthorized(t *testing.T) {
	d := newEnv(t, func(context.Context, tools.Call) tools.Result { return tools.Result{Text: "done"} })
	session, request := startSession(t, d)
	_, other := d.Grant("b")
	const list = `{"jsonrpc":"2.0","id":9,"method":"tools/list"}`
	for name, c := range map[string]struct {
		change func(r *http.Request)
		want   int
	}{
		"the agent":                      {func(*http.Request) {}, http.StatusOK},
		"nobody":                         {func(r *http.Request) { r.Header.Del("Authorization") }, http.StatusUnauthorized},
		"a made-up token":                {func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+strings.Repeat("0", 64)) }, http.StatusUnauthorized},
		"an empty token":                 {func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") }, http.StatusUnauthorized},
		"a token in the address":         {func(r *http.Request) { r.Header.Del("Authorization"); r.URL.RawQuery = "token=" + other }, http.StatusUnauthorized},
		"another chat in this session":   {func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+other) }, http.StatusForbidden},
		"a name that leads here":         {func(r *http.Request) { r.Host = "evil.example" }, http.StatusForbidden},
		"localhost":                      {func(r *http.Request) { r.Host = "localhost" + r.URL.Host[strings.LastIndexByte(r.URL.Host, ':'):] }, http.StatusForbidden},
		"another port":                   {func(r *http.Request) { r.Host = "127.0.0.1:1" }, http.StatusForbidden},
		"a web page":                     {func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, http.StatusForbidden},
		"a page of a file":               {func(r *http.Request) { r.Header.Set("Origin", "null") }, http.StatusForbidden},
		"a page that says nothing of it": {func(r *http.Request) { r.Header["Origin"] = []string{""} }, http.StatusForbidden},
		"another path":                   {func(r *http.Request) { r.URL.Path = "/" }, http.StatusNotFound},
		"a path below":                   {func(r *http.Request) { r.URL.Path = "/mcp/x" }, http.StatusNotFound},
		"no such session":                {func(r *http.Request) { r.Header.Set("Mcp-Session-Id", "x") }, http.StatusNotFound},
		"a body that is too large": {func(r *http.Request) {
			r.Body = io.NopCloser(bytes.NewReader(make([]byte, 5<<20)))
			r.ContentLength = 5 << 20
		}, http.StatusRequestEntityTooLarge},
		"a header that is too large":       {func(r *http.Request) { r.Header.Set("X", strings.Repeat("x", 64<<10)) }, http.StatusRequestHeaderFieldsTooLarge},
		"a body that is nothing":           {func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader("{")); r.ContentLength = 1 }, http.StatusBadRequest},
		"a method that does not belong":    {func(r *http.Request) { r.Method = http.MethodPut }, http.StatusMethodNotAllowed},
		"a form, as a page could send one": {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, http.StatusUnsupportedMediaType},
	} {
		r := request(t.Context(), list)
		r.Header.Set("Mcp-Session-Id", session)
		c.change(r)
		if res := do(t, r); res.StatusCode != c.want {
			t.Errorf("%s: %s, want %d", name, res.Status, c.want)
		}
	}
}

func TestServer_TokenStableUntilRevoked(t *testing.T) {
	d := newEnv(t, nil)
	url, one := d.Grant("a")
	again, two := d.Grant("a")
	_, other := d.Grant("b")
	if url != again || one != two || one == other || len(one) != 64 {
		t.Errorf("got %s %s, %s %s and %s", url, one, again, two, other)
	}
	d.Close()
	if url, token := d.Grant("c"); url != "" || token != "" {
		t.Error("a server that is closed lets somebody in")
	}
}
