package question_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/question"
)

const nameForm = `{"sessionId":"s","mode":"form","message":"Details","requestedSchema":{"type":"object","properties":{
	"name":{"type":"string"},"size":{"type":"integer"},"backup":{"type":"boolean"},"zones":{"type":"array","items":{"anyOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}}
},"required":["name"]}}`

const openPage = `{"sessionId":"s","mode":"url","message":"Sign in","elicitationId":"e1","url":"https://sentry.io/oauth?a=1"}`

// elicit sends an elicitation in the background. It returns the question's ID, or "" if none is asked, and a channel for
// the response.
func (d *env) elicit(ctx context.Context, params string) (string, <-chan string) {
	out := make(chan string, 1)
	before := len(d.order)
	go func() {
		answer, err := d.Elicit(ctx, question.Asker{ChatID: "c", TurnID: "t", ParentID: "b", Session: "named", CallID: "call"}, gjson.Parse(params))
		if err != nil {
			answer = json.RawMessage("error: " + err.Error())
		}
		out <- string(answer)
	}()
	synctest.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.order) == before {
		return "", out
	}
	return d.order[len(d.order)-1], out
}

func TestElicit_Responses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		params string
		end    func(d *env, id string, cancel func()) error
		want   string
		row    string
	}{
		"a form": {nameForm, func(d *env, id string, _ func()) error {
			_, err := d.Answer(context.Background(), id, backend.QuestionAnswer{Values: []backend.FieldValue{
				{Name: "name", Values: []string{"x<y"}}, {Name: "size", Values: []string{"5"}}, {Name: "backup", Values: []string{"true"}}, {Name: "zones", Values: []string{"b", "a"}},
			}})
			return err
		}, `{"action":"accept","content":{"backup":true,"name":"x<y","size":5,"zones":["a","b"]}}`, "you sent 4 answers"},
		"a declined form": {nameForm, func(d *env, id string, _ func()) error { return d.Skip(context.Background(), id) }, `{"action":"decline"}`, "you declined"},
		"a canceled form": {nameForm, func(_ *env, _ string, cancel func()) error { cancel(); return nil }, `{"action":"cancel"}`, ""},
		"a confirmation": {`{"message":"Delete it?","requestedSchema":{"type":"object","properties":{}}}`, func(d *env, id string, _ func()) error {
			_, err := d.Answer(context.Background(), id, backend.QuestionAnswer{Text: "ignored"})
			return err
		}, `{"action":"accept","content":{}}`, "you confirmed"},
		"a page": {openPage, func(d *env, id string, _ func()) error {
			_, err := d.Answer(context.Background(), id, backend.QuestionAnswer{})
			return err
		}, `{"action":"accept"}`, "opened"},
		"a declined page": {openPage, func(d *env, id string, _ func()) error { return d.Skip(context.Background(), id) }, `{"action":"decline"}`, "you declined"},
		"a page that the agent completes": {openPage, func(d *env, _ string, _ func()) error {
			d.Complete("c", "other")
			d.Complete("other", "e1")
			d.Complete("c", "e1")
			return nil
		}, `{"action":"accept"}`, "done"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d := newEnv()
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				id, out := d.elicit(ctx, c.params)
				p, row := d.state(id)
				if p.State != backend.PermissionOpen || p.Session != "named" || row.ParentID != "b" || row.Tool.CallID != "call" || !row.Open {
					t.Fatalf("the question is %+v, its row %+v", p, row)
				}
				if err := c.end(d, id, cancel); err != nil {
					t.Fatal(err)
				}
				if got := <-out; got != c.want {
					t.Errorf("the response is %s, want %s", got, c.want)
				}
				if _, row = d.state(id); row.Tool.ResultSummary.String() != c.row || row.Open {
					t.Errorf("the row is %+v", *row.Tool)
				}
			})
		})
	}
}

func TestElicit_AwayCancels(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newEnv()
		id, out := d.elicit(context.Background(), nameForm)
		if got := <-out; got != `{"action":"cancel"}` {
			t.Errorf("the response is %s", got)
		}
		if p, _ := d.state(id); p.Question.Outcome != backend.OutcomeAway {
			t.Errorf("the question is %+v", *p.Question)
		}
	})
}

// TestComplete_AfterOpening checks that a page that was opened is shown as done once the agent says so, even while the
// answer is being saved.
func TestComplete_AfterOpening(t *testing.T) {
	t.Parallel()
	for name, during := range map[string]bool{"later": false, "while the answer is saved": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d := newEnv()
				id, out := d.elicit(context.Background(), openPage)
				if during {
					d.commit = func() error { d.Complete("c", "e1"); return nil }
				}
				if _, err := d.Answer(context.Background(), id, backend.QuestionAnswer{}); err != nil {
					t.Fatal(err)
				}
				<-out
				d.Complete("c", "e1")
				p, row := d.state(id)
				if row.Tool.ResultSummary.String() != "done" || row.Tool.Command != "sentry.io" || p.Question.Outcome != backend.OutcomeAnswered {
					t.Errorf("the row is %+v", *row.Tool)
				}
			})
		})
	}
}

