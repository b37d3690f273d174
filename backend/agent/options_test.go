package agent_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

const declared = `{
	"modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask"},{"id":"bypassPermissions","name":"Bypass","description":"Asks nothing"}]},
	"configOptions":[
		{"type":"select","id":"mode","name":"Mode","category":"mode","currentValue":"ask","options":[{"value":"ask","name":"Ask"}]},
		{"type":"select","id":"allow_all","name":"Allow All","category":"permissions","currentValue":"off","options":[{"value":"on","name":"On"},{"value":"off","name":"Off"}]},
		{"type":"select","id":"model","name":"Model","category":"model","currentValue":"m1","description":"Who answers","options":[
			{"group":"fast","name":"Fast","options":[{"value":"m1","name":"One"},{"value":"m2","name":"Two","description":"Quick"}]},
			{"group":"deep","name":"Deep","options":[{"value":"m3","name":"Three"}]}]},
		{"type":"boolean","id":"web","name":"Web search","currentValue":true},
		{"type":"color","id":"paint","name":"Paint","currentValue":"red"}],
	"tools":[{"name":"bash","description":"Runs"},"grep"]}`

func TestOptions_ListedWithoutAgentAllowAll(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Declares: declared}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	s := w.session()
	equalDeep(t, "options", s.Options, []backend.ConfigOption{
		{ID: "model", Name: "Model", Description: "Who answers", Category: "model", Type: backend.ConfigSelect, Value: "m1", Choices: []backend.Choice{
			{ID: "m1", Name: "One", Group: "Fast"}, {ID: "m2", Name: "Two", Description: "Quick", Group: "Fast"}, {ID: "m3", Name: "Three", Group: "Deep"},
		}},
		{ID: "web", Name: "Web search", Type: backend.ConfigBoolean, Value: "true"},
	})
	equalDeep(t, "modes", s.Modes, []backend.Choice{{ID: "ask", Name: "Ask"}, {ID: "bypassPermissions", Name: "Bypass", Description: "Asks nothing"}})
	equal(t, "mode", s.Mode, "ask")
	equal(t, "asks nothing", s.AllowAll, false)
}

func TestOptions_SetBeforeFirstPrompt(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	w := newEnv(t, fake(fakeagent.Script{Declares: declared, Calls: file, Answer: map[string]string{
		"session/set_mode": `{}`, "session/set_config_option": `{}`,
	}}), nil)
	noErr(t, w.agent.SetMode(t.Context(), backend.SessionMain, "bypassPermissions"))
	equal(t, "mode", w.session().Mode, "bypassPermissions")
	equal(t, "asks nothing", w.session().AllowAll, true)
	noErr(t, w.agent.SetOption(t.Context(), backend.SessionMain, "model", "m3"))
	noErr(t, w.agent.SetOption(t.Context(), backend.SessionMain, "web", "false"))
	equalDeep(t, "values", []string{w.session().Options[0].Value, w.session().Options[1].Value}, []string{"m3", "false"})
	sent := calls(t, file, "session/set_config_option")
	equalDeep(t, "sent", []any{sent[0].Params.ConfigID, sent[0].Params.Value, sent[0].Params.Type}, []any{"model", "m3", ""})
	equalDeep(t, "sent", []any{sent[1].Params.ConfigID, sent[1].Params.Value, sent[1].Params.Type}, []any{"web", false, "boolean"})
	equal(t, "sent", calls(t, file, "session/set_mode")[0].Params.ModeID, "bypassPermissions")
	w.promptAndExpect("go", backend.TurnDone)
	equal(t, "sessions", len(calls(t, file, "session/new")), 1)
}

func TestMode_SetOnSessionOfPreviousRun(t *testing.T) {
	t.Parallel()
	w := newEnvWithSessions(t, backend.SessionMain)
	id := w.session().ACPID
	w.open(fake(fakeagent.Script{Answer: map[string]string{"session/set_mode": `{}`}}), nil)
	noErr(t, w.agent.SetMode(t.Context(), backend.SessionMain, "plan"))
	equal(t, "session", w.session().ACPID, id)
	equal(t, "mode", w.session().Mode, "plan")
}

