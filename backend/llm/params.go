package llm

import (
	"encoding/base64"
	"encoding/json"
)

// body is the JSON body of a chat completions request in OpenAI's format. Apart from stream_options, it has only
// fields that all services support.
type body struct {
	Model         string         `json:"model"`
	Messages      []wireMessage  `json:"messages"`
	Tools         []wireTool     `json:"tools,omitempty"`
	Stream        bool           `json:"stream"`
	StreamOptions *streamOptions `json:"stream_options,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// wireMessage is a message in the conversation. Content is nil, a string or a list of parts.
type wireMessage struct {
	Role      Role           `json:"role"`
	Content   any            `json:"content,omitempty"`
	Reasoning string         `json:"reasoning_content,omitempty"`
	Calls     []wireToolCall `json:"tool_calls,omitempty"`
	CallID    string         `json:"tool_call_id,omitempty"`
}

type part struct {
	Type  string    `json:"type"`
	Text  string    `json:"text,omitempty"`
	Image *imageURL `json:"image_url,omitempty"`
}

type imageURL struct {
	URL string `json:"url"`
}

// wireToolCall is a tool call within an earlier answer.
type wireToolCall struct {
	ID       string           `json:"id"`
	Type     string           `json:"type"`
	Function wireCallFunction `json:"function"`
}

type wireCallFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// wireTool is a tool that the model may call.
type wireTool struct {
	Type     string           `json:"type"`
	Function wireToolFunction `json:"function"`
}

type wireToolFunction struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Parameters  map[string]any `json:"parameters"`
}

func bodyOf(req Request, usage bool) body {
	b := body{Model: req.Provider.Model, Messages: make([]wireMessage, 0, len(req.Messages)), Stream: true}
	for _, m := range req.Messages {
		b.Messages = append(b.Messages, message(m))
	}
	for _, t := range req.Tools {
		b.Tools = append(b.Tools, wireTool{"function", wireToolFunction{t.Name, t.Description, schema(t.Schema)}})
	}
	if usage {
		b.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	return b
}

func message(m Message) wireMessage {
	s := wireMessage{Role: m.Role, Content: m.Text}
	switch {
	case m.Role == RoleTool:
		s.CallID = m.CallID
	case m.Role == RoleAssistant:
		if m.Text == "" && len(m.Calls) > 0 {
			s.Content = nil
		}
		for _, c := range m.Calls {
			call := wireToolCall{c.ID, "function", wireCallFunction{c.Name, c.Arguments}}
			if !json.Valid([]byte(c.Arguments)) {
				// Some services parse the model's earlier arguments and reject the whole conversation
				// if they are invalid. The tool's result reports the problem to the model.
				call.Function.Arguments = "{}"
			}
			s.Calls = append(s.Calls, call)
		}
		s.Reasoning = m.Reasoning
	case len(m.Images) > 0:
		var parts []part
		if m.Text != "" {
			parts = append(parts, part{Type: "text", Text: m.Text})
		}
		for _, image := range m.Images {
			parts = append(parts, part{Type: "image_url", Image: &imageURL{
				"data:" + image.Mime + ";base64," + base64.StdEncoding.EncodeToString(image.Data),
			}})
		}
		s.Content = parts
	}
	return s
}

// schema returns a JSON schema in the form that services expect. If raw is empty or invalid, it returns the schema of a
// tool without arguments, because some services require a schema.
func schema(raw json.RawMessage) map[string]any {
	var s map[string]any
	if json.Unmarshal(raw, &s) != nil || len(s) == 0 {
		s = map[string]any{"type": "object", "properties": map[string]any{}}
	}
	return s
}
