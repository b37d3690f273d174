package notify

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// actionChoose is the prefix of actions that answer a question. The index of the choice, a space and the request's ID
// follow.
const actionChoose = "choose "

// choiceOf returns the question that an action answers, and the index of the chosen answer. ok is false if the action
// doesn't choose an answer or the question is no longer open.
func (p *policy) choiceOf(action string) (ask backend.Permission, choice int, ok bool) {
	rest, isIt := strings.CutPrefix(action, actionChoose)
	index, id, _ := strings.Cut(rest, " ")
	choice, err := strconv.Atoi(index)
	i := slices.IndexFunc(p.open, func(ask backend.Permission) bool { return ask.ID == id })
	if !isIt || err != nil || i < 0 || p.open[i].Question == nil || choice < 0 || choice >= len(p.open[i].Question.Choices) {
		return backend.Permission{}, 0, false
	}
	return p.open[i], choice, true
}

// maxButtons is the maximum number of choices that get buttons, and maxLabel is the maximum length of a button's label
// in characters. Every system can show such buttons.
const (
	maxButtons = 2
	maxLabel   = 30
)

// questionNotice returns the text of a question and buttons for its choices. It returns no buttons if the user may
// select several choices, or if the question or one of its choices can't be shown in full.
func (p *policy) questionNotice(ask backend.Permission) (body string, actions []Action) {
	q := *ask.Question
	body = cut(visibleText(q.Text), maxBody)
	if q.Several || len(q.Choices) == 0 || len(q.Choices) > maxButtons || body != q.Text || !p.limits.fits(body) {
		return body, nil
	}
	for i, c := range q.Choices {
		if !isVisible(c.Label) || utf8.RuneCountInString(c.Label) > maxLabel {
			return body, nil
		}
		actions = append(actions, Action{ID: actionChoose + strconv.Itoa(i) + " " + ask.ID, Label: c.Label})
	}
	return body, actions
}
