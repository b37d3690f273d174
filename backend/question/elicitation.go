package question

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// Answers to an elicitation without content.
const (
	declined = `{"action":"decline"}`
	canceled = `{"action":"cancel"}`
)

// Canceled is the response to an elicitation that the user can't be asked.
var Canceled = json.RawMessage(canceled)

// maxID is the maximum length in bytes of the ID of an elicitation.
const maxID = 200

// ParseElicitation reads a question from the parameters of ACP's elicitation/create. If it returns an error, that error
// is a *Refusal.
func ParseElicitation(params gjson.Result) (q backend.Question, err error) {
	if len(params.Raw) > MaxBytes {
		return q, tooLarge(len(params.Raw))
	}
	message := params.Get("message")
	q = backend.Question{Text: strings.TrimSpace(message.String()), Elicited: true}
	if message.Type != gjson.String {
		return q, invalid(`The "message" is required: the question to the user.`)
	}
	if err := checkText("message", q.Text, maxText, true); err != nil {
		return q, err
	}
	switch mode := params.Get("mode").String(); mode {
	case "url":
		id, address := params.Get("elicitationId"), params.Get("url")
		if id.Type != gjson.String || id.Str == "" || len(id.Str) > maxID || address.Type != gjson.String {
			return q, invalid(`The mode "url" needs an "elicitationId" and a "url".`)
		}
		q.Page, err = parsePage(id.Str, address.Str)
		return q, err
	case "form", "": // MCP's default
		q.Fields, err = parseForm(json.RawMessage(params.Get("requestedSchema").Raw), 0)
		if err == nil && hasText(q.Fields) && asksForSecret(q.Text) {
			err = secretRefusal("The message asks")
		}
		return q, err
	default:
		return q, invalid(`The mode %.40q isn't supported. The modes are "form" and "url".`, mode)
	}
}

// hasText reports whether a form has a field for any text.
func hasText(fields []backend.QuestionField) bool {
	for _, f := range fields {
		if f.Kind == backend.FieldText && f.Format == "" {
			return true
		}
	}
	return false
}

// tooLarge returns the refusal of a question of n bytes.
func tooLarge(n int) error {
	return &Refusal{
		text: fmt.Sprintf("The question wasn't asked because it is too large: %s bytes, at most %s are allowed. Ask for less at once.",
			backend.GroupDigits(n), backend.GroupDigits(MaxBytes)),
		Reason: backend.Say("not asked: the question is too large"),
	}
}

// Elicit asks the user with the parameters of ACP's elicitation/create, and returns the response. It blocks like
// Broker.Ask. A question that asks for a secret is declined without asking. The error, if any, is a *Refusal: the
// question breaks a rule.
func (b *Broker) Elicit(ctx context.Context, by Asker, params gjson.Result) (json.RawMessage, error) {
	q, err := ParseElicitation(params)
	var refused *Refusal
	if errors.As(err, &refused) {
		b.Refuse(by, backend.ToolAsk, params.Get("message").String(), refused.Reason)
		if refused.secret {
			return json.RawMessage(declined), nil
		}
		return nil, refused
	}
	q, _ = b.Ask(ctx, by, q)
	return elicited(q), nil
}

// elicited returns the response to an elicitation that has ended.
func elicited(q backend.Question) json.RawMessage {
	switch q.Outcome {
	case backend.OutcomeSkipped:
		return json.RawMessage(declined)
	case backend.OutcomeAnswered:
		out := map[string]any{"action": "accept"}
		if q.Page == nil {
			out["content"] = valuesOf(q)
		}
		return encode(out)
	default:
		return Canceled
	}
}

// Complete ends an agent's request to open a web page: the interaction on the page is over. id is the agent's ID of the
// request. If the question is still open, it counts as answered.
func (b *Broker) Complete(chatID, id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, o := range b.open {
		switch {
		case !o.isPage(chatID, id):
		case o.claimed:
			o.isDone = true
			return
		default:
			p := o.ended(backend.OutcomeAnswered, &backend.QuestionAnswer{})
			b.end(o, backend.OutcomeAnswered)
			b.cfg.Publish(o.doneRow(p), backend.Event{Permission: &p})
			o.answered <- p
			return
		}
	}
	for i, o := range b.opened {
		if o.isPage(chatID, id) {
			b.opened = append(b.opened[:i:i], b.opened[i+1:]...)
			b.cfg.Publish(o.doneRow(o.p))
			return
		}
	}
}

// doneRow returns the event for the row of a completed request to open a web page.
func (o *pending) doneRow(p backend.Permission) backend.Event {
	row := o.events(p)[0]
	row.Item.Tool.ResultSummary = backend.Say("done")
	return row
}

// isPage reports whether the question is the agent's request with the given ID to open a web page.
func (o *pending) isPage(chatID, id string) bool {
	page := o.p.Question.Page
	return page != nil && o.p.ChatID == chatID && page.ID == id
}

// maxOpened is the maximum number of opened web pages whose completion is awaited.
const maxOpened = 100

// await remembers an answered request to open a web page until the agent reports its completion, which may have arrived
// while the answer was being committed. The caller must hold b.mu.
func (b *Broker) await(o *pending, p backend.Permission) {
	switch {
	case p.Question.Page == nil || p.Question.Outcome != backend.OutcomeAnswered:
	case o.isDone:
		b.cfg.Publish(o.doneRow(p))
	default:
		b.opened = append(b.opened, &pending{p: p, row: o.row})
		b.opened = b.opened[max(0, len(b.opened)-maxOpened):]
	}
}
