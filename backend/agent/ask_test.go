package agent_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/need"
)

const someOptions = `"options":[{"optionId":"a","kind":"allow_once","name":"Allow"},{"optionId":"r","kind":"reject_once","name":"Deny"}]`

// request returns a step in which the fake agent requests permission for the call.
func request(call string) fakeagent.Step {
	return fakeagent.Ask("session/request_permission", `{"sessionId":"$SESSION","toolCall":{`+call+`},`+someOptions+`}`)
}

// requestFrom runs a turn of the fake agent, rejects the permission request that the
// agent sends in it, and returns that request.
func requestFrom(t *testing.T, w *env) backend.Permission {
	t.Helper()
	tu := w.start(backend.SessionMain, "go")
	asked := w.nextRequest()
	asked.answer <- "reject_once"
	w.expectEnd(tu, backend.TurnDone)
	return asked.permission
}

func TestRequest_ReachAndRuleScope(t *testing.T) {
	t.Parallel()
	away := t.TempDir()
	outside := jsonPath(filepath.Join(away, "x.txt"))
	const edits = backend.RuleEdits
	for _, c := range []struct {
		name, call string
		outside    bool
		scope      backend.RuleKind // "" if no rule can be created for it
	}{
		{"an edit in the folder", `"kind":"edit","locations":[{"path":"a.txt"}]`, false, edits},
		{"an edit by the whole path", `"kind":"edit","locations":[{"path":"$CWD/a.txt"}]`, false, edits},
		{"an edit by an address of a file", `"kind":"edit","locations":[{"path":"file://$CWD/a.txt"}]`, false, edits},
		{"an edit outside", `"kind":"edit","locations":[{"path":"` + outside + `"}]`, true, ""},
		{"an edit outside, by an address of a file", `"kind":"edit","locations":[{"path":"file://` + outside + `"}]`, true, ""},
		{"an edit in the user's own folder", `"kind":"edit","locations":[{"path":"~/x.txt"}]`, true, ""},
		{"an edit by way of dots", `"kind":"edit","locations":[{"path":"sub/../../x.txt"}]`, true, ""},
		{"an edit by way of a link", `"kind":"edit","locations":[{"path":"link/x.txt"}]`, true, ""},
		{"an edit that its input places elsewhere", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"file_path":"` + outside + `"}`, true, ""},
		{"an edit of the folder itself", `"kind":"edit","locations":[{"path":"$CWD"}]`, false, ""},
		{"an edit of nobody knows what", `"kind":"edit"`, false, ""},
		{"a deletion", `"kind":"delete","locations":[{"path":"a.txt"}]`, false, edits},
		{"a deletion outside", `"kind":"delete","rawInput":{"path":"` + outside + `"}`, true, ""},
		{"a move", `"kind":"move","locations":[{"path":"a.txt"},{"path":"b.txt"}]`, false, edits},
		{"a move by its input", `"kind":"move","rawInput":{"source":"a.txt","destination":"b.txt"}`, false, edits},
		{"a move out of the folder", `"kind":"move","locations":[{"path":"a.txt"},{"path":"` + outside + `"}]`, true, ""},
		{"a move into the folder", `"kind":"move","rawInput":{"from":"` + outside + `","to":"b.txt"}`, true, ""},
		{"a move to nobody knows where", `"kind":"move","locations":[{"path":"a.txt"}]`, false, ""},
		{"a read", `"kind":"read","locations":[{"path":"a.txt"}]`, false, ""},
		{"a read outside", `"kind":"read","locations":[{"path":"` + outside + `"}]`, true, ""},
		{"a command", `"kind":"execute","rawInput":{"command":"make"}`, false, backend.RuleCommand},
		{"a command in a folder outside", `"kind":"execute","rawInput":{"command":"make","cwd":"` + jsonPath(away) + `"}`, true, backend.RuleCommand},
		{"a command in a folder of the folder", `"kind":"execute","rawInput":{"command":"make","cwd":"sub"}`, false, backend.RuleCommand},
		{"several commands", `"kind":"execute","rawInput":{"commands":["make","make test"]}`, false, ""},
		{"an address", `"kind":"fetch","rawInput":{"url":"https://go.dev/x"}`, false, ""},
	} {
		w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{request(`"toolCallId":"1","title":"T",` + c.call)}}}), nil)
		if err := os.Symlink(away, w.path("link")); err != nil {
			need.Missing(t, "links cannot be made here: %v", err)
		}
		p := requestFrom(t, w)
		equal(t, c.name+": outside", p.Outside, c.outside)
		equal(t, c.name+": folder", p.Folder, w.folder)
		var scope backend.RuleKind
		if p.Scope != nil {
			scope = p.Scope.Kind
			equal(t, c.name+": folder of the rule", p.Scope.Folder, w.folder)
		}
		equal(t, c.name+": rule", scope, c.scope)
	}
}

func TestRequest_MergesDetailsOfItsCall(t *testing.T) {
	t.Parallel()
	outside := jsonPath(filepath.Join(t.TempDir(), "x.txt"))
	call := func(rest string) fakeagent.Step {
		return updateLine("tool_call", `"toolCallId":"1","title":"T","status":"pending",`+rest)
	}
	for _, c := range []struct {
		name  string
		steps []fakeagent.Step
		check func(t *testing.T, p backend.Permission)
	}{
		{"a command that only the call names", []fakeagent.Step{call(`"kind":"execute","rawInput":{"command":"make"}`), request(`"toolCallId":"1"`)}, func(t *testing.T, p backend.Permission) {
			equal(t, "kind", p.Kind, backend.ToolExecute)
			equal(t, "command", p.Command, "make")
			equalDeep(t, "commands", p.Commands, []string{"make"})
		}},
		{"a place outside that only the call names", []fakeagent.Step{
			call(`"kind":"edit","locations":[{"path":"a.txt"},{"path":"` + outside + `"}]`), request(`"toolCallId":"1","kind":"edit","locations":[{"path":"a.txt"}]`),
		}, func(t *testing.T, p backend.Permission) {
			equal(t, "outside", p.Outside, true)
			equal(t, "a rule can be made of it", p.Scope != nil, false)
		}},
		{"a command in a folder outside", []fakeagent.Step{
			call(`"kind":"execute","rawInput":{"command":"make","cwd":"` + filepath.ToSlash(filepath.Dir(outside)) + `"}`), request(`"toolCallId":"1"`),
		}, func(t *testing.T, p backend.Permission) {
			equal(t, "outside", p.Outside, true)
			line, ok := strings.CutPrefix(p.Command, "cd ")
			equal(t, "the folder is said", ok && strings.HasSuffix(line, " && make"), true)
			equalDeep(t, "commands", p.Commands, []string{p.Command})
			equal(t, "the rule", p.Scope.Command, p.Command)
		}},
		{"a command in a folder of the folder", []fakeagent.Step{
			request(`"toolCallId":"1","kind":"execute","rawInput":{"command":"make","cwd":"sub"}`),
		}, func(t *testing.T, p backend.Permission) {
			line, ok := strings.CutPrefix(p.Command, "cd ")
			equal(t, "the folder is said", ok && strings.HasSuffix(line, "sub && make"), true)
			equalDeep(t, "commands", p.Commands, []string{p.Command})
		}},
		{"the whole line beside its commands", []fakeagent.Step{
			request(`"toolCallId":"1","kind":"execute","rawInput":{"commands":["git log","sh"],"command":"git log | sh"}`),
		}, func(t *testing.T, p backend.Permission) {
			equalDeep(t, "commands", p.Commands, []string{"git log", "sh", "git log | sh"})
		}},
		{"addresses", []fakeagent.Step{
			request(`"toolCallId":"1","kind":"fetch","rawInput":{"url":"https://pkg.go.dev:443/a?b","urls":["https://go.dev/","https://pkg.go.dev:443/a?b"]}`),
		}, func(t *testing.T, p backend.Permission) {
			equal(t, "host", p.Command, "pkg.go.dev:443")
			equalDeep(t, "addresses", p.Commands, []string{"https://pkg.go.dev:443/a?b", "https://go.dev/"})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{c.steps}}), nil)
			p := requestFrom(t, w)
			c.check(t, p)
			if len(p.Commands) > 0 { // the user sees the entire command
				equal(t, "the preview", string(w.content(t, p.ItemID, p.ContentID).Body), strings.Join(p.Commands, "\n"))
			}
		})
	}
}

func TestRequest_RawInputStored(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Ask("session/request_permission",
		`{"sessionId":"$SESSION","toolCall":{"toolCallId":"1","title":"T","kind":"dance","locations":[{"path":"a.txt","line":7}],"rawInput":{"steps":[1,2]},"_meta":{"who":"me"}},`+
			`"options":[{"optionId":"{1}","kind":"perhaps","name":"Perhaps","_meta":{"x":1}},{"optionId":"2","kind":"allow_once","name":"Yes"},{"optionId":"3","kind":"allow_once","name":"Yes, really"},{"optionId":"4","kind":"reject_once","name":"No"}],"_meta":{"y":2}}`,
	)}}}), nil)
	p := requestFrom(t, w)
	for _, want := range []string{`"line":7`, `"rawInput":{"steps":[1,2]}`, `"_meta":{"who":"me"}`, `"_meta":{"x":1}`, `"_meta":{"y":2}`} {
		if !strings.Contains(string(p.Raw), want) {
			t.Errorf("%s is not kept in %s", want, p.Raw)
		}
	}
	equalDeep(t, "options", p.Options, []backend.Option{
		{ID: "{1}", Kind: "perhaps", Name: "Perhaps"},
		{ID: "2", Kind: backend.OptionAllowOnce, Name: "Yes"},
		{ID: "3", Kind: backend.OptionAllowOnce, Name: "Yes, really"},
		{ID: "4", Kind: backend.OptionRejectOnce, Name: "No"},
	})
}

func TestReject_WithoutOptionCancels(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Ask("session/request_permission",
		`{"sessionId":"$SESSION","toolCall":{"toolCallId":"1","title":"T","kind":"execute","rawInput":{"command":"git push"}},"options":[{"optionId":"a","kind":"allow_once","name":"Allow"}]}`,
	)}}}), func(w *env, cfg *agent.Config) {
		d := newTestBroker(w, backend.Rule{ID: "no", Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "git push"}})
		cfg.Ask = d.Ask
	})
	tu := w.promptAndExpect("go", backend.TurnDone)
	if said := w.answerText(tu); !strings.Contains(said, `"cancelled"`) {
		t.Errorf("the agent was answered %s", said)
	}
	equal(t, "decision", w.tools(tu)[0].Tool.Decision, backend.DecisionRejected)
	equal(t, "status, though the agent left it open", w.tools(tu)[0].Tool.Status, backend.ToolFailed)
}
