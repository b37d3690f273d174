package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// Role says who speaks in a conversation with a model.
type Role string

// The roles.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one message of a conversation.
type Message struct {
	Role   Role
	Text   string
	Images []Image // of RoleUser
	// Reasoning goes back with an answer that asked for tools, to the services
	// that want it there (Answer.Reasoning).
	Reasoning string
	Calls     []Call // what an answer asked for
	CallID    string // of RoleTool: the call that Text is the result of
}

// Image is an image that a model is shown.
type Image struct {
	Mime string
	Data []byte
}

// Call is a call of a tool that a model asks for. Arguments are as the model
// wrote them, which may be no JSON.
type Call struct{ ID, Name, Arguments string }

// Tool is what a model is told of a tool. Schema is the JSON schema of its
// arguments.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage
}

// Request is a conversation that is to be continued.
type Request struct {
	Provider backend.Provider
	Key      string
	Messages []Message
	Tools    []Tool
}

// Answer is what a model said.
type Answer struct {
	Text string
	// Reasoning is what came as reasoning_content, which some services want back
	// with the results of the tools.
	Reasoning string
	Calls     []Call
	Finish    string         // as the service gave it
	Usage     *backend.Usage // nil where the service gave none
}

// Client asks models. It keeps connections from one request to the next; Close
// ends those.
type Client struct {
	http *http.Client

	mu sync.Mutex
	// plain are the addresses of services that do not know stream_options.
	plain map[string]bool
}

// NewClient makes a client.
//
// Models think for as long as they like, so nothing bounds how long an answer
// takes. That the other side is gone is noticed by what the connection itself
// asks: TCP's keep-alive, and pings where it is HTTP/2.
func NewClient() *Client {
	dialer := &net.Dialer{
		Timeout:         30 * time.Second,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 15 * time.Second, Count: 4},
	}
	return &Client{
		http: &http.Client{
			Transport: &http.Transport{
				Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext,
				TLSHandshakeTimeout: 15 * time.Second, IdleConnTimeout: 90 * time.Second,
				ForceAttemptHTTP2: true,
				HTTP2:             &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 15 * time.Second},
				// A stream that is packed comes in lumps.
				DisableCompression: true,
			},
			// The key and the headers are for this address only.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		plain: map[string]bool{},
	}
}

// SetTransport has the requests go through what is made of the client's own transport. It is
// called before the first request.
func (c *Client) SetTransport(through func(*http.Transport) http.RoundTripper) {
	if t, ok := c.http.Transport.(*http.Transport); ok {
		c.http.Transport = through(t)
	}
}

// Close ends the connections that are kept. Requests under way go on.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Stream asks a model for the next message of a conversation. on gets what it
// says as it comes. What came before a failure is in the answer. Nothing is
// tried again; when ctx ends, Stream returns at once.
func (c *Client) Stream(ctx context.Context, req Request, on func(text, reasoning string)) (Answer, *Failure) {
	base, bad := validateEndpoint(req.Provider, req.Key != "")
	if bad == nil {
		bad = validateKey(req.Key)
	}
	if bad != nil {
		return Answer{}, &Failure{Kind: KindOther, Err: bad}
	}
	s := &stream{meta: newRequestMeta(req, base), on: on}
	res, err := c.post(ctx, s.meta, req)
	if err != nil {
		return Answer{}, s.meta.requestFailure(ctx, err)
	}
	defer res.Body.Close()
	var failure *Failure
	switch kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind {
	case "application/json":
		failure = s.whole(ctx, res.Body)
	case "text/html":
		failure = s.meta.notAModel("It returned a web page.")
	default:
		failure = s.read(ctx, newEvents(res.Body))
	}
	return s.end(), failure
}

// post sends the request. A service that refuses stream_options, which older
// ones do, is asked again without: nothing came of the first request.
func (c *Client) post(ctx context.Context, a *requestMeta, req Request) (*http.Response, error) {
	c.mu.Lock()
	plain := c.plain[a.base.String()]
	c.mu.Unlock()
	res, err := c.send(ctx, a, bodyOf(req, !plain))
	var no *apiError
	if plain || !errors.As(err, &no) || !no.names("stream_options", "include_usage") {
		return res, err
	}
	c.mu.Lock()
	c.plain[a.base.String()] = true
	c.mu.Unlock()
	return c.send(ctx, a, bodyOf(req, false))
}

