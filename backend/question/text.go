package question

import (
	"fmt"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// Markdown returns a question and its answer in Markdown, for search, export and recaps. Exact values of the model and
// the user aren't escaped, and the words in between are in English, because models read them too.
func Markdown(q backend.Question) string {
	var b strings.Builder
	section := func(format string, args ...any) {
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(&b, format, args...)
	}
	if q.Plan != "" {
		writePlan(section, q)
		return b.String()
	}
	section("%s", q.Text)
	if p := q.Page; p != nil {
		section("%s", p.Host) // the rest of the address may contain a one-time code
	}
	answer := backend.QuestionAnswer{}
	if q.Answer != nil {
		answer = *q.Answer
	}
	var list []string
	for i, c := range q.Choices {
		line := "- [ ] " + c.Label
		if slices.Contains(answer.Choices, i) {
			line = "- [x] " + c.Label
		}
		if c.Description != "" {
			line += ": " + c.Description
		}
		list = append(list, line)
	}
	for _, f := range q.Fields {
		line := "- " + f.Title
		for _, v := range answer.Values {
			if v.Name == f.Name {
				line += ": " + strings.Join(titlesOf(f, v.Values), ", ")
			}
		}
		list = append(list, line)
	}
	if len(list) > 0 {
		section("%s", strings.Join(list, "\n"))
	}
	if answer.Text != "" {
		section("Answer: %s", answer.Text)
	}
	return b.String()
}

// writePlan writes a plan as the user answered it, with the user's comments.
func writePlan(section func(format string, args ...any), q backend.Question) {
	if q.Text != "" {
		section("%s", q.Text)
	}
	if q.Answer == nil || q.Answer.Plan == nil {
		section("%s", q.Plan)
		return
	}
	a := q.Answer.Plan
	section("%s", a.Text)
	if a.Text != q.Plan {
		section("Before the user's changes:\n\n%s", q.Plan)
	}
	if q.Answer.Text != "" {
		section("Comment: %s", q.Answer.Text)
	}
	lines := strings.Split(a.Text, "\n")
	for _, c := range a.Comments {
		section("Comment on “%s”: %s", strings.TrimSpace(lines[c.Line-1]), c.Text)
	}
}

// titlesOf returns the titles of a field's values, or the values themselves if they have none.
func titlesOf(f backend.QuestionField, values []string) []string {
	titles := slices.Clone(values)
	for i, value := range values {
		for _, o := range f.Options {
			if o.Value == value && o.Title != "" {
				titles[i] = o.Title
			}
		}
	}
	return titles
}
