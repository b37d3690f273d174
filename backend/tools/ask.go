package tools

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/question"
)

// AskUser is the name of the tool that asks the user a question.
const AskUser = "ask_user"

// askArgs are the arguments of askUser. Package question reads them again, in detail.
type askArgs struct {
	Question string         `json:"question"`
	Choices  []any          `json:"choices"`
	Multiple bool           `json:"multiple"`
	FreeText *bool          `json:"free_text"`
	Form     map[string]any `json:"form"`
}

// askUser asks the user a question and returns the answer.
func (r *Registry) askUser(ctx context.Context, c call) (Result, error) {
	var args askArgs
	var q backend.Question
	err := decode(c.Arguments, &args)
	if err == nil {
		q, err = question.Parse(c.Arguments)
	}
	if err != nil {
		reason := question.NotValid
		var refused *question.Refusal
		if errors.As(err, &refused) {
			reason = refused.Reason
		}
		if r.cfg.OnRefused != nil {
			r.cfg.OnRefused(c.Call, questionText(c.Arguments), reason)
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

// questionText returns the text of a question that wasn't asked, or "" if the arguments are too large or aren't valid
// JSON.
func questionText(arguments json.RawMessage) string {
	if len(arguments) > 8*question.MaxBytes || !gjson.ValidBytes(arguments) {
		return ""
	}
	return gjson.GetBytes(arguments, "question").String()
}
