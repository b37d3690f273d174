package chaos_test

import (
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/copilottest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// openedQuestion is the question of one round.
type openedQuestion struct {
	chat, id  string
	elicited  bool // an agent asked with elicitation/create
	plan      bool // the model presented a plan
	confirmed bool // the app confirmed the answer
}

// answer returns a valid answer with the choice at an index, or with its counterpart in the elicited form.
func (a openedQuestion) answer(choice int) backend.QuestionAnswer {
	if a.elicited {
		return backend.QuestionAnswer{Values: []backend.FieldValue{{Name: "which", Values: []string{[]string{"this", "that"}[choice]}}}}
	}
	if a.plan {
		return backend.QuestionAnswer{Plan: &backend.PlanAnswer{Decision: backend.PlanAllowedEdits, Text: []string{"1. this", "1. that"}[choice]}}
	}
	return backend.QuestionAnswer{Choices: []int{choice}}
}

// assertNoTurnRules checks that the app has removed the rules with which plans allowed edits.
func (l *appProcess) assertNoTurnRules() {
	l.t.Helper()
	for _, e := range l.snapshot("/data/app").Events {
		if e.Rule != nil && e.Rule.Scope.Kind == backend.RuleTurn {
			l.t.Errorf("the rule of a plan remains: %+v", *e.Rule)
		}
	}
}

// elicitation is a turn of an agent that asks the same question with elicitation/create.
var elicitation = fakeagent.Turn{fakeagent.Ask("elicitation/create", `{"sessionId":"$SESSION","mode":"form","message":"Which?","requestedSchema":`+
	`{"type":"object","properties":{"which":{"type":"string","enum":["this","that"]}},"required":["which"]}}`)}

// waitForQuestion waits until the chat has an open question and returns its ID.
func (l *appProcess) waitForQuestion(chatID string) (id string) {
	l.t.Helper()
	l.waitForEvent(0, "the question", func(e backend.Event) bool {
		if p := e.Permission; p != nil && p.ChatID == chatID && p.Question != nil {
			id = p.ID
		}
		return id != ""
	})
	return id
}

// isConfirmed reports whether the app has responded to a call, and without an error.
func (l *appProcess) isConfirmed(call int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	line, ok := l.answers[call]
	return ok && line.Error == nil
}

// storedQuestion returns the state of a question, and of its row, after the app was restarted.
func (l *appProcess) storedQuestion(a openedQuestion) (p *backend.Permission, row *backend.Item) {
	l.t.Helper()
	for _, e := range l.snapshot("/data/chat?id=" + a.chat).Events {
		if e.Permission != nil && e.Permission.ID == a.id {
			p = e.Permission
		}
		if e.Item != nil && e.Item.Tool != nil && (e.Item.Tool.Kind == backend.ToolAsk || e.Item.Tool.Kind == backend.ToolPlan) {
			row = e.Item
		}
	}
	return p, row
}

// assertQuestion checks that the question is stored, that it isn't open, that a confirmed answer is in it, and that
// nothing can answer it again.
func (l *appProcess) assertQuestion(a openedQuestion) {
	l.t.Helper()
	p, row := l.storedQuestion(a)
	switch {
	case p == nil || row == nil:
		l.t.Errorf("the question was lost: %+v %+v", p, row)
		return
	case p.State == backend.PermissionOpen || row.Open:
		l.t.Errorf("the question is shown as open: %+v %+v", *p, *row)
	case a.confirmed && (p.Question.Outcome != backend.OutcomeAnswered || p.Question.Answer == nil || !reflect.DeepEqual(*p.Question.Answer, a.answer(1))):
		l.t.Errorf("the confirmed answer was lost: %+v", *p.Question)
	case p.Question.Outcome == backend.OutcomeAnswered && row.Tool.Status != backend.ToolCompleted:
		l.t.Errorf("the row of the answered question is %+v", *row.Tool)
	}
	err := l.answer(l.ask("AnswerQuestion", a.id, a.answer(0)), nil)
	if backend.CodeOf(err) != backend.CodeNotFound {
		l.t.Errorf("the question was answered again: %v", err)
	}
}

// TestChaosQuestion_NeitherLostNorAnsweredTwice checks that a question or a plan is neither lost nor answered twice if
// the app or the agent is killed before, during or after the user's answer. In a third of the pairs of rounds, the real
// Copilot CLI asks a question, in another it presents a plan, and in the last a fake agent asks with elicitations.
func TestChaosQuestion_NeitherLostNorAnsweredTwice(t *testing.T) {
	program := copilottest.Path(t)
	eliciting := apptest.FakeAgentProgram(t, fakeagent.Script{Rest: append(elicitation, fakeagent.Say("ok"))})
	rounds, seed := chaos.Runs(6, 200), chaos.Seed(t)
	result := chaos.Row(t, "SIGKILL of the app, of the real Copilot CLI or of an agent with elicitations while a question or a plan is open or being answered", rounds)
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		tool := "-ask_user"
		if strings.Contains(req.User(), "plan it") {
			tool = "-present_plan"
		}
		i := slices.IndexFunc(req.Tools, func(name string) bool { return strings.HasSuffix(name, tool) })
		if req.Side() || req.Last().Role != "user" || i < 0 || req.User() == "and on" {
			return practice.Reply{practice.Text("ok")}
		}
		if tool == "-present_plan" {
			return practice.Reply{practice.ToolCall(req.Tools[i], map[string]any{"title": "Which", "plan": "1. this"})}
		}
		return practice.Reply{practice.ToolCall(req.Tools[i], map[string]any{"question": "Which?", "choices": []any{
			map[string]any{"label": "this"}, map[string]any{"label": "that"},
		}})}
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	h := newAppData(t)
	h.env = model.Env(h.home)
	var last openedQuestion
	var ofCopilot string // the last chat with the real CLI
	answered := 0
	for round := range rounds {
		r := chaos.Rand(t, seed, round)
		started, elicited, plan := program, round%6/2 == 1, round%6/2 == 2
		if elicited {
			started = eliciting
		}
		l := h.start(started)
		if last.id != "" {
			l.waitForOpen()
			l.assertQuestion(last)
			l.assertNoTurnRules()
		}
		last = openedQuestion{chat: l.newChat().ID, elicited: elicited, plan: plan}
		if !elicited {
			ofCopilot = last.chat
		}
		if plan {
			l.send(last.chat, "plan it")
		} else {
			l.send(last.chat, "ask me")
		}
		last.id = l.waitForQuestion(last.chat)
		call, delay := 0, time.Duration(r.Int64N(int64(60*time.Millisecond)))
		if r.IntN(3) > 0 {
			call = l.ask("AnswerQuestion", last.id, last.answer(1))
		}
		<-time.After(delay)
		if round%2 == 0 {
			death := l.kill()
			last.confirmed = call != 0 && l.isConfirmed(call)
			h.waitForAllExits(death)
		} else {
			l.killAgent(last.chat)
			last.confirmed = call != 0 && l.answer(call, nil) == nil
			l.waitForEvent(0, "the question is closed", func(e backend.Event) bool {
				return e.Permission != nil && e.Permission.ID == last.id && e.Permission.State != backend.PermissionOpen
			})
			l.assertQuestion(last)
			death := l.kill()
			h.waitForAllExits(death)
		}
		if last.confirmed {
			answered++
		}
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	l := h.start(program)
	l.waitForOpen()
	l.assertQuestion(last)
	from := l.eventCount()
	l.send(ofCopilot, "and on")
	l.waitForEvent(from, "the chat continues", func(e backend.Event) bool {
		return e.Turn != nil && e.Turn.ChatID == ofCopilot && e.Turn.State == backend.TurnDone
	})
	l.quit()
	h.waitForAllExits(time.Now())
	result("every question and plan was kept, closed or with its answer (%d confirmed), and no permission of a plan remained; none could be answered again; the chat continues", answered)
}

// killAgent kills the agent of a chat with SIGKILL.
func (l *appProcess) killAgent(chatID string) {
	l.t.Helper()
	pid := 0
	for _, e := range l.events() {
		if e.Connection != nil && e.Connection.ChatID == chatID && e.Connection.PID != 0 {
			pid = e.Connection.PID
		}
	}
	if pid == 0 {
		l.t.Fatal("the agent has no process")
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		l.t.Fatal(err)
	}
}
