package mcp_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// cli runs the real Copilot CLI with a scripted model. It controls the CLI over ACP without an SDK, so that tests
// see the CLI's messages unchanged. It allows every requested action once.
type cli struct {
	t       *testing.T
	model   *practice.Server
	cmd     *exec.Cmd
	in      io.WriteCloser
	session string

	mu          sync.Mutex
	writing     sync.Mutex
	waiting     map[string]chan gjson.Result // responses, by ID
	permissions []gjson.Result               // toolCall of each permission request
	updates     []gjson.Result
	ended       chan struct{} // closed at the end of the output
}

// startCLI starts the CLI in the given folder, with a session that uses d's MCP server.
func startCLI(t *testing.T, d *env, folder string, script practice.Script) *cli {
	t.Helper()
	program := copilottest.Path(t)
	model, err := practice.New(script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(model.Close)
	c := &cli{t: t, model: model, waiting: map[string]chan gjson.Result{}, ended: make(chan struct{})}
	c.cmd = exec.CommandContext(t.Context(), program, "--acp", "--stdio", "--no-auto-update")
	c.cmd.Dir = folder
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "COPILOT_") {
			c.cmd.Env = append(c.cmd.Env, v)
		}
	}
	c.cmd.Env = append(c.cmd.Env, model.Env(t.TempDir())...)
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go c.read(bufio.NewReader(out))
	t.Cleanup(func() {
		_ = c.in.Close()
		<-c.ended
		_ = c.cmd.Wait() // a test may have killed it
	})
	c.call("initialize", map[string]any{"protocolVersion": 1, "clientCapabilities": map[string]any{}})
	url, token := d.Grant("chat")
	c.session = c.call("session/new", map[string]any{"cwd": folder, "mcpServers": []any{map[string]any{
		"type": "http", "name": "voxpilot", "url": url,
		"headers": []any{map[string]any{"name": "Authorization", "value": "Bearer " + token}},
	}}}).Get("sessionId").String()
	return c
}

// read reads the CLI's output until it exits.
func (c *cli) read(lines *bufio.Reader) {
	defer close(c.ended)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			c.mu.Lock()
			for _, w := range c.waiting {
				close(w)
			}
			c.waiting = nil
			c.mu.Unlock()
			return
		}
		m := gjson.ParseBytes(line)
		c.mu.Lock()
		switch m.Get("method").String() {
		case "session/update":
			c.updates = append(c.updates, m.Get("params.update"))
		case "session/request_permission":
			c.permissions = append(c.permissions, m.Get("params.toolCall"))
			id := m.Get(`params.options.#(kind=="allow_once").optionId`).String()
			go c.send(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(m.Get("id").Raw), "result": map[string]any{
				"outcome": map[string]any{"outcome": "selected", "optionId": id},
			}})
		case "":
			if w := c.waiting[m.Get("id").String()]; w != nil {
				w <- m
			}
		}
		c.mu.Unlock()
	}
}

// start sends a request and returns a channel for the response. If the CLI exits while the request is pending, the
// channel is closed without a response.
func (c *cli) start(method string, params any) <-chan gjson.Result {
	answer := make(chan gjson.Result, 1)
	id := method
	c.mu.Lock()
	if c.waiting != nil {
		c.waiting[id] = answer
	}
	c.mu.Unlock()
	c.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	return answer
}

func (c *cli) call(method string, params any) gjson.Result {
	c.t.Helper()
	answer, ok := <-c.start(method, params)
	if !ok || answer.Get("error").Exists() {
		c.t.Fatalf("%s: %s", method, answer)
	}
	return answer.Get("result")
}

func (c *cli) startPrompt(text string) <-chan gjson.Result {
	return c.start("session/prompt", map[string]any{"sessionId": c.session, "prompt": []any{map[string]any{"type": "text", "text": text}}})
}

// prompt sends text and returns the turn's stop reason.
func (c *cli) prompt(text string) string {
	c.t.Helper()
	answer, ok := <-c.startPrompt(text)
	if !ok || answer.Get("error").Exists() {
		c.t.Fatalf("the prompt failed: %s", answer)
	}
	return answer.Get("result.stopReason").String()
}

func (c *cli) cancel() {
	c.send(map[string]any{"jsonrpc": "2.0", "method": "session/cancel", "params": map[string]any{"sessionId": c.session}})
}

func (c *cli) send(v any) {
	line, err := json.Marshal(v)
	if err != nil {
		c.t.Error(err)
		return
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		c.t.Logf("the CLI takes nothing more: %v", err)
	}
}

// toolCalls returns the tool calls with the given title that the CLI has reported.
func (c *cli) toolCalls(title string) (calls []gjson.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, u := range c.updates {
		if u.Get("sessionUpdate").String() == "tool_call" && u.Get("title").String() == title {
			calls = append(calls, u)
		}
	}
	return calls
}

// toolResults returns the tool results in the latest request to the model.
func (c *cli) toolResults() (texts []string) {
	requests := c.model.Requests()
	for _, m := range requests[len(requests)-1].Messages {
		if m.Role == "tool" {
			texts = append(texts, m.Text)
		}
	}
	return texts
}
