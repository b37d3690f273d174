package sandboxed

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// Runs holds the latest commands of a session, oldest first. Each command was prepared to run either in the sandbox or
// outside of it. Runs isn't safe for concurrent use.
type Runs struct{ list []started }

// started is an allowed command that was prepared to run.
type started struct {
	line  string // as the agent wrote it, or "" if it runs outside the sandbox
	shell []byte // the line that the agent runs instead, as the content of a JSON string
	plain []byte // the line that the agent wrote, as the content of a JSON string
	at    backend.Millis
	tool  *backend.Tool
	end   func() // Run.Discard; may be nil
}

// maxRuns is the maximum number of commands that a Runs holds.
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

// AddOutside does the same as Add for a command that was prepared to run outside the sandbox. The method Earlier
// ignores such commands.
func (r *Runs) AddOutside(line string, run Run, tool *backend.Tool) {
	r.Add(line, run, tool)
	r.list[len(r.list)-1].line = ""
}

// Discard calls the Run.Discard function of every recorded run, in the background. These functions undo the
// preparations for runs that haven't started. Discard is called when a turn ends.
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

// Earlier describes the last run of the given command in the sandbox, or states that there was none. The user sees this
// description when asked whether the command may run outside the sandbox.
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

// AsWritten returns an update from the agent, but with the shell line of each recorded run replaced by the command
// that the agent wrote.
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

// mark returns the first bytes of a recorded shell line. They are the same for all shell lines of a session.
func mark(shell []byte) string { return string(shell[:min(len(shell), 12)]) }

// inJSON returns text as the content of a JSON string. Like most other encoders, it doesn't escape <, > and &.
func inJSON(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string can always be encoded
	quoted := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	return quoted[1 : len(quoted)-1]
}
