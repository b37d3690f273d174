package assistant

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/llm"
)

// Names of tools that represent their calls in the transcript themselves: delegationTool delegates a task to a session
// and creates a block, and questionTool and planTool ask the user and create a row with the question or the plan.
const (
	delegationTool = "copilot_agent"
	questionTool   = "ask_user"
	planTool       = "present_plan"
)

// maxCalls is the maximum number of tool calls that are run per answer.
const maxCalls = 32

// tooMany is the result of every call after the first maxCalls of an answer.
const tooMany = "This call wasn't run because too many calls were made at once. Make the call again."

// run runs an answer's calls in parallel. When all have ended, it returns their results in the order of the calls. The
// calls are also started in this order, so that their rows and blocks appear in the same order. As an exception, a task
// starts only after the previous task for the same session has ended.
func (t *modelTurn) run(calls []llm.Call) []llm.Message {
	results := make([]llm.Message, len(calls))
	lanes := map[string][]int{}
	var order []string
	for i, call := range calls {
		lane := fmt.Sprint(i)
		if name := gjson.Get(call.Arguments, "session_name").String(); call.Name == delegationTool && gjson.Valid(call.Arguments) {
			lane = "session " + strings.ToLower(strings.TrimSpace(name))
		}
		if lanes[lane] == nil {
			order = append(order, lane)
		}
		lanes[lane] = append(lanes[lane], i)
	}
	var running sync.WaitGroup
	for _, lane := range order {
		under := make(chan struct{})
		started := sync.OnceFunc(func() { close(under) })
		running.Go(func() {
			defer started()
			for _, i := range lanes[lane] {
				text := tooMany
				if i < maxCalls {
					text = t.call(calls[i], started)
				} else {
					t.endRow(t.rowOf(ToolCall{ID: calls[i].ID, Name: calls[i].Name, Arguments: json.RawMessage(cmp.Or(calls[i].Arguments, "{}"))}), ToolResult{IsError: true, Text: text})
				}
				results[i] = llm.Message{Role: llm.RoleTool, CallID: calls[i].ID, Text: text}
			}
		})
		<-under
	}
	running.Wait()
	return results
}

// call runs one call and returns its result for the model. The function started is called as soon as the transcript
// contains the call.
func (t *modelTurn) call(c llm.Call, started func()) string {
	call := ToolCall{ChatID: t.turn.ChatID, TurnID: t.turn.ID, ID: c.ID, Name: c.Name, Arguments: json.RawMessage(cmp.Or(c.Arguments, "{}")), Started: started}
	row := t.row(call)
	if row != nil {
		started()
	}
	var result ToolResult
	switch {
	case t.ctx.Err() != nil: // stopped before it started
	case !json.Valid(call.Arguments):
		result = ToolResult{IsError: true, Text: "The arguments aren't valid JSON, so nothing was done. Make the call again with arguments that match the schema."}
		if row == nil { // the tool, which would represent the call, doesn't run
			row = t.rowOf(call)
		}
	default:
		result = t.runTool(call)
	}
	t.endRow(row, result)
	return limitResult(result.Text)
}

// runTool runs a call. A panic in the tool becomes an error result.
func (t *modelTurn) runTool(call ToolCall) (result ToolResult) {
	defer func() {
		if v := recover(); v != nil {
			t.orchestrator.cfg.Log.Error("a tool panicked", "tool", call.Name, "panic", v, "stack", string(debug.Stack()))
			result = ToolResult{IsError: true, Text: "The tool failed because of an internal error. Try another way."}
		}
	}()
	return t.orchestrator.cfg.Run(t.ctx, call)
}

// row adds a row for a call to the transcript and returns it. It returns nil if the tool represents the call itself.
func (t *modelTurn) row(call ToolCall) *backend.Item {
	if call.Name == delegationTool || call.Name == questionTool || call.Name == planTool {
		return nil
	}
	return t.rowOf(call)
}

func (t *modelTurn) rowOf(call ToolCall) *backend.Item {
	it := t.newItem(backend.ItemTool)
	it.Tool = &backend.Tool{CallID: call.ID, Kind: kindOf(call.Name), Status: backend.ToolInProgress, Title: t.titleOf(call)}
	t.publish(it)
	return &it
}

// endRow completes a call's row with the call's result. It does nothing if the row is nil.
func (t *modelTurn) endRow(it *backend.Item, result ToolResult) {
	if it == nil {
		return
	}
	tool := *it.Tool
	tool.Kind, tool.Path, tool.ResultSummary = cmp.Or(result.Kind, tool.Kind), cmp.Or(result.Path, tool.Path), result.Summary
	switch {
	case t.ctx.Err() != nil:
		tool.Status, tool.ResultSummary = backend.ToolCancelled, backend.Message{}
	case result.IsError:
		tool.Status, tool.ResultSummary = backend.ToolFailed, brief(cmp.Or(tool.ResultSummary, backend.Plain(result.Text)), 300)
	default:
		tool.Status = backend.ToolCompleted
	}
	it.Tool, it.Open, it.EndedAt, it.Waited = &tool, false, backend.Now(), result.Waited
	events := []backend.Event{{Item: it}}
	if result.Text != "" {
		body := []byte(result.Text)
		events = append(events, backend.Event{Content: &backend.Content{
			ID: backend.NewID(), ItemID: it.ID, ChatID: it.ChatID, Type: backend.ContentText, Size: int64(len(body)), Version: 1,
			Lines: strings.Count(strings.TrimSuffix(result.Text, "\n"), "\n") + 1, Body: body,
		}})
	}
	t.orchestrator.cfg.Publish(events...)
}

// kindOf guesses a tool's kind from its name. The guess is used until the tool's result is known.
func kindOf(tool string) backend.ToolKind {
	switch {
	case tool == "glob", tool == "grep":
		return backend.ToolSearch
	case strings.HasPrefix(tool, "read_"), strings.HasPrefix(tool, "list_"), strings.HasPrefix(tool, "git_"):
		return backend.ToolRead
	}
	return backend.ToolOther
}

// titleOf returns the title of a call's row, such as the pattern or path passed to the tool.
func (t *modelTurn) titleOf(call ToolCall) string {
	if !json.Valid(call.Arguments) {
		return call.Name
	}
	args := gjson.ParseBytes(call.Arguments)
	if call.Name == delegationTool {
		return "Delegate to session " + firstLine(args.Get("session_name").String(), 100)
	}
	path := args.Get("path").String()
	if filepath.IsAbs(path) {
		path = relativeTo(t.folder, path)
	}
	if name, ok := strings.CutPrefix(call.Name, "git_"); ok {
		return strings.TrimSpace(firstLine(fmt.Sprintf("git %s %s %s", name, args.Get("rev").String(), path), 120))
	}
	return firstLine(cmp.Or(args.Get("pattern").String(), path, call.Name), 120)
}

// maxResult is the maximum size in bytes of a tool result sent to the model.
const maxResult = 48_000

// limitResult truncates a result to maxResult bytes and adds a note if something was cut.
func limitResult(text string) string {
	if len(text) <= maxResult {
		return text
	}
	return cutText(text, maxResult) + fmt.Sprintf("\n\n[Truncated: first %d of %d bytes. Request less at once, or another part.]", maxResult, len(text))
}

// cutText returns at most the first n bytes of text, cut at a rune boundary.
func cutText(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}