func TestMode_RefusalReportsReason(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Refuse: map[string]int{"session/set_mode": -32602}}), nil)
	err := w.agent.SetMode(t.Context(), backend.SessionMain, "nonsense")
	equal(t, "code", backend.CodeOf(err), backend.CodeInvalid)
	equal(t, "mode", w.session().Mode, "agent")
	err = w.agent.SetOption(t.Context(), backend.SessionMain, "model", "x")
	equal(t, "code", backend.CodeOf(err), backend.CodeUnavailable)
}

func TestOptions_UnstartableAgentSetsNothing(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Refuse: map[string]int{"initialize": -32000}}), nil)
	err := w.agent.SetMode(t.Context(), backend.SessionMain, "plan")
	equal(t, "code", backend.CodeOf(err), backend.CodeConnection)
}

// TestOptions_SlowAgentIsNamed checks the error that is returned if an agent takes longer than the caller waits. The
// error must name the agent and must not be reported as an internal error of VoxPilot.
func TestOptions_SlowAgentIsNamed(t *testing.T) {
	t.Parallel()
	const option = "session/set_config_option"
	for name, c := range map[string]struct {
		script fakeagent.Script
		runs   bool // before the option is set
		code   backend.Code
		want   string
	}{
		"still starting": {fakeagent.Script{Silent: []string{"initialize"}}, false, backend.CodeUnavailable, "Couldn't change the setting because Copilot is still starting. Try again in a moment."},
		"no answer":      {fakeagent.Script{Silent: []string{option}}, true, backend.CodeConnection, "Couldn't change the setting because Copilot didn't respond. Try again in a moment."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t, fake(c.script), nil)
			if c.runs {
				w.promptAndExpect("go", backend.TurnDone)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			err := w.agent.SetOption(ctx, backend.SessionMain, "allow_all", "on")
			equal(t, "code", backend.CodeOf(err), c.code)
			equal(t, "message", backend.AsError(err).Message.String(), c.want)
		})
	}
}

// TestOptions_LateAnswerIsApplied checks that VoxPilot records a setting that the agent applied after the caller had
// stopped waiting.
func TestOptions_LateAnswerIsApplied(t *testing.T) {
	t.Parallel()
	const option, mode = "session/set_config_option", "session/set_mode"
	for name, c := range map[string]struct {
		method string
		set    func(w *env, ctx context.Context) error
	}{
		"option": {option, func(w *env, ctx context.Context) error {
			return w.agent.SetOption(ctx, backend.SessionMain, "allow_all", "on")
		}},
		"mode": {mode, func(w *env, ctx context.Context) error {
			return w.agent.SetMode(ctx, backend.SessionMain, "bypassPermissions")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file, gate := filepath.Join(dir, "calls"), filepath.Join(dir, "gate")
			w := newEnv(t, fake(fakeagent.Script{
				Declares: declared, Calls: file, HandleAfter: map[string]string{c.method: gate},
				Answer: map[string]string{mode: `{}`, option: `{"configOptions":[{"type":"select","id":"allow_all","name":"Allow All","currentValue":"on","options":[]}]}`},
			}), nil)
			w.promptAndExpect("go", backend.TurnDone)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() { ended <- c.set(w, ctx) }()
			waitFor(t, "the agent to get the call", func() bool { return len(calls(t, file, c.method)) == 1 })
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			equal(t, "asks nothing", w.session().AllowAll, false)
			noErr(t, os.WriteFile(gate, nil, 0o600))
			waitFor(t, "the session to have the setting", func() bool { return w.session().AllowAll })
		})
	}
}

func TestModes_FromConfigOption(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	w := newEnv(t, fake(fakeagent.Script{
		Calls:    file,
		Declares: `{"configOptions":[{"type":"select","id":"how","name":"How","category":"mode","currentValue":"a","options":[{"value":"a","name":"A"},{"value":"yolo","name":"Y"}]}]}`,
		Answer:   map[string]string{"session/set_config_option": `{"configOptions":[{"type":"select","id":"how","name":"How","category":"mode","currentValue":"yolo","options":[{"value":"a","name":"A"},{"value":"yolo","name":"Y"}]}]}`},
	}), nil)
	noErr(t, w.agent.SetMode(t.Context(), backend.SessionMain, "yolo"))
	s := w.session()
	equalDeep(t, "mode", []any{s.Mode, s.AllowAll, len(s.Modes), len(s.Options)}, []any{"yolo", true, 2, 0})
	equal(t, "option", calls(t, file, "session/set_config_option")[0].Params.ConfigID, "how")
}

