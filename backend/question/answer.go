package question

import (
	"encoding/json"
	"fmt"
	"math"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// maxAnswer is the maximum length in characters of a text in an answer.
const maxAnswer = 10_000

// Check checks an answer and returns it as it is stored: without empty or unknown parts, and with numbers in a uniform
// notation. If problems isn't empty, the answer can't be sent.
func Check(q backend.Question, a backend.QuestionAnswer) (checked backend.QuestionAnswer, problems []backend.FieldProblem) {
	if len(q.Fields) > 0 {
		return checkForm(q.Fields, a)
	}
	if q.Page != nil || isConfirmation(q) {
		return checked, nil
	}
	if q.Plan != "" {
		checked, problem := checkPlan(a)
		if !problem.IsZero() {
			problems = append(problems, backend.FieldProblem{Message: problem})
		}
		return checked, problems
	}
	for _, i := range a.Choices {
		if i >= 0 && i < len(q.Choices) && !slices.Contains(checked.Choices, i) {
			checked.Choices = append(checked.Choices, i)
		}
	}
	slices.Sort(checked.Choices)
	if text := strings.TrimSpace(a.Text); q.FreeText {
		checked.Text = text
	}
	given := len(checked.Choices)
	if checked.Text != "" {
		given++
	}
	var problem backend.Message
	switch _, has := hidden(checked.Text); {
	case given == 0 && len(q.Choices) > 0:
		problem = backend.Say("Choose an answer.")
	case given == 0:
		problem = backend.Say("Enter an answer.")
	case given > 1 && !q.Several:
		problem = backend.Say("Choose only one answer.")
	case utf8.RuneCountInString(checked.Text) > maxAnswer:
		problem = backend.Say("Use at most %d characters.", maxAnswer)
	case has:
		problem = backend.Say("This contains a character that can't be displayed.")
	}
	if !problem.IsZero() {
		problems = append(problems, backend.FieldProblem{Message: problem})
	}
	return checked, problems
}

// isConfirmation reports whether the user only confirms the text of a question.
func isConfirmation(q backend.Question) bool {
	return q.Elicited && q.Page == nil && len(q.Fields) == 0
}

func checkForm(fields []backend.QuestionField, a backend.QuestionAnswer) (checked backend.QuestionAnswer, problems []backend.FieldProblem) {
	for _, f := range fields {
		var values []string
		for _, v := range a.Values {
			if v.Name == f.Name {
				values = v.Values
			}
		}
		values, problem := checkValue(f, values)
		switch {
		case !problem.IsZero():
			problems = append(problems, backend.FieldProblem{Name: f.Name, Message: problem})
		case len(values) > 0:
			checked.Values = append(checked.Values, backend.FieldValue{Name: f.Name, Values: values})
		}
	}
	return checked, problems
}

// checkValue checks the value of a field and returns it as it is stored. problem is for the user, and empty if the value
// is valid.
func checkValue(f backend.QuestionField, values []string) (checked []string, problem backend.Message) {
	if f.Kind == backend.FieldSome {
		return checkSome(f, values)
	}
	value := ""
	if len(values) > 0 {
		value = strings.TrimSpace(values[0])
	}
	if value == "" {
		switch {
		case f.Kind == backend.FieldBoolean:
			return []string{"false"}, backend.Message{}
		case f.Required:
			return nil, backend.Say("Fill in this field.")
		}
		return nil, backend.Message{}
	}
	switch f.Kind {
	case backend.FieldText:
		problem = textProblem(f, value)
	case backend.FieldNumber, backend.FieldInteger:
		value, problem = checkNumber(f, value)
	case backend.FieldBoolean:
		if value != "true" && value != "false" {
			problem = backend.Say("Choose one of the options.")
		}
	default: // FieldOne
		if !isOption(f, value) {
			problem = backend.Say("Choose one of the options.")
		}
	}
	return []string{value}, problem
}

func isOption(f backend.QuestionField, value string) bool {
	return slices.ContainsFunc(f.Options, func(o backend.FieldOption) bool { return o.Value == value })
}

func checkSome(f backend.QuestionField, values []string) (checked []string, problem backend.Message) {
	for _, o := range f.Options { // in the order of the form
		if slices.Contains(values, o.Value) {
			checked = append(checked, o.Value)
		}
	}
	least, n := 0, len(checked)
	if f.MinItems != nil {
		least = *f.MinItems
	}
	if f.Required {
		least = max(least, 1)
	}
	switch {
	case n == 0 && !f.Required:
	case n == 0 && least <= 1:
		return checked, backend.Say("Fill in this field.")
	case n < least:
		return checked, backend.Say("Choose at least %d.", least)
	case f.MaxItems != nil && n > *f.MaxItems:
		return checked, backend.Say("Choose at most %d.", *f.MaxItems)
	}
	if slices.ContainsFunc(values, func(v string) bool { return !isOption(f, v) }) {
		return checked, backend.Say("Choose one of the options.")
	}
	return checked, problem
}

func textProblem(f backend.QuestionField, value string) backend.Message {
	n, most := utf8.RuneCountInString(value), maxAnswer
	if f.MaxLength != nil {
		most = min(most, *f.MaxLength)
	}
	_, has := hidden(value)
	switch {
	case has:
		return backend.Say("This contains a character that can't be displayed.")
	case f.MinLength != nil && n < *f.MinLength:
		return backend.Say("Use at least %d characters.", *f.MinLength)
	case n > most:
		return backend.Say("Use at most %d characters.", most)
	}
	switch f.Format {
	case "email":
		if a, err := mail.ParseAddress(value); err != nil || a.Address != value || !strings.Contains(value[strings.LastIndexByte(value, '@'):], ".") {
			return backend.Say("Enter an email address, such as name@example.com.")
		}
	case "uri":
		if u, err := url.Parse(value); err != nil || !u.IsAbs() || strings.ContainsAny(value, " \t\n") {
			return backend.Say("Enter a complete address, such as https://example.com.")
		}
	case "date":
		if _, err := time.Parse(time.DateOnly, value); err != nil {
			return backend.Say("Enter a date as year-month-day, such as 2026-11-30.")
		}
	case "date-time":
		if _, err := time.Parse(time.RFC3339, value); err != nil {
			return backend.Say("Enter a date and time, such as 2026-11-30T14:00:00Z.")
		}
	}
	if f.Pattern != "" {
		if pattern, err := regexp.Compile(f.Pattern); err != nil || !pattern.MatchString(value) {
			if f.Description != "" {
				return backend.Plain(f.Description)
			}
			return backend.Say("This doesn't match the expected pattern: %s", f.Pattern)
		}
	}
	return backend.Message{}
}

// checkNumber checks a number. A single comma counts as the decimal separator if there is no period.
func checkNumber(f backend.QuestionField, value string) (string, backend.Message) {
	if strings.Count(value, ",") == 1 && !strings.Contains(value, ".") {
		value = strings.Replace(value, ",", ".", 1)
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) || strings.ContainsAny(value, "xXpP_") {
		return value, backend.Say("Enter a number.")
	}
	number := func(limit float64) string { return strconv.FormatFloat(limit, 'f', -1, 64) }
	switch below, above := f.Min != nil && n < *f.Min, f.Max != nil && n > *f.Max; {
	case f.Kind == backend.FieldInteger && (n != math.Trunc(n) || math.Abs(n) > 1<<53):
		return value, backend.Say("Enter a whole number.")
	case (below || above) && f.Min != nil && f.Max != nil:
		return value, backend.Say("Enter a number from %s to %s.", number(*f.Min), number(*f.Max))
	case below:
		return value, backend.Say("Enter %s or a larger number.", number(*f.Min))
	case above:
		return value, backend.Say("Enter %s or a smaller number.", number(*f.Max))
	}
	return number(n), backend.Message{}
}

// Notes that tell the model how to continue without an answer.
const (
	skippedNote = "The user skipped the question. Continue with your best judgment and say which assumption you made. Don't ask the same question again."
	awayNote    = "The user didn't answer for %d minutes and is probably away. The question is closed; the user can still answer later, in a message. Continue with the safest assumption if it can be undone easily and say which one you made; otherwise end your turn and repeat the question in your last message."
	closedNote  = "The question was closed without an answer."
)

// Result returns the result of a question for the model, as JSON. The parameter minutes is the time for which the
// question was open.
func Result(q backend.Question, minutes int) json.RawMessage {
	if q.Plan != "" {
		return planResult(q)
	}
	out := map[string]any{"outcome": q.Outcome}
	switch q.Outcome {
	case backend.OutcomeAnswered:
		answerInto(out, q)
	case backend.OutcomeSkipped:
		out["note"] = skippedNote
	case backend.OutcomeAway:
		out["note"] = fmt.Sprintf(awayNote, minutes)
	default:
		out["outcome"], out["note"] = backend.OutcomeClosed, closedNote
	}
	return encode(out)
}

// encode returns a value that consists of strings, numbers, booleans, lists and maps as JSON.
func encode(v any) json.RawMessage {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // such values can be encoded
	return json.RawMessage(strings.TrimSpace(text.String()))
}

func answerInto(out map[string]any, q backend.Question) {
	if q.Answer == nil {
		return
	}
	if len(q.Fields) > 0 {
		out["values"] = valuesOf(q)
		return
	}
	given := labels(q)
	if q.Several {
		out["answers"] = given
	} else if len(given) > 0 {
		out["answer"] = given[0]
	}
}

// valuesOf returns the values of an answered form by name, with the types that the form declares.
func valuesOf(q backend.Question) map[string]any {
	values := map[string]any{}
	if q.Answer == nil {
		return values
	}
	for _, v := range q.Answer.Values {
		i := slices.IndexFunc(q.Fields, func(f backend.QuestionField) bool { return f.Name == v.Name })
		if i >= 0 {
			values[v.Name] = typed(q.Fields[i].Kind, v.Values)
		}
	}
	return values
}

// labels returns the labels of the chosen answers, followed by the user's own answer.
func labels(q backend.Question) (given []string) {
	for _, i := range q.Answer.Choices {
		given = append(given, q.Choices[i].Label)
	}
	if q.Answer.Text != "" {
		given = append(given, q.Answer.Text)
	}
	return given
}

// typed returns the value of a field with the type that the form declares.
func typed(kind backend.FieldKind, values []string) any {
	switch kind {
	case backend.FieldSome:
		return values
	case backend.FieldNumber, backend.FieldInteger:
		return json.Number(values[0])
	case backend.FieldBoolean:
		return values[0] == "true"
	default:
		return values[0]
	}
}
