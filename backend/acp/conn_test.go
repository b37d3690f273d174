package acp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// peer is an agent at the other end of a connection.
type peer struct {
	*Conn
	sent   chan string    // the lines sent to the agent
	output io.WriteCloser // the agent's output
	closed chan struct{}  // closed when Conn.Read has returned
}

type sink chan string

func (s sink) Write(line []byte) (int, error) {
	s <- string(line)
	return len(line), nil
}

func newPeer(t *testing.T, h Handlers) *peer {
	t.Helper()
	h.Idle = func() {}
	if h.Bad == nil {
		h.Bad = func(backend.Message) {}
	}
	in, says := io.Pipe()
	p := &peer{sent: make(chan string, 100), output: says, closed: make(chan struct{})}
	p.Conn = NewConn(slog.New(slog.DiscardHandler), sink(p.sent), &ProtocolLog{}, nil, h)
	go func() {
		defer close(p.closed)
		p.Read(in)
	}()
	t.Cleanup(func() {
		_ = says.Close()
		<-p.closed
	})
	return p
}

func (p *peer) write(format string, args ...any) {
	_, _ = fmt.Fprintf(p.output, format+"\n", args...)
}

func TestConn_MatchesResponsesToCalls(t *testing.T) {
	t.Parallel()
	p := newPeer(t, Handlers{})
	type outcome struct {
		result gjson.Result
		err    error
	}
	call := func(method string) (id string, out chan outcome) {
		out = make(chan outcome, 1)
		go func() {
			r, err := p.Call(method, map[string]any{"a": "<"})
			out <- outcome{r, err}
		}()
		return gjson.Get(<-p.sent, "id").Raw, out
	}
	long := strings.Repeat("x", 12<<20)
	one, first := call("one")
	two, second := call("two")
	p.write(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32002,"message":"gone","data":{"uri":"x"}}}`, two)
	p.write(`{"jsonrpc":"2.0","id":%s.0,"result":{"text":"%s"}}`, one, long)
	if o := <-first; o.err != nil || o.result.Get("text").Str != long {
		t.Errorf("got %d bytes, %v", len(o.result.Raw), o.err)
	}
	o := <-second
	if r := Refused(o.err); r == nil || r.Code != CodeNotFound || fmt.Sprint(r.Data) != "map[uri:x]" {
		t.Errorf("got %v", o.err)
	}
	// Calls with a response succeed; the others fail.
	three, third := call("three")
	_, fourth := call("four")
	p.write(`{"jsonrpc":"2.0","id":%s,"result":null}`, three)
	_ = p.output.Close()
	<-p.closed
	if calls, _ := p.Waiting(); calls > 1 {
		t.Errorf("%d calls are under way at the end", calls)
	}
	if o := <-third; o.err != nil {
		t.Error(o.err)
	}
	if o := <-fourth; !errors.Is(o.err, ErrEnded) || errors.Is(o.err, ErrUnsent) {
		t.Errorf("got %v", o.err)
	}
	if _, err := p.Call("five", nil); !errors.Is(err, ErrUnsent) {
		t.Errorf("got %v", err)
	}
}

func TestConn_AnswersRequests(t *testing.T) {
	t.Parallel()
	var notified []string
	p := newPeer(t, Handlers{
		Other: func(method string, _ gjson.Result) { notified = append(notified, method) },
		Request: func(ctx context.Context, method string, params gjson.Result) (any, *sdk.RequestError) {
			switch method {
			case "wait":
				<-ctx.Done()
				return nil, &sdk.RequestError{Code: CodeCancelled, Message: "taken back"}
			case "panic":
				panic("x")
			case "unknown":
				return nil, sdk.NewMethodNotFound(method)
			}
			return map[string]any{"got": params.Get("a").Str, "before": len(notified)}, nil
		},
	})
	for _, c := range []struct{ in, want string }{
		{`{"jsonrpc":"2.0","method":"a"}` + "\n" + `{"jsonrpc":"2.0","id":"q","method":"echo","params":{"a":"b"}}`, `"id":"q","result":{"before":1,"got":"b"}`},
		{`{"jsonrpc":"2.0","id":7,"method":"unknown"}`, `"id":7,"error":{"code":-32601`},
		{`{"jsonrpc":"2.0","id":8,"method":"panic"}`, `"id":8,"error":{"code":-32603`},
		{`{"jsonrpc":"2.0","id":9,"method":"wait"}` + "\n" + `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":9.0}}`, `"id":9,"error":{"code":-32800`},
	} {
		p.write("%s", c.in)
		if got := <-p.sent; !strings.HasPrefix(got, `{"jsonrpc":"2.0",`+c.want) {
			t.Errorf("got %s", got)
		}
	}
	p.write(`{"jsonrpc":"2.0","id":10,"method":"wait"}`)
	_ = p.output.Close()
	if got := <-p.sent; !strings.Contains(got, "-32800") {
		t.Errorf("got %s", got)
	}
}

func TestConn_EachRequestHasOwnTimeout(t *testing.T) {
	t.Parallel()
	const n = 20
	var mu sync.Mutex
	times := make([]backend.Millis, n)
	p := newPeer(t, Handlers{
		Request: func(ctx context.Context, _ string, params gjson.Result) (any, *sdk.RequestError) {
			mu.Lock()
			defer mu.Unlock()
			times[params.Get("nth").Int()] = ArrivedAt(ctx)
			return nil, nil
		},
	})
	for i := range n {
		p.write(`{"jsonrpc":"2.0","id":%d,"method":"session/request_permission","params":{"nth":%d}}`, i, i)
	}
	for range n {
		<-p.sent
	}
	if !slices.IsSorted(times) || len(slices.Compact(times)) != n {
		t.Errorf("got times %v, want each later than the one before", times)
	}
}

func TestConn_ReusedRequestIDKeepsFirstCancellable(t *testing.T) {
	t.Parallel()
	begun, ended := make(chan string), make(chan string)
	second := make(chan struct{})
	p := newPeer(t, Handlers{Request: func(ctx context.Context, method string, _ gjson.Result) (any, *sdk.RequestError) {
		begun <- method
		if method == "second" {
			<-second
		} else {
			<-ctx.Done()
		}
		ended <- method
		return nil, nil
	}})
	p.write(`{"jsonrpc":"2.0","id":7,"method":"first"}`)
	<-begun
	p.write(`{"jsonrpc":"2.0","id":7,"method":"second"}`)
	<-begun
	close(second)
	<-ended
	<-p.sent // the response to the second request; the first is still running
	p.write(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":7}}`)
	if got := <-ended; got != "first" {
		t.Errorf("got %q", got)
	}
}

func TestConn_EncodingErrorIsNotTheAgents(t *testing.T) {
	t.Parallel()
	p := newPeer(t, Handlers{})
	if _, err := p.Call("x", func() {}); err == nil || Refused(err) != nil || errors.Is(err, ErrUnsent) {
		t.Errorf("got %v", err)
	}
}