func TestModels_LegacyListBecomesOption(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	w := newEnv(t, fake(fakeagent.Script{
		Calls:    file,
		Declares: `{"models":{"currentModelId":"m1","availableModels":[{"modelId":"m1","name":"One"},{"modelId":"m2","name":"Two"}]}}`,
		Answer:   map[string]string{"session/set_model": `{}`},
	}), nil)
	noErr(t, w.agent.SetOption(t.Context(), backend.SessionMain, "model", "m2"))
	equalDeep(t, "options", w.session().Options, []backend.ConfigOption{{
		ID: "model", Name: "Model", Category: "model", Type: backend.ConfigSelect, Value: "m2",
		Choices: []backend.Choice{{ID: "m1", Name: "One"}, {ID: "m2", Name: "Two"}},
	}})
	equal(t, "sent", calls(t, file, "session/set_model")[0].Params.ModelID, "m2")
}

func TestUpdates_KeepSessionRowCurrent(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{
		update("current_mode_update", `"currentModeId":"plan"`),
		// This option lags behind; the session's modes take precedence.
		update("config_option_update", `"configOptions":[
			{"type":"select","id":"mode","name":"Mode","category":"mode","currentValue":"agent","options":[]},
			{"type":"select","id":"allow_all","name":"Allow All","currentValue":"on","options":[]},
			{"type":"boolean","id":"web","name":"Web","currentValue":false}]`),
		update("session_info_update", `"title":"About tea","updatedAt":"2026-01-01T00:00:00Z"`),
		update("usage_update", `"used":7,"size":100`),
		update("available_commands_update", `"availableCommands":[{"name":"brew","description":"Makes tea"}]`),
		update("tools_changed", `"tools":[{"id":"t1","title":"Kettle"}]`),
	}}}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	s := w.session()
	equalDeep(t, "row", []any{s.Mode, s.AllowAll, s.Title, s.ContextUsed, s.ContextSize}, []any{"plan", true, "About tea", 7, 100})
	equalDeep(t, "options", s.Options, []backend.ConfigOption{{ID: "web", Name: "Web", Type: backend.ConfigBoolean, Value: "false"}})
	equalDeep(t, "commands", s.Commands, []backend.Choice{{ID: "brew", Name: "brew", Description: "Makes tea"}})
	equal(t, "unknown updates", slices.ContainsFunc(w.events, func(e backend.Event) bool { return e.UnknownUpdate != nil }), false)
}

func TestNotification_UnknownIgnored(t *testing.T) {
	t.Parallel()
	const line = `{"jsonrpc":"2.0","method":"session/started","params":{"sessionId":"$SESSION","tools":[{"name":"kettle"}]}}`
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Raw(line), fakeagent.Say("on")}}}), nil)
	equal(t, "said", w.answerText(w.promptAndExpect("go", backend.TurnDone)), "on")
	equal(t, "unknown updates", slices.ContainsFunc(w.events, func(e backend.Event) bool { return e.UnknownUpdate != nil }), false)
}

func TestRestore_ReportsAllowAllOrOtherMode(t *testing.T) {
	t.Parallel()
	answer := func(mode, allow string) fakeagent.Script {
		return fakeagent.Script{
			Declares: `{"modes":{"currentModeId":"` + mode + `","availableModes":[{"id":"agent","name":"Agent"},{"id":"plan","name":"Plan"},{"id":"x#autopilot","name":"Autopilot"}]},
				"configOptions":[{"type":"select","id":"allow_all","name":"Allow All","currentValue":"` + allow + `","options":[]}]}`,
			Answer: map[string]string{"session/set_mode": `{}`},
		}
	}
	for _, c := range []struct {
		name, mode, allow string
		want              []backend.BannerKind
	}{
		{"as it begins", "agent", "off", nil},
		{"in another mode", "plan", "off", []backend.BannerKind{backend.BannerMode}},
		{"asking nothing", "agent", "on", []backend.BannerKind{backend.BannerAllowAll}},
		{"in autopilot", "x#autopilot", "on", []backend.BannerKind{backend.BannerAllowAll}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newEnvWithSessions(t, backend.SessionMain)
			w.open(fake(answer(c.mode, c.allow)), nil)
			w.promptAndExpect("go", backend.TurnDone)
			want := append([]backend.BannerKind{backend.BannerResumed}, c.want...)
			equalDeep(t, "banners", w.banners(), want)
			if c.name == "in another mode" {
				equal(t, "its name", w.banner(backend.BannerMode).Detail.String(), "Plan")
			}
			// A restart doesn't report the unchanged mode as news.
			w.killAndWait()
			equalDeep(t, "banners", w.banners(), append(want, backend.BannerRestored))
		})
	}
}

