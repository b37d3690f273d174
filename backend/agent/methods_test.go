package agent_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestRestore_ResumesIfLoadUnsupported(t *testing.T) {
	t.Parallel()
	w := newEnvWithSessions(t, backend.SessionMain)
	id := w.session().ACPID
	file := filepath.Join(t.TempDir(), "calls")
	w.open(fake(fakeagent.Script{
		Version: "resumes", Calls: file, Capabilities: `{"sessionCapabilities":{"resume":{}}}`, Answer: map[string]string{"session/resume": `{}`},
	}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	equal(t, "session", w.session().ACPID, id)
	equal(t, "loads", len(calls(t, file, "session/load")), 0)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerResumed})
	equal(t, "can", *w.agent.Connection().Capabilities, backend.Capabilities{Resume: true})
}

func TestMethods_MissingMethodTriedOnce(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	script := fakeagent.Script{Version: "without resume", Calls: file, Capabilities: `{"sessionCapabilities":{"resume":{},"fork":{},"list":{}}}`}
	for i := range 3 { // chats
		w := newEnvWithSessions(t, backend.SessionMain)
		w.open(fake(script), withRecap("It was about tea."))
		w.promptAndExpect("go", backend.TurnDone)
		can := w.agent.Connection().Capabilities
		equal(t, "it can resume", can.Resume, false)
		equal(t, "it can fork", can.Fork, i == 0)
		_, err := w.agent.Fork(t.Context(), backend.SessionMain, "copy")
		equal(t, "code", backend.CodeOf(err), backend.CodeUnavailable)
		waitFor(t, "the window to be told", func() bool { return !w.agent.Connection().Capabilities.Fork })
		equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerSessionLost})
	}
	equal(t, "resumes", len(calls(t, file, "session/resume")), 1)
	equal(t, "forks", len(calls(t, file, "session/fork")), 1)
	equal(t, "prompts with a recap", len(promptBlocks(t, file)[2]), 2)
}

func TestMethods_UnannouncedMethodFoundByTrying(t *testing.T) {
	t.Parallel()
	w := newEnvWithSessions(t, backend.SessionMain)
	id := w.session().ACPID
	w.open(fake(fakeagent.Script{Version: "modest", Capabilities: `{}`, Answer: map[string]string{"session/resume": `{}`}}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	equal(t, "session", w.session().ACPID, id)
	waitFor(t, "the window to be told", func() bool { return w.agent.Connection().Capabilities.Resume })
}

func TestRestore_MissingLoadFallsBackToResume(t *testing.T) {
	t.Parallel()
	w := newEnvWithSessions(t, backend.SessionMain)
	id := w.session().ACPID
	w.open(fake(fakeagent.Script{
		Version: "boasts", Capabilities: `{"loadSession":true}`, Refuse: map[string]int{"session/load": -32601}, Answer: map[string]string{"session/resume": `{}`},
	}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	equal(t, "session", w.session().ACPID, id)
}

func TestFork_IndependentWithHistory(t *testing.T) {
	t.Parallel()
	const caps = `{"loadSession":true,"sessionCapabilities":{"fork":{},"list":{},"close":{}}}`
	launch := fake(fakeagent.Script{Version: "forks", Capabilities: caps, Answer: map[string]string{"session/fork": `{"sessionId":"$NEW","tools":["kettle"]}`}})
	w := newEnv(t, launch, nil)
	_, err := w.agent.Fork(t.Context(), backend.SessionMain, "copy")
	equal(t, "code where nothing was said", backend.CodeOf(err), backend.CodeInvalid)
	w.promptAndExpect("go", backend.TurnDone)
	s, err := w.agent.Fork(t.Context(), backend.SessionMain, "copy")
	noErr(t, err)
	equalDeep(t, "the fork", []any{s.Name, s.HadPrompt, s.State}, []any{"copy", true, backend.SessionLoaded})
	if s.ACPID == "" || s.ACPID == w.session().ACPID {
		t.Errorf("its id: %q", s.ACPID)
	}
	_, err = w.agent.Fork(t.Context(), backend.SessionMain, "copy")
	equal(t, "code where the name is taken", backend.CodeOf(err), backend.CodeInvalid)
	w.expectEnd(w.start("copy", "go"), backend.TurnDone)
	w.close()
	w.open(launch, nil)
	w.expectEnd(w.start("copy", "go"), backend.TurnDone)
	equal(t, "session", w.acpID("copy"), s.ACPID)
	equalDeep(t, "banners", w.bannersOf("copy"), []backend.BannerKind{backend.BannerResumed})
}

func TestCloseSession_NextPromptReopens(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	w := newEnv(t, fake(fakeagent.Script{Calls: file, Turns: []fakeagent.Turn{{fakeagent.Say("half"), fakeagent.Hang()}, {fakeagent.Say("more")}}}), nil)
	noErr(t, w.agent.CloseSession(t.Context(), backend.SessionMain)) // no session is loaded
	tu := w.start(backend.SessionMain, "go")
	w.waitForText("half")
	id, pid := w.session().ACPID, w.agent.Connection().PID
	noErr(t, w.agent.CloseSession(t.Context(), backend.SessionMain))
	w.expectEnd(tu, backend.TurnStopped)
	equal(t, "state", w.session().State, backend.SessionUnloaded)
	equal(t, "closes", len(calls(t, file, "session/close")), 1)
	noErr(t, w.agent.CloseSession(t.Context(), backend.SessionMain))
	equal(t, "closes", len(calls(t, file, "session/close")), 1)
	equal(t, "said", w.answerText(w.promptAndExpect("go on", backend.TurnDone)), "more")
	equalDeep(t, "the same session and process", []any{w.session().ACPID, w.agent.Connection().PID}, []any{id, pid})
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
}

func TestCloseSession_UnsupportedReported(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Version: "cannot close", Refuse: map[string]int{"session/close": -32601}}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	err := w.agent.CloseSession(t.Context(), backend.SessionMain)
	equal(t, "code", backend.CodeOf(err), backend.CodeUnavailable)
	w.promptAndExpect("go", backend.TurnDone)
}

func TestErrors_NameTheAgent(t *testing.T) {
	t.Parallel()
	script := fakeagent.Script{Title: "Tea Maker", Turns: []fakeagent.Turn{{fakeagent.Stop("refusal")}}, Refuse: map[string]int{"session/set_mode": -1}}
	w := newEnv(t, fake(script), nil)
	r := w.expectEnd(w.start(backend.SessionMain, "go"), backend.TurnFailed)
	equal(t, "the turn's", r.Err.Message.String(), "Tea Maker declined this request.")
	if err := w.agent.SetMode(t.Context(), backend.SessionMain, "plan"); err == nil || !strings.Contains(err.Error(), "because of a Tea Maker error") {
		t.Errorf("the mode's: %v", err)
	}
	w.close()
	script.Refuse = map[string]int{"session/load": -32000}
	w.open(fake(script), nil)
	w.agent.Restore()
	if m := w.waitForState(backend.ConnectionNeedsLogin).Message; !strings.HasPrefix(m.String(), "Tea Maker needs you to sign in.") || strings.Contains(m.String(), "copilot") {
		t.Errorf("the connection's: %s", m)
	}
}
