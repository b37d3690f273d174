package agent_test

import (
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// launchWith returns a function that returns a Launch for the fake agent with script s. The change function modifies
// the Launch.
func launchWith(s fakeagent.Script, change func(*agent.Launch)) func(*env) agent.Launch {
	return func(w *env) agent.Launch {
		l := fake(s)(w)
		change(&l)
		return l
	}
}

func TestErrors_UseConfiguredName(t *testing.T) {
	t.Parallel()
	named := func(l *agent.Launch) { l.Name = "Otter" }
	for name, launch := range map[string]func(*env) agent.Launch{
		"that ends at once":    launchWith(fakeagent.Script{ExitAtOnce: 1}, named),
		"that cannot be begun": launchWith(fakeagent.Script{}, func(l *agent.Launch) { named(l); l.Path = "/dev/null" }),
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnv(t, launch, func(_ *env, cfg *agent.Config) { cfg.Attempts = func() int { return 1 } })
			tu := w.start(backend.SessionMain, "go")
			message := w.waitForState(backend.ConnectionFailed).Message
			if strings.Contains(message.String(), "Copilot") || !strings.Contains(message.String(), "Otter") && !strings.Contains(message.String(), "/dev/null") {
				t.Errorf("the message is %q", message)
			}
			tu.cancel()
			w.expectEnd(tu, backend.TurnStopped)
		})
	}
}

func TestOwnModel_AdviceNamesItsKey(t *testing.T) {
	t.Parallel()
	const report = "Error: Authentication failed with provider at http://127.0.0.1:1/v1 (HTTP 401).\n" +
		"  Check your COPILOT_PROVIDER_API_KEY, COPILOT_PROVIDER_API_KEY_COMMAND, or COPILOT_PROVIDER_BEARER_TOKEN."
	own := func(l *agent.Launch) { l.Model = agent.OwnModel{Name: "My model", Host: "localhost:11434", ID: "x-1"} }
	for _, c := range []struct{ report, want string }{
		{report, "My model rejected the API key. Fix the key in Settings, then send the message again."},
		{"Error: Model 'x-1' not found on provider at http://127.0.0.1:1/v1 (HTTP 404).", "My model doesn't have the selected model. Choose another one in Settings, then send the message again."},
		{"Error: 400 bad thing", "The model didn't respond: 400 bad thing"},
		{gaveUp, "My model stopped answering. 6 attempts failed, the last with “unexpected EOF”. Check that it's running on localhost:11434 and has enough memory for x-1, or choose a smaller model."},
		{strings.Replace(gaveUp, "unexpected EOF", "connect ECONNREFUSED 127.0.0.1:1", 1), "Can't reach My model. Nothing responds on localhost:11434 (connect ECONNREFUSED 127.0.0.1:1). Check that it's running, then choose “Try again”."},
	} {
		w := newEnv(t, launchWith(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say(c.report)}}}, own), nil)
		tu := w.start(backend.SessionMain, "go")
		r := w.expectEnd(tu, backend.TurnFailed)
		equal(t, "message", r.Err.Message.String(), c.want)
		if all := r.Err.Detail + w.answerText(tu); strings.Contains(all, "COPILOT_PROVIDER") {
			t.Errorf("variables that nobody set: %q", all)
		}
	}
}

func TestOwnModel_SignInIsItsKey(t *testing.T) {
	t.Parallel()
	w := newEnv(t, launchWith(fakeagent.Script{Refuse: map[string]int{"session/new": -32000}}, func(l *agent.Launch) { l.Model.Name = "My model" }), nil)
	tu := w.start(backend.SessionMain, "go")
	if m := w.waitForState(backend.ConnectionNeedsLogin).Message; !strings.HasPrefix(m.String(), "My model rejected the API key.") {
		t.Errorf("the message is %q", m)
	}
	tu.cancel()
	w.expectEnd(tu, backend.TurnStopped)
}

func TestTool_UnresolvedCallOfPreviousProcess(t *testing.T) {
	t.Parallel()
	_, _, items := playTurn(t, backend.TurnDone, update("tool_call_update",
		`"toolCallId":"before","status":"failed","rawOutput":{"message":"Tool execution was interrupted before a result was recorded.","code":"interrupted"}`),
		update("tool_call_update", `"toolCallId":"ended","status":"failed"`))
	equal(t, "number of items", len(items), 1)
	equal(t, "title", items[0].Tool.Title, "Earlier tool call")
	equal(t, "fact", items[0].Tool.ResultSummary.String(), "no result")
	equal(t, "status", items[0].Tool.Status, backend.ToolCancelled)
}
