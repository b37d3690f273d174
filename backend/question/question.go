// Package question lets a model or an agent ask the user a question and wait for the answer. Parse and ParseElicitation
// read a question, Check checks an answer, Result returns the result for the model, and a Broker holds the open
// questions.
//
// A question is the body of a permission request (backend.Permission), so it is shown, counted, stored and closed like
// one. Unlike a permission request, it never allows anything, no rule or mode answers it, and it is closed if the user
// doesn't answer in time.
package question

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// Limits of a question. Lengths are in characters, except that of a pattern, which is in bytes.
const (
	MaxBytes       = 64 << 10 // of the arguments, as JSON
	maxText        = 2000
	maxChoices     = 20
	maxLabel       = 200
	maxDescription = 500
	maxFields      = 30
	maxName        = 100
	maxOptions     = 200
	maxPattern     = 200
)

// Refusal is the reason why a question isn't asked. Its text is for the model.
type Refusal struct {
	text   string
	secret bool            // the question asks for a secret
	Reason backend.Message // short, for the user
}

func (r *Refusal) Error() string { return r.text }

// NotValid is the reason for refusing a question that breaks a rule.
var NotValid = backend.Say("not asked: the question isn't valid")

// invalid returns the refusal of a question that breaks a rule. The text tells the model the rule.
func invalid(format string, args ...any) error {
	return &Refusal{text: fmt.Sprintf(format, args...), Reason: NotValid}
}

// arguments are the arguments of the tool ask_user.
type arguments struct {
	Question string          `json:"question"`
	Choices  []choice        `json:"choices"`
	Multiple bool            `json:"multiple"`
	FreeText *bool           `json:"free_text"`
	Form     json.RawMessage `json:"form"`
}

// choice is a choice in the arguments. A model may also write only the label.
type choice struct {
	Label       string `json:"label"`
	Description string `json:"description"`
	Suggested   bool   `json:"suggested"`
}

func (c *choice) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, &c.Label)
	}
	type plain choice
	return strict(raw, (*plain)(c))
}

// Schema is the JSON Schema of the arguments that Parse reads.
const Schema = `{
  "type": "object",
  "properties": {
    "question": {"type": "string", "minLength": 1, "maxLength": 2000, "description": "The question, in the user's language: short, concrete, understandable on its own."},
    "choices": {"type": "array", "maxItems": 20, "description": "Answers to choose from, the best one first. Leave out for an open question or a form.", "items": {"type": "object", "properties": {
      "label": {"type": "string", "minLength": 1, "maxLength": 200, "description": "The answer, in a few words."},
      "description": {"type": "string", "maxLength": 500, "description": "What choosing it means, in one line."},
      "suggested": {"type": "boolean", "description": "Set for the one answer that you recommend."}
    }, "required": ["label"], "additionalProperties": false}},
    "multiple": {"type": "boolean", "description": "Let the user choose several of the choices."},
    "free_text": {"type": "boolean", "description": "Let the user write an answer instead of choosing one. Default: true."},
    "form": {"type": "object", "description": "A form instead of choices, for several values at once: a flat JSON Schema of type object. Each property has a title and one type: string (minLength, maxLength, pattern, format email, uri, date or date-time, or enum or oneOf with const and title), number or integer (minimum, maximum), boolean, or array (minItems, maxItems, items with enum or anyOf). Each may have a description and a default. List the properties that need a value in required.", "properties": {
      "type": {"type": "string", "enum": ["object"]},
      "properties": {"type": "object"},
      "required": {"type": "array", "items": {"type": "string"}}
    }, "required": ["properties"]}
  },
  "required": ["question"],
  "additionalProperties": false
}`

// Parse reads a question from the arguments of the tool ask_user. If it returns an error, that error is a *Refusal.
func Parse(raw json.RawMessage) (backend.Question, error) {
	if len(raw) > MaxBytes {
		return backend.Question{}, tooLarge(len(raw))
	}
	var args arguments
	if err := strict(raw, &args); err != nil {
		return backend.Question{}, err
	}
	q := backend.Question{Text: strings.TrimSpace(args.Question), Several: args.Multiple}
	if q.Text == "" {
		return q, invalid(`The argument "question" is required: the question to the user.`)
	}
	if err := checkText("question", q.Text, maxText, true); err != nil {
		return q, err
	}
	hasForm := len(args.Form) > 0 && string(args.Form) != "null"
	if hasForm {
		if len(args.Choices) > 0 || args.Multiple || args.FreeText != nil {
			return q, invalid(`A question has either "choices" or a "form". Leave out "choices", "multiple" and "free_text", or the "form".`)
		}
		var err error
		q.Fields, err = parseForm(args.Form, 1)
		if err == nil && hasText(q.Fields) && asksForSecret(q.Text) {
			err = secretRefusal("The question asks")
		}
		return q, err
	}
	q.FreeText = args.FreeText == nil || *args.FreeText || len(args.Choices) == 0
	if len(args.Choices) == 0 {
		if args.Multiple {
			return q, invalid(`"multiple" needs "choices".`)
		}
		if asksForSecret(q.Text) {
			return q, secretRefusal("The question asks")
		}
		return q, nil
	}
	var err error
	q.Choices, err = parseChoices(args.Choices)
	return q, err
}

func parseChoices(given []choice) ([]backend.QuestionChoice, error) {
	if len(given) > maxChoices {
		return nil, invalid("There can be at most %d choices, not %d. Offer the most likely ones; the user can write another answer.", maxChoices, len(given))
	}
	var out []backend.QuestionChoice
	suggested := 0
	for _, c := range given {
		made := backend.QuestionChoice{Label: strings.TrimSpace(c.Label), Description: strings.TrimSpace(c.Description), Suggested: c.Suggested}
		if err := checkText("label of a choice", made.Label, maxLabel, true); err != nil {
			return nil, err
		}
		if err := checkText("description of a choice", made.Description, maxDescription, false); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(other backend.QuestionChoice) bool { return other.Label == made.Label }) {
			return nil, invalid("Two choices have the label %q.", made.Label)
		}
		if made.Suggested {
			suggested++
		}
		out = append(out, made)
	}
	if suggested > 1 {
		return nil, invalid("At most one choice can be suggested, not %d.", suggested)
	}
	return out, nil
}

// checkText returns an error if the text has more than the given number of characters, if hidden finds a character in
// it or, if needed is set, if the text is empty. what is the name of the text.
func checkText(what, text string, most int, needed bool) error {
	switch n := utf8.RuneCountInString(text); {
	case needed && n == 0:
		return invalid("The %s is missing.", what)
	case n > most:
		return invalid("The %s can have at most %d characters, not %d.", what, most, n)
	}
	if r, has := hidden(text); has {
		return invalid("The %s contains the control character %U, which isn't allowed.", what, r)
	}
	return nil
}

// hidden returns the first character of a text that is a control character, changes the direction of text, or is U+2028,
// U+2029 or U+FFFD. The characters "\n" and "\t" are allowed.
func hidden(text string) (rune, bool) {
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' || r == utf8.RuneError {
			return r, true
		}
	}
	return 0, false
}

// strict decodes JSON into a pointer to a struct. It returns a refusal if a member is unknown or has the wrong type.
func strict(raw []byte, into any) error {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		raw = []byte("{}")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			return invalid("The arguments must be a single JSON object.")
		}
		return nil
	}
	var refused *Refusal
	if errors.As(err, &refused) {
		return refused
	}
	return invalid("The arguments don't match the schema: %s.", strings.TrimPrefix(err.Error(), "json: "))
}
