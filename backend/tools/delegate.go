package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// Delegation is the name of the tool that delegates a task to a session.
const Delegation = "copilot_agent"

const delegateSchema = `{
  "type": "object",
  "properties": {
    "prompt": {"type": "string", "description": "The task, written for a colleague who hasn't seen this conversation."},
    "session_name": {"type": "string", "minLength": 1, "maxLength": 40, "pattern": "^[\\p{L}\\p{M}\\p{Nd}._ -]+$", "description": "A short name for the task, such as auth-bug-fix. Reuse a name to continue its session; a new name starts a new session."}
  },
  "required": ["prompt", "session_name"],
  "additionalProperties": false
}`

// maxName is the maximum length of a session's name in characters.
const maxName = 40

type delegateArgs struct {
	Prompt      string `json:"prompt"`
	SessionName string `json:"session_name"`
}

func (r *Registry) delegate(ctx context.Context, c call) (Result, error) {
	var args delegateArgs
	var block backend.Block
	err := decode(c.Arguments, &args)
	args.SessionName = strings.TrimSpace(args.SessionName)
	if err == nil {
		err = errors.Join(checkSession(args.SessionName), checkPrompt(args.Prompt))
	}
	if err == nil {
		block, err = r.cfg.Delegate(ctx, c.Call, args.SessionName, args.Prompt)
	}
	if err != nil {
		if r.cfg.OnRejected != nil && ctx.Err() == nil {
			r.cfg.OnRejected(c.Call, args.SessionName, reason(err))
		}
		return Result{}, err
	}
	return outcome(args.SessionName, block)
}

func checkSession(name string) error {
	switch {
	case name == "":
		return invalid("The argument \"session_name\" is required: a short name for the task, such as auth-bug-fix.")
	case utf8.RuneCountInString(name) > maxName:
		return invalid("The argument \"session_name\" can have at most %d characters.", maxName)
	case strings.EqualFold(name, backend.SessionMain):
		return invalid("The session %q is the one you're in. Choose another name for the task.", backend.SessionMain)
	}
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("._- ", r) {
			return invalid("The argument \"session_name\" can contain letters, digits, dots, dashes, underscores and spaces, but not %q.", r)
		}
	}
	return nil
}

func checkPrompt(prompt string) error {
	switch {
	case strings.TrimSpace(prompt) == "":
		return invalid("The argument \"prompt\" is required: the task to perform.")
	case len(prompt) > backend.MaxPromptBytes:
		return invalid("The argument \"prompt\" can have at most %s bytes. Refer to files by path instead of quoting them.", backend.GroupDigits(backend.MaxPromptBytes))
	}
	return nil
}

// delegateResult is the result of a delegated task, as returned to the calling model.
type delegateResult struct {
	SessionName string               `json:"session_name"`
	StopReason  string               `json:"stop_reason,omitempty"`
	Message     string               `json:"message,omitempty"`
	Files       []backend.FileChange `json:"files,omitempty"`
	Commands    []ranCommand         `json:"commands,omitempty"`
	Error       string               `json:"error,omitempty"`
}

type ranCommand struct {
	Command  string `json:"command"`
	ExitCode *int   `json:"exit_code,omitempty"`
}

// outcome returns the tool result for a block, as text and as structured content.
func outcome(session string, block backend.Block) (Result, error) {
	t := delegateResult{SessionName: session, StopReason: block.StopReason, Message: block.Summary, Files: block.Files}
	for _, c := range block.Commands {
		t.Commands = append(t.Commands, ranCommand(c))
	}
	if block.Error != nil {
		t.Error = block.Error.Message.String()
	}
	var structured bytes.Buffer
	e := json.NewEncoder(&structured)
	e.SetEscapeHTML(false) // it is read by models, not by browsers
	if err := e.Encode(t); err != nil {
		return Result{}, err
	}
	return Result{
		Text: t.text(), Structured: bytes.TrimSpace(structured.Bytes()),
		IsError: block.Error != nil, Summary: backend.Count(len(t.Files), "1 file changed", "%d files changed"),
	}, nil
}

// text returns the result as plain text, which takes fewer tokens than JSON.
func (t delegateResult) text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "session %s: %s\n", t.SessionName, t.StopReason)
	if t.Error != "" {
		fmt.Fprintf(&out, "error: %s\n", t.Error)
	}
	for _, f := range t.Files {
		fmt.Fprintf(&out, "changed %s +%d −%d\n", f.Path, f.Added, f.Removed)
	}
	for _, c := range t.Commands {
		fmt.Fprintf(&out, "ran %s", c.Command)
		if c.ExitCode != nil {
			fmt.Fprintf(&out, " → exit code %d", *c.ExitCode)
		}
		out.WriteString("\n")
	}
	if t.Message != "" {
		fmt.Fprintf(&out, "last message:\n%s\n", t.Message)
	}
	return out.String()
}
