package llm

import (
	"bufio"
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
	"github.com/voxpilot/voxpilot/internal/jsontext"
)

// Role identifies the author of a message.
type Role string

// The roles.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one message in a conversation.
type Message struct {
	Role   Role
	Text   string
	Images []Image // of RoleUser
	// Reasoning is the reasoning of an earlier answer with tool calls (Answer.Reasoning).
	// It is sent back to services that require it.
	Reasoning string
	Calls     []Call // of RoleAssistant: the answer's tool calls
	CallID    string // of RoleTool: ID of the call whose result is Text
}

// Image is an image for a model.
type Image struct {
	Mime string
	Data []byte
}

// Call is a tool call by a model. Arguments is the text that the model wrote, which may be invalid JSON.
type Call struct{ ID, Name, Arguments string }

// Tool describes a tool to a model. Schema is the JSON schema of its arguments.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage
}

// Request is a request for the next message of a conversation.
type Request struct {
	Provider backend.Provider
	Key      string
	Messages []Message
	Tools    []Tool
}

// Answer is a model's answer.
type Answer struct {
	Text string
	// Reasoning is the reasoning_content of the answer. Some services require it to be sent back together with the
	// results of the tool calls.
	Reasoning string
	Calls     []Call
	Finish    string         // as sent by the service
	Usage     *backend.Usage // nil if the service sent none
}

// Client sends requests to models. It reuses connections until Close, and is safe for concurrent use.
type Client struct {
	http *http.Client

	mu sync.Mutex
	// plain holds the addresses of services that don't support stream_options.
	plain map[string]bool
}

// NewClient creates a client.
//
// Answers have no time limit, since a model may think for any length of time. A dead
// connection is detected by TCP keep-alive and HTTP/2 pings.
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
				// A compressed stream arrives in bursts.
				DisableCompression: true,
			},
			// The key and the headers must not be sent to other addresses.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		plain: map[string]bool{},
	}
}

// SetTransport replaces the client's transport with the result of the function wrap. It must be called before the
// first request.
func (c *Client) SetTransport(wrap func(*http.Transport) http.RoundTripper) {
	if t, ok := c.http.Transport.(*http.Transport); ok {
		c.http.Transport = wrap(t)
	}
}

// Close closes idle connections. Requests in progress continue.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Stream requests the next message of a conversation from a model. It passes the message's text and reasoning to
// the given function as they arrive. After a failure, the answer contains the text received so far. Stream doesn't
// retry, and returns immediately when ctx ends.
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

// post sends the request. Older services reject the field stream_options. In that case, post sends the request
// again without the field, and omits it from all later requests to the same address.
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

// stream is an answer in progress.
type stream struct {
	meta *requestMeta
	on   func(text, reasoning string)

	answer    Answer
	text      strings.Builder
	reasoning strings.Builder // from reasoning_content
	think     thinkSplitter
	calls     toolCallBuilder
	hasOutput bool // part of the answer has arrived
}

// maxEvent is the maximum size in bytes of an event in a stream, and of a whole answer that isn't streamed.
const maxEvent = 32 << 20

// read reads a stream of events to its end.
func (s *stream) read(ctx context.Context, events *events) *Failure {
	for events.next() {
		data := bytes.TrimSpace(events.data)
		switch {
		case len(data) == 0:
			continue
		case bytes.HasPrefix(data, []byte("[DONE]")):
			return s.finished()
		case !jsontext.Valid(data):
			return s.meta.notAModel(fmt.Sprintf("It sent: %.200s", data))
		}
		if failure := s.chunk(gjson.ParseBytes(data)); failure != nil {
			return failure
		}
	}
	switch err := events.err(); {
	case ctx.Err() != nil:
		return s.meta.endedFailure(ctx)
	case s.answer.Finish != "": // only the end marker is missing
		return s.finished()
	default:
		return s.meta.cutFailure(err, s.hasOutput)
	}
}

// whole reads an answer that isn't streamed because the service doesn't support streaming.
func (s *stream) whole(ctx context.Context, body io.Reader) *Failure {
	data, err := io.ReadAll(io.LimitReader(body, maxEvent+1))
	switch {
	case ctx.Err() != nil:
		return s.meta.endedFailure(ctx)
	case err != nil:
		return s.meta.cutFailure(err, false)
	case len(data) > maxEvent:
		return s.meta.cutFailure(bufio.ErrTooLong, false)
	case !jsontext.Valid(data):
		return s.meta.notAModel("")
	}
	if failure := s.chunk(gjson.ParseBytes(data)); failure != nil {
		return failure
	}
	return s.finished()
}

// chunk processes v, which is either one event of a stream, or a whole answer that isn't streamed.
func (s *stream) chunk(v gjson.Result) *Failure {
	// Some services include an empty error in every event.
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
	if list := d.Get("tool_calls"); list.IsArray() { // some send null in every piece
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

// finished completes the answer by adding the text that s.think has held back. It returns a failure if the answer is
// empty, unless the finish reason explains that.
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

// requestMeta holds the properties of a request that are needed to send it and to describe its failure.
type requestMeta struct {
	provider backend.Provider
	kind     backend.ProviderKind
	key      string
	base     *url.URL
	hide     []string // secrets to redact in errors
	images   bool     // the request contains images
}

func newRequestMeta(req Request, base *url.URL) *requestMeta {
	a := &requestMeta{provider: req.Provider, kind: KindOf(req.Provider), key: req.Key, base: base}
	a.hide = secrets(req.Provider, req.Key)
	a.images = slices.ContainsFunc(req.Messages, func(m Message) bool { return len(m.Images) > 0 })
	return a
}
