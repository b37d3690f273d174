package question_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/question"
)

func parse(t *testing.T, arguments string) backend.Question {
	t.Helper()
	q, err := question.Parse(json.RawMessage(arguments))
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestCheck_FieldProblems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		schema string
		values []string
		want   string // "" if the value is valid
	}{
		{`{"type":"string","pattern":"^[a-z-]+$","description":"Use small letters."}`, []string{"A"}, "Use small letters."},
		{`{"type":"string","pattern":"^[a-z-]+$"}`, []string{"A"}, "This doesn't match the expected pattern: ^[a-z-]+$"},
		{`{"type":"string","minLength":3}`, []string{"ab"}, "Use at least 3 characters."},
		{`{"type":"string","maxLength":3}`, []string{"äöüß"}, "Use at most 3 characters."},
		{`{"type":"string"}`, []string{"a\x07"}, "This contains a character that can't be displayed."},
		{`{"type":"string","format":"email"}`, []string{"name@example"}, "Enter an email address, such as name@example.com."},
		{`{"type":"string","format":"email"}`, []string{"Name <name@example.com>"}, "Enter an email address, such as name@example.com."},
		{`{"type":"string","format":"email"}`, []string{" name@example.com "}, ""},
		{`{"type":"string","format":"uri"}`, []string{"example.com"}, "Enter a complete address, such as https://example.com."},
		{`{"type":"string","format":"uri"}`, []string{"https://example.com/a?b=c"}, ""},
		{`{"type":"string","format":"date"}`, []string{"2026-02-30"}, "Enter a date as year-month-day, such as 2026-11-30."},
		{`{"type":"string","format":"date-time"}`, []string{"2026-02-28T10:00:00+01:00"}, ""},
		{`{"type":"string","format":"date-time"}`, []string{"2026-02-28"}, "Enter a date and time, such as 2026-11-30T14:00:00Z."},
		{`{"type":"integer"}`, []string{"1.5"}, "Enter a whole number."},
		{`{"type":"integer"}`, []string{"1e3"}, ""},
		{`{"type":"integer"}`, []string{"99999999999999999999"}, "Enter a whole number."},
		{`{"type":"number"}`, []string{"0x10"}, "Enter a number."},
		{`{"type":"number"}`, []string{"NaN"}, "Enter a number."},
		{`{"type":"number"}`, []string{"1,5"}, ""},
		{`{"type":"number","minimum":5,"maximum":500}`, []string{"4"}, "Enter a number from 5 to 500."},
		{`{"type":"number","minimum":5}`, []string{"4"}, "Enter 5 or a larger number."},
		{`{"type":"number","maximum":5}`, []string{"6"}, "Enter 5 or a smaller number."},
		{`{"type":"boolean"}`, []string{"perhaps"}, "Choose one of the options."},
		{`{"type":"string","enum":["a","b"]}`, []string{"c"}, "Choose one of the options."},
		{`{"type":"array","minItems":2,"items":{"enum":["a","b","c"]}}`, []string{"a"}, "Choose at least 2."},
		{`{"type":"array","minItems":2,"items":{"enum":["a","b","c"]}}`, nil, ""},
		{`{"type":"array","maxItems":1,"items":{"enum":["a","b","c"]}}`, []string{"a", "b"}, "Choose at most 1."},
		{`{"type":"array","items":{"enum":["a"]}}`, []string{"a", "x"}, "Choose one of the options."},
	} {
		q := parse(t, property("f", c.schema))
		_, problems := question.Check(q, backend.QuestionAnswer{Values: []backend.FieldValue{{Name: "f", Values: c.values}}})
		got := ""
		if len(problems) > 0 {
			got = problems[0].Message.String()
		}
		if got != c.want {
			t.Errorf("%s with %q: %q, want %q", c.schema, c.values, got, c.want)
		}
	}
}

