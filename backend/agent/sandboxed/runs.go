package sandboxed

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// Runs holds the latest commands of a session that were prepared to run in the sandbox, or outside of it,
// oldest first. It isn't safe for concurrent use.
type Runs struct{ list []started }

// started is a command whose run was prepared and allowed.
type started struct {
	line  string // as the agent wrote it, or "" if it runs outside the sandbox
	shell []byte // the line that is run instead, escaped as in JSON, without quotes
	plain []byte // the line as the agent wrote it, in the same form as shell
	at    backend.Millis
	tool  *backend.Tool
	end   func() // Run.Discard, or nil
}

// maxRuns is the maximum number of commands in Runs.
const maxRuns = 200

// Add records a tool call's command that was prepared to run in the sandbox. line is the command as the
// agent wrote it, and run is the prepared run. If there are more than maxRuns commands, Add discards the
// oldest.
func (r *Runs) Add(line string, run Run, tool *backend.Tool) {
	r.list = append(r.list, started{line, inJSON(run.Shell), inJSON(line), backend.Now(), tool, run.Discard})
	if len(r.list) > maxRuns {
		discard(&r.list[0])
		r.list = r.list[1:]
	}
}

// AddOutside is like Add, for a command that was prepared to run outside the sandbox. Earlier ignores
// such commands.
func (r *Runs) AddOutside(line string, run Run, tool *backend.Tool) {
	r.Add(line, run, tool)
	r.list[len(r.list)-1].line = ""
}

// Discard removes the preparations for all recorded runs that haven't started, by calling Run.Discard in
// the background. It is called when a turn ends.
func (r *Runs) Discard() {
	for i := range r.list {
		discard(&r.list[i])
	}
}

func discard(run *started) {
	if run.end != nil {
		go run.end()
		run.end = nil
	}
}

// Earlier describes the last run of line in the sandbox, or states that there was none. The user sees the
// text when asked whether line may run outside the sandbox.
func (r *Runs) Earlier(line string) backend.Message {
	for _, run := range slices.Backward(r.list) {
		if strings.TrimSpace(run.line) != strings.TrimSpace(line) {
			continue
		}
		minutes := int((backend.Now() - run.at) / 60_000)
		switch {
		case run.tool.ExitCode != nil && minutes == 0:
			return backend.Say("This command ran in the sandbox less than a minute ago and exited with code %d.", *run.tool.ExitCode)
		case run.tool.ExitCode != nil:
			return backend.Say("This command ran in the sandbox %d min ago and exited with code %d.", minutes, *run.tool.ExitCode)
		case minutes == 0:
			return backend.Say("This command started in the sandbox less than a minute ago. Its exit code is unknown.")
		default:
			return backend.Say("This command started in the sandbox %d min ago. Its exit code is unknown.", minutes)
		}
	}
	return backend.Say("This command hasn't run in the sandbox since the agent started.")
}

// AsWritten returns up, an update from the agent, with each recorded shell line replaced by the command that
// the agent wrote.
func (r *Runs) AsWritten(up gjson.Result) gjson.Result {
	if len(r.list) == 0 || !strings.Contains(up.Raw, mark(r.list[0].shell)) {
		return up
	}
	raw := []byte(up.Raw)
	for _, run := range r.list {
		raw = bytes.ReplaceAll(raw, run.shell, run.plain)
	}
	return gjson.ParseBytes(raw)
}

// mark returns the prefix that all shell lines in a session's Runs share.
func mark(shell []byte) string { return string(shell[:min(len(shell), 12)]) }

// inJSON returns text as a JSON string without the quotes, escaped as by most other encoders: <, > and &
// stay unchanged.
func inJSON(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string can always be encoded
	quoted := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	return quoted[1 : len(quoted)-1]
}
