package agent_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// cliOf returns a function that returns a Launch for the Copilot CLI. Its model performs turn n of turns when it
// receives the message "Do n.".
func cliOf(t *testing.T, turns [][]act) func(*env) agent.Launch {
	t.Helper()
	cli := copilotCLI(t)
	return func(w *env) agent.Launch {
		if w.model == nil {
			return copilotLaunch(t, w, cli, turns)
		}
		return agent.Launch{Path: cli, Args: copilot.Args(), Env: append(os.Environ(), w.model.Env(w.home)...), Home: w.home}
	}
}

func TestReplay_CopilotAlwaysMatches(t *testing.T) {
	t.Parallel()
	launch := cliOf(t, [][]act{
		{{text: "One."}, {command: "echo out"}, {text: "And that was it."}},
		{{text: "word ", chunks: 1000}},
		{{edit: "a.txt", newText: "new"}, {text: "Made."}},
		{{text: "word ", chunks: 1000}},
		{{command: "sleep 1000"}},
		{{text: "Six."}},
		{{edit: "b.txt", newText: "new"}, {text: "never"}},
	})
	r := &transcriptRecorder{}
	w := newEnv(t, launch, r.configure)
	w.setPolicy("allow_once")
	r.promptAndExpect("Do 1.\n\nWith  spaces, \u201cquotes\u201d, and\ttabs \u2713 <b>&amp;</b>  ")
	stop := r.start("Do 2.")
	w.waitForText("word ")
	w.agent.Cancel(backend.SessionMain)
	r.finish(stop, backend.TurnStopped)
	w.agent.Stop()
	w.waitForState(backend.ConnectionIdle)
	r.promptAndExpect("Do 3.")
	cut := r.start("Do 4.")
	w.waitForTurnText(cut.tu, "word ")
	w.killAndWait()
	r.finish(cut, backend.TurnInterrupted)
	working := r.start("Do 5.")
	w.waitForCommand(working.tu)
	w.killAndWait()
	r.finish(working, backend.TurnInterrupted)
	r.promptAndExpect("/session") // it is executed and not replayed
	w.killAndWait()
	r.promptAndExpect("Do 6.")
	w.killAndWait()
	w.setPolicy("reject_once")
	r.promptAndExpect("Do 7.")
	w.close()
	w.open(launch, r.configure)
	w.agent.Restore()
	w.waitForState(backend.ConnectionReady)
	equal(t, "the difference", w.replayDifference(), "")
	r.promptAndExpect("Do 6.")
	w.close()
}

// waitForTurnText waits until the turn has a message that starts with prefix.
func (w *env) waitForTurnText(tu *turn, prefix string) {
	w.t.Helper()
	w.waitFor("a text of the turn", func(events []backend.Event) bool {
		ours := map[string]bool{}
		for _, e := range events {
			if e.Item != nil && e.Item.TurnID == tu.id {
				ours[e.Item.ID] = true
			}
			if e.Text != nil && ours[e.Text.ItemID] && strings.HasPrefix(e.Text.Text, prefix) {
				return true
			}
		}
		return false
	})
}

// waitForCommand waits until a command of the turn has been allowed.
func (w *env) waitForCommand(tu *turn) {
	w.t.Helper()
	w.waitFor("a command of the turn", func(events []backend.Event) bool {
		for _, e := range events {
			if e.Item != nil && e.Item.TurnID == tu.id && e.Item.Tool != nil && e.Item.Tool.Decision == backend.DecisionAllowedOnce {
				return true
			}
		}
		return false
	})
}

func TestReplay_CopilotExtraMessagesReported(t *testing.T) {
	launch := cliOf(t, [][]act{{{text: "One."}}, {{text: "Two."}}})
	r := &transcriptRecorder{}
	w := newEnv(t, launch, r.configure)
	r.promptAndExpect("Do 1.")
	w.close()
	w.open(launch, nil) // by another program
	w.promptAndExpect("Do 2.", backend.TurnDone)
	w.close()
	w.open(launch, r.configure)
	w.agent.Restore()
	w.waitForState(backend.ConnectionReady)
	equal(t, "the difference", w.replayDifference(), "Copilot's history has 1 message that isn't in this chat.")
}

func TestReplay_CopilotMissingMessagesReported(t *testing.T) {
	launch := cliOf(t, [][]act{{{text: "One."}}, {{text: "Two."}}})
	r := &transcriptRecorder{}
	w := newEnv(t, launch, r.configure)
	r.promptAndExpect("Do 1.")
	w.close()
	log := filepath.Join(w.home, "session-state", w.session().ACPID, sessionLog)
	before, err := os.ReadFile(log)
	noErr(t, err)
	w.open(launch, r.configure)
	r.promptAndExpect("Do 2.")
	w.close()
	noErr(t, os.WriteFile(log, before, 0o600))
	w.open(launch, r.configure)
	w.agent.Restore()
	w.waitForState(backend.ConnectionReady)
	equal(t, "the difference", w.replayDifference(), "Copilot's history is missing the last message.")
}

func TestReplay_CopilotMatchesAfterRecap(t *testing.T) {
	var seen []string
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		if !req.Side() {
			seen = append(seen, req.User())
		}
		return practice.Reply{practice.Text("ok")}
	}))
	noErr(t, err)
	t.Cleanup(model.Close)
	cli := copilotCLI(t)
	launch := func(w *env) agent.Launch {
		return agent.Launch{Path: cli, Args: copilot.Args(), Env: append(os.Environ(), model.Env(w.home)...), Home: w.home}
	}
	r := &transcriptRecorder{}
	keep := func(w *env, cfg *agent.Config) {
		r.configure(w, cfg)
		withRecap("It was about tea.")(w, cfg)
	}
	w := newEnv(t, launch, keep)
	r.promptAndExpect("First.")
	w.close()
	noErr(t, os.RemoveAll(filepath.Join(w.home, "session-state", w.session().ACPID)))
	w.open(launch, keep)
	r.promptAndExpect("/session") // a command alone leaves the session without a prompt
	equal(t, "the session has a prompt", w.session().HadPrompt, false)
	r.promptAndExpect("/etc/hosts, what is it?")
	r.promptAndExpect("Third.")
	w.close()
	w.open(launch, keep)
	w.agent.Restore()
	w.waitForState(backend.ConnectionReady)
	equal(t, "the difference", w.replayDifference(), "")
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerSessionLost, backend.BannerResumed})
	w.close()
	var told []string
	for _, text := range seen {
		if strings.Contains(text, "tea") {
			told = append(told, text)
		}
	}
	if len(told) == 0 || !strings.Contains(told[0], "It was about tea.\n/etc/hosts, what is it?") {
		t.Errorf("the model was told %q", seen)
	}
}
