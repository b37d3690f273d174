package agent_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// storedSessions returns the sessions as the store would contain them, with deletions
// and renames applied.
func (w *env) storedSessions() map[string]backend.Session {
	w.mu.Lock()
	defer w.mu.Unlock()
	rows := map[string]backend.Session{}
	for _, e := range w.events {
		switch {
		case e.Session != nil:
			rows[e.Session.Name] = *e.Session
		case e.SessionDeleted != nil:
			delete(rows, e.SessionDeleted.ID)
		case e.SessionRenamed != nil:
			if row, ok := rows[e.SessionRenamed.Session]; ok {
				delete(rows, e.SessionRenamed.Session)
				row.Name = e.SessionRenamed.To
				rows[row.Name] = row
			}
		}
	}
	return rows
}

func TestRename_SessionContinuesUnderNewName(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	launch := fake(fakeagent.Script{Calls: file, Rest: fakeagent.Turn{fakeagent.Say("ok")}})
	w := newEnv(t, launch, nil)
	w.promptAndExpect("go", backend.TurnDone)
	w.expectEnd(w.start("auth", "one"), backend.TurnDone)
	id, pid := w.acpID("auth"), w.agent.Connection().PID
	noErr(t, w.agent.RenameSession(t.Context(), "auth", "login"))
	for what, err := range map[string]error{
		"a name that is taken": w.agent.RenameSession(t.Context(), "login", "main"),
		"main":                 w.agent.RenameSession(t.Context(), backend.SessionMain, "other"),
	} {
		equal(t, what, backend.CodeOf(err), backend.CodeInvalid)
	}
	equal(t, "an empty name", w.agent.RenameSession(t.Context(), "login", "").Error(), "Enter a session name.")
	equal(t, "the old name", backend.CodeOf(w.agent.RenameSession(t.Context(), "auth", "x")), backend.CodeNotFound)
	w.expectEnd(w.start("login", "two"), backend.TurnDone)
	w.expectEnd(w.start("auth", "another"), backend.TurnDone) // the name is available for a new session
	rows := w.storedSessions()
	if rows["login"].ACPID != id || rows["auth"].ACPID == id || len(rows) != 3 {
		t.Errorf("the sessions are %+v", rows)
	}
	equal(t, "its name is taken", backend.CodeOf(w.agent.RenameSession(t.Context(), "auth", "login")), backend.CodeInvalid)
	equal(t, "process", w.agent.Connection().PID, pid)
	equalDeep(t, "banners", w.bannersOf("login"), []backend.BannerKind(nil))
	var sent []string
	for _, c := range calls(t, file, "session/prompt") {
		if c.Params.SessionID == id {
			sent = append(sent, c.Params.Prompt[0].Text)
		}
	}
	equalDeep(t, "what the session was asked", sent, []string{"one", "two"})
}

func TestRename_WithoutProcess(t *testing.T) {
	t.Parallel()
	w := newEnvWithSessions(t, "auth")
	id := w.acpID("auth")
	w.open(fake(fakeagent.Script{}), nil)
	noErr(t, w.agent.RenameSession(t.Context(), "auth", "login"))
	equal(t, "state", w.agent.Connection().State, backend.ConnectionIdle)
	w.expectEnd(w.start("login", "go"), backend.TurnDone)
	equal(t, "its id", w.storedSessions()["login"].ACPID, id)
}

func TestRename_BusySessionRefused(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("half"), fakeagent.Hang()}}), nil)
	tu := w.start("auth", "go")
	w.waitForText("half")
	equal(t, "code", backend.CodeOf(w.agent.RenameSession(t.Context(), "auth", "login")), backend.CodeUnavailable)
	tu.cancel()
	w.expectEnd(tu, backend.TurnStopped)
	noErr(t, w.agent.RenameSession(t.Context(), "auth", "login"))
}

func TestCloseSession_StopsAndFreesName(t *testing.T) {
	t.Parallel()
	for name, version := range map[string]string{"an agent that closes": "", "one that cannot": "cannot close either"} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "calls")
			script := fakeagent.Script{Calls: file, Turns: []fakeagent.Turn{{fakeagent.Say("half"), fakeagent.Hang()}}}
			if version != "" {
				script.Version, script.Refuse = version, map[string]int{"session/close": -32601}
			}
			w := newEnv(t, fake(script), nil)
			tu := w.start("auth", "go")
			w.waitForText("half")
			id := w.acpID("auth")
			noErr(t, w.agent.RemoveSession(t.Context(), "auth"))
			w.expectEnd(tu, backend.TurnStopped)
			equal(t, "rows", len(w.storedSessions()), 0)
			equal(t, "closes", len(calls(t, file, "session/close")), 1)
			equal(t, "again", backend.CodeOf(w.agent.RemoveSession(t.Context(), "auth")), backend.CodeNotFound)
			equal(t, "main", backend.CodeOf(w.agent.RemoveSession(t.Context(), backend.SessionMain)), backend.CodeInvalid)
			w.expectEnd(w.start("auth", "go"), backend.TurnDone)
			if now := w.acpID("auth"); now == id {
				t.Error("the name goes on with the session that was closed")
			}
			equalDeep(t, "banners", w.bannersOf("auth"), []backend.BannerKind(nil))
		})
	}
}

func TestRestartSession_StopsAndReloads(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	w := newEnv(t, fake(fakeagent.Script{Calls: file, Turns: []fakeagent.Turn{{fakeagent.Say("half"), fakeagent.Hang()}}}), nil)
	tu := w.start("auth", "go")
	w.waitForText("half")
	id, pid := w.acpID("auth"), w.agent.Connection().PID
	noErr(t, w.agent.RestartSession(t.Context(), "auth"))
	w.expectEnd(tu, backend.TurnStopped)
	equalDeep(t, "the session and its process", []any{w.acpID("auth"), w.agent.Connection().PID}, []any{id, pid})
	equalDeep(t, "closes and loads", []int{len(calls(t, file, "session/close")), len(calls(t, file, "session/load"))}, []int{1, 1})
	w.expectEnd(w.start("auth", "go"), backend.TurnDone)
	equal(t, "one that doesn't exist", backend.CodeOf(w.agent.RestartSession(t.Context(), "nobody")), backend.CodeNotFound)
}

func TestCopilot_RenamesClosesRestartsSessions(t *testing.T) {
	cli := copilotCLI(t)
	w := newEmptyEnv(t)
	turns := [][]act{{{text: "one"}}, {{text: "two"}}, {{text: "three"}}, {{text: "four"}}}
	w.open(func(w *env) agent.Launch { return copilotLaunch(t, w, cli, turns) }, nil)
	w.expectEnd(w.start("auth", "Do 1."), backend.TurnDone)
	id := w.acpID("auth")
	noErr(t, w.agent.RenameSession(t.Context(), "auth", "login"))
	w.expectEnd(w.start("login", "Do 2."), backend.TurnDone)
	w.assertRemembers(t, "one")
	noErr(t, w.agent.RestartSession(t.Context(), "login"))
	w.expectEnd(w.start("login", "Do 3."), backend.TurnDone)
	w.assertRemembers(t, "two")
	equal(t, "its id", w.storedSessions()["login"].ACPID, id)
	noErr(t, w.agent.RemoveSession(t.Context(), "login"))
	w.expectEnd(w.start("login", "Do 4."), backend.TurnDone)
	asked := w.model.Requests()
	if last := asked[len(asked)-1]; slices.ContainsFunc(last.Messages, hasRole("assistant")) || w.storedSessions()["login"].ACPID == id {
		t.Error("the name goes on with the session that was closed")
	}
}
