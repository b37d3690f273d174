package engine_test

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// presentPlan makes the model present a plan as the first call of a turn with the given message.
func (w *guarded) presentPlan(message, plan string) {
	if w.plans == nil {
		w.plans = map[string]map[string]any{}
	}
	w.plans[message] = map[string]any{"title": "The greeting", "plan": plan}
}

// planMode switches the main session to the mode Plan.
func (w *guarded) planMode(t *testing.T) {
	t.Helper()
	noErr(t, w.App.SetPermissionMode(w.chat.ID, backend.ModeAsk))
	w.Send(w.chat, "hello")
	w.WaitFor("the first turn ends", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnDone })
	i := slices.IndexFunc(w.mainSession().Modes, func(m backend.Choice) bool { return strings.HasSuffix(m.ID, "#plan") })
	noErr(t, w.App.SetMode(w.chat.ID, backend.SessionMain, w.mainSession().Modes[i].ID))
	w.WaitFor("plan mode", func(e backend.Event) bool { return e.Session != nil && strings.HasSuffix(e.Session.Mode, "#plan") })
}

// mainSession returns the main session as last published.
func (w *guarded) mainSession() (s backend.Session) {
	for _, e := range w.Events() {
		if e.Session != nil && e.Session.ChatID == w.chat.ID && e.Session.Name == backend.SessionMain {
			s = *e.Session
		}
	}
	return s
}

func (w *guarded) answerPlan(t *testing.T, p backend.Permission, decision backend.PlanDecision, text string) {
	t.Helper()
	problems, err := w.App.AnswerQuestion(p.ID, backend.QuestionAnswer{Plan: &backend.PlanAnswer{Decision: decision, Text: text}})
	if noErr(t, err); problems != nil {
		t.Errorf("got %v", problems)
	}
}

// TestPlan_CopilotWorksAfterApproval checks with the real Copilot CLI that the model gets the plan as edited in the same
// turn, and that an approval ends plan mode and, if the user chose so, allows edits in the folder until the turn ends.
func TestPlan_CopilotWorksAfterApproval(t *testing.T) {
	w := newGuarded(t, func(string) {})
	w.planMode(t)
	a, outside, protected := filepath.Join(w.folder, "a.txt"), filepath.Join(t.TempDir(), "outside.txt"), filepath.Join(w.folder, "AGENTS.md")
	w.presentPlan("plan it", "1. Write a.txt\n2. Write b.txt")
	w.calls["plan it"] = []practice.Step{nil, create(a), create(outside), create(protected), bash("touch c.txt"), create(filepath.Join(w.folder, "b.txt"))}
	w.calls["more"] = []practice.Step{create(filepath.Join(w.folder, "later.txt"))}
	w.Send(w.chat, "plan it")
	p := w.waitForQuestion()
	if p.Kind != backend.ToolPlan || p.Question.Plan != "1. Write a.txt\n2. Write b.txt" || p.Question.Text != "The greeting" {
		t.Errorf("got %+v", p.Question)
	}
	w.answerPlan(t, p, backend.PlanAllowedEdits, "1. Write a.txt")
	asked, allowed := w.rejectUntilEnd(t, p.TurnID)
	got := w.toolTexts()
	if want := `{"edited_by_user":true,"edits_allowed":true,"note":"The user approved this plan. Carry it out now, exactly as it is here. Don't present it again.","outcome":"approved","plan":"1. Write a.txt"}`; !strings.Contains(got, want) {
		t.Errorf("the input of the model lacks %q:\n%s", want, got)
	}
	requests := w.server.Requests()
	if notices := strings.Join(requests[len(requests)-1].Notices, ""); !strings.Contains(notices, "Plan mode is no longer active") {
		t.Errorf("the CLI told the model only %q", notices)
	}
	for _, e := range w.Events() {
		if e.Item != nil && e.Item.Tool != nil && strings.Contains(e.Item.Tool.Title, "present_plan") {
			t.Errorf("the call has another row: %q", e.Item.Tool.Title)
		}
	}
	if mode := w.mainSession().Mode; !strings.HasSuffix(mode, "#agent") {
		t.Errorf("the mode is %q", mode)
	}
	if diff := gocmp.Diff([]string{a}, allowed); diff != "" {
		t.Error(diff)
	}
	// The CLI ends a turn when a request is rejected, so the model makes no further calls.
	if diff := gocmp.Diff([]string{outside}, asked); diff != "" {
		t.Error(diff)
	}
	if rules := w.turnRules(); len(rules) > 0 {
		t.Errorf("after the turn, these rules remain: %v", rules)
	}
	before := w.Events()
	w.Send(w.chat, "more")
	turn := w.WaitFor("the next turn", func(e backend.Event) bool {
		return e.Turn != nil && !slices.ContainsFunc(before, func(b backend.Event) bool { return b.Turn != nil && b.Turn.ID == e.Turn.ID })
	}).Turn.ID
	if asked, allowed = w.rejectUntilEnd(t, turn); len(asked) != 1 || len(allowed) > 0 {
		t.Errorf("in the next turn, the user was asked for %q, and %q were allowed", asked, allowed)
	}
}

