package fakeagent

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func (t *turn) callID() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls++
	return fmt.Sprintf("call_%s_%d_%d", t.s.ID[:6], len(t.s.Log), t.calls)
}

var options = []object{
	{"optionId": "allow_once", "kind": "allow_once", "name": "Allow once"},
	{"optionId": "allow_always", "kind": "allow_always", "name": "Always allow"},
	{"optionId": "reject_once", "kind": "reject_once", "name": "Deny"},
}

// permitted asks the client for permission for a tool call. It returns "allow", "reject" or "cancelled".
func (t *turn) permitted(call object) string {
	raw := t.request(t.ctx, "session/request_permission", object{"sessionId": t.s.ID, "toolCall": call, "options": options})
	var r struct {
		Outcome struct{ Outcome, OptionID string }
	}
	_ = json.Unmarshal(raw, &r)
	switch {
	case t.ctx.Err() != nil:
		return "cancelled"
	case r.Outcome.Outcome == "selected" && strings.HasPrefix(r.Outcome.OptionID, "allow"):
		return "allow"
	default:
		return "reject"
	}
}

// rejected tells the client that the user rejected a tool call, and ends the turn. The Copilot CLI does the same.
func (t *turn) rejected(id string) *turnEnd {
	t.update(t.s.ID, object{
		"sessionUpdate": "tool_call_update", "toolCallId": id, "status": "failed",
		"rawOutput": object{"message": "The user rejected this tool call.", "code": "rejected"},
	})
	t.update(t.s.ID, chunk("agent_message_chunk", "Info: Operation cancelled by user"))
	return &turnEnd{reason: "end_turn"}
}

func (t *turn) edit(s Step) *turnEnd {
	path := s.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(t.s.Cwd, path)
	}
	id := t.callID()
	title, asks := "Editing "+path, "Edit file"
	if s.Old == "" {
		title, asks = "Creating "+path, "Create file"
	}
	locations := []object{{"path": path}}
	content := []object{{"type": "diff", "path": path, "oldText": s.Old, "newText": s.New}}
	call := object{
		"sessionUpdate": "tool_call", "toolCallId": id, "title": title, "kind": "edit", "status": "pending",
		"rawInput": object{"path": path, "old_str": s.Old, "new_str": s.New}, "locations": locations, "content": content,
	}
	t.update(t.s.ID, call)
	if s.N == 2 {
		if r := t.permitted(object{
			"toolCallId": id, "title": "Access paths outside trusted directories", "kind": "read", "status": "pending",
			"rawInput": object{"path": path}, "locations": locations,
		}); r != "allow" {
			return t.refused(r, id)
		}
	}
	if r := t.permitted(object{
		"toolCallId": id, "title": asks, "kind": "edit", "status": "pending",
		"rawInput": object{"fileName": path, "diff": gitDiff(path, s.Old, s.New)}, "locations": locations,
	}); r != "allow" {
		return t.refused(r, id)
	}
	status, message := "completed", "File "+path+" updated with changes."
	err := t.change(path, s.Old, s.New)
	up := object{"sessionUpdate": "tool_call_update", "toolCallId": id, "content": content, "rawOutput": object{"content": message}}
	if err != nil {
		status = "failed"
		up["rawOutput"] = object{"message": err.Error(), "code": "failure"}
		delete(up, "content")
	}
	up["status"] = status
	t.update(t.s.ID, up)
	return nil
}

func (t *turn) refused(how, id string) *turnEnd {
	if how == "cancelled" {
		return &turnEnd{reason: "cancelled"}
	}
	return t.rejected(id)
}

// gitDiff returns the diff between two versions of a file, in the Copilot CLI's format and without context lines.
func gitDiff(path, before, after string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\ndiff --git a%s b%s\n", path, path)
	if before == "" {
		b.WriteString("create file mode 100644\nindex 0000000..0000000\n--- a/dev/null\n")
	} else {
		fmt.Fprintf(&b, "index 0000000..0000000 100644\n--- a%s\n", path)
	}
	fmt.Fprintf(&b, "+++ b%s\n@@ -1,%d +1,%d @@\n", path, lines(before), lines(after))
	for _, side := range []struct{ sign, text string }{{"-", before}, {"+", after}} {
		for line := range strings.Lines(side.text) {
			b.WriteString(side.sign + strings.TrimSuffix(line, "\n") + "\n")
		}
	}
	return b.String()
}

func lines(s string) (n int) {
	for range strings.Lines(s) {
		n++
	}
	return n
}

// run requests permission for a command and runs it in a separate session, as the Copilot CLI does. Whenever the
// command writes output, run sends all output so far. If Script.ThroughClient is set, the client runs the command
// instead.
func (t *turn) run(s Step) *turnEnd {
	id := t.callID()
	t.update(t.s.ID, object{
		"sessionUpdate": "tool_call", "toolCallId": id, "title": "Run it", "kind": "execute", "status": "pending",
		"rawInput": object{"command": s.Text, "description": "Run it"},
	})
	if r := t.permitted(object{
		"toolCallId": id, "title": "Run it", "kind": "execute", "status": "pending",
		"rawInput": object{"command": s.Text, "commands": []string{s.Text}},
	}); r != "allow" {
		return t.refused(r, id)
	}
	if t.script.ThroughClient {
		return t.runThere(id, s.Text)
	}
	cmd := exec.CommandContext(t.ctx, "bash", "-c", s.Text)
	cmd.Dir = t.s.Cwd
	ownSession(cmd)
	out := &outputRecorder{onWrite: func(all string) {
		t.update(t.s.ID, object{
			"sessionUpdate": "tool_call_update", "toolCallId": id,
			"content": []object{{"type": "content", "content": object{"type": "text", "text": all}}},
		})
	}}
	cmd.Stdout, cmd.Stderr = out, out
	err := cmd.Run()
	if t.ctx.Err() != nil {
		return &turnEnd{reason: "cancelled"} // the call stays open, as with the CLI
	}
	code := cmd.ProcessState.ExitCode()
	if cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, "fakeagent:", err)
	}
	text := strings.TrimSuffix(out.all.String(), "\n") + fmt.Sprintf("\n<shellId: 0 completed with exit code %d>", code)
	t.update(t.s.ID, object{
		"sessionUpdate": "tool_call_update", "toolCallId": id, "status": "completed",
		"content": []object{{"type": "content", "content": object{"type": "text", "text": text}}},
		"rawOutput": object{
			"content": text, "detailedContent": text,
			"contents": []object{{"type": "shell_exit", "shellId": "0", "exitCode": code, "cwd": t.s.Cwd}},
		},
	})
	return nil
}

// outputRecorder collects output. On every write, it calls onWrite with all output so far.
type outputRecorder struct {
	all     strings.Builder
	onWrite func(string)
}

func (s *outputRecorder) Write(p []byte) (int, error) {
	s.all.Write(p)
	s.onWrite(s.all.String())
	return len(p), nil
}
