package question_test

import (
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/question"
)

func TestMarkdown_ContainsQuestionAndAnswer(t *testing.T) {
	field := backend.QuestionField{Name: "size", Title: "Size", Kind: backend.FieldOne, Options: []backend.FieldOption{{Value: "s", Title: "Small"}}}
	for _, c := range []struct {
		name string
		q    backend.Question
		want string
	}{
		{"choices", backend.Question{
			Text: "Which one?", Choices: []backend.QuestionChoice{{Label: "A", Description: "the first"}, {Label: "B"}},
			Answer: &backend.QuestionAnswer{Choices: []int{1}, Text: "soon"},
		}, "Which one?\n\n- [ ] A: the first\n- [x] B\n\nAnswer: soon"},
		{"unanswered", backend.Question{Text: "Which one?", Choices: []backend.QuestionChoice{{Label: "A"}}}, "Which one?\n\n- [ ] A"},
		{"form", backend.Question{
			Text: "Sizes", Fields: []backend.QuestionField{field, {Name: "n", Title: "Number"}},
			Answer: &backend.QuestionAnswer{Values: []backend.FieldValue{{Name: "size", Values: []string{"s"}}}},
		}, "Sizes\n\n- Size: Small\n- Number"},
		{"web page", backend.Question{Text: "Sign in", Page: &backend.QuestionPage{Before: "https://", Host: "a.example", After: "/x"}}, "Sign in\n\na.example"},
		{"open plan", backend.Question{Text: "The refresh", Plan: "1. Read"}, "The refresh\n\n1. Read"},
		{"edited plan", backend.Question{Plan: "1. Look", Answer: &backend.QuestionAnswer{
			Text: "Be quick.", Plan: &backend.PlanAnswer{Text: "1. Read\n2. Write", Comments: []backend.PlanComment{{Line: 2, Text: "in Go"}}},
		}}, "1. Read\n2. Write\n\nBefore the user's changes:\n\n1. Look\n\nComment: Be quick.\n\nComment on “2. Write”: in Go"},
	} {
		if got := question.Markdown(c.q); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
