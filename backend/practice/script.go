// Package practice provides a scripted model: an OpenAI-compatible server on the
// loopback interface. Practice mode runs the real Copilot CLI with this model, so that
// users without an account can try everything, and tests use it to control the CLI.
package practice

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A Script provides the model's replies. It must be safe for concurrent use, because sessions of one agent run in
// parallel.
type Script interface {
	// Reply returns the model's reply to req. If it returns an error, the server responds with status 500.
	Reply(req Request) (Reply, error)
}

// Func is a Script that never fails.
type Func func(req Request) Reply

// Reply calls f.
func (f Func) Reply(req Request) (Reply, error) { return f(req), nil }

// Request is a request from an agent to the model.
type Request struct {
	N        int // number of the request to the server, 1-based
	Header   http.Header
	Model    string
	Messages []Message
	Tools    []string // names of the tools that the model may call
	Size     int      // size of the body in bytes
	// Notices are the agent's own messages in the user's name, such as one about a change of its mode. They aren't among
	// the Messages.
	Notices []string
}

// Message is one message in the conversation.
type Message struct {
	Role       string // "system", "user", "assistant" or "tool"
	Text       string
	Images     []string // addresses, usually data URLs
	Calls      []Call   // of an assistant: its tool calls
	ToolCallID string   // of a tool: the ID of the call that it answers
}

// Call is a tool call.
type Call struct {
	ID   string
	Name string
	Args json.RawMessage
}

// Interaction returns the kind of the request, which the Copilot CLI sends in a header. Requests of the kind
// "conversation-user" start a turn, and those of the kinds "" and "conversation-agent" continue one. All other kinds,
// such as "conversation-compaction" and "conversation-subagent", are outside the conversation.
func (r Request) Interaction() string { return r.Header.Get("X-Interaction-Type") }

// Side reports whether the request is outside the main conversation. Such a request asks for a summary, a title or a
// sample, or comes from a subagent.
func (r Request) Side() bool {
	switch r.Interaction() {
	case "", "conversation-user", "conversation-agent":
		return false
	}
	return true
}

// Last returns the latest message.
func (r Request) Last() Message {
	if len(r.Messages) == 0 {
		return Message{}
	}
	return r.Messages[len(r.Messages)-1]
}

// User returns the text of the latest user message, without the agent's additions.
func (r Request) User() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if m := r.Messages[i]; m.Role == "user" {
			return typed(m.Text)
		}
	}
	return ""
}

// Offers reports whether the request lets the model call the given tool.
func (r Request) Offers(tool string) bool {
	return slices.Contains(r.Tools, tool)
}

// Cwd returns the agent's working directory as given in the system message, or "" if the message doesn't name one.
func (r Request) Cwd() string {
	for _, m := range r.Messages {
		if m.Role != "system" {
			continue
		}
		for line := range strings.Lines(m.Text) {
			if _, dir, ok := strings.Cut(line, "Current working directory: "); ok {
				return strings.TrimSpace(dir)
			}
		}
	}
	return ""
}

// typed removes the agent's additions at the start and end of a user message: elements
// such as <current_datetime>, and the prefix [[PLAN]] of plan mode. The elements' names contain
// an underscore, unlike those of HTML tags, so the user's own text isn't affected.
func typed(text string) string {
	for {
		text = strings.TrimSpace(text)
		if rest, ok := cutElement(text); ok {
			text = rest
			continue
		}
		return strings.TrimSpace(strings.TrimPrefix(text, "[[PLAN]]"))
	}
}

var (
	opens  = regexp.MustCompile(`^<([a-z]+(?:_[a-z]+)+)>`)
	closes = regexp.MustCompile(`</([a-z]+(?:_[a-z]+)+)>$`)
)

// cutElement removes one of the agent's elements from the start or end of text. ok is
// false if there is none.
func cutElement(text string) (rest string, ok bool) {
	if m := opens.FindStringSubmatch(text); m != nil {
		if _, rest, ok = strings.Cut(text, "</"+m[1]+">"); ok {
			return rest, true
		}
	}
	if m := closes.FindStringSubmatch(text); m != nil {
		if i := strings.LastIndex(text, "<"+m[1]+">"); i >= 0 {
			return text[:i], true
		}
	}
	return text, false
}

// A Reply is the model's reply to one request: its steps, in order.
type Reply []Step

// String describes the reply, one step per line.
func (r Reply) String() string {
	lines := make([]string, len(r))
	for i, s := range r {
		lines[i] = s.String()
	}
	return strings.Join(lines, "\n")
}

// A Step is one action by the model.
type Step interface{ fmt.Stringer }

