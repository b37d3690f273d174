package agent_test

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/permission"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// testBroker is the real permission broker, used by an env, with a permission mode that tests can change.
type testBroker struct {
	*permission.Broker
	mu   sync.Mutex
	mode backend.PermissionMode
}

func (d *testBroker) setMode(m backend.PermissionMode) {
	d.mu.Lock()
	d.mode = m
	d.mu.Unlock()
}

func newTestBroker(w *env, rules ...backend.Rule) *testBroker {
	d := &testBroker{mode: backend.ModeAsk}
	d.Broker = permission.New(permission.Config{
		Publish: w.publish, Commit: w.commit, Rules: rules,
		Mode: func(string) backend.PermissionMode {
			d.mu.Lock()
			defer d.mu.Unlock()
			return d.mode
		},
	})
	return d
}

// permissionRows returns the latest state of each permission request, in order of arrival.
func (w *env) permissionRows() (rows []backend.Permission) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := map[string]int{}
	for _, e := range w.events {
		if e.Permission == nil {
			continue
		}
		i, ok := at[e.Permission.ID]
		if !ok {
			i = len(rows)
			at[e.Permission.ID] = i
			rows = append(rows, backend.Permission{})
		}
		rows[i] = *e.Permission
	}
	return rows
}

// waitForRow waits until the n-th permission request is waiting for the user, and returns its state.
func (w *env) waitForRow(n int) backend.Permission {
	w.t.Helper()
	var p backend.Permission
	waitFor(w.t, "a request that is open", func() bool {
		rows := w.permissionRows()
		if len(rows) < n {
			return false
		}
		p = rows[n-1]
		return p.State == backend.PermissionOpen
	})
	return p
}

