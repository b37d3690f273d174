package practice_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// cli runs the real Copilot CLI with a scripted model and controls it over ACP without
// an SDK, so that the CLI's messages are visible unchanged.
type cli struct {
	t       *testing.T
	server  *practice.Server
	folder  string
	in      io.WriteCloser
	lines   *bufio.Reader
	nextID  int
	session string
	// answer returns the kind of the option with which a permission request is answered.
	answer func(request gjson.Result) string
	// onUpdate receives each session/update as it arrives.
	onUpdate func(update gjson.Result)
}

// turnResult is the result of one prompt.
type turnResult struct {
	text        string
	stop        string
	permissions []gjson.Result // toolCall of each permission request
	updates     []gjson.Result
}

// startCLI starts the CLI with a new session in the given folder.
func startCLI(t *testing.T, script practice.Script, folder string, env ...string) *cli {
	t.Helper()
	path := copilottest.Path(t)
	server := start(t, script)
	c := &cli{t: t, server: server, folder: folder, answer: func(gjson.Result) string { return "allow_once" }}
	cmd := exec.CommandContext(t.Context(), path, "--acp", "--stdio", "--no-auto-update")
	cmd.Dir = folder
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "COPILOT_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(append(cmd.Env, env...), server.Env(t.TempDir())...)
	cmd.Stderr = os.Stderr
	var err error
	if c.in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.lines = bufio.NewReader(out)
	t.Cleanup(func() {
		c.in.Close()
		_, _ = io.Copy(io.Discard, out)
		if err := cmd.Wait(); err != nil && t.Context().Err() == nil {
			t.Errorf("the CLI ended with: %v", err)
		}
	})
	c.call("initialize", map[string]any{"protocolVersion": 1, "clientCapabilities": map[string]any{}})
	c.session = c.call("session/new", map[string]any{"cwd": folder, "mcpServers": []any{}}).Get("sessionId").String()
	return c
}

// prompt sends text to the CLI and returns the result when the turn has ended.
func (c *cli) prompt(text string) turnResult {
	c.t.Helper()
	var out turnResult
	res := c.callAndCollect("session/prompt", map[string]any{
		"sessionId": c.session,
		"prompt":    []any{map[string]any{"type": "text", "text": text}},
	}, &out)
	out.stop = res.Get("stopReason").String()
	return out
}

func (c *cli) call(method string, params any) gjson.Result {
	c.t.Helper()
	return c.callAndCollect(method, params, &turnResult{})
}

func (c *cli) callAndCollect(method string, params any, out *turnResult) gjson.Result {
	c.t.Helper()
	c.nextID++
	id := fmt.Sprintf("req-%d", c.nextID)
	c.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	for {
		line, err := c.lines.ReadBytes('\n')
		if err != nil {
			c.t.Fatalf("%s: the CLI went away: %v", method, err)
		}
		m := gjson.ParseBytes(line)
		switch {
		case m.Get("method").String() == "session/update":
			u := m.Get("params.update")
			out.updates = append(out.updates, u)
			if u.Get("sessionUpdate").String() == "agent_message_chunk" {
				out.text += u.Get("content.text").String()
			}
			if c.onUpdate != nil {
				c.onUpdate(u)
			}
		case m.Get("method").String() == "session/request_permission":
			out.permissions = append(out.permissions, m.Get("params.toolCall"))
			want := c.answer(m.Get("params"))
			option := m.Get(`params.options.#(kind=="` + want + `").optionId`)
			if !option.Exists() {
				c.t.Fatalf("no option %s in %s", want, m)
			}
			c.send(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(m.Get("id").Raw), "result": map[string]any{
				"outcome": map[string]any{"outcome": "selected", "optionId": option.String()},
			}})
		case m.Get("id").String() == id:
			if e := m.Get("error"); e.Exists() {
				c.t.Fatalf("%s: %s", method, e)
			}
			return m.Get("result")
		}
	}
}

func (c *cli) notify(method string, params any) {
	c.t.Helper()
	c.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

func (c *cli) send(v any) {
	c.t.Helper()
	line, err := json.Marshal(v)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		c.t.Fatal(err)
	}
}
