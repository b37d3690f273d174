package agent_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// hostileAgent is an agent that runs in the test's process and listens at a network address. It answers the requests
// that every agent must answer, and inserts bytes chosen by the test into its first answer.
type hostileAgent struct {
	listener net.Listener
	bytes    []byte
	requests int           // number of requests that the field bytes contains
	done     chan struct{} // closed when all these requests have been answered
	work     sync.WaitGroup

	mu       sync.Mutex
	answered map[string]int // number of responses to each of the agent's own requests, by ID
}

func newHostileAgent(t testing.TB, bytes []byte, requests int) *hostileAgent {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &hostileAgent{listener: l, bytes: bytes, requests: requests, done: make(chan struct{}), answered: map[string]int{}}
	if requests == 0 {
		close(h.done)
	}
	h.work.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			h.work.Go(func() { h.serve(conn) })
		}
	})
	return h
}

func (h *hostileAgent) close() {
	_ = h.listener.Close()
	h.work.Wait()
}

const hostileSession = "the-session"

func hostileText(text string) string {
	return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"` + hostileSession + `","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + text + `"}}}}`
}

// serve handles a connection until the client closes it.
func (h *hostileAgent) serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	say := func(lines ...string) {
		_, _ = conn.Write([]byte(strings.Join(lines, "\n") + "\n"))
	}
	prompts := 0
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if err := json.Unmarshal(line, &m); err != nil {
			panic(fmt.Sprintf("the client wrote a line that isn't a message: %v in %.200q", err, line))
		}
		answer := func(result string) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result) }
		switch m.Method {
		case "":
			h.mu.Lock()
			h.answered[string(m.ID)]++
			if n := len(h.answered); n == h.requests && h.answered[string(m.ID)] == 1 {
				close(h.done)
			}
			h.mu.Unlock()
		case "initialize":
			say(answer(`{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}`))
		case "session/new":
			say(answer(`{"sessionId":"` + hostileSession + `"}`))
		case "session/load":
			say(answer(`{}`))
		case "session/prompt":
			if prompts++; prompts == 1 {
				say(hostileText("<begin>"), string(h.bytes), hostileText("<end>"), answer(`{"stopReason":"end_turn"}`))
			} else {
				say(hostileText("<ok>"), answer(`{"stopReason":"end_turn"}`))
			}
		default:
			if len(m.ID) > 0 {
				say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID))
			}
		}
	}
}

// textRecorder acts as the window and joins the text of the messages that it receives.
type textRecorder struct {
	mu       sync.Mutex
	messages map[string]bool
	text     strings.Builder
}

func (l *textRecorder) publish(events ...backend.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range events {
		if e.Item != nil && e.Item.Kind == backend.ItemMessage {
			l.messages[e.Item.ID] = true
		}
		if e.Text != nil && l.messages[e.Text.ItemID] {
			l.text.WriteString(e.Text.Text)
		}
	}
}

// assertSurvives makes an agent write the given bytes into an answer, with $SESSION replaced by the session's ID.
// It fails the test unless the chat still works afterward. The parameter requests is the number of requests in
// these bytes that VoxPilot must answer.
func assertSurvives(t testing.TB, wire []byte, requests int) *hostileAgent {
	t.Helper()
	h := newHostileAgent(t, bytes.ReplaceAll(wire, []byte("$SESSION"), []byte(hostileSession)), requests)
	l := &textRecorder{messages: map[string]bool{}}
	a := agent.New(agent.Config{
		ChatID: "chat", Folder: t.TempDir(),
		Launch: func(context.Context) (agent.Launch, *agent.LaunchError) {
			return agent.Launch{Address: h.listener.Addr().String()}, nil
		},
		Publish: l.publish,
		Commit:  func(_ context.Context, events ...backend.Event) error { l.publish(events...); return nil },
		Ask: func(_ context.Context, p backend.Permission) (backend.Permission, bool) {
			p.Decision, p.OptionID = backend.DecisionAllowedOnce, p.Options[0].ID
			return p, true
		},
		Log: slog.New(slog.DiscardHandler),
	})
	hang := time.AfterFunc(patience, func() { panic(fmt.Sprintf("it hangs: %.1000q", wire)) })
	defer hang.Stop()
	for n := range 2 {
		if r := a.Prompt(context.Background(), backend.Turn{ID: fmt.Sprint(n), ChatID: "chat", Session: backend.SessionMain}, "go"); n == 1 && r.State != backend.TurnDone {
			t.Errorf("the next turn ended as %s (%s, %v)", r.State, r.StopReason, r.Err)
		}
	}
	<-h.done
	if err := a.Close(context.Background()); err != nil {
		t.Error(err)
	}
	h.close()
	l.mu.Lock()
	defer l.mu.Unlock()
	if !strings.Contains(l.text.String(), "<ok>") {
		t.Errorf("of the next answer is shown: %.200q", l.text.String())
	}
	return h
}

// seeds is the seed corpus of the fuzz tests. Every test run uses the whole corpus.
var seeds = []string{
	"", "\n\n", "\x00", "\xff\xfe", "{", "[]", "null", `"`, "\xEF\xBB\xBF{}", "\r\n",
	hostileText("plain"), hostileText(`\ud83d`) + "\n" + hostileText(`\udc4b`), hostileText("\xff"), hostileText(`\u12`),
	`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":3,"result":null}`, `{"jsonrpc":"2.0","id":3,"error":null}`,
	`{"jsonrpc":"2.0","id":3,"error":7}`, `{"jsonrpc":"2.0","id":3,"error":{"code":"x","message":{}}}`, `{"jsonrpc":"2.0","ID":3,"Result":{}}`,
	`{"jsonrpc":"2.0","id":3.0,"result":{"stopReason":7}}`, `{"jsonrpc":"2.0","id":"3","result":{}}`, `{"jsonrpc":"2.0","id":null,"result":{}}`, `{"id":3}`,
	`{"jsonrpc":"2.0","id":"x","method":"_vendor/ask"}`, `{"jsonrpc":"2.0","id":null,"method":"session/request_permission","params":null}`,
	`{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"$SESSION","toolCall":{"toolCallId":"t","content":[{"type":"diff"}]},"options":[{"optionId":7}]}}`,
	`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":0}}`, `{"jsonrpc":"2.0","method":"$/cancel_request","params":[]}`,
	`{"jsonrpc":"2.0","method":"session/update"}`, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"$SESSION","update":[]}}`,
	`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"$SESSION","update":{"sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed","content":[{"type":"content","content":{"type":"image","data":"?"}}]}}}`,
	`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"$SESSION","update":{"sessionUpdate":"agent_message_chunk","content":["text"]}}}`,
	`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"$SESSION","update":{"sessionUpdate":"plan","entries":{"0":null}}}}`,
	`{"voxpilot.stash":"1"}`, `{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"voxpilot.stash":"1"}}`,
}

// FuzzWire checks that a chat still works after its agent has written arbitrary bytes between the lines of an answer.
func FuzzWire(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, wire []byte) { assertSurvives(t, wire, 0) })
}

func TestChaosUnknownRequests_EachAnsweredOnce(t *testing.T) {
	t.Parallel()
	requests := chaos.Runs(200, 20_000)
	result := chaos.Row(t, "Unexpected requests with odd ids, methods and params", requests)
	g := garbage{chaos.Rand(t, chaos.Seed(t), 0)}
	var wire bytes.Buffer
	for i := range requests {
		id := fmt.Sprint(i)
		if i%2 == 0 {
			id = fmt.Sprintf("%q", "request "+id)
		}
		params, err := json.Marshal(g.value(3))
		noErr(t, err)
		fmt.Fprintf(&wire, `{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`+"\n", id,
			pick(g, "_vendor/ask", "vendor/ask", "session/request_permission", "fs/read_text_file", "terminal/create", "session/load", "x"), params)
	}
	h := assertSurvives(t, wire.Bytes(), requests)
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, n := range h.answered {
		if n != 1 {
			t.Errorf("the request %s was answered %d times", id, n)
		}
	}
	result("each is answered once")
}