// brokerCases are the test cases that use the real permission broker. They run with both the fake agent and the real
// CLI.
var brokerCases = []struct {
	name  string
	turns [][]act
	mode  backend.PermissionMode
	rules []backend.Rule
	run   func(t *testing.T, w *env, d *testBroker)
}{
	{
		name:  "Ask first asks for edits and commands",
		turns: [][]act{{{edit: "a.txt", newText: "a\n"}, {command: "echo b > b.txt"}, {text: "Done."}}},
		mode:  backend.ModeAsk,
		run: func(t *testing.T, w *env, d *testBroker) {
			tu := w.start(backend.SessionMain, "Do 1.")
			for n := 1; n <= 2; n++ {
				p := w.waitForRow(n)
				if err := d.Answer(t.Context(), p.ID, optionOf(p, backend.OptionAllowOnce), false); err != nil {
					t.Fatal(err)
				}
			}
			w.expectEnd(tu, backend.TurnDone)
			equal(t, "the edit", w.read("a.txt"), "a\n")
			equal(t, "the command", w.read("b.txt"), "b\n")
			w.assertDecisions(t, tu, backend.DecisionAllowedOnce, backend.DecisionAllowedOnce)
		},
	},
	{
		name:  "Allow edits lets edits in the folder go ahead, and asks for commands",
		turns: [][]act{{{edit: "a.txt", newText: "a\n"}, {edit: "a.txt", old: "a", newText: "c"}, {command: "echo b > b.txt"}, {text: "Done."}}},
		mode:  backend.ModeAcceptEdits,
		run: func(t *testing.T, w *env, d *testBroker) {
			tu := w.start(backend.SessionMain, "Do 1.")
			p := w.waitForRow(3)
			equal(t, "what is asked for", p.Kind, backend.ToolExecute)
			equal(t, "the edits, meanwhile", w.read("a.txt"), "c\n")
			equal(t, "the command, meanwhile", w.read("b.txt"), "")
			if err := d.Answer(t.Context(), p.ID, optionOf(p, backend.OptionAllowOnce), false); err != nil {
				t.Fatal(err)
			}
			w.expectEnd(tu, backend.TurnDone)
			w.assertDecisions(t, tu, backend.DecisionAutoAllowed, backend.DecisionAutoAllowed, backend.DecisionAllowedOnce)
			for _, row := range w.permissionRows()[:2] {
				equal(t, "mode of the row", row.Mode, backend.ModeAcceptEdits)
				equal(t, "the answer", row.OptionID, optionOf(row, backend.OptionAllowOnce))
			}
		},
	},
	{
		name:  "Allow everything asks for nothing in the folder, and still outside of it",
		turns: [][]act{{{edit: "a.txt", newText: "a\n"}, {command: "echo b > b.txt"}, {edit: "../outside.txt", newText: "o\n"}, {text: "Done."}}},
		mode:  backend.ModeBypass,
		run: func(t *testing.T, w *env, d *testBroker) {
			tu := w.start(backend.SessionMain, "Do 1.")
			p := w.waitForRow(3)
			equal(t, "what is asked for", p.Path, filepath.Join(filepath.Dir(w.folder), "outside.txt"))
			equal(t, "it is outside", p.Outside, true)
			equal(t, "a rule can be made of it", p.Scope != nil, false)
			if err := d.Answer(t.Context(), p.ID, optionOf(p, backend.OptionAllowOnce), false); err != nil {
				t.Fatal(err)
			}
			w.expectEnd(tu, backend.TurnDone)
			equal(t, "the edit", w.read("a.txt"), "a\n")
			equal(t, "the command", w.read("b.txt"), "b\n")
			equal(t, "the edit outside", w.read("../outside.txt"), "o\n")
			w.assertDecisions(t, tu, backend.DecisionAutoAllowed, backend.DecisionAutoAllowed, backend.DecisionAllowedOnce)
		},
	},
	{
		name:  "Another mode answers the request that is open",
		turns: [][]act{{{command: "echo b > b.txt"}, {text: "Done."}}},
		mode:  backend.ModeAsk,
		run: func(t *testing.T, w *env, d *testBroker) {
			tu := w.start(backend.SessionMain, "Do 1.")
			w.waitForRow(1)
			d.setMode(backend.ModeBypass)
			d.ModeChanged(t.Context(), "chat")
			w.expectEnd(tu, backend.TurnDone)
			equal(t, "the command", w.read("b.txt"), "b\n")
			w.assertDecisions(t, tu, backend.DecisionAutoAllowed)
		},
	},
	{
		name:  "A rule that denies wins over Allow everything",
		turns: [][]act{{{command: "echo b > b.txt"}, {text: "Done."}}},
		mode:  backend.ModeBypass,
		rules: []backend.Rule{{ID: "no", Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "echo"}}},
		run: func(t *testing.T, w *env, d *testBroker) {
			tu := w.promptAndExpect("Do 1.", backend.TurnDone)
			equal(t, "the command", w.read("b.txt"), "")
			w.assertDecisions(t, tu, backend.DecisionRejected)
			row := w.permissionRows()[0]
			equal(t, "rule of the row", row.RuleID, "no")
			equal(t, "the answer", row.OptionID, optionOf(row, backend.OptionRejectOnce))
		},
	},
	{
		name:  "A rule for a prefix lets single commands go ahead, and asks for longer lines",
		turns: [][]act{{{command: "touch  one.txt"}, {command: "touch two.txt; touch three.txt"}, {text: "Done."}}},
		mode:  backend.ModeAsk,
		rules: []backend.Rule{{ID: "touch", Effect: backend.RuleAllow, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "touch"}}},
		run: func(t *testing.T, w *env, d *testBroker) {
			tu := w.start(backend.SessionMain, "Do 1.")
			p := w.waitForRow(2)
			equal(t, "what is asked for", p.Command, "touch two.txt; touch three.txt")
			equal(t, "rule of the first", w.permissionRows()[0].RuleID, "touch")
			if err := d.Answer(t.Context(), p.ID, optionOf(p, backend.OptionRejectOnce), false); err != nil {
				t.Fatal(err)
			}
			w.expectEnd(tu, backend.TurnDone)
			w.assertDecisions(t, tu, backend.DecisionAlwaysAllowed, backend.DecisionRejected)
		},
	},
	{
		name:  "Always allow answers once, and the rule answers from then on",
		turns: [][]act{{{edit: "a.txt", newText: "a\n"}, {edit: "b.txt", newText: "b\n"}}, {{edit: "c.txt", newText: "c\n"}}},
		mode:  backend.ModeAsk,
		run: func(t *testing.T, w *env, d *testBroker) {
			tu := w.start(backend.SessionMain, "Do 1.")
			p := w.waitForRow(1)
			if err := d.Answer(t.Context(), p.ID, "", true); err != nil {
				t.Fatal(err)
			}
			w.expectEnd(tu, backend.TurnDone)
			w.promptAndExpect("Do 2.", backend.TurnDone)
			equal(t, "the last edit", w.read("c.txt"), "c\n")
			rows := w.permissionRows()
			// Each call asked: permanent decisions are VoxPilot's rules, not the agent's "always".
			equal(t, "requests", len(rows), 3)
			for _, row := range rows {
				equal(t, "the answer", row.OptionID, optionOf(row, backend.OptionAllowOnce))
				equal(t, "rule", row.RuleID, rows[0].RuleID)
				equal(t, "decision", row.Decision, backend.DecisionAlwaysAllowed)
			}
			if err := d.RemoveRule(t.Context(), rows[0].RuleID); err != nil {
				t.Fatal(err)
			}
		},
	},
}

