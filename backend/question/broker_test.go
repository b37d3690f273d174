package question_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/question"
)

// env is a broker with the last state of each request and row that it has published.
type env struct {
	*question.Broker
	mu     sync.Mutex
	order  []string // IDs of the requests, in order
	last   map[string]backend.Permission
	rows   map[string]backend.Item
	viewed string
	commit func() error // runs before each commit
}

func newEnv() *env {
	d := &env{last: map[string]backend.Permission{}, rows: map[string]backend.Item{}, commit: func() error { return nil }}
	publish := func(events ...backend.Event) {
		d.mu.Lock()
		defer d.mu.Unlock()
		for _, e := range events {
			if e.Item != nil {
				d.rows[e.Item.ID] = *e.Item
			}
			if e.Permission != nil {
				if _, known := d.last[e.Permission.ID]; !known {
					d.order = append(d.order, e.Permission.ID)
				}
				d.last[e.Permission.ID] = *e.Permission
			}
		}
	}
	d.Broker = question.NewBroker(question.Config{
		Publish: publish,
		Commit: func(_ context.Context, events ...backend.Event) error {
			if err := d.commit(); err != nil {
				return err
			}
			publish(events...)
			return nil
		},
		IsViewed: func(chatID string) bool { d.mu.Lock(); defer d.mu.Unlock(); return d.viewed == chatID },
	})
	return d
}

// ask asks in the background. It returns the question's ID and a channel for the outcome.
func (d *env) ask(t *testing.T, ctx context.Context, q backend.Question) (string, <-chan backend.Question) {
	t.Helper()
	out := make(chan backend.Question, 1)
	go func() {
		q, _ := d.Ask(ctx, question.Asker{ChatID: "c", TurnID: "t", Session: "main"}, q)
		out <- q
	}()
	synctest.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.order[len(d.order)-1], out
}

// state returns the last state of a question and of its row.
func (d *env) state(id string) (backend.Permission, backend.Item) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.last[id], d.rows[d.last[id].ItemID]
}

func (d *env) view(chatID string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.viewed = chatID
}

var which = backend.Question{Text: "Which?", FreeText: true, Choices: []backend.QuestionChoice{{Label: "10 seconds"}, {Label: "No limit"}}}

func TestBroker_AnswersOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newEnv()
		id, out := d.ask(t, t.Context(), which)
		if p, row := d.state(id); p.State != backend.PermissionOpen || !row.Open || row.Tool.Title != "Which?" || row.Tool.Kind != backend.ToolAsk {
			t.Errorf("asked as %+v with the row %+v", p, row.Tool)
		}
		if problems, err := d.Answer(t.Context(), id, backend.QuestionAnswer{}); err != nil || len(problems) != 1 {
			t.Errorf("no answer: %v, %v", problems, err)
		}
		time.Sleep(18 * time.Second)
		if problems, err := d.Answer(t.Context(), id, backend.QuestionAnswer{Choices: []int{0}}); err != nil || problems != nil {
			t.Errorf("%v, %v", problems, err)
		}
		if q := <-out; q.Outcome != backend.OutcomeAnswered || q.Answer.Choices[0] != 0 {
			t.Errorf("the model gets %+v", q)
		}
		p, row := d.state(id)
		if p.State != backend.PermissionDecided || row.Open || row.Tool.Status != backend.ToolCompleted || row.Tool.ResultSummary.String() != "you answered: 10 seconds" || row.Waited != 18_000 {
			t.Errorf("stored as %+v with the row %+v", p, row)
		}
		_, err := d.Answer(t.Context(), id, backend.QuestionAnswer{Choices: []int{1}})
		if backend.CodeOf(err) != backend.CodeNotFound || !strings.Contains(err.Error(), "already been answered") {
			t.Errorf("the second answer: %v", err)
		}
	})
}

