package suggest_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// env is an app with a chat in which a turn has changed a.go.
type env struct {
	*apptest.Window
	chat  backend.Chat
	calls string // path of the file that records the requests to the agent
	ended int    // number of reviews that have ended
}

const text = "package a\n\nfunc f() error {\n\tx, err := open()\n\tuse(x)\n\treturn err\n}\n"

// newEnv opens the app. The first turn of the script must create a.go.
func newEnv(t *testing.T, script fakeagent.Script) *env {
	t.Helper()
	calls := filepath.Join(t.TempDir(), "calls")
	script.Calls = calls
	script.Turns = append([]fakeagent.Turn{{fakeagent.Edit("a.go", "", text)}}, script.Turns...)
	apptest.UseFakeAgent(t, script)
	e := &env{Window: apptest.Open(t, t.TempDir()), calls: calls}
	e.chat = e.Chat(backend.ProviderCopilot)
	if err := e.App.SetPermissionMode(e.chat.ID, backend.ModeBypass); err != nil {
		t.Fatal(err)
	}
	e.Send(e.chat, "go")
	e.WaitForDone("the change", 1)
	e.WaitFor("the record of the change", func(ev backend.Event) bool {
		return ev.TurnUndo != nil && ev.TurnUndo.State == backend.UndoAvailable
	})
	return e
}

func (e *env) start(q backend.AgentReviewRequest) {
	e.T.Helper()
	q.Source = "chat"
	if err := e.Engine().Suggest.Start(e.chat.ID, q); err != nil {
		e.T.Fatal(err)
	}
}

// result waits until the review that was started last has ended, and returns its final event.
func (e *env) result() backend.AgentReview {
	e.T.Helper()
	e.ended++
	ids := map[string]bool{}
	return *e.WaitFor("the end of the review", func(ev backend.Event) bool {
		if r := ev.AgentReview; r != nil && r.State != backend.AgentReviewRunning {
			ids[r.ID] = true
		}
		return len(ids) == e.ended
	}).AgentReview
}

func (e *env) comments() (list []backend.ReviewComment) {
	e.T.Helper()
	if code := e.Get("/data/review-comments?chat="+e.chat.ID, &list); code != http.StatusOK {
		e.T.Fatalf("got status %d", code)
	}
	return list
}

// requests returns the requests for a method that the agent has received, each as JSON.
func (e *env) requests(method string) (list []string) {
	e.T.Helper()
	raw, err := os.ReadFile(e.calls)
	if err != nil {
		e.T.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		if strings.Contains(line, `"`+method+`"`) {
			list = append(list, line)
		}
	}
	return list
}

const answer = "I read the changes.\n\n### a.go:9\n```go\n\tuse(x)\n```\nx may be nil here.\n\n### `a.go:3`\nSay what f opens.\n\n### a.go:1\n```\nnot there\n```\nNo such line.\n\n### b.go:1\nNot a change.\n"

func TestReview_SuggestsComments(t *testing.T) {
	e := newEnv(t, fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Say("I'll look at the file first."), fakeagent.Run("cat a.go"), fakeagent.Say(answer)},
		{fakeagent.Say(answer)},
	}})
	e.start(backend.AgentReviewRequest{Focus: "Look at errors."})
	if r := e.result(); r.State != backend.AgentReviewDone || r.Comments != 3 || r.OtherComments != 1 || r.Unclear {
		t.Errorf("got %+v", r)
	}
	prompt := e.requests("session/prompt")[1]
	for _, want := range []string{"Look at errors.", "## `a.go` (added)", `     5 +\tuse(x)\n`} {
		if !strings.Contains(prompt, want) {
			t.Errorf("the prompt has no %q: %s", want, prompt)
		}
	}
	list := e.comments()
	if len(list) != 3 {
		t.Fatalf("got %+v", list)
	}
	for i, want := range []backend.ReviewComment{
		{Start: 4, End: 4, Quote: "\tuse(x)", Text: "x may be nil here."},
		{Start: 2, End: 2, Quote: "func f() error {", Text: "Say what f opens."},
		{Start: -1, End: -1, Quote: "not there", Text: "No such line.", Outdated: true},
	} {
		c := list[i]
		if c.Start != want.Start || c.End != want.End || c.Quote != want.Quote || c.Text != want.Text || c.Outdated != want.Outdated ||
			c.Path != "a.go" || c.Side != backend.NewSide || c.State != backend.CommentSuggested || c.From != backend.CommentByAgent {
			t.Errorf("got %+v, want %+v", c, want)
		}
	}
	session := e.WaitFor("the block", func(ev backend.Event) bool { return ev.Item != nil && ev.Item.Block != nil }).Item.Session
	if session != backend.SessionReview {
		t.Errorf("the task runs in the session %q", session)
	}

	e.start(backend.AgentReviewRequest{})
	if r := e.result(); r.State != backend.AgentReviewDone || r.Comments != 0 {
		t.Errorf("the same comments again: %+v", r)
	}
	if n := len(e.comments()); n != 3 {
		t.Errorf("got %d comments after the second review", n)
	}
}

