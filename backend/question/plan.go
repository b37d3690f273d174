package question

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// Limits of a plan. maxComment is in characters.
const (
	maxPlanLines = 1000
	maxComments  = 100
	maxComment   = 2000
)

// PlanSchema is the JSON Schema of the arguments that ParsePlan reads.
const PlanSchema = `{
  "type": "object",
  "properties": {
    "title": {"type": "string", "maxLength": 200, "description": "The plan's subject in a few words, in the user's language."},
    "plan": {"type": "string", "minLength": 1, "description": "The plan in Markdown, in the user's language: preferably one numbered list with a step per line, each with the files it changes in backticks."}
  },
  "required": ["plan"],
  "additionalProperties": false
}`

// PlanNotValid is the reason for refusing a plan that breaks a rule.
var PlanNotValid = backend.Say("not presented: the plan isn't valid")

// planArguments are the arguments of the tool present_plan.
type planArguments struct {
	Title string `json:"title"`
	Plan  string `json:"plan"`
}

// ParsePlan reads a plan from the arguments of the tool present_plan. If it returns an error, that error is a *Refusal.
func ParsePlan(raw json.RawMessage) (q backend.Question, err error) {
	if len(raw) > MaxBytes {
		return q, &Refusal{
			text:   "The plan wasn't presented because it is too large: at most " + backend.GroupDigits(MaxBytes) + " bytes are allowed, and this one has " + backend.GroupDigits(len(raw)) + ". Present only the steps.",
			Reason: backend.Say("not presented: the plan is too large"),
		}
	}
	var args planArguments
	if err = strict(raw, &args); err == nil {
		q = backend.Question{Text: strings.TrimSpace(args.Title), Plan: normalPlan(args.Plan)}
		err = cmp.Or(checkText("title", q.Text, maxTitle, false), checkText("plan", q.Plan, MaxBytes, false))
	}
	if err == nil && q.Plan == "" {
		err = invalid(`The argument "plan" is required: the plan in Markdown.`)
	}
	if n := linesOf(q.Plan); err == nil && n > maxPlanLines {
		err = invalid("The plan can have at most %d lines, not %d. Present only the steps.", maxPlanLines, n)
	}
	var refused *Refusal
	if errors.As(err, &refused) {
		refused.Reason = PlanNotValid
	}
	return q, err
}

// normalPlan returns a plan without blank lines at its start and end, and without spaces at the end. Lines end in "\n".
func normalPlan(text string) string {
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), " \t\n")
	for {
		line, rest, more := strings.Cut(text, "\n")
		if !more || strings.TrimSpace(line) != "" {
			return text
		}
		text = rest
	}
}

func linesOf(text string) int { return strings.Count(text, "\n") + 1 }

// checkPlan is Check for a plan.
func checkPlan(a backend.QuestionAnswer) (checked backend.QuestionAnswer, problem backend.Message) {
	if a.Plan == nil {
		return checked, backend.Say("Approve the plan, or ask for changes.")
	}
	given := backend.PlanAnswer{Decision: a.Plan.Decision, Text: normalPlan(a.Plan.Text)}
	for _, c := range a.Plan.Comments {
		if c.Text = strings.TrimSpace(c.Text); c.Text != "" {
			given.Comments = append(given.Comments, c)
		}
	}
	checked = backend.QuestionAnswer{Text: strings.TrimSpace(a.Text), Plan: &given}
	decisions := []backend.PlanDecision{backend.PlanApproved, backend.PlanAllowedEdits, backend.PlanChanges}
	texts := []string{given.Text, checked.Text}
	for _, c := range given.Comments {
		texts = append(texts, c.Text)
	}
	lines := linesOf(given.Text)
	switch {
	case !slices.Contains(decisions, given.Decision):
		return checked, backend.Say("Approve the plan, or ask for changes.")
	case given.Text == "":
		return checked, backend.Say("The plan is empty. Add a step, or ask for changes.")
	case given.Decision == backend.PlanChanges && checked.Text == "" && len(given.Comments) == 0:
		return checked, backend.Say("Enter what should change, or comment on a step.")
	case len(given.Text) > MaxBytes || lines > maxPlanLines:
		return checked, backend.Say("The plan is too long: use at most %d lines.", maxPlanLines)
	case utf8.RuneCountInString(checked.Text) > maxAnswer:
		return checked, backend.Say("Use at most %d characters.", maxAnswer)
	case len(given.Comments) > maxComments || slices.ContainsFunc(given.Comments, func(c backend.PlanComment) bool {
		return c.Line < 1 || c.Line > lines || utf8.RuneCountInString(c.Text) > maxComment
	}):
		return checked, backend.Say("Use at most %d comments of up to %d characters.", maxComments, maxComment)
	case slices.ContainsFunc(texts, func(text string) bool { _, has := hidden(text); return has }):
		return checked, backend.Say("This contains a character that can't be displayed.")
	}
	return checked, backend.Message{}
}

