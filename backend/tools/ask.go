package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/question"
)

// Names of the tools that ask the user: a question, and to approve a plan.
const (
	AskUser     = "ask_user"
	PresentPlan = "present_plan"
)

// askArgs are the arguments of askUser. Package question reads them again, in detail.
type askArgs struct {
	Question string         `json:"question"`
	Choices  []any          `json:"choices"`
	Multiple bool           `json:"multiple"`
	FreeText *bool          `json:"free_text"`
	Form     map[string]any `json:"form"`
}

// planArgs are the arguments of presentPlan. Package question reads them again, in detail.
type planArgs struct {
	Plan  string `json:"plan"`
	Title string `json:"title"`
}

// askUser asks the user a question and returns the answer.
func (r *Registry) askUser(ctx context.Context, c call) (Result, error) {
	return r.put(ctx, c, backend.ToolAsk, &askArgs{}, question.Parse)
}

// presentPlan asks the user to approve a plan and returns the plan as approved, or the user's comments.
func (r *Registry) presentPlan(ctx context.Context, c call) (Result, error) {
	return r.put(ctx, c, backend.ToolPlan, &planArgs{}, question.ParsePlan)
}

// put asks the user what parse reads from the call's arguments. args is a pointer to the decoded arguments.
func (r *Registry) put(ctx context.Context, c call, kind backend.ToolKind, args any, parse func(json.RawMessage) (backend.Question, error)) (Result, error) {
	var q backend.Question
	err := decode(c.Arguments, args)
	if err == nil {
		q, err = parse(c.Arguments)
	}
	if err != nil {
		reason := question.NotValid
		if kind == backend.ToolPlan {
			reason = question.PlanNotValid
		}
		var refused *question.Refusal
		if errors.As(err, &refused) {
			reason = refused.Reason
		}
		if r.cfg.OnRefused != nil {
			r.cfg.OnRefused(c.Call, kind, questionText(c.Arguments), reason)
		}
		return Result{IsError: true, Text: err.Error()}, nil
	}
	q, minutes := r.cfg.AskUser(ctx, c.Call, q)
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	answer := question.Result(q, minutes)
	return Result{Text: string(answer), Structured: answer}, nil
}

// questionText returns the text of a question or the title of a plan that wasn't presented, or "" if the arguments are
// too large or aren't valid JSON.
func questionText(arguments json.RawMessage) string {
	if len(arguments) > 8*question.MaxBytes || !gjson.ValidBytes(arguments) {
		return ""
	}
	given := gjson.GetManyBytes(arguments, "question", "title")
	return cmp.Or(given[0].String(), given[1].String())
}