func TestRestore_ReplacementKeepsModeAndAsks(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	launch := fake(fakeagent.Script{Declares: declared, Calls: file, Answer: map[string]string{"session/set_mode": `{}`, "session/set_config_option": `{}`}})
	w := newEnvWithLostMain(t)
	w.open(launch, nil)
	noErr(t, w.agent.SetOption(t.Context(), backend.SessionMain, "model", "m3"))
	noErr(t, w.agent.SetMode(t.Context(), backend.SessionMain, "bypassPermissions"))
	w.promptAndExpect("go", backend.TurnDone)
	w.close()
	noErr(t, os.Remove(filepath.Join(w.home, "session-state", w.session().ACPID+".json")))
	w.open(launch, nil)
	w.promptAndExpect("go", backend.TurnDone)
	s := w.session()
	equalDeep(t, "mode and model", []any{s.Mode, s.AllowAll, s.Options[0].Value}, []any{"ask", false, "m3"})
	equal(t, "modes that were set", len(calls(t, file, "session/set_mode")), 1)
	equal(t, "options that were set", len(calls(t, file, "session/set_config_option")), 2)
}

func TestMode_FirstSessionUsesDefault(t *testing.T) {
	t.Parallel()
	for _, mode := range []struct {
		name, now, declares, want string
		sent                      int
		said                      bool
	}{
		{name: "a mode that it has", now: "plan", want: "plan", sent: 1},
		{name: "as the agent starts", now: "", want: "agent"},
		{name: "the one that it begins in", now: "agent", want: "agent"},
		{name: "one that it does not have", now: "architect", want: "agent", said: true},
		{name: "one in which it asks nothing", now: "bypassPermissions", declares: declared, want: "ask", said: true},
		{name: "an agent without modes", now: "plan", declares: `{"configOptions":[]}`, want: "", said: true},
	} {
		t.Run(mode.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "calls")
			launch := fake(fakeagent.Script{Declares: mode.declares, Calls: file, Answer: map[string]string{"session/set_mode": `{}`}})
			w := newEnv(t, launch, func(_ *env, c *agent.Config) { c.Mode = func() string { return mode.now } })
			w.promptAndExpect("go", backend.TurnDone)
			equal(t, "mode", w.session().Mode, mode.want)
			equal(t, "modes that were set", len(calls(t, file, "session/set_mode")), mode.sent)
			seen, err := os.ReadFile(file)
			noErr(t, err)
			set, asked := strings.Index(string(seen), `"session/set_mode"`), strings.Index(string(seen), `"session/prompt"`)
			equal(t, "set before the prompt", set < asked, true)
			w.mu.Lock()
			defer w.mu.Unlock()
			equal(t, "said in the log", strings.Contains(w.log.String(), "the agent doesn't support the mode of new chats"), mode.said)
		})
	}
}

func TestRestore_KeepsModeDespiteDefault(t *testing.T) {
	t.Parallel()
	answer := map[string]string{"session/set_mode": `{}`}
	w := newEnv(t, fake(fakeagent.Script{Answer: answer}), nil)
	noErr(t, w.agent.SetMode(t.Context(), backend.SessionMain, "agent"))
	w.close() // it had no prompt and is created again
	file := filepath.Join(t.TempDir(), "calls")
	w.open(fake(fakeagent.Script{Answer: answer, Calls: file}), func(_ *env, c *agent.Config) {
		c.Mode = func() string { return "plan" }
	})
	w.promptAndExpect("go", backend.TurnDone)
	equal(t, "mode", w.session().Mode, "agent")
	equal(t, "modes that were set", len(calls(t, file, "session/set_mode")), 0)
}