// rejectUntilEnd rejects each request of a turn until it ends. It returns the paths of the requests that the user was
// asked for, and of those that a rule allowed.
func (w *guarded) rejectUntilEnd(t *testing.T, turnID string) (asked, allowed []string) {
	t.Helper()
	w.WaitFor("the turn ends", func(e backend.Event) bool {
		if p := e.Permission; p != nil && p.TurnID == turnID && p.Question == nil {
			switch {
			case p.State == backend.PermissionOpen:
				asked = append(asked, cmp.Or(p.Path, p.Command))
				noErr(t, w.App.Reject(p.ID, ""))
			case p.RuleID != "":
				allowed = append(allowed, p.Path)
			}
		}
		return e.Turn != nil && e.Turn.ID == turnID && e.Turn.State != backend.TurnRunning
	})
	return asked, allowed
}

// turnRules returns the rules that are limited to a turn.
func (w *guarded) turnRules() map[string]backend.Rule {
	rules := map[string]backend.Rule{}
	for _, e := range w.Events() {
		if e.Rule != nil && e.Rule.Scope.Kind == backend.RuleTurn {
			rules[e.Rule.ID] = *e.Rule
		}
		if e.RuleDeleted != nil {
			delete(rules, e.RuleDeleted.ID)
		}
	}
	return rules
}

// TestPlan_CopilotAsksBeforeEdits checks that after "Approve", the user is asked for each edit, and that after "Ask for
// changes", the mode stays and the model can present another plan.
func TestPlan_CopilotAsksBeforeEdits(t *testing.T) {
	w := newGuarded(t, func(string) {})
	w.planMode(t)
	a := filepath.Join(w.folder, "a.txt")
	w.presentPlan("plan it", "1. Write a.txt")
	w.calls["plan it"] = []practice.Step{nil, create(a)}
	w.Send(w.chat, "plan it")
	p := w.waitForQuestion()
	_, err := w.App.AnswerQuestion(p.ID, backend.QuestionAnswer{Text: "Less", Plan: &backend.PlanAnswer{
		Decision: backend.PlanChanges, Text: p.Question.Plan, Comments: []backend.PlanComment{{Line: 1, Text: "why?"}},
	}})
	noErr(t, err)
	if _, allowed := w.rejectUntilEnd(t, p.TurnID); len(allowed) > 0 {
		t.Errorf("without an approval, %q were allowed", allowed)
	}
	if got, want := w.toolTexts(), `"comments":[{"comment":"why?","line":1,"quote":"1. Write a.txt"}]`; !strings.Contains(got, want) {
		t.Errorf("the input of the model lacks %q:\n%s", want, got)
	}
	if mode := w.mainSession().Mode; !strings.HasSuffix(mode, "#plan") {
		t.Errorf("the mode is %q", mode)
	}
	if _, err := os.Stat(a); err == nil {
		t.Error("the file was written without an approval")
	}
	first := p.ID
	w.Send(w.chat, "plan it")
	p = *w.WaitFor("another plan", func(e backend.Event) bool {
		return e.Permission != nil && e.Permission.Question != nil && e.Permission.ID != first
	}).Permission
	w.answerPlan(t, p, backend.PlanApproved, p.Question.Plan)
	if asked, allowed := w.rejectUntilEnd(t, p.TurnID); len(asked) != 1 || len(allowed) > 0 {
		t.Errorf("the user was asked for %q, and %q were allowed", asked, allowed)
	}
}