func TestSuggestions_FollowAcceptDismissSend(t *testing.T) {
	e := newEnv(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say(answer)}}, Rest: fakeagent.Turn{fakeagent.Say("ok")}})
	e.start(backend.AgentReviewRequest{})
	e.result()
	if err := os.WriteFile(filepath.Join(e.chat.Folder, "a.go"), []byte("// Package a does it.\n"+text), 0o600); err != nil {
		t.Fatal(err)
	}
	comments, list := e.Engine().Comments, e.comments()
	if list[0].Start != 5 || list[0].State != backend.CommentSuggested {
		t.Errorf("after an edit: %+v", list[0])
	}
	for name, err := range map[string]error{
		"edit":    comments.Edit(t.Context(), list[0].ID, "other"),
		"resolve": comments.Resolve(t.Context(), list[0].ID, true),
	} {
		if backend.CodeOf(err) != backend.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := comments.Send(t.Context(), e.chat.ID, ""); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("suggestions alone are sent: %v", err)
	}
	dir := e.App.Dir
	e.Close()
	e.Window = apptest.Open(t, dir)
	comments = e.Engine().Comments
	if n := len(e.comments()); n != 3 {
		t.Fatalf("got %d suggestions after a restart", n)
	}

	for range 2 { // accepting twice does no harm, nor does dismissing an accepted suggestion
		err := comments.Accept(t.Context(), e.chat.ID, []string{list[0].ID, "other"})
		if e.comments()[0].State != backend.CommentDraft {
			t.Errorf("accepted: %v, %+v", err, e.comments()[0])
		}
	}
	if err := comments.Accept(t.Context(), e.chat.ID, []string{list[0].ID}); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("accepted again: %v", err)
	}
	if err := comments.Dismiss(t.Context(), e.chat.ID, []string{list[0].ID, list[2].ID}); err != nil {
		t.Error(err)
	}
	if now := e.comments(); len(now) != 2 || now[0].ID != list[0].ID || now[1].ID != list[1].ID {
		t.Errorf("after a dismissal: %+v", now)
	}
	if err := comments.Edit(t.Context(), list[0].ID, "x is nil after an error."); err != nil {
		t.Error(err)
	}
	id, err := comments.Send(t.Context(), e.chat.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	sent, _, err := e.Engine().Store.Text(t.Context(), id, 0, 0)
	if want := "Review comments:\n\n1. `a.go`, line 6:\n\n```go\n\tuse(x)\n```\n\nx is nil after an error.\n"; err != nil || string(sent) != want {
		t.Errorf("got the message %q, %v", sent, err)
	}
	if now := e.comments(); now[0].State != backend.CommentSent || now[1].State != backend.CommentSuggested {
		t.Errorf("after sending: %+v", now)
	}
}

