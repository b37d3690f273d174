package engine

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// AnswerQuestion answers an open question. If the answer isn't valid, the result contains the reasons, and the question
// stays open.
func (a *API) AnswerQuestion(id string, answer backend.QuestionAnswer) (problems []backend.FieldProblem, err error) {
	err = a.Call(func(ctx context.Context, e *Engine) (err error) {
		problems, err = e.Questions.Answer(ctx, id, answer)
		return err
	})
	return problems, err
}

// CheckAnswer returns the reasons why an answer to an open question isn't valid, without sending it.
func (a *API) CheckAnswer(id string, answer backend.QuestionAnswer) (problems []backend.FieldProblem, err error) {
	err = a.Call(func(_ context.Context, e *Engine) (err error) {
		problems, err = e.Questions.Check(id, answer)
		return err
	})
	return problems, err
}

// SkipQuestion closes an open question without an answer.
func (a *API) SkipQuestion(id string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Questions.Skip(ctx, id) })
}

// SetViewed records the ID of the chat that the user has in front of them; "" means none.
func (h *host) SetViewed(chatID string) { h.viewed.Store(chatID) }

func (h *host) isViewed(chatID string) bool {
	viewed, _ := h.viewed.Load().(string)
	return viewed == chatID
}
