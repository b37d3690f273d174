package question_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/question"
)

func parsePlan(t *testing.T, arguments string) backend.Question {
	t.Helper()
	q, err := question.ParsePlan(json.RawMessage(arguments))
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestParsePlan(t *testing.T) {
	t.Parallel()
	got := parsePlan(t, `{"title":" The refresh ","plan":"\n \n  1. a\r\n  2. b \n\n"}`)
	if diff := cmp.Diff(backend.Question{Text: "The refresh", Plan: "  1. a\n  2. b"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestParsePlan_Refuses(t *testing.T) {
	t.Parallel()
	text := func(s string) string {
		b, _ := json.Marshal(map[string]string{"plan": s})
		return string(b)
	}
	for name, c := range map[string]struct{ arguments, want, reason string }{
		"no plan":           {`{"title":"x"}`, `The argument "plan" is required`, "not presented: the plan isn't valid"},
		"blank":             {text(" \n\t\n"), `The argument "plan" is required`, "not presented: the plan isn't valid"},
		"another type":      {`{"plan":["a"]}`, "don't match the schema", "not presented: the plan isn't valid"},
		"unknown argument":  {`{"plan":"a","mode":"yolo"}`, "mode", "not presented: the plan isn't valid"},
		"two objects":       {`{"plan":"a"}{"plan":"b"}`, "single JSON object", "not presented: the plan isn't valid"},
		"not JSON":          {`{"plan":`, "don't match the schema", "not presented: the plan isn't valid"},
		"1 MB":              {text(strings.Repeat("x", 1<<20)), "too large", "not presented: the plan is too large"},
		"many lines":        {text(strings.Repeat("-\n", 1001) + "end"), "at most 1000 lines, not 1002", "not presented: the plan isn't valid"},
		"escape sequence":   {text("1. \x1b[31mred"), "U+001B", "not presented: the plan isn't valid"},
		"direction of text": {text("1. a\u202eb"), "U+202E", "not presented: the plan isn't valid"},
		"NUL in the title":  {`{"plan":"a","title":"\u0000"}`, "U+0000", "not presented: the plan isn't valid"},
		"long title":        {`{"plan":"a","title":"` + strings.Repeat("x", 201) + `"}`, "at most 200 characters", "not presented: the plan isn't valid"},
	} {
		_, err := question.ParsePlan(json.RawMessage(c.arguments))
		var refused *question.Refusal
		if !errors.As(err, &refused) || !strings.Contains(refused.Error(), c.want) || refused.Reason.String() != c.reason {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

func planAnswer(decision backend.PlanDecision, text, words string, comments ...backend.PlanComment) backend.QuestionAnswer {
	return backend.QuestionAnswer{Text: words, Plan: &backend.PlanAnswer{Decision: decision, Text: text, Comments: comments}}
}

func TestCheck_PlanProblems(t *testing.T) {
	t.Parallel()
	q := parsePlan(t, `{"plan":"1. a\n2. b"}`)
	for _, c := range []struct {
		a    backend.QuestionAnswer
		want string
	}{
		{planAnswer("approved", "1. a", ""), ""},
		{planAnswer("allowed_edits", "1. a", ""), ""},
		{planAnswer("changes", "1. a", "less"), ""},
		{planAnswer("changes", "1. a", "", backend.PlanComment{Line: 1, Text: "why?"}), ""},
		{planAnswer("approved", "1. a", "", backend.PlanComment{Line: 1, Text: "why?"}), ""},
		{backend.QuestionAnswer{Text: "yes"}, "Approve the plan, or ask for changes."},
		{planAnswer("yes", "1. a", ""), "Approve the plan, or ask for changes."},
		{planAnswer("approved", " \n", ""), "The plan is empty. Add a step, or ask for changes."},
		{planAnswer("changes", "1. a", " ", backend.PlanComment{Line: 1, Text: " "}), "Enter what should change, or comment on a step."},
		{planAnswer("approved", strings.Repeat("x", 65<<10), ""), "The plan is too long: use at most 1000 lines."},
		{planAnswer("approved", strings.Repeat("x\n", 1001), ""), "The plan is too long: use at most 1000 lines."},
		{planAnswer("changes", "1. a", strings.Repeat("x", 10_001)), "Use at most 10000 characters."},
		{planAnswer("changes", "1. a", "", backend.PlanComment{Line: 2, Text: "x"}), "Use at most 100 comments of up to 2000 characters."},
		{planAnswer("changes", "1. a", "", backend.PlanComment{Line: 0, Text: "x"}), "Use at most 100 comments of up to 2000 characters."},
		{planAnswer("approved", "1. \u2066a", ""), "This contains a character that can't be displayed."},
		{planAnswer("approved", "1. a", "", backend.PlanComment{Line: 1, Text: "\x07"}), "This contains a character that can't be displayed."},
	} {
		_, problems := question.Check(q, c.a)
		got := ""
		if len(problems) > 0 {
			got = problems[0].Message.String()
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.a.Plan, got, c.want)
		}
	}
}

func TestResult_Plan(t *testing.T) {
	t.Parallel()
	q := parsePlan(t, `{"plan":"1. <a>\n2. b"}`)
	for _, c := range []struct {
		a    backend.QuestionAnswer
		want string
	}{
		{planAnswer("approved", "1. <a>\n2. b\n", ""), `"edits_allowed":false,"note":"The user approved this plan. Carry it out now, exactly as it is here. Don't present it again.","outcome":"approved","plan":"1. <a>\n2. b"}`},
		{planAnswer("allowed_edits", "1. c", ""), `{"edited_by_user":true,"edits_allowed":true,`},
		{planAnswer("changes", "1. <a>\n2. b", "less", backend.PlanComment{Line: 2, Text: " why? "}), `{"comments":[{"comment":"why?","line":2,"quote":"2. b"}],"note":`},
		{planAnswer("changes", "1. <a>\n2. b", "less"), `"outcome":"changes","plan":"1. <a>\n2. b","text":"less"}`},
	} {
		answered := q
		checked, problems := question.Check(q, c.a)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		answered.Outcome, answered.Answer = backend.OutcomeAnswered, &checked
		if got := string(question.Result(answered, 1)); !strings.Contains(got, c.want) {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	for _, outcome := range []backend.QuestionOutcome{backend.OutcomeAway, backend.OutcomeClosed, backend.OutcomeSkipped, ""} {
		q.Outcome = outcome
		if got := string(question.Result(q, 10)); !strings.Contains(got, "on't carry it out") || strings.Contains(got, "approved\"") {
			t.Errorf("%s: %s", outcome, got)
		}
	}
}

func TestBroker_PlanRows(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(d *env, id string)
		fact string
		late string
	}{
		"approved": {func(d *env, id string) {
			_, _ = d.Answer(context.Background(), id, planAnswer("approved", "# Fix\n1. a", ""))
		}, "you approved it", "already been answered"},
		"edited": {func(d *env, id string) { _, _ = d.Answer(context.Background(), id, planAnswer("approved", "1. a", "")) }, "you approved it with your changes", "already been answered"},
		"allowed": {func(d *env, id string) {
			_, _ = d.Answer(context.Background(), id, planAnswer("allowed_edits", "# Fix\n1. a", ""))
		}, "you approved it and allowed edits", "already been answered"},
		"changes": {func(d *env, id string) {
			_, _ = d.Answer(context.Background(), id, planAnswer("changes", "# Fix\n1. a", "no"))
		}, "you asked for changes", "already been answered"},
		"away": {func(*env, string) { time.Sleep(11 * time.Minute) }, "no answer in 10 min", "the plan is closed"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newEnv()
				id, out := d.ask(t, t.Context(), backend.Question{Plan: "# Fix\n1. a"})
				if p, row := d.state(id); p.Kind != backend.ToolPlan || row.Tool.Kind != backend.ToolPlan || p.Title != "Fix" {
					t.Errorf("presented as %+v with the row %+v", p, row.Tool)
				}
				c.do(d, id)
				<-out
				if _, row := d.state(id); row.Open || row.Tool.ResultSummary.String() != c.fact {
					t.Errorf("the row says %q, want %q", row.Tool.ResultSummary, c.fact)
				}
				_, err := d.Answer(t.Context(), id, planAnswer("approved", "1. a", ""))
				if backend.CodeOf(err) != backend.CodeNotFound || !strings.Contains(err.Error(), c.late) {
					t.Errorf("a late answer: %v", err)
				}
			})
		})
	}
}