// refusedElicitation returns the refusal of an elicitation, and checks that the attempt has a row.
func refusedElicitation(t *testing.T, params string) (answer, fact string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := newEnv()
		id, out := d.elicit(context.Background(), params)
		if id != "" {
			p, _ := d.state(id)
			t.Fatalf("it was asked: %+v", *p.Question)
		}
		answer = <-out
		for _, row := range d.rows {
			if row.Tool.Status != backend.ToolFailed || len(row.Tool.Title) > 1000 || strings.ContainsRune(row.Tool.Title, '\x1b') {
				t.Errorf("the row is %+v", *row.Tool)
			}
			fact = row.Tool.ResultSummary.String()
		}
	})
	return answer, fact
}

func TestElicit_RefusesBrokenQuestions(t *testing.T) {
	t.Parallel()
	form := func(schema string) string { return `{"message":"m","mode":"form","requestedSchema":` + schema + `}` }
	page := func(address string) string {
		quoted, err := json.Marshal(address)
		if err != nil {
			t.Fatal(err)
		}
		return `{"message":"m","mode":"url","elicitationId":"e","url":` + string(quoted) + `}`
	}
	for name, params := range map[string]string{
		"no object":              `[]`,
		"no message":             `{"mode":"form","requestedSchema":{"properties":{}}}`,
		"a message of a number":  `{"message":1,"mode":"form","requestedSchema":{"properties":{}}}`,
		"an empty message":       `{"message":" ","mode":"form","requestedSchema":{"properties":{}}}`,
		"a control character":    `{"message":"a\u001b[31m","mode":"form","requestedSchema":{"properties":{}}}`,
		"another mode":           `{"message":"m","mode":"voice"}`,
		"no schema":              `{"message":"m"}`,
		"a schema of a list":     form(`[]`),
		"a list":                 form(`{"type":"array","properties":{}}`),
		"a nested schema":        form(`{"properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}}}}`),
		"a deeply nested schema": form(`{"properties":{"a":` + strings.Repeat(`{"items":`, 2000) + `1` + strings.Repeat(`}`, 2000) + `}}`),
		"a reference":            form(`{"properties":{"a":{"$ref":"#"}}}`),
		"a missing property":     form(`{"properties":{},"required":["a"]}`),
		"1 MB of choices":        form(`{"properties":{"a":{"type":"string","enum":["` + strings.Repeat(`x","`, 250_000) + `y"]}}}`),
		"no ID":                  `{"message":"m","mode":"url","url":"https://a.test"}`,
		"no address":             `{"message":"m","mode":"url","elicitationId":"e"}`,
		"an address of 100 KB":   page("https://a.test/" + strings.Repeat("a", 100_000)),
		"an address of 10 KB":    page("https://a.test/" + strings.Repeat("a", 10_000)),
		"a script":               page("javascript:alert(1)//https://a.test"),
		"a file":                 page("file:///etc/passwd"),
		"data":                   page("data:text/html,<script>alert(1)</script>"),
		"another program":        page("vscode://a/b"),
		"mail":                   page("mailto:a@b.test"),
		"no scheme":              page("a.test/x"),
		"no host":                page("https:///x"),
		"a space":                page("https://a.test/a b"),
		"a line break":           page("https://a.test/a\nb"),
		"a backslash":            page(`https://a.test\@b.test/`),
		"a host with a space":    page("https://a.test .b.test/"),
		"a host with a percent":  page("https://a%2etest/"),
		"a host of a number":     page("https://2130706433/"),
		"a host of a hex number": page("https://0x7f.1/"),
		"a mixed host":           page("https://a\u202etest/"),
		"a letter in the path":   page("https://a.test/ü"),
		"a broken escape":        page("https://a.test/%zz"),
		"a bad port":             page("https://a.test:99999/"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer, fact := refusedElicitation(t, params)
			if !strings.HasPrefix(answer, "error: ") || len(answer) > 500 || !strings.HasPrefix(fact, "not asked: the question is") {
				t.Errorf("the response is %.300s, the row says %q", answer, fact)
			}
		})
	}
}

