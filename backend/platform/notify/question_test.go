package notify

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
)

func TestQuestion_HasButtonsIfFullyDisplayed(t *testing.T) {
	choices := func(labels ...string) (all []backend.QuestionChoice) {
		for _, label := range labels {
			all = append(all, backend.QuestionChoice{Label: label})
		}
		return all
	}
	for name, c := range map[string]struct {
		q    backend.Question
		want []Action
	}{
		"two choices":    {backend.Question{Text: "How long?", Choices: choices("10 seconds", "No limit"), FreeText: true}, []Action{{"choose 0 q", "10 seconds"}, {"choose 1 q", "No limit"}}},
		"three choices":  {backend.Question{Text: "How long?", Choices: choices("a", "b", "c")}, nil},
		"several":        {backend.Question{Text: "Which?", Choices: choices("a", "b"), Several: true}, nil},
		"a long label":   {backend.Question{Text: "Which?", Choices: choices("a", strings.Repeat("b", 31))}, nil},
		"a long text":    {backend.Question{Text: strings.Repeat("x", 200), Choices: choices("a", "b")}, nil},
		"several lines":  {backend.Question{Text: "Which?\nThe first", Choices: choices("a", "b")}, nil},
		"an open one":    {backend.Question{Text: "Which?", FreeText: true}, nil},
		"a form":         {backend.Question{Text: "Which?", Fields: []backend.QuestionField{{Name: "a"}}}, nil},
		"hidden letters": {backend.Question{Text: "Which?", Choices: choices("a\u202e", "b")}, nil},
	} {
		w := newEnv(t)
		w.publish(backend.Event{Permission: &backend.Permission{ID: "q", ChatID: "c1", State: backend.PermissionOpen, Kind: backend.ToolAsk, Question: &c.q, CreatedAt: 1}})
		w.settle()
		notices := w.p.notices()
		if len(notices) != 1 || !strings.HasPrefix(notices[0].Body, c.q.Text[:5]) || !notices[0].IsPersistent {
			t.Errorf("%s: %+v", name, notices)
			continue
		}
		if diff := cmp.Diff(c.want, notices[0].Actions); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestQuestion_ButtonAnswersItsQuestionOnly(t *testing.T) {
	w := newEnv(t)
	q := backend.Question{Text: "Which?", Choices: []backend.QuestionChoice{{Label: "a"}, {Label: "b"}}}
	asked := backend.Permission{ID: "q", ChatID: "c1", State: backend.PermissionOpen, Kind: backend.ToolAsk, Question: &q, CreatedAt: 1}
	w.publish(backend.Event{Permission: &asked}, requestEvent("p", "c1"))
	w.settle()
	for action, want := range map[string]int{"choose 0 q": 0, "choose 1 q": 1, "choose 2 q": -1, "choose -1 q": -1, "choose 0 p": -1, "choose q": -1, "allow q": -1, "": -1} {
		ask, choice, ok := w.p.choiceOf(action)
		if ok != (want >= 0) || ok && (choice != want || ask.ID != "q") {
			t.Errorf("%q chooses %d of %q (%v), want %d", action, choice, ask.ID, ok, want)
		}
	}
	asked.State = backend.PermissionDecided
	w.publish(backend.Event{Permission: &asked})
	if _, _, ok := w.p.choiceOf("choose 0 q"); ok {
		t.Error("a question that is no longer open is answered")
	}
}

func TestPlan_IsNeverApprovedUnseen(t *testing.T) {
	w := newEnv(t)
	q := backend.Question{Plan: "1. a\n2. b"}
	w.publish(backend.Event{Permission: &backend.Permission{ID: "q", ChatID: "c1", State: backend.PermissionOpen, Kind: backend.ToolPlan, Title: "The refresh", Question: &q, CreatedAt: 1}})
	w.settle()
	notices := w.p.notices()
	if len(notices) != 1 || notices[0].Body != "Plan ready to approve: The refresh" || len(notices[0].Actions) > 0 || !notices[0].IsPersistent {
		t.Errorf("%+v", notices)
	}
}
