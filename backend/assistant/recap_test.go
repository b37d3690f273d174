package assistant_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

const folder = "/home/me/app"

// turnEvents returns the events of a turn with the given state, request and answer. If answer is "", the turn has no
// answer.
func turnEvents(state backend.TurnState, request, answer string) []backend.Event {
	events := []backend.Event{
		{Turn: &backend.Turn{ID: "turn", State: state}},
		{Item: &backend.Item{ID: "request", Kind: backend.ItemUser}},
		{Text: &backend.Text{ItemID: "request", Text: request}},
	}
	if answer != "" {
		events = append(events, backend.Event{Item: &backend.Item{ID: "answer", Kind: backend.ItemMessage}}, backend.Event{Text: &backend.Text{ItemID: "answer", Text: answer}})
	}
	return events
}

func toolEventDone(id string, tool backend.Tool) backend.Event {
	if tool.Status == "" {
		tool.Status = backend.ToolCompleted
	}
	return backend.Event{Item: &backend.Item{ID: id, Kind: backend.ItemTool, Tool: &tool}}
}

func diffEvent(item, path string, added, removed int) backend.Event {
	return backend.Event{Content: &backend.Content{ItemID: item, Path: path, Type: backend.ContentDiff, Added: added, Removed: removed}}
}

func TestRecap_StatesPurposeAndHistory(t *testing.T) {
	one, zero := 1, 0
	events := turnEvents(backend.TurnInterrupted, "Make the tests pass.\n/allow-all is what I type sometimes.", "I fixed the parser. Next is the printer.")
	events = append(
		events,
		backend.Event{Item: &backend.Item{ID: "plan", Kind: backend.ItemPlan, Plan: []backend.PlanEntry{
			{Content: "Read the code", Status: backend.PlanCompleted},
			{Content: "Fix the printer", Status: backend.PlanInProgress},
			{Content: "Run the tests", Status: backend.PlanPending},
		}}},
		toolEventDone("e1", backend.Tool{Kind: backend.ToolEdit, Path: folder + "/parse.go"}),
		toolEventDone("r1", backend.Tool{Kind: backend.ToolExecute, Command: "go test ./...", ExitCode: &one}),
		toolEventDone("r2", backend.Tool{Kind: backend.ToolExecute, Command: "go vet ./...", ExitCode: &one}),
		toolEventDone("e2", backend.Tool{Kind: backend.ToolEdit, Path: folder + "/print.go"}),
		toolEventDone("e3", backend.Tool{Kind: backend.ToolEdit, Path: folder + "/parse.go"}),
		toolEventDone("e4", backend.Tool{Kind: backend.ToolEdit, Path: folder + "/refused.go", Status: backend.ToolFailed}),
		toolEventDone("d1", backend.Tool{Kind: backend.ToolDelete, Path: folder + "/old.go"}),
		toolEventDone("m1", backend.Tool{Kind: backend.ToolMove, Path: "/etc/motd", To: folder + "/motd"}),
		toolEventDone("r3", backend.Tool{Kind: backend.ToolExecute, Command: "go vet ./...", ExitCode: &zero}),
		toolEventDone("r4", backend.Tool{Kind: backend.ToolExecute, Command: "rm -rf /", Status: backend.ToolFailed, Decision: backend.DecisionRejected}),
		toolEventDone("r5", backend.Tool{Kind: backend.ToolExecute, Command: "make", Status: backend.ToolFailed}),
		diffEvent("e1", folder+"/parse.go", 9, 1),
		diffEvent("e1", folder+"/parse.go", 5, 2), // as done, not as requested
		diffEvent("e2", folder+"/print.go", 1, 0),
		diffEvent("e3", folder+"/parse.go", 3, 0),
		diffEvent("e4", folder+"/refused.go", 100, 100),
	)
	got := assistant.Recap(events, folder)
	want := `This is a summary from VoxPilot, the app through which the user talks to you. The session that this chat had with you was lost. This is a new session, and you don't have the history of the lost one. The user still sees the whole conversation. This summary comes from VoxPilot's own records and isn't complete. Files may have changed since, so check them before you rely on it.

The user's last request, which was interrupted before it was done:
> Make the tests pass.
> /allow-all is what I type sometimes.

End of the answer to that request:
> I fixed the parser. Next is the printer.

Remaining plan:
- (in progress) Fix the printer
- Run the tests

Files changed in this chat:
- /etc/motd moved to motd
- old.go deleted
- parse.go +8 −2
- print.go +1 −0

Commands that failed on their last run:
- make (failed)
- go test ./... (exit code 1)

The user's next message follows. Nothing above is a request on its own.`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRecap_EmptyForNoHistory(t *testing.T) {
	for name, events := range map[string][]backend.Event{
		"no rows":     nil,
		"only a plan": {{Item: &backend.Item{Kind: backend.ItemPlan, Plan: []backend.PlanEntry{{Content: "done", Status: backend.PlanCompleted}}}}},
	} {
		if got := assistant.Recap(events, folder); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestRecap_BoundedAndValidText(t *testing.T) {
	for name, text := range map[string]string{
		"prose":   strings.Repeat("The quick brown fox jumps over the lazy dog. ", 2000),
		"code":    strings.Repeat("if err := f(x[i]); err != nil {\n\treturn nil, err\n}\n", 2000),
		"marks":   strings.Repeat("}])>;", 9000),
		"Chinese": strings.Repeat("请修复这个测试。", 3000),
		"emoji":   strings.Repeat("👩‍👩‍👧‍👦", 3000),
		"lines":   strings.Repeat("\n", 20_000) + "x" + strings.Repeat("\n", 20_000) + "y",
		"slashes": strings.Repeat("/allow-all\n", 5000),
	} {
		t.Run(name, func(t *testing.T) {
			events := turnEvents(backend.TurnFailed, text, text)
			var plan []backend.PlanEntry
			one := 1
			for i := range 300 {
				id := fmt.Sprint(i)
				plan = append(plan, backend.PlanEntry{Content: id + " " + text, Status: backend.PlanPending})
				events = append(events,
					toolEventDone("e"+id, backend.Tool{Kind: backend.ToolEdit, Path: folder + "/" + id + text}),
					toolEventDone("r"+id, backend.Tool{Kind: backend.ToolExecute, Command: id + text[:200], ExitCode: &one}),
					diffEvent("e"+id, folder+"/"+id+text, 1, 1))
			}
			events = append(events, backend.Event{Item: &backend.Item{Kind: backend.ItemPlan, Plan: plan}})
			got := assistant.Recap(events, folder)
			if n := assistant.Tokens(got); n > assistant.RecapTokens {
				t.Errorf("it is %d tokens", n)
			}
			if !utf8.ValidString(got) || strings.HasPrefix(got, "/") {
				t.Errorf("it begins as %.100q", got)
			}
			for _, part := range []string{"last request", "the answer", "Remaining plan", "Files changed", "Commands that failed", "next message follows", "more"} {
				if !strings.Contains(got, part) {
					t.Errorf("%q is missing in\n%s", part, got)
				}
			}
		})
	}
}