func TestBroker_Outcomes(t *testing.T) {
	for name, c := range map[string]struct {
		do      func(d *env, id string, stop context.CancelFunc)
		outcome backend.QuestionOutcome
		row     backend.ToolStatus
		fact    string
		late    string
	}{
		"skipped":    {func(d *env, id string, _ context.CancelFunc) { _ = d.Skip(context.Background(), id) }, backend.OutcomeSkipped, backend.ToolCompleted, "you skipped this", "already skipped"},
		"stopped":    {func(_ *env, _ string, stop context.CancelFunc) { stop() }, backend.OutcomeClosed, backend.ToolCancelled, "", "too late"},
		"turn ended": {func(d *env, _ string, _ context.CancelFunc) { d.CloseTurn("other"); d.CloseTurn("t") }, backend.OutcomeClosed, backend.ToolCancelled, "", "too late"},
		"away":       {func(*env, string, context.CancelFunc) { time.Sleep(10*time.Minute + time.Second) }, backend.OutcomeAway, backend.ToolFailed, "no answer in 10 min", "too late"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newEnv()
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				id, out := d.ask(t, ctx, which)
				c.do(d, id, stop)
				if q := <-out; q.Outcome != c.outcome {
					t.Errorf("the outcome is %q", q.Outcome)
				}
				p, row := d.state(id)
				if p.State == backend.PermissionOpen || p.Question.Outcome != c.outcome || row.Open || row.Tool.Status != c.row || row.Tool.ResultSummary.String() != c.fact {
					t.Errorf("stored as %+v with the row %+v %q", p, row, row.Tool.ResultSummary)
				}
				_, err := d.Answer(t.Context(), id, backend.QuestionAnswer{Choices: []int{0}})
				if backend.CodeOf(err) != backend.CodeNotFound || !strings.Contains(err.Error(), c.late) {
					t.Errorf("a late answer: %v", err)
				}
			})
		})
	}
}

func TestBroker_WaitsForViewer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newEnv()
		d.view("c")
		began := time.Now()
		id, out := d.ask(t, t.Context(), which)
		time.Sleep(25 * time.Minute)
		if p, _ := d.state(id); p.State != backend.PermissionOpen {
			t.Errorf("closed in front of the user: %+v", p.Question)
		}
		d.view("")
		if q := <-out; q.Outcome != backend.OutcomeAway || time.Since(began).Round(time.Minute) != 35*time.Minute {
			t.Errorf("%s after %v", q.Outcome, time.Since(began))
		}
		d.view("c")
		began = time.Now()
		_, out = d.ask(t, t.Context(), which)
		if q := <-out; q.Outcome != backend.OutcomeAway || time.Since(began).Round(time.Minute) != time.Hour {
			t.Errorf("%s after %v in front of the user", q.Outcome, time.Since(began))
		}
	})
}

func TestBroker_StopDuringCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newEnv()
		ctx, stop := context.WithCancel(t.Context())
		id, out := d.ask(t, ctx, which)
		d.commit = func() error {
			stop()
			<-out
			return nil
		}
		_, err := d.Answer(t.Context(), id, backend.QuestionAnswer{Choices: []int{0}})
		if backend.CodeOf(err) != backend.CodeNotFound {
			t.Errorf("the answer that nothing received: %v", err)
		}
		if p, row := d.state(id); p.Question.Outcome != backend.OutcomeClosed || p.Question.Answer != nil || row.Tool.Status != backend.ToolCancelled {
			t.Errorf("stored as %+v with the row %+v", p.Question, row.Tool)
		}
	})
}

func TestBroker_FailedCommitKeepsQuestionOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newEnv()
		id, out := d.ask(t, t.Context(), which)
		d.commit = func() error { return errors.New("disk full") }
		if _, err := d.Answer(t.Context(), id, backend.QuestionAnswer{Choices: []int{0}}); backend.CodeOf(err) != backend.CodeStorage {
			t.Errorf("%v", err)
		}
		d.commit = func() error { return nil }
		if _, err := d.Answer(t.Context(), id, backend.QuestionAnswer{Choices: []int{1}}); err != nil {
			t.Errorf("%v", err)
		}
		if q := <-out; q.Answer.Choices[0] != 1 {
			t.Errorf("the model gets %+v", q.Answer)
		}
	})
}

func TestBroker_RefusedQuestionHasRow(t *testing.T) {
	t.Parallel()
	d := newEnv()
	d.Refuse(question.Asker{ChatID: "c"}, backend.ToolAsk, "bad\x1b[31m "+strings.Repeat("x", 1<<20), backend.Plain("not asked"))
	for _, row := range d.rows {
		if row.Open || row.Tool.Status != backend.ToolFailed || strings.ContainsRune(row.Tool.Title, '\x1b') || len(row.Tool.Title) > 1000 {
			t.Errorf("%+v", row.Tool)
		}
	}
	if len(d.rows) != 1 {
		t.Errorf("%d rows", len(d.rows))
	}
}