func TestReview_OtherResults(t *testing.T) {
	e := newEnv(t, fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Say("No comments.")},
		{fakeagent.Say("Which changes do you mean?")},
		{fakeagent.Say(answer), fakeagent.Stop("refusal")},
		{fakeagent.Say("Let me see."), fakeagent.Hang()},
	}})
	e.start(backend.AgentReviewRequest{})
	if r := e.result(); r.State != backend.AgentReviewDone || r.Comments+r.OtherComments != 0 || r.Unclear {
		t.Errorf("without comments: %+v", r)
	}
	e.start(backend.AgentReviewRequest{})
	if r := e.result(); r.State != backend.AgentReviewDone || !r.Unclear {
		t.Errorf("another answer: %+v", r)
	}
	e.start(backend.AgentReviewRequest{})
	if r := e.result(); r.State != backend.AgentReviewFailed || r.Message.IsZero() {
		t.Errorf("a refusal: %+v", r)
	}
	if n := len(e.comments()); n != 0 {
		t.Errorf("got %d comments", n)
	}

	e.start(backend.AgentReviewRequest{})
	e.WaitFor("the answer starts", func(ev backend.Event) bool { return ev.Text != nil && ev.Text.Text == "Let me see." })
	if err := e.Engine().Suggest.Start(e.chat.ID, backend.AgentReviewRequest{Source: "chat"}); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("a second review: %v", err)
	}
	e.Engine().Suggest.Stop(e.chat.ID)
	if r := e.result(); r.State != backend.AgentReviewStopped {
		t.Errorf("stopped: %+v", r)
	}
	shown := 0
	for _, ev := range e.Snapshot("/data/app").Events {
		if ev.AgentReview != nil && ev.AgentReview.State == backend.AgentReviewStopped {
			shown++
		}
	}
	if shown != 1 {
		t.Errorf("a page that loads later gets %d reviews", shown)
	}
}

func TestReview_BadRequests(t *testing.T) {
	e := newEnv(t, fakeagent.Script{})
	if err := e.Engine().Suggest.Start("other", backend.AgentReviewRequest{Source: "chat"}); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("no chat: %v", err)
	}
	if err := e.Engine().Suggest.Start(e.chat.ID, backend.AgentReviewRequest{Source: "chat", Focus: strings.Repeat("x", backend.MaxReviewFocus+1)}); backend.CodeOf(err) != backend.CodeTooLarge {
		t.Errorf("a long text: %v", err)
	}
	for name, q := range map[string]backend.AgentReviewRequest{
		"no changes":       {Source: "turn:other"},
		"no source":        {Source: "other"},
		"no such model":    {Source: "chat", Model: "other"},
		"not a repository": {Source: "working"},
	} {
		if err := e.Engine().Suggest.Start(e.chat.ID, q); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if r := e.result(); r.State != backend.AgentReviewFailed || r.Message.IsZero() {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if n := len(e.requests("session/prompt")); n != 1 {
		t.Errorf("the agent got %d prompts", n)
	}
}

// options is a response that declares a session's options, among them a choice of two models.
const options = `{"configOptions":[{"type":"select","id":"model","category":"model","name":"Model","currentValue":"small","options":[{"value":"small","name":"Small"},{"value":"large","name":"Large"}]}]}`

func TestReview_OtherModel(t *testing.T) {
	e := newEnv(t, fakeagent.Script{
		Declares: options, Answer: map[string]string{"session/set_config_option": `{}`},
		Rest: fakeagent.Turn{fakeagent.Say("No comments.")},
	})
	for _, step := range []struct {
		model string
		calls int // number of calls so far
		value string
	}{{"", 1, "small"}, {"large", 2, "large"}, {"large", 2, "large"}, {"", 3, "small"}} {
		e.start(backend.AgentReviewRequest{Model: step.model})
		if r := e.result(); r.State != backend.AgentReviewDone {
			t.Errorf("%q: %+v", step.model, r)
		}
		calls := e.requests("session/set_config_option")
		if len(calls) != step.calls || !strings.Contains(calls[step.calls-1], `"value":"`+step.value+`"`) {
			t.Errorf("after %q, got the calls %s", step.model, calls)
		}
	}
	sessions, err := e.Engine().Store.Sessions(t.Context(), e.chat.ID)
	if err != nil || len(sessions) != 2 || sessions[0].Options[0].Value != "small" {
		t.Errorf("got %+v, %v", sessions, err)
	}
}
