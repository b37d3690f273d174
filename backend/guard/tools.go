package guard

import (
	"crypto/sha256"
	"encoding/json"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// kinds maps the names of the Copilot CLI's tools to their kinds.
var kinds = map[string]backend.ToolKind{
	"bash": backend.ToolExecute, "powershell": backend.ToolExecute, "view": backend.ToolRead, "grep": backend.ToolSearch, "glob": backend.ToolSearch,
	"create": backend.ToolEdit, "edit": backend.ToolEdit, "apply_patch": backend.ToolEdit, "web_fetch": backend.ToolFetch,
}

// internalTools are tools of the Copilot CLI that change nothing outside the session, so the CLI never
// asks for permission to run them. Some of them start or instruct sub-agents; the guard reports each tool
// call by a sub-agent separately.
var internalTools = []string{
	"task", "read_agent", "list_agents", "write_agent", "read_bash", "stop_bash", "list_bash", "read_powershell", "stop_powershell",
	"list_powershell", "sql", "report_intent", "task_complete", "skill",
}

// Kind returns the kind of the call's tool, or backend.ToolOther if the tool isn't known.
func (c Call) Kind() backend.ToolKind {
	if kind := kinds[c.Tool]; kind != "" {
		return kind
	}
	return backend.ToolOther
}

// ShellCommand returns the command in a call of a shell tool. ok is false for other tools, and if the call contains
// no command.
func (c Call) ShellCommand() (command string, ok bool) {
	v := gjson.GetBytes(c.Args, "command")
	return v.Str, c.Kind() == backend.ToolExecute && v.Type == gjson.String
}

// WithCommand returns a copy of a shell tool's call with another command and otherwise the same arguments. It
// returns an error if the arguments aren't a JSON object.
func (c Call) WithCommand(command string) (Call, error) {
	var args map[string]json.RawMessage
	if err := json.Unmarshal(c.Args, &args); err != nil {
		return c, err
	}
	line, err := json.Marshal(command)
	if err != nil {
		return c, err
	}
	args["command"] = line
	c.Args, err = json.Marshal(args)
	return c, err
}

// IsInternal reports whether the tool changes nothing outside the agent's session.
func (c Call) IsInternal() bool { return slices.Contains(internalTools, c.Tool) }

// Reasons for denying a call, as sent to the model. The reason why the sandbox isn't available must be appended
// to DeniedSandbox.
const (
	DeniedByUser  = "The user rejected this."
	DeniedByRule  = "A rule that the user set in VoxPilot denies this. Don't try another way to do it."
	DeniedStopped = "The user stopped the turn, or VoxPilot can't decide now. Nothing was run."
	DeniedSandbox = "Commands in this chat must run in VoxPilot's sandbox, which isn't available: "
)

// IDs of the options of a request made by Request.
const (
	OptionAllow  = "allow_once"
	OptionReject = "reject_once"
)

// Request returns the parameters of an ACP permission request for the call, in the form in which the agent would send
// them. callID, title and kind come from the agent's update about the call.
func (c Call) Request(callID, title string, kind backend.ToolKind) gjson.Result {
	params, _ := json.Marshal(map[string]any{ //nolint:errchkjson // Args is valid JSON
		"sessionId": c.SessionID,
		"toolCall":  map[string]any{"toolCallId": callID, "title": title, "kind": kind, "status": backend.ToolPending, "rawInput": c.Args},
		"options": []map[string]any{
			{"optionId": OptionAllow, "kind": backend.OptionAllowOnce, "name": "Allow once"},
			{"optionId": OptionReject, "kind": backend.OptionRejectOnce, "name": "Reject"},
		},
	})
	return gjson.ParseBytes(params)
}

// HashInput returns a hash of a call's input. Inputs that differ only in whitespace, in the order of fields or in the
// escaping of characters have the same hash.
func HashInput(input []byte) string {
	data, err := json.Marshal(gjson.ParseBytes(input).Value())
	if err != nil {
		data = input
	}
	hash := sha256.Sum256(data)
	return string(hash[:])
}

// plainArgs returns the arguments of a tool call as a JSON value. Versions of the CLI before 1.0.102 send this value as
// a string that contains JSON.
func plainArgs(args json.RawMessage) json.RawMessage {
	v := gjson.ParseBytes(args)
	if v.Type == gjson.String && json.Valid([]byte(v.Str)) { // unlike gjson, it limits the depth
		return json.RawMessage(v.Str)
	}
	if len(args) == 0 {
		return json.RawMessage("null")
	}
	return args
}
