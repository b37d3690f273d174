package agent_test

import (
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// TestRequests_ContradictionsAsk checks that no rule or mode answers a request that contradicts its own
// call, or that names a second target in a field meant for another kind of call.
func TestRequests_ContradictionsAsk(t *testing.T) {
	t.Parallel()
	type attack struct {
		name, call, request string
		answered            bool // the request is legitimate, so rules and modes may answer it
	}
	all := []attack{
		{"another command than the call's", `"kind":"execute","status":"pending","rawInput":{"command":"rm -rf x"}`, `"rawInput":{"command":"git log"}`, false},
		{"another command, with its kind", `"kind":"execute","status":"pending","rawInput":{"command":"rm -rf x"}`, `"kind":"execute","rawInput":{"command":"git log"}`, false},
		{"another folder than the call's", `"kind":"execute","status":"pending","rawInput":{"command":"git log","cwd":"$CWD/vendor"}`, `"rawInput":{"command":"git log","cwd":"$CWD"}`, false},
		{"an edit of another file than the call's", `"kind":"edit","status":"pending","locations":[{"path":"/etc/passwd"}]`, `"kind":"edit","locations":[{"path":"a.txt"}]`, false},
		{"an edit of what the call deletes", `"kind":"delete","status":"pending","locations":[{"path":"$CWD/.git"}]`, `"kind":"edit","locations":[{"path":"a.txt"}]`, false},
		{"an edit with a destination", "", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"path":"a.txt","destination":"/etc/x"}`, false},
		{"an edit with a new path", "", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"path":"a.txt","new_path":"../x"}`, false},
		{"a deletion with a source", "", `"kind":"delete","locations":[{"path":"a.txt"}],"rawInput":{"path":"a.txt","source":"/etc/x"}`, false},
		{"edits with a file of another name", "", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"path":"a.txt","edits":[{"file":"/etc/passwd","old_string":"a","new_string":"b"}]}`, false},
		{"changes with a file of another name", "", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"changes":[{"filename":"../x","text":"b"}]}`, false},
		{"an edit that names a shell", "", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"path":"a.txt","edits":[{"command":"rm -rf /"}]}`, false},
		{"changes of a file with a command", "", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"changes":{"a.txt":{"type":"add","run":"id"}}}`, false},
		{"a location with a link", "", `"kind":"edit","locations":[{"path":"a.txt","uri":"file:///etc/passwd"}]`, false},
		{"a diff with a second path", "", `"kind":"edit","locations":[{"path":"a.txt"}],"content":[{"type":"diff","path":"a.txt","newPath":"/etc/x","newText":"b"}]`, false},
		{"a move with two ends", "", `"kind":"move","rawInput":{"from":"a.txt","to":"b.txt","destination":"/etc/x"}`, false},
		{"a file of another user's home", "", `"kind":"edit","locations":[{"path":"~root/.bashrc"}]`, false},
		{"a file of another machine", "", `"kind":"edit","locations":[{"path":"file://evil.org/etc/passwd"}]`, false},

		{"the same command as the call's", `"kind":"execute","status":"pending","rawInput":{"command":"git log"}`, `"rawInput":{"command":"git log"}`, true},
		{"a command that the call did not name", `"kind":"execute","status":"pending"`, `"rawInput":{"command":"git log"}`, true},
		{"the command of the call", `"kind":"execute","status":"pending","rawInput":{"command":"git log"}`, `"title":"Run"`, true},
		{"several edits of a file", "", `"kind":"edit","locations":[{"path":"a.txt"}],"rawInput":{"file_path":"a.txt","edits":[{"old_string":"a","new_string":"b","replace_all":true}]}`, true},
		{"a location with a line", "", `"kind":"edit","locations":[{"path":"a.txt","line":3}]`, true},
	}
	var turns []fakeagent.Turn
	for _, a := range all {
		var turn fakeagent.Turn
		if a.call != "" {
			turn = append(turn, updateLine("tool_call", `"toolCallId":"c","title":"T",`+a.call))
		}
		turns = append(turns, append(turn, request(`"toolCallId":"c",`+a.request)))
	}
	var d *testBroker
	w := newEnv(t, fake(fakeagent.Script{Turns: turns}), func(w *env, cfg *agent.Config) {
		d = newTestBroker(w, backend.Rule{ID: "r", Effect: backend.RuleAllow, Scope: backend.Scope{Kind: backend.RuleCommand, Command: "git log"}},
			backend.Rule{ID: "e", Effect: backend.RuleAllow, Scope: backend.Scope{Kind: backend.RuleEdits}})
		d.setMode(backend.ModeBypass)
		cfg.Ask, cfg.IsAllowed = d.Ask, d.IsAllowed
	})
	w.write("a.txt", "a\n")
	for i, a := range all {
		tu := w.start(backend.SessionMain, "go")
		waitFor(t, a.name, func() bool { return len(w.permissionRows()) == i+1 })
		row := w.permissionRows()[i]
		if open := row.State == backend.PermissionOpen; open == a.answered {
			t.Errorf("%s: asked is %v, by %q, mode %q", a.name, open, row.RuleID, row.Mode)
		}
		if row.State == backend.PermissionOpen {
			noErr(t, d.Reject(t.Context(), row.ID, ""))
		}
		w.expectEnd(tu, backend.TurnDone)
	}
}