func (c *Client) send(ctx context.Context, a *requestMeta, body body) (*http.Response, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	address := a.base.JoinPath("chat/completions")
	header, version := headers(a.provider, a.kind, a.key, a.base)
	if version != "" {
		address.RawQuery = url.Values{"api-version": {version}}.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address.String(), bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	req.Header = header
	for name, value := range map[string]string{"Accept": "text/event-stream", "User-Agent": userAgent, "Content-Type": "application/json"} {
		if header.Get(name) == "" {
			header.Set(name, value)
		}
	}
	res, err := c.http.Do(req)
	if err != nil || res.StatusCode == http.StatusOK {
		return res, err
	}
	defer res.Body.Close()
	return nil, readAPIError(res)
}

// stream is one answer as it comes.
type stream struct {
	meta *requestMeta
	on   func(text, reasoning string)

	answer    Answer
	text      strings.Builder
	reasoning strings.Builder // as reasoning_content
	think     thinkSplitter
	calls     toolCallBuilder
	hasOutput bool // something came
}

// maxEvent is the size of the longest event and of the longest whole answer.
const maxEvent = 32 << 20

// read follows a stream of events to its end.
func (s *stream) read(ctx context.Context, events *events) *Failure {
	for events.next() {
		data := bytes.TrimSpace(events.data)
		switch {
		case len(data) == 0:
			continue
		case bytes.HasPrefix(data, []byte("[DONE]")):
			return s.finished()
		case !gjson.ValidBytes(data):
			return s.meta.notAModel(fmt.Sprintf("It sent: %.200s", data))
		}
		if failure := s.chunk(gjson.ParseBytes(data)); failure != nil {
			return failure
		}
	}
	switch err := events.err(); {
	case ctx.Err() != nil:
		return s.meta.endedFailure(ctx)
	case s.answer.Finish != "": // The end mark is all that is missing.
		return s.finished()
	default:
		return s.meta.cutFailure(err, s.hasOutput)
	}
}

// whole reads an answer that did not come as a stream, from a service that
// does not know how to.
func (s *stream) whole(ctx context.Context, body io.Reader) *Failure {
	data, err := io.ReadAll(io.LimitReader(body, maxEvent))
	switch {
	case ctx.Err() != nil:
		return s.meta.endedFailure(ctx)
	case err != nil:
		return s.meta.cutFailure(err, false)
	case !gjson.ValidBytes(data):
		return s.meta.notAModel("")
	}
	if failure := s.chunk(gjson.ParseBytes(data)); failure != nil {
		return failure
	}
	return s.finished()
}

// chunk takes one event.
func (s *stream) chunk(v gjson.Result) *Failure {
	// Some services name an error in every event, and mean none.
	if e := v.Get("error"); e.Type == gjson.String && e.Str != "" || e.IsObject() {
		return s.meta.streamFailure(v, s.hasOutput)
	}
	if u := v.Get("usage"); u.IsObject() {
		s.answer.Usage = usageOf(u)
	}
	choice := v.Get("choices.0")
	if e := choice.Get("error"); e.IsObject() {
		return s.meta.streamFailure(choice, s.hasOutput)
	}
	delta := choice.Get("delta")
	if !delta.Exists() {
		delta = choice.Get("message")
	}
	s.delta(delta)
	if f := choice.Get("finish_reason").String(); f != "" {
		s.answer.Finish = f
	}
	return nil
}

func (s *stream) delta(d gjson.Result) {
	back := d.Get("reasoning_content").String()
	reasoning := back
	if reasoning == "" {
		reasoning = d.Get("reasoning").String()
	}
	s.reasoning.WriteString(back)
	content := d.Get("content")
	text := content.String()
	if content.IsArray() {
		text = ""
		content.ForEach(func(_, part gjson.Result) bool {
			text += part.Get("text").String()
			part.Get("thinking").ForEach(func(_, part gjson.Result) bool {
				reasoning += part.Get("text").String()
				return true
			})
			return true
		})
	}
	text += d.Get("refusal").String()
	if list := d.Get("tool_calls"); list.IsArray() { // some say null in every piece
		list.ForEach(func(_, call gjson.Result) bool {
			s.hasOutput = true
			s.calls.add(call)
			return true
		})
	}
	text, tagged := s.think.split(text)
	s.emit(text, reasoning+tagged)
}

func (s *stream) emit(text, reasoning string) {
	if text == "" && reasoning == "" {
		return
	}
	s.hasOutput = true
	text = strings.ToValidUTF8(text, "\uFFFD")
	s.text.WriteString(text)
	s.on(text, strings.ToValidUTF8(reasoning, "\uFFFD"))
}

// finished says whether an answer that has ended is one.
func (s *stream) finished() *Failure {
	s.emit(s.think.rest())
	empty := strings.TrimSpace(s.text.String()) == "" && len(s.calls.list) == 0
	if empty && (s.answer.Finish == "" || s.answer.Finish == "stop") {
		return s.meta.emptyFailure()
	}
	return nil
}

func (s *stream) end() Answer {
	s.emit(s.think.rest())
	s.answer.Text, s.answer.Reasoning, s.answer.Calls = s.text.String(), s.reasoning.String(), s.calls.all()
	return s.answer
}

func usageOf(u gjson.Result) *backend.Usage {
	return &backend.Usage{
		Input: u.Get("prompt_tokens").Int(), Output: u.Get("completion_tokens").Int(),
		CacheRead: u.Get("prompt_tokens_details.cached_tokens").Int(),
		Thought:   u.Get("completion_tokens_details.reasoning_tokens").Int(),
	}
}

// An ask is what a request needs besides what is said.
type requestMeta struct {
	provider backend.Provider
	kind     backend.ProviderKind
	key      string
	base     *url.URL
	hide     []string // what must not be shown in an error
	images   bool     // there are some in what is asked
}

func newRequestMeta(req Request, base *url.URL) *requestMeta {
	a := &requestMeta{provider: req.Provider, kind: KindOf(req.Provider), key: req.Key, base: base}
	a.hide = secrets(req.Provider, req.Key)
	a.images = slices.ContainsFunc(req.Messages, func(m Message) bool { return len(m.Images) > 0 })
	return a
}