// Notes that tell the model how to continue after a plan.
const (
	approvedNote = "The user approved this plan. Carry it out now, exactly as it is here. Don't present it again."
	changesNote  = "The user didn't approve the plan yet. Change it as the comments say, and present the new plan. Don't change any files before a plan is approved."
	skippedPlan  = "The user didn't approve the plan. Don't carry it out; end your turn."
	awayPlan     = "The user didn't answer and is probably away. The plan isn't approved: don't carry it out. End your turn; the user can still send the plan in a message."
	closedPlan   = "The plan was closed without an answer. It isn't approved: don't carry it out."
)

// planResult is Result for a plan.
func planResult(q backend.Question) json.RawMessage {
	out := map[string]any{"outcome": q.Outcome}
	switch {
	case q.Outcome == backend.OutcomeAnswered && q.Answer != nil && q.Answer.Plan != nil:
		answeredPlan(out, q)
	case q.Outcome == backend.OutcomeSkipped:
		out["note"] = skippedPlan
	case q.Outcome == backend.OutcomeAway:
		out["note"] = awayPlan
	default:
		out["outcome"], out["note"] = backend.OutcomeClosed, closedPlan
	}
	return encode(out)
}

func answeredPlan(out map[string]any, q backend.Question) {
	a := q.Answer.Plan
	out["plan"] = a.Text
	if a.Text != q.Plan {
		out["edited_by_user"] = true
	}
	if a.Decision == backend.PlanChanges {
		out["outcome"], out["note"] = "changes", changesNote
	} else {
		out["outcome"], out["note"] = "approved", approvedNote
		out["edits_allowed"] = a.Decision == backend.PlanAllowedEdits
	}
	if q.Answer.Text != "" {
		out["text"] = q.Answer.Text
	}
	lines := strings.Split(a.Text, "\n")
	comments := make([]map[string]any, 0, len(a.Comments))
	for _, c := range a.Comments {
		comments = append(comments, map[string]any{"line": c.Line, "quote": strings.TrimSpace(lines[c.Line-1]), "comment": c.Text})
	}
	if len(comments) > 0 {
		out["comments"] = comments
	}
}

// planSummary returns the user's decision on a plan in a few words.
func planSummary(q backend.Question) backend.Message {
	switch a := q.Answer.Plan; {
	case a.Decision == backend.PlanChanges:
		return backend.Say("you asked for changes")
	case a.Decision == backend.PlanAllowedEdits:
		return backend.Say("you approved it and allowed edits")
	case a.Text != q.Plan:
		return backend.Say("you approved it with your changes")
	default:
		return backend.Say("you approved it")
	}
}

// titleOf returns the title of a question's row: its text, or the first line of a plan without a title.
func titleOf(q backend.Question) string {
	if q.Text != "" || q.Plan == "" {
		return q.Text
	}
	line, _, _ := strings.Cut(q.Plan, "\n")
	return strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#"))
}

func kindOf(q backend.Question) backend.ToolKind {
	if q.Plan != "" {
		return backend.ToolPlan
	}
	return backend.ToolAsk
}
