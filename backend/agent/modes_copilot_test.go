package agent_test

import (
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
)

func TestMode_CopilotStartsInDefault(t *testing.T) {
	launch := cliOf(t, [][]act{{{text: "One."}}})
	w := newEnv(t, launch, nil)
	w.promptAndExpect("Do 1.", backend.TurnDone)
	modes := w.session().Modes
	equal(t, "mode", w.session().Mode, modes[0].ID)
	equal(t, "name", modes[1].Name, "Plan")

	w = newEnv(t, launch, func(_ *env, c *agent.Config) { c.Mode = func() string { return modes[1].ID } })
	w.promptAndExpect("Do 1.", backend.TurnDone)
	equal(t, "mode", w.session().Mode, modes[1].ID)
	w.close()
	w.open(launch, nil) // the CLI reports this itself when it loads the session
	w.agent.Restore()
	w.waitForState(backend.ConnectionReady)
	equal(t, "mode", w.session().Mode, modes[1].ID)

	w = newEnv(t, launch, func(_ *env, c *agent.Config) { c.Mode = func() string { return modes[1].ID + "ner" } })
	w.promptAndExpect("Do 1.", backend.TurnDone)
	equal(t, "mode", w.session().Mode, modes[0].ID)
}

func TestRestore_CopilotKeepsModeAndAllowAll(t *testing.T) {
	launch := cliOf(t, [][]act{{{text: "One."}}})
	w := newEnv(t, launch, nil)
	w.promptAndExpect("Do 1.", backend.TurnDone)
	modes := w.session().Modes
	noErr(t, w.agent.SetMode(t.Context(), backend.SessionMain, modes[1].ID))
	equal(t, "mode", w.session().Mode, modes[1].ID)
	equal(t, "options", len(w.session().Options), 0)
	w.close()
	w.open(launch, nil)
	w.agent.Restore()
	w.waitForState(backend.ConnectionReady)
	equal(t, "mode", w.banner(backend.BannerMode).Detail.String(), modes[1].Name)
	noErr(t, w.agent.SetMode(t.Context(), backend.SessionMain, modes[2].ID)) // autopilot
	equal(t, "asks nothing", w.session().AllowAll, true)
	noErr(t, w.agent.SetMode(t.Context(), backend.SessionMain, modes[0].ID))
	w.waitFor("it to ask again", func(events []backend.Event) bool {
		asks := false
		for _, e := range events {
			if e.Session != nil {
				asks = !e.Session.AllowAll
			}
		}
		return asks
	})
	noErr(t, w.agent.SetOption(t.Context(), backend.SessionMain, "allow_all", "on"))
	equal(t, "asks nothing", w.session().AllowAll, true)
	w.close()
	w.open(launch, nil)
	w.agent.Restore()
	w.waitForState(backend.ConnectionReady)
	w.banner(backend.BannerAllowAll)
	_, err := w.agent.Fork(t.Context(), backend.SessionMain, "copy")
	equal(t, "code", backend.CodeOf(err), backend.CodeUnavailable)
	noErr(t, w.agent.CloseSession(t.Context(), backend.SessionMain))
	equal(t, "state", w.session().State, backend.SessionUnloaded)
	w.promptAndExpect("Do 1.", backend.TurnDone)
	w.close()
}