func TestCheck_RequiredFields(t *testing.T) {
	t.Parallel()
	q := parse(t, `{"question":"q","form":{"properties":{
		"a":{"type":"string"},"b":{"type":"integer"},"c":{"type":"array","items":{"enum":["x"]}},"d":{"type":"boolean"},"e":{"type":"string","enum":["x"]}},
		"required":["a","b","c","d","e"]}}`)
	_, problems := question.Check(q, backend.QuestionAnswer{Values: []backend.FieldValue{{Name: "a", Values: []string{"  "}}}})
	var names []string
	for _, problem := range problems {
		names = append(names, problem.Name)
		if problem.Message.String() != "Fill in this field." {
			t.Errorf("%s: %s", problem.Name, problem.Message)
		}
	}
	if diff := cmp.Diff([]string{"a", "b", "c", "e"}, names); diff != "" { // a switch always has a value
		t.Error(diff)
	}
}

func TestCheck_Choices(t *testing.T) {
	t.Parallel()
	one := parse(t, `{"question":"q","choices":["a","b"]}`)
	several := parse(t, `{"question":"q","choices":["a","b"],"multiple":true}`)
	strict := parse(t, `{"question":"q","choices":["a","b"],"free_text":false}`)
	open := parse(t, `{"question":"q"}`)
	for _, c := range []struct {
		q    backend.Question
		a    backend.QuestionAnswer
		want string // problem, or the result
	}{
		{one, backend.QuestionAnswer{}, "Choose an answer."},
		{one, backend.QuestionAnswer{Choices: []int{0, 1}}, "Choose only one answer."},
		{one, backend.QuestionAnswer{Choices: []int{0}, Text: "x"}, "Choose only one answer."},
		{one, backend.QuestionAnswer{Choices: []int{7, -1}}, "Choose an answer."},
		{one, backend.QuestionAnswer{Choices: []int{1}}, `{"answer":"b","outcome":"answered"}`},
		{one, backend.QuestionAnswer{Text: " <c> "}, `{"answer":"<c>","outcome":"answered"}`},
		{several, backend.QuestionAnswer{Choices: []int{1, 0, 1}, Text: "c"}, `{"answers":["a","b","c"],"outcome":"answered"}`},
		{strict, backend.QuestionAnswer{Text: "c"}, "Choose an answer."},
		{open, backend.QuestionAnswer{}, "Enter an answer."},
		{open, backend.QuestionAnswer{Text: "a\x1bb"}, "This contains a character that can't be displayed."},
		{open, backend.QuestionAnswer{Text: strings.Repeat("x", 10_001)}, "Use at most 10000 characters."},
	} {
		checked, problems := question.Check(c.q, c.a)
		c.q.Outcome, c.q.Answer = backend.OutcomeAnswered, &checked
		got := string(question.Result(c.q, 0))
		if len(problems) > 0 {
			got = problems[0].Message.String()
		}
		if got != c.want {
			t.Errorf("%+v: %s, want %s", c.a, got, c.want)
		}
	}
}

func TestResult_TypedValues(t *testing.T) {
	t.Parallel()
	q := parse(t, `{"question":"q","form":{"properties":{
		"name":{"type":"string"},"size":{"type":"integer"},"ratio":{"type":"number"},"backup":{"type":"boolean"},
		"some":{"type":"array","items":{"enum":["a","b"]}},"none":{"type":"string"}}}}`)
	checked, problems := question.Check(q, backend.QuestionAnswer{Values: []backend.FieldValue{
		{Name: "ratio", Values: []string{"0,5"}}, {Name: "name", Values: []string{"x"}}, {Name: "size", Values: []string{"1e2"}},
		{Name: "some", Values: []string{"b", "a"}}, {Name: "stranger", Values: []string{"x"}},
	}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	q.Outcome, q.Answer = backend.OutcomeAnswered, &checked
	const want = `{"outcome":"answered","values":{"backup":false,"name":"x","ratio":0.5,"size":100,"some":["a","b"]}}`
	if got := string(question.Result(q, 0)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