func TestElicit_DeclinesSecrets(t *testing.T) {
	t.Parallel()
	for name, params := range map[string]string{
		"by its name":    `{"message":"m","requestedSchema":{"properties":{"apiKey":{"type":"string"}}}}`,
		"by its title":   `{"message":"m","requestedSchema":{"properties":{"a":{"type":"string","title":"Your password"}}}}`,
		"by the message": `{"message":"Enter your API key","requestedSchema":{"properties":{"value":{"type":"string"}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if answer, fact := refusedElicitation(t, params); answer != `{"action":"decline"}` || fact != "not asked: it asks for a secret" {
				t.Errorf("the response is %s, the row says %q", answer, fact)
			}
		})
	}
}

func TestParseElicitation_Pages(t *testing.T) {
	t.Parallel()
	const plain, foreign, number, user = "It isn't encrypted", "Browsers show it", "It names a computer", "It contains a user name before the host. The site is evil.test."
	for address, c := range map[string]struct {
		want   backend.QuestionPage // without Doubts
		doubts []string             // parts of them
	}{
		"https://sentry.io/oauth?a=%2F&b=[c]#d":       {backend.QuestionPage{Before: "https://", Host: "sentry.io", After: "/oauth?a=%2F&b=[c]#d"}, nil},
		"HTTPS://Sentry.IO:443":                       {backend.QuestionPage{Before: "https://", Host: "sentry.io"}, nil},
		"https://sentry.io?next=https://evil.test":    {backend.QuestionPage{Before: "https://", Host: "sentry.io", After: "?next=https://evil.test"}, nil},
		"https://sentry.io:8443/":                     {backend.QuestionPage{Before: "https://", Host: "sentry.io:8443", After: "/"}, nil},
		"http://localhost:43117/done":                 {backend.QuestionPage{Before: "http://", Host: "localhost:43117", After: "/done"}, nil},
		"http://127.0.0.1:43117/done":                 {backend.QuestionPage{Before: "http://", Host: "127.0.0.1:43117", After: "/done"}, nil},
		"http://[::1]:8080/":                          {backend.QuestionPage{Before: "http://", Host: "[::1]:8080", After: "/"}, nil},
		"http://sentry.io/":                           {backend.QuestionPage{Before: "http://", Host: "sentry.io", After: "/"}, []string{plain}},
		"https://192.0.2.7/":                          {backend.QuestionPage{Before: "https://", Host: "192.0.2.7", After: "/"}, []string{number}},
		"http://[2001:db8::1]/":                       {backend.QuestionPage{Before: "http://", Host: "[2001:db8::1]", After: "/"}, []string{number, plain}},
		"https://sentry.io@evil.test/":                {backend.QuestionPage{Before: "https://sentry.io@", Host: "evil.test", After: "/", NeverOpens: true}, []string{user}},
		"https://a:b@evil.test/":                      {backend.QuestionPage{Before: "https://a:b@", Host: "evil.test", After: "/", NeverOpens: true}, []string{user}},
		"https://sentrý.io/":                          {backend.QuestionPage{Before: "https://", Host: "xn--sentr-uva.io", After: "/"}, []string{"Browsers show it as sentrý.io. One of its letters looks like y."}},
		"https://xn--sentr-uva.io/":                   {backend.QuestionPage{Before: "https://", Host: "xn--sentr-uva.io", After: "/"}, []string{"looks like y."}},
		"https://gіthub.com/":                         {backend.QuestionPage{Before: "https://", Host: "xn--gthub-n2e.com", After: "/"}, []string{"looks like i."}},
		"https://例え.test/":                            {backend.QuestionPage{Before: "https://", Host: "xn--r8jz45g.test", After: "/"}, []string{"letters other than a to z."}},
		"http://xn--sentr-uva.io/":                    {backend.QuestionPage{Before: "http://", Host: "xn--sentr-uva.io", After: "/"}, []string{foreign, plain}},
		"https://github.com.evil.test/?github.com@a/": {backend.QuestionPage{Before: "https://", Host: "github.com.evil.test", After: "/?github.com@a/"}, nil},
	} {
		params, err := json.Marshal(map[string]string{"message": "m", "mode": "url", "elicitationId": "e", "url": address})
		if err != nil {
			t.Fatal(err)
		}
		q, err := question.ParseElicitation(gjson.ParseBytes(params))
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		got, doubts := *q.Page, q.Page.Doubts
		got.Doubts, c.want.ID = nil, "e"
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", address, diff)
		}
		if len(doubts) != len(c.doubts) {
			t.Errorf("%s: doubts %v, want %v", address, doubts, c.doubts)
			continue
		}
		for i, part := range c.doubts {
			if !strings.Contains(doubts[i].String(), part) {
				t.Errorf("%s: %q, want %q in it", address, doubts[i].String(), part)
			}
		}
	}
}

func FuzzParseElicitation(f *testing.F) {
	for _, seed := range []string{nameForm, openPage, `{"message":"m","mode":"url","elicitationId":"e","url":"https://a@b/"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, params string) {
		if !gjson.Valid(params) {
			return
		}
		q, err := question.ParseElicitation(gjson.Parse(params))
		var refused *question.Refusal
		if err != nil && !errors.As(err, &refused) {
			t.Fatalf("the error isn't a refusal: %v", err)
		}
		if err == nil && q.Page != nil && !strings.HasPrefix(q.Page.Before, "http") {
			t.Fatalf("the page is %+v", *q.Page)
		}
	})
}
