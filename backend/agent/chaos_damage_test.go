package agent_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

const sessionLog = "events.jsonl"

// newMemoryModel returns a model whose answer lists the given words that occur in the conversation's user messages.
func newMemoryModel(t *testing.T, words []string) *practice.Server {
	t.Helper()
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		var known []string
		for _, word := range words {
			for _, m := range req.Messages {
				if m.Role == "user" && strings.Contains(m.Text, word) && !slices.Contains(known, word) {
					known = append(known, word)
				}
			}
		}
		return practice.Reply{practice.Text("I know " + strings.Join(known, ", ") + ".")}
	}))
	noErr(t, err)
	t.Cleanup(model.Close)
	return model
}

// bannersOf returns the kinds of the banners about the given session.
func (w *env) bannersOf(session string) (kinds []backend.BannerKind) {
	for _, it := range w.items(nil) {
		if it.Banner != nil && it.Banner.Session == session {
			kinds = append(kinds, it.Banner.Kind)
		}
	}
	return kinds
}

// acpID returns the ID that the agent assigned to the session.
func (w *env) acpID(session string) string {
	for _, s := range w.sessions() {
		if s.Name == session {
			return s.ACPID
		}
	}
	return ""
}

func TestChaosDeletedHome_Recreated(t *testing.T) {
	t.Parallel()
	cli := copilotCLI(t)
	result := chaos.Row(t, "COPILOT_HOME of the real CLI is deleted", 1)
	model := newMemoryModel(t, nil)
	launch := func(w *env) agent.Launch {
		return agent.Launch{Path: cli, Args: copilot.Args(), Env: append(os.Environ(), model.Env(w.home)...), Home: w.home}
	}
	w := newEnv(t, launch, nil)
	w.promptAndExpect("one", backend.TurnDone)
	id := w.session().ACPID
	w.close()
	noErr(t, os.RemoveAll(w.home))
	w.open(launch, nil)
	w.promptAndExpect("two", backend.TurnDone)
	if w.session().ACPID == id {
		t.Error("the session has the same id")
	}
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerSessionLost})
	result("a new session with a banner; the next message is answered")
}
