// Package tools provides the tools that the model answering a chat may call. Most of them read the chat's
// folder. With the user's permission, read_file_external reads a file outside it. copilot_agent delegates a
// task to a named session. ask_user asks the user a question, and present_plan asks the user to approve a plan.
//
// Tools never change anything themselves. Failures are returned as text that the model can act on, so
// Run returns no error.
package tools

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"runtime/debug"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/question"
)

// Tool is a tool's description for the model.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments, an object
	ReadOnly    bool            // the tool changes nothing, not even through a delegated task
}

// Call is a model's call of a tool.
type Call struct {
	ChatID string
	// TurnID is the turn that makes the call, or "" if the turn has already ended.
	TurnID string
	// ID is the model's ID for the call, or "" if there is none.
	ID        string
	Name      string
	Arguments json.RawMessage
	// Progress, if not nil, receives short lines while the call runs. It must not block
	// and must be safe for concurrent use.
	Progress func(text string)
	// Started, if not nil, is called by Config.Delegate once the task has started.
	Started func()
}

// Result is the outcome of a tool call, for the model and the user.
type Result struct {
	Text    string // for the model
	IsError bool
	// Structured is the same result as a JSON object; nil if there is only Text.
	Structured json.RawMessage
	Summary    backend.Message // short summary for the user: "3 matches"
	Kind       backend.ToolKind
	Path       string // absolute path of the file or folder that the call reads, or ""
}

// Config configures a Registry.
type Config struct {
	// Folder returns the folder of a chat.
	Folder func(chatID string) (string, error)
	// Delegate sends the prompt to the session and returns when its task has ended. If
	// ctx ends, the task is stopped.
	Delegate func(ctx context.Context, call Call, sessionName, prompt string) (backend.Block, error)
	// OnRejected, if not nil, is called with the reason when a task isn't started.
	OnRejected func(call Call, sessionName string, reason backend.Message)
	// Ask requests a permission and returns the decision. The result ok is false if the request was closed without a
	// decision.
	Ask func(ctx context.Context, p backend.Permission) (decided backend.Permission, ok bool)
	// AskUser asks the user a question or presents a plan. It returns it with its outcome, and the time in minutes that
	// it was open. If ctx ends, the question is closed.
	AskUser func(ctx context.Context, call Call, q backend.Question) (answered backend.Question, minutes int)
	// OnRefused, if not nil, is called with the kind of a question that isn't asked (ToolAsk or ToolPlan), its text, and
	// the reason.
	OnRefused func(call Call, kind backend.ToolKind, text string, reason backend.Message)
	// LoginPath returns the value of PATH that is used to find git and ripgrep.
	LoginPath func() string
	Log       *slog.Logger
}

// Registry holds the tools and runs them. It is safe for concurrent use.
type Registry struct {
	cfg   Config
	tools []tool
}

// tool is a Tool with its implementation.
type tool struct {
	Tool
	kind backend.ToolKind
	run  func(ctx context.Context, c call) (Result, error)
}

// call is a Call together with the chat's folder.
type call struct {
	Call
	folder string
}

//go:embed *.md
var descriptions embed.FS

// New creates a Registry with all tools.
func New(cfg Config) *Registry {
	b := &Registry{cfg: cfg}
	add := func(name string, kind backend.ToolKind, schema string, run func(context.Context, call) (Result, error)) {
		text, err := descriptions.ReadFile(name + ".md")
		if err != nil {
			panic(err) // it is embedded
		}
		b.tools = append(b.tools, tool{
			Tool: Tool{Name: name, Description: strings.TrimSpace(string(text)), Schema: json.RawMessage(schema), ReadOnly: kind != backend.ToolOther},
			kind: kind, run: run,
		})
	}
	add("read_file", backend.ToolRead, readSchema, b.readFile)
	add("list_directory", backend.ToolRead, listSchema, b.listDirectory)
	add("glob", backend.ToolSearch, globSchema, b.glob)
	add("grep", backend.ToolSearch, grepSchema, b.grep)
	add("git_diff", backend.ToolRead, gitDiffSchema, b.gitDiff)
	add("git_log", backend.ToolRead, gitLogSchema, b.gitLog)
	add("read_file_external", backend.ToolRead, externalSchema, b.readExternal)
	add(Delegation, backend.ToolOther, delegateSchema, b.delegate)
	add(AskUser, backend.ToolAsk, question.Schema, b.askUser)
	add(PresentPlan, backend.ToolPlan, question.PlanSchema, b.presentPlan)
	return b
}

