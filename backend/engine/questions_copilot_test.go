package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// callOwn returns a reply with calls of one of VoxPilot's tools, one for each element of calls. tools are the names of
// the model's tools. The CLI puts the name of VoxPilot's MCP server in front of the tool's name.
func callOwn(tools []string, tool string, calls ...map[string]any) (reply practice.Reply) {
	i := slices.IndexFunc(tools, func(name string) bool { return strings.HasSuffix(name, "-"+tool) })
	if i < 0 {
		return practice.Reply{practice.Text("There is no such tool.")}
	}
	for _, arguments := range calls {
		reply = append(reply, practice.ToolCall(tools[i], arguments))
	}
	return reply
}

// waitForQuestion waits until a question is open and returns it.
func (w *guarded) waitForQuestion() backend.Permission {
	return *w.WaitFor("the question", func(e backend.Event) bool {
		return e.Permission != nil && e.Permission.Question != nil && e.Permission.State == backend.PermissionOpen
	}).Permission
}

// toolTexts returns the tool results in the model's latest request.
func (w *guarded) toolTexts() string {
	var texts []string
	requests := w.server.Requests()
	for _, m := range requests[len(requests)-1].Messages {
		if m.Role == "tool" {
			texts = append(texts, m.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// answerQuestion answers the questions of TestQuestion_CopilotGetsAnswers.
func (w *guarded) answerQuestion(t *testing.T, p backend.Permission) {
	t.Helper()
	switch p.Question.Text {
	case "Details":
		a := backend.QuestionAnswer{Values: []backend.FieldValue{{Name: "size", Values: []string{"4"}}}}
		problems, err := w.App.AnswerQuestion(p.ID, a)
		if noErr(t, err); len(problems) != 1 || problems[0].Name != "size" {
			t.Errorf("got %v", problems)
		}
		a.Values[0].Values[0] = "50"
		problems, err = w.App.AnswerQuestion(p.ID, a)
		if noErr(t, err); problems != nil {
			t.Errorf("got %v", problems)
		}
	case "What else?":
		noErr(t, w.App.SkipQuestion(p.ID))
	default:
		_, err := w.App.AnswerQuestion(p.ID, backend.QuestionAnswer{Choices: []int{0}})
		noErr(t, err)
	}
}

// TestQuestion_CopilotGetsAnswers checks that the real Copilot CLI calls ask_user without asking for permission, waits
// for the user, and passes the answers on to the model.
func TestQuestion_CopilotGetsAnswers(t *testing.T) {
	w := newGuarded(t, func(string) {})
	w.asks = map[string][]map[string]any{"go": {
		{"question": "How long should it wait?", "choices": []any{map[string]any{"label": "10 seconds"}, map[string]any{"label": "No limit"}}},
		{"question": "Details", "form": map[string]any{"type": "object", "properties": map[string]any{"size": map[string]any{"type": "integer", "minimum": 5}}, "required": []any{"size"}}},
		{"question": "What else?"},
		{"question": "Sign in", "form": map[string]any{"properties": map[string]any{"password": map[string]any{"type": "string"}}}},
	}}
	w.Send(w.chat, "go")
	rows, seen := map[string]string{}, map[string]bool{}
	w.WaitFor("the turn ends", func(e backend.Event) bool {
		switch p := e.Permission; {
		case p != nil && p.Question == nil:
			t.Errorf("permission was requested: %+v", *p)
		case p != nil && p.State == backend.PermissionOpen && !seen[p.ID]:
			seen[p.ID] = true
			w.answerQuestion(t, *p)
		}
		if it := e.Item; it != nil && it.Tool != nil {
			rows[it.Tool.Title] = it.Tool.ResultSummary.String()
		}
		return e.Turn != nil && e.Turn.State == backend.TurnDone
	})
	got := w.toolTexts()
	for _, want := range []string{
		`{"answer":"10 seconds","outcome":"answered"}`, `{"outcome":"answered","values":{"size":50}}`, `"outcome":"skipped"`, "asks for a password, key or other secret",
	} {
		if strings.Count(got, want) != 1 {
			t.Errorf("the input of the model lacks %q:\n%s", want, got)
		}
	}
	for title, want := range map[string]string{
		"How long should it wait?": "you answered: 10 seconds", "Details": "you sent 1 answer", "What else?": "you skipped this", "Sign in": "not asked: it asks for a secret",
	} {
		if rows[title] != want {
			t.Errorf("the row %q says %q, want %q", title, rows[title], want)
		}
	}
	for title := range rows {
		if strings.Contains(title, "ask_user") {
			t.Errorf("the call has a row of its own: %q", title)
		}
	}
}

// TestQuestion_StopAndDeathClose checks that a question is closed when the user stops the turn or the agent.
func TestQuestion_StopAndDeathClose(t *testing.T) {
	w := newGuarded(t, func(string) {})
	w.asks = map[string][]map[string]any{"go": {{"question": "Which?"}}}
	for name, end := range map[string]func() error{
		"stop":  func() error { return w.App.Stop(w.chat.ID) },
		"death": func() error { return w.App.StopAgent(w.chat.ID) },
	} {
		w.Send(w.chat, "go")
		p := w.waitForQuestion()
		noErr(t, end())
		w.WaitFor("the question is closed by the "+name, func(e backend.Event) bool {
			return e.Permission != nil && e.Permission.ID == p.ID && e.Permission.State == backend.PermissionClosed && e.Permission.Question.Outcome == backend.OutcomeClosed
		})
		w.WaitFor("the turn ends", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State != backend.TurnRunning })
		_, err := w.App.AnswerQuestion(p.ID, backend.QuestionAnswer{Text: "this"})
		if backend.CodeOf(err) != backend.CodeNotFound || !strings.Contains(err.Error(), "too late") {
			t.Errorf("after the %s, an answer gets %v", name, err)
		}
		if asks := w.App.Overview.Asks(w.chat.ID); len(asks) > 0 {
			t.Errorf("after the %s, the chat still needs the user: %+v", name, asks)
		}
	}
}
