package agent_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/agent/session"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// TestResult_CopilotRowsHaveSummaries checks the summaries of results from the real Copilot CLI. The CLI reports its
// results as text that is meant for the model.
func TestResult_CopilotRowsHaveSummaries(t *testing.T) {
	cli := copilotCLI(t)
	files := map[string]string{
		"src/a.txt": strings.Repeat("a needle\n", 3) + strings.Repeat("hay\n", 17),
		"src/b.txt": "hay\na needle",
		"empty.txt": "",
		"long.txt":  strings.Repeat("a long line of a long file\n", 3000),
		"wide.txt":  strings.Repeat("x", 60_000) + "\nend\n",
	}
	type call struct {
		tool string
		args map[string]any
		kind backend.ToolKind
		fact string
	}
	const read, search = backend.ToolRead, backend.ToolSearch
	calls := func(w *env) []call {
		src, a := w.path("src"), w.path("src/a.txt")
		return []call{
			{"view", map[string]any{"path": a}, read, "20 lines"},
			{"view", map[string]any{"path": w.path("src/b.txt")}, read, "2 lines"},
			{"view", map[string]any{"path": a, "view_range": []int{3, 8}}, read, "lines 3 to 8"},
			{"view", map[string]any{"path": a, "view_range": []int{15, -1}}, read, "lines 15 to 20"},
			{"view", map[string]any{"path": a, "view_range": []int{15, 400}}, read, "lines 15 to 20"},
			{"view", map[string]any{"path": src}, read, "2 entries"},
			{"view", map[string]any{"path": w.path("empty.txt")}, read, "empty"},
			{"view", map[string]any{"path": w.path("long.txt")}, read, ""}, // the CLI only reports that it is too large
			{"view", map[string]any{"path": w.path("long.txt"), "forceReadLargeFiles": true}, read, "3,000 lines"},
			{"view", map[string]any{"path": w.path("wide.txt"), "view_range": []int{1, 2}}, read, ""}, // truncated
			{"view", map[string]any{"path": w.path("gone.txt")}, read, "Path does not exist"},
			{"grep", map[string]any{"pattern": "needle"}, search, "2 files"},
			{"grep", map[string]any{"pattern": "needle", "path": src, "output_mode": "content", "-n": true}, search, "4 matches"},
			{"grep", map[string]any{"pattern": "needle", "path": src, "output_mode": "count"}, search, "4 matches"},
			{"grep", map[string]any{"pattern": "line", "output_mode": "content"}, search, "3,000 matches"}, // most are omitted
			{"grep", map[string]any{"pattern": "needle", "output_mode": "content", "head_limit": 1}, search, ""},
			{"grep", map[string]any{"pattern": "no such thing"}, search, "no matches"},
			{"glob", map[string]any{"pattern": "**/*.txt"}, search, "5 files"},
			{"glob", map[string]any{"pattern": "**/*.zig"}, search, "no matches"},
			{"list", map[string]any{"prompt": "p"}, backend.ToolOther, "12 items"},
		}
	}
	var w *env
	var asked atomic.Int64
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		if req.Side() {
			return practice.Reply{practice.Text("ok")}
		}
		all := calls(w)
		n := int(asked.Add(1))
		if n > len(all) {
			return practice.Reply{practice.Text("Done.")}
		}
		next := all[n-1]
		for _, tool := range req.Tools { // server tools have a name prefix
			if strings.HasSuffix(tool, "-copilot_agent") && next.tool == "list" {
				next.tool = tool
			}
		}
		return practice.Reply{practice.ToolCall(next.tool, next.args)}
	}))
	noErr(t, err)
	t.Cleanup(model.Close)
	server := newToolServer(t, "issues", func(*http.Request, string, string) string { return "…" })
	server.structured = map[string]any{"issues": make([]int, 12), "total": 40}
	w = newEmptyEnv(t)
	w.setPolicy("allow_once")
	noErr(t, os.Mkdir(w.path("src"), 0o700))
	for name, text := range files {
		w.write(name, text)
	}
	w.open(func(w *env) agent.Launch {
		return agent.Launch{Path: cli, Args: copilot.Args(), Env: append(os.Environ(), model.Env(w.home)...), Home: w.home}
	}, func(_ *env, cfg *agent.Config) {
		cfg.Servers = func(string) []session.MCPServer {
			return []session.MCPServer{{Name: "issues", URL: server.URL, Headers: map[string]string{"Authorization": mcpToken}}}
		}
	})
	tools := w.tools(w.promptAndExpect("Look around.", backend.TurnDone))
	want := calls(w)
	equal(t, "rows", len(tools), len(want))
	for i, it := range tools[:min(len(tools), len(want))] {
		what := fmt.Sprintf("%s %v", want[i].tool, want[i].args)
		equal(t, "the kind of "+what, it.Tool.Kind, want[i].kind)
		equal(t, "the fact of "+what, it.Tool.ResultSummary.String(), want[i].fact)
		if pattern, ok := want[i].args["pattern"]; ok {
			equal(t, "what is looked for by "+what, any(it.Tool.Command), pattern)
		}
	}
}
