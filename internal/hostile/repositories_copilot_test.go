package hostile_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/backend/trust"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/copilottest"
	"github.com/voxpilot/voxpilot/internal/hostile"
)

// TestRepositories_RunInCopilot checks that the Copilot CLI executes exactly the code that the table of repositories
// states: some in any folder, and some only in folders on the CLI's trusted list. This test is the control for those
// in which no code may run.
func TestRepositories_RunInCopilot(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the canaries are commands of a Unix shell")
	}
	cli := copilottest.Path(t)
	var all []hostile.Repository
	for _, r := range hostile.Repositories() {
		if r.Agents == trust.Copilot && len(r.Config) == 0 && r.Fires != hostile.ByGit && r.Name != "hooks switched off" {
			all = append(all, r)
		}
	}
	result := chaos.Row(t, "Repositories whose code the real Copilot CLI runs without VoxPilot, as the control", len(all))
	ran := map[bool]int{}
	for i, group := range hostile.Groups(all) {
		for _, onList := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d trusted %v", i, onList), func(t *testing.T) {
				made := hostile.Build(t, t.TempDir(), group...)
				runTurn(t, cli, made, onList)
				for _, m := range made {
					want := m.Fires == hostile.Always || m.Fires == hostile.OnList && onList
					if m.Fired() != want {
						t.Errorf("%s: got it run %v, want %v", m.Name, m.Fired(), want)
					}
					if m.Fired() {
						ran[onList]++
					}
				}
			})
		}
	}
	result("%d canaries ran in folders that aren't on the CLI's list of trusted folders, %d in folders on it", ran[false], ran[true])
}

// runTurn starts the Copilot CLI in the folder of a group of repositories, runs one turn with a tool call and one turn
// with each custom agent, and stops the CLI. If onList is true, the folder is on the CLI's trusted list.
func runTurn(t *testing.T, cli string, made []hostile.Made, onList bool) {
	t.Helper()
	m := made[0]
	home := t.TempDir()
	if onList {
		list, err := json.Marshal(map[string]any{"trustedFolders": []string{m.Root}})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, "config.json"), list, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		switch {
		case req.Side() || req.Last().Role != "user":
			return practice.Reply{practice.Text("ok")}
		case m.Tool == "lsp":
			return practice.Reply{practice.ToolCall("lsp", map[string]any{"operation": "documentSymbol", "file": filepath.Join(m.Root, "a.ts")})}
		}
		return practice.Reply{practice.ToolCall("bash", map[string]any{"command": "echo hello", "description": "Say hello"})}
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	cmd := exec.CommandContext(t.Context(), cli, "--acp", "--stdio", "--no-auto-update")
	cmd.Dir = home
	cmd.Env = append(os.Environ(), model.Env(home)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	c.call("initialize", map[string]any{"protocolVersion": 1, "clientCapabilities": map[string]any{}})
	session := c.call("session/new", map[string]any{"cwd": m.Folder(), "mcpServers": []any{}}).Get("sessionId").String()
	prompt := func() {
		c.call("session/prompt", map[string]any{"sessionId": session, "prompt": []any{map[string]any{"type": "text", "text": "Do it"}}})
	}
	prompt()
	for _, m := range made {
		if m.Agent != "" {
			c.call("session/set_config_option", map[string]any{"sessionId": session, "configId": "agent", "value": m.Agent})
			prompt()
		}
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	_, _ = io.Copy(io.Discard, c.out)
	if err := cmd.Wait(); err != nil {
		t.Errorf("the Copilot CLI ended with %v", err)
	}
}

// client is an ACP client that grants every permission request from the agent.
type client struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
	n   int
}

func (c *client) send(message map[string]any) {
	c.t.Helper()
	message["jsonrpc"] = "2.0"
	line, err := json.Marshal(message)
	if err == nil {
		_, err = c.in.Write(append(line, '\n'))
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// call calls a method and returns its result.
func (c *client) call(method string, params any) gjson.Result {
	c.t.Helper()
	c.n++
	id := fmt.Sprintf("call-%d", c.n)
	c.send(map[string]any{"id": id, "method": method, "params": params})
	for {
		line, err := c.out.ReadString('\n')
		if err != nil {
			c.t.Fatalf("%s: %v", method, err)
		}
		got := gjson.Parse(strings.TrimSpace(line))
		switch asked := got.Get("method").String(); {
		case asked == "session/request_permission":
			option := got.Get(`params.options.#(kind=="allow_once").optionId`).String()
			c.send(map[string]any{"id": got.Get("id").Value(), "result": map[string]any{"outcome": map[string]any{"outcome": "selected", "optionId": option}}})
		case asked != "" && got.Get("id").Exists():
			c.send(map[string]any{"id": got.Get("id").Value(), "error": map[string]any{"code": -32601, "message": "unknown"}})
		case asked == "" && got.Get("id").String() == id:
			if e := got.Get("error"); e.Exists() {
				c.t.Fatalf("%s: %s", method, e.Raw)
			}
			return got.Get("result")
		}
	}
}
