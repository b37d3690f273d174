package llm

import (
	"context"
	"encoding/json"

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
	Role Role
	Text string
	// Reasoning goes back with an answer that asked for tools, to the services
	// that want it there (Answer.Reasoning).
	Reasoning string
	Calls     []Call // what an answer asked for
	CallID    string // of RoleTool: the call that Text is the result of
}

// Call is a call of a tool that a model asks for. Arguments are JSON as the
// model wrote it, which may be none.
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

// Client asks models. It keeps connections from one request to the next, and
// Close ends those.
type Client struct{}

// NewClient makes a client.
func NewClient() *Client { return &Client{} }

// Close ends the connections that are kept. Requests under way go on.
func (c *Client) Close() {}

// Stream asks a model for the next message of a conversation. on gets what it
// says as it comes. What came before a failure is in the answer. Nothing is
// tried again; when ctx ends, Stream returns at once.
func (c *Client) Stream(ctx context.Context, req Request, on func(text, reasoning string)) (Answer, *Failure) {
	return Answer{}, &Failure{Kind: KindOther}
}
