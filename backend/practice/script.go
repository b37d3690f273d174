// Package practice is a model without a model: an OpenAI-compatible server on
// the loopback interface that answers by a script. Practice mode runs the real
// Copilot CLI on it, so that a person without an account can try everything;
// tests drive the CLI with it.
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

// A Script says what the model answers. It may be called from several
// goroutines at once: sessions of one agent run in parallel.
type Script interface {
	Reply(req Request) (Reply, error)
}

// Func is a Script that never fails.
type Func func(req Request) Reply

// Reply calls f.
func (f Func) Reply(req Request) (Reply, error) { return f(req), nil }

// Request is one request of an agent to the model.
type Request struct {
	N        int // 1 for the first request of the server, and so on
	Header   http.Header
	Model    string
	Messages []Message
	Tools    []string // names of the tools that the model may call
	Size     int      // bytes of the request's body
}

// Message is one message of the conversation so far.
type Message struct {
	Role       string // "system", "user", "assistant" or "tool"
	Text       string
	Images     []string // addresses, mostly with the data in them
	Calls      []Call   // of an assistant: the tools it called
	ToolCallID string   // of a tool: the call that this is the result of
}

// Call is a call of a tool.
type Call struct {
	ID   string
	Name string
	Args json.RawMessage
}

// Interaction is the kind of the request as the Copilot CLI names it in a
// header: "conversation-user" begins a turn, "" goes on with one, and
// "conversation-compaction", "conversation-subagent" and others are made beside
// the conversation.
func (r Request) Interaction() string { return r.Header.Get("X-Interaction-Type") }

// Side reports whether the request is none of the main conversation's: the
// agent summarises, names or samples something for its own use, or asks for a
// sub-agent.
func (r Request) Side() bool {
	switch r.Interaction() {
	case "", "conversation-user", "conversation-agent":
		return false
	}
	return true
}

// Last is the newest message.
func (r Request) Last() Message {
	if len(r.Messages) == 0 {
		return Message{}
	}
	return r.Messages[len(r.Messages)-1]
}

// User is the text of the newest message of the user, without what the agent
// adds to it.
func (r Request) User() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if m := r.Messages[i]; m.Role == "user" {
			return typed(m.Text)
		}
	}
	return ""
}

// Offers reports whether the model may call the tool.
func (r Request) Offers(tool string) bool {
	return slices.Contains(r.Tools, tool)
}

// Cwd is the folder that the agent says it works in, "" where it does not say.
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

// typed takes out of a user's message what the agent puts before and after it:
// elements such as <current_datetime>. Their names have an underscore, which
// no tag of HTML has, so what a person typed is left alone.
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

// cutElement takes one element off the beginning or the end of text.
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

// A Reply is what the model answers to one request: its steps, in order.
type Reply []Step

// String shows what the reply does, a step a line.
func (r Reply) String() string {
	lines := make([]string, len(r))
	for i, s := range r {
		lines[i] = s.String()
	}
	return strings.Join(lines, "\n")
}

// A Step is one thing that the model does.
type Step interface{ fmt.Stringer }

// Pace says how text is streamed.
type Pace struct {
	Words int           // in a chunk; 0 is 3
	Delay time.Duration // between chunks; 0 sends them as fast as they are read
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

// Text streams text as the answer.
func Text(text string, pace ...Pace) Step { return newText("content", text, pace) }

// Reasoning streams text as the thoughts before the answer.
func Reasoning(text string, pace ...Pace) Step { return newText("reasoning_content", text, pace) }

func newText(field, text string, pace []Pace) Step {
	s := textStep{field: field, text: text}
	if len(pace) > 0 {
		s.pace = pace[0]
	}
	return s
}

// ToolCall calls a tool with args, which must be JSON once encoded. Calls of
// one Reply are made together.
func ToolCall(name string, args any) Step {
	raw, err := json.Marshal(args)
	if err != nil {
		panic(fmt.Sprintf("practice: arguments of %s: %v", name, err))
	}
	return callStep{id: newCallID(), name: name, args: raw}
}

// HTTPError answers with a status and a body instead of a stream. It must be
// the only step.
func HTTPError(status int, body string, header ...http.Header) Step {
	s := errorStep{status: status, body: body}
	if len(header) > 0 {
		s.header = header[0]
	}
	return s
}

// Usage reports tokens at the end of the stream; without it they are estimated
// from the sizes.
func Usage(prompt, completion int) Step { return usageStep{prompt, completion} }

// Cut breaks the connection off, without an end of the stream.
func Cut() Step { return cutStep{} }

// Hang sends nothing more until the client goes away.
func Hang() Step { return hangStep{} }

// Wait sends nothing more until the channel is closed or the client goes away.
func Wait(until <-chan struct{}) Step { return waitStep{until} }

// parse reads the body of a request.
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
		req.Messages = append(req.Messages, msg)
	}
	for _, t := range in.Tools {
		req.Tools = append(req.Tools, t.Function.Name)
	}
	return req, nil
}

// contentOf is the text and the images of a message's content, which is a string,
// null or a list of parts.
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