// List returns the tools in a fixed order.
func (r *Registry) List() []Tool {
	list := make([]Tool, len(r.tools))
	for i, t := range r.tools {
		list[i] = t.Tool
	}
	return list
}

// Run executes a call. A failed call has a result with IsError set and the reason as its text. If ctx ends,
// Run returns soon afterward.
func (r *Registry) Run(ctx context.Context, c Call) (res Result) {
	i := r.index(c.Name)
	if i < 0 {
		res = failed(backend.Say("Unknown tool %q. The tools are: %s.", c.Name, r.names()))
		res.Kind = backend.ToolOther
		return res
	}
	t := r.tools[i]
	defer func() {
		if v := recover(); v != nil {
			r.cfg.Log.Error("a tool panicked", "tool", c.Name, "err", v, "stack", string(debug.Stack()))
			res = failed(backend.Say("The tool failed because of an internal error. Try another way."))
		}
		res.Kind = t.kind
	}()
	if c.Progress == nil {
		c.Progress = func(string) {}
	}
	folder, err := r.cfg.Folder(c.ChatID)
	if err == nil {
		res, err = t.run(ctx, call{Call: c, folder: folder})
	}
	if err == nil {
		return res
	}
	why := reason(err)
	if ctx.Err() != nil {
		why = backend.Say("The call was stopped before it finished.")
	}
	path := res.Path
	res = failed(why)
	res.Path = path
	return res
}

// failed returns the result of a failed call, with the reason for the model and the user.
func failed(why backend.Message) Result {
	return Result{IsError: true, Text: why.String(), Summary: why}
}

// reason returns the message that explains an error to the model.
func reason(err error) backend.Message {
	var own *backend.Error
	if errors.As(err, &own) {
		return own.Message
	}
	return backend.Say("The tool call failed: %s", err)
}

func (r *Registry) index(name string) int {
	for i, t := range r.tools {
		if t.Name == name {
			return i
		}
	}
	return -1
}

func (r *Registry) names() string {
	names := make([]string, len(r.tools))
	for i, t := range r.tools {
		names[i] = t.Name
	}
	return strings.Join(names, ", ")
}

// invalid returns an error whose message tells the model what is wrong with its call.
func invalid(format string, args ...any) error {
	return backend.Invalid(format, args...)
}

// decode parses the arguments of a call into args, a pointer to a struct. It returns an error for unknown arguments,
// because otherwise the model wouldn't learn that they have no effect.
func decode(raw json.RawMessage, args any) error {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		raw = []byte("{}")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(args)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			return invalid("The arguments must be a single JSON object with nothing after it.")
		}
		return nil
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		if kind.Field == "" {
			return invalid("The arguments must be a JSON object with: %s.", fieldsOf(args))
		}
		return invalid("The argument %q must be %s, not %s.", kind.Field, wordFor(kind.Type), withArticle(kind.Value))
	}
	if name, is := strings.CutPrefix(err.Error(), "json: unknown field "); is {
		return invalid("Unknown argument %s. The arguments are: %s.", name, fieldsOf(args))
	}
	return invalid("The arguments aren't valid JSON: %v.", err)
}

// fieldsOf returns the names of the arguments that can be decoded into args, a pointer to a struct.
func fieldsOf(args any) string {
	t := reflect.TypeOf(args).Elem()
	names := make([]string, t.NumField())
	for i := range names {
		names[i], _, _ = strings.Cut(t.Field(i).Tag.Get("json"), ",")
	}
	return strings.Join(names, ", ")
}

func wordFor(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Slice:
		return "an array"
	case reflect.Map:
		return "an object"
	default:
		return fmt.Sprintf("a %s", t.Kind())
	}
}

// withArticle returns value, the description of a JSON value, with an article: "an array", "the number
// 1.5".
func withArticle(value string) string {
	switch {
	case strings.HasPrefix(value, "number "):
		return "the " + value
	case value == "array", value == "object":
		return "an " + value
	case value == "bool":
		return "a boolean"
	}
	return "a " + value
}

// between returns an error unless n, the value of an argument, is in the range from least to most. The value 0 is
// always allowed, because it means that the argument isn't set. The error contains the argument's name.
func between(name string, n, least, most int) error {
	if n != 0 && (n < least || n > most) {
		return invalid("The argument %q must be between %d and %d.", name, least, most)
	}
	return nil
}