// Pace is the speed at which text is streamed.
type Pace struct {
	Words int           // words per chunk; 0 means 3
	Delay time.Duration // time between chunks; 0 means no delay
}

type (
	textStep struct {
		field, text string
		pace        Pace
	}
	callStep struct {
		id, name string
		args     json.RawMessage
	}
	errorStep struct {
		status int
		body   string
		header http.Header
	}
	usageStep struct{ prompt, completion int }
	cutStep   struct{}
	hangStep  struct{}
	waitStep  struct{ until <-chan struct{} }
)

func (s textStep) String() string  { return s.field + ": " + s.text }
func (s callStep) String() string  { return "call " + s.name + ": " + string(s.args) }
func (s errorStep) String() string { return fmt.Sprintf("status %d: %s", s.status, s.body) }
func (s usageStep) String() string { return fmt.Sprintf("usage: %d, %d", s.prompt, s.completion) }
func (cutStep) String() string     { return "cut" }
func (hangStep) String() string    { return "hang" }
func (waitStep) String() string    { return "wait" }

// Text returns a step that streams text as the answer.
func Text(text string, pace ...Pace) Step { return newText("content", text, pace) }

// Reasoning returns a step that streams text as the model's reasoning.
func Reasoning(text string, pace ...Pace) Step { return newText("reasoning_content", text, pace) }

func newText(field, text string, pace []Pace) Step {
	s := textStep{field: field, text: text}
	if len(pace) > 0 {
		s.pace = pace[0]
	}
	return s
}

// ToolCall returns a step that calls a tool with args, which are encoded as JSON.
// Several calls in one Reply are made in parallel.
func ToolCall(name string, args any) Step {
	raw, err := json.Marshal(args)
	if err != nil {
		panic(fmt.Sprintf("practice: arguments of %s: %v", name, err))
	}
	return callStep{id: newCallID(), name: name, args: raw}
}

// HTTPError returns a step that responds with a status and a body instead of a stream.
// It must be the only step of its Reply.
func HTTPError(status int, body string, header ...http.Header) Step {
	s := errorStep{status: status, body: body}
	if len(header) > 0 {
		s.header = header[0]
	}
	return s
}

// Usage returns a step that reports token counts at the end of the stream. Without it,
// the counts are estimated from the sizes of the texts.
func Usage(prompt, completion int) Step { return usageStep{prompt, completion} }

// Cut returns a step that closes the connection without ending the stream.
func Cut() Step { return cutStep{} }

// Hang returns a step that sends nothing until the client disconnects.
func Hang() Step { return hangStep{} }

// Wait returns a step that sends nothing until the given channel is closed or the client disconnects.
func Wait(until <-chan struct{}) Step { return waitStep{until} }

// parse parses the body of a request. It returns an error for a request that doesn't ask for a stream.
func parse(body []byte) (Request, error) {
	var in struct {
		Model    string
		Stream   bool
		Messages []struct {
			Role       string
			Content    json.RawMessage
			ToolCallID string `json:"tool_call_id"`
			ToolCalls  []struct {
				ID       string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
		Tools []struct{ Function struct{ Name string } }
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return Request{}, err
	}
	if !in.Stream {
		return Request{}, errors.New("only requests with stream:true are answered")
	}
	req := Request{Model: in.Model, Size: len(body)}
	for _, m := range in.Messages {
		msg := Message{Role: m.Role, ToolCallID: m.ToolCallID}
		msg.Text, msg.Images = contentOf(m.Content)
		for _, c := range m.ToolCalls {
			msg.Calls = append(msg.Calls, Call{ID: c.ID, Name: c.Function.Name, Args: json.RawMessage(c.Function.Arguments)})
		}
		if msg.Role == "user" && msg.Text != "" && typed(msg.Text) == "" && len(msg.Images) == 0 {
			req.Notices = append(req.Notices, msg.Text)
			continue
		}
		req.Messages = append(req.Messages, msg)
	}
	for _, t := range in.Tools {
		req.Tools = append(req.Tools, t.Function.Name)
	}
	return req, nil
}

// contentOf returns the text and images of a message's content, which is a string, null
// or a list of parts.
func contentOf(content json.RawMessage) (text string, images []string) {
	if json.Unmarshal(content, &text) == nil {
		return text, nil
	}
	var parts []struct {
		Type, Text string
		Image      struct{ URL string } `json:"image_url"`
	}
	if json.Unmarshal(content, &parts) != nil {
		return "", nil
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
		if p.Image.URL != "" {
			images = append(images, p.Image.URL)
		}
	}
	return b.String(), images
}
