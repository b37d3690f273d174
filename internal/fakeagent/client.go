package fakeagent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// offers holds the capabilities that the client offers.
type offers struct {
	FS struct {
		ReadTextFile  bool
		WriteTextFile bool
	}
	Terminal bool
}

// readOffers stores the capabilities that the client sent in params.
func (a *agent) readOffers(params json.RawMessage) {
	var p struct{ ClientCapabilities offers }
	_ = json.Unmarshal(params, &p)
	a.client = p.ClientCapabilities
}

// errNotOffered is returned for script steps that the client doesn't support.
var errNotOffered = errors.New("the client doesn't support it")

// call sends a request to the client and decodes the response.
func (t *turn) call(ctx context.Context, method string, params object, result any) error {
	params["sessionId"] = t.s.ID
	raw := t.request(ctx, method, params)
	if raw == nil {
		return ctx.Err()
	}
	var failed struct {
		Code    int
		Message string
	}
	if json.Unmarshal(raw, &failed) == nil && failed.Code != 0 {
		return fmt.Errorf("%s (code %d)", failed.Message, failed.Code)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(raw, result)
}

func (t *turn) readFile(path string) ([]byte, error) {
	if !t.script.ThroughClient {
		return os.ReadFile(path)
	}
	if !t.client.FS.ReadTextFile {
		return nil, errNotOffered
	}
	var r struct{ Content string }
	err := t.call(t.ctx, "fs/read_text_file", object{"path": path}, &r)
	return []byte(r.Content), err
}

func (t *turn) writeFile(path string, text []byte) error {
	if !t.script.ThroughClient {
		return os.WriteFile(path, text, 0o600)
	}
	if !t.client.FS.WriteTextFile {
		return errNotOffered
	}
	return t.call(t.ctx, "fs/write_text_file", object{"path": path, "content": string(text)}, nil)
}

// change edits the file: it replaces the first occurrence of one string with another. If the first string is empty, it
// creates the file with the second string as its content.
func (t *turn) change(path, before, after string) error {
	if before == "" {
		return t.writeFile(path, []byte(after))
	}
	text, err := t.readFile(path)
	if err != nil {
		return err
	}
	if !bytes.Contains(text, []byte(before)) {
		return errors.New("No match found")
	}
	return t.writeFile(path, bytes.Replace(text, []byte(before), []byte(after), 1))
}

// runThere runs a command in a terminal that the client creates and shows, and sends
// the tool call's updates.
func (t *turn) runThere(id, command string) *turnEnd {
	done := func(status string, more object) *turnEnd {
		more["sessionUpdate"], more["toolCallId"], more["status"] = "tool_call_update", id, status
		t.update(t.s.ID, more)
		return nil
	}
	failed := func(err error) *turnEnd {
		if t.ctx.Err() != nil {
			return &turnEnd{reason: "cancelled"}
		}
		return done("failed", object{"rawOutput": object{"message": err.Error()}})
	}
	if !t.client.Terminal {
		return failed(errNotOffered)
	}
	var made struct{ TerminalID string }
	if err := t.call(t.ctx, "terminal/create", object{
		"command": "bash", "args": []string{"-c", command}, "cwd": t.s.Cwd, "env": []object{}, "outputByteLimit": 1 << 20,
	}, &made); err != nil {
		return failed(err)
	}
	terminal := func() object { return object{"terminalId": made.TerminalID} }
	done("in_progress", object{"content": []object{{"type": "terminal", "terminalId": made.TerminalID}}})
	err := t.call(t.ctx, "terminal/wait_for_exit", terminal(), nil)
	if t.ctx.Err() != nil {
		_ = t.call(t.agent.ctx, "terminal/kill", terminal(), nil)
	}
	var out struct {
		Output     string
		ExitStatus *struct{ ExitCode *int }
	}
	if err == nil {
		err = t.call(t.ctx, "terminal/output", terminal(), &out)
	}
	if e := t.call(t.agent.ctx, "terminal/release", terminal(), nil); err == nil {
		err = e
	}
	switch {
	case err != nil:
		return failed(err)
	case out.ExitStatus == nil || out.ExitStatus.ExitCode == nil:
		return failed(errors.New("the terminal didn't report how its command ended"))
	}
	return done("completed", object{"rawOutput": object{"exitCode": *out.ExitStatus.ExitCode, "output": out.Output}})
}