// assertDecisions fails the test if the turn's tool calls don't have the decisions in
// want, or one of them is marked as run without permission.
func (w *env) assertDecisions(t *testing.T, tu *turn, want ...backend.Decision) {
	t.Helper()
	var got []backend.Decision
	for _, it := range w.tools(tu) {
		got = append(got, it.Tool.Decision)
		if it.Tool.WithoutPermission {
			t.Errorf("it counts as not asked for: %+v", it.Tool)
		}
	}
	equalDeep(t, "decisions", got, want)
}

// optionOf returns the ID of the request's first option of the given kind.
func optionOf(p backend.Permission, kind backend.OptionKind) string {
	for _, o := range p.Options {
		if o.Kind == kind {
			return o.ID
		}
	}
	return "(none)"
}

func testModesAndRules(t *testing.T, launch func(t *testing.T, w *env, turns [][]act) agent.Launch) {
	for _, c := range brokerCases {
		t.Run(c.name, func(t *testing.T) {
			needsUnix(t, contract{turns: c.turns})
			w := newEmptyEnv(t)
			w.folder = filepath.Join(w.folder, "project")
			if err := os.Mkdir(w.folder, 0o700); err != nil {
				t.Fatal(err)
			}
			l := launch(t, w, c.turns)
			d := newTestBroker(w, c.rules...)
			d.setMode(c.mode)
			w.open(func(*env) agent.Launch { return l }, func(_ *env, cfg *agent.Config) {
				cfg.Ask, cfg.IsAllowed = d.Ask, d.IsAllowed
			})
			c.run(t, w, d)
		})
	}
}

func TestModesAndRules_FakeAgent(t *testing.T) {
	testModesAndRules(t, func(_ *testing.T, w *env, turns [][]act) agent.Launch { return fake(fakeScript(turns))(w) })
}

func TestModesAndRules_Copilot(t *testing.T) {
	cli := copilotCLI(t)
	testModesAndRules(t, func(t *testing.T, w *env, turns [][]act) agent.Launch { return copilotLaunch(t, w, cli, turns) })
}

func TestPermissions_EndWithTurnAndAgent(t *testing.T) {
	t.Parallel()
	both := fakeagent.Together(fakeagent.Edit("a.txt", "", "a\n"), fakeagent.Run("echo b"))
	w := newEmptyEnv(t)
	d := newTestBroker(w)
	w.open(fake(fakeagent.Script{Rest: fakeagent.Turn{both}}), func(_ *env, cfg *agent.Config) { cfg.Ask, cfg.IsAllowed = d.Ask, d.IsAllowed })
	mine, other := w.start(backend.SessionMain, "go"), w.start("other", "go")
	count := func(state backend.PermissionState) (n int) {
		for _, row := range w.permissionRows() {
			if row.State == state {
				n++
			}
		}
		return n
	}
	waitFor(t, "four requests", func() bool { return count(backend.PermissionOpen) == 4 })
	// Requests are displayed by time of arrival, whichever was checked first.
	shown := w.permissionRows()
	slices.SortFunc(shown, func(a, b backend.Permission) int { return cmp.Compare(a.CreatedAt, b.CreatedAt) })
	var order, came []string
	for _, row := range shown {
		order = append(order, gjson.GetBytes(row.Raw, "toolCall.toolCallId").String())
	}
	for _, f := range w.agent.Protocol(0, sdk.ClientMethodSessionRequestPermission, 0) {
		came = append(came, gjson.Get(f.Body, "params.toolCall.toolCallId").String())
	}
	equalDeep(t, "the order of the requests", order, came)

	w.agent.Cancel(backend.SessionMain)
	w.expectEnd(mine, backend.TurnStopped)
	for _, row := range w.permissionRows() {
		want := backend.PermissionOpen
		if row.Session == backend.SessionMain {
			want = backend.PermissionClosed
		}
		equal(t, "a request of "+row.Session, row.State, want)
	}
	kill(t, w.agent.Connection().PID)
	w.expectEnd(other, backend.TurnInterrupted)
	equal(t, "requests that are closed", count(backend.PermissionClosed), 4)
	for _, row := range w.permissionRows() {
		equal(t, "decision", row.Decision, backend.DecisionClosed)
		if err := d.Answer(t.Context(), row.ID, optionOf(row, backend.OptionAllowOnce), false); backend.CodeOf(err) != backend.CodeNotFound {
			t.Errorf("a request that is closed can be answered: %v", err)
		}
	}
	equal(t, "the file", w.read("a.txt"), "")
}
