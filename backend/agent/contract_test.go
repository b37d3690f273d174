package agent_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// These tests define the contract: the behavior of agents that VoxPilot relies on. Every case runs against the fake
// agent, the GitHub Copilot CLI and Qwen Code; the latter two use a scripted model.

// subject is an agent that the suite tests.
type subject struct {
	// launch returns a Launch that starts the agent in the env and makes it perform the turns.
	launch func(t *testing.T, w *env, turns [][]act) agent.Launch
	traits
	parallel bool
}

// traits are the properties in which agents that fulfill the contract may differ. The test cases define the behavior
// that they require for each value.
type traits struct {
	// exitCodes means that the agent reports a command's exit code separately from the command's output.
	exitCodes bool
	// endsCalls means that a canceled agent reports its open tool calls as completed. Other agents leave them open, and
	// the client ends them.
	endsCalls bool
	// noStorage means that the agent doesn't declare loadSession.
	noStorage bool
	// files means that the agent accesses files through the client; terminals means that it runs commands through
	// the client.
	files, terminals bool
	// staysInFolder means that the agent can load only the sessions of its current working folder.
	staysInFolder bool
	// hasWritten reports whether the agent has saved the text in its session files. It is nil if the agent saves before
	// it answers. Text is lost if an agent exits before it saves; a client can't prevent that.
	hasWritten func(w *env, text string) bool
}

// act is an action by an agent during a prompt, in a form common to all agents.
type act struct {
	think   string
	text    string
	fail    bool // the model can't be reached
	chunks  int  // number of chunks in which text is sent, slowly enough to be interrupted
	edit    string
	old     string
	newText string
	command string
}

// pace is the interval between two chunks.
const pace = 20 * time.Millisecond

type contract struct {
	name  string
	turns [][]act
	run   func(t *testing.T, w *env)
}

var contracts = slices.Concat(turnContracts, toolContracts, returnContracts)

func TestContract_FakeAgent(t *testing.T) {
	runContract(t, subject{parallel: true, traits: traits{exitCodes: true}, launch: func(_ *testing.T, w *env, turns [][]act) agent.Launch {
		return fake(fakeScript(turns))(w)
	}})
}

func TestContract_AgentWithoutSessionStorage(t *testing.T) {
	runContract(t, subject{parallel: true, traits: traits{exitCodes: true, noStorage: true}, launch: func(_ *testing.T, w *env, turns [][]act) agent.Launch {
		s := fakeScript(turns)
		s.NoSessions = true
		return fake(s)(w)
	}})
}

func TestContract_AgentUsingClientMethods(t *testing.T) {
	runContract(t, subject{
		parallel: true, traits: traits{exitCodes: true, files: true, terminals: true},
		launch: func(_ *testing.T, w *env, turns [][]act) agent.Launch {
			s := fakeScript(turns)
			s.ThroughClient = true
			return fake(s)(w)
		},
	})
}

// recap is the recap sent to the session that replaces a lost one.
const recap = "What was before: one."

func runContract(t *testing.T, s subject) {
	for _, c := range contracts {
		t.Run(c.name, func(t *testing.T) {
			if s.parallel {
				t.Parallel()
			}
			needsUnix(t, c)
			w := newEmptyEnv(t)
			w.traits = s.traits
			l := s.launch(t, w, c.turns)
			w.restart = func() {
				w.open(func(*env) agent.Launch { return l }, func(w *env, cfg *agent.Config) {
					cfg.History = w.history
					cfg.Recap = func(context.Context, string) (string, error) { return recap, nil }
				})
			}
			w.restart()
			c.run(t, w)
			for _, it := range w.items(nil) {
				if it.Tool != nil && it.Tool.WithoutPermission {
					t.Errorf("a call counts as not asked for: %+v", it.Tool)
				}
			}
		})
	}
}

// fakeScript returns a fake agent's script for the turns.
func fakeScript(turns [][]act) (script fakeagent.Script) {
	script.On = map[string]fakeagent.Turn{}
	for i, turn := range turns {
		var steps fakeagent.Turn
		for _, a := range turn {
			switch {
			case a.think != "":
				steps = append(steps, fakeagent.Think(a.think))
			case a.fail: // in the Copilot CLI's wording
				steps = append(steps, fakeagent.Say("Error: 401 no such key"))
			case a.chunks > 0:
				steps = append(steps, fakeagent.Chunks(a.chunks, a.text, pace))
			case a.text != "":
				steps = append(steps, fakeagent.Say(a.text))
			case a.command != "":
				steps = append(steps, fakeagent.Run(a.command))
			default:
				steps = append(steps, fakeagent.Edit(a.edit, a.old, a.newText))
			}
		}
		script.On[fmt.Sprintf("Do %d.", i+1)] = steps
	}
	return script
}

// needsUnix skips the test on Windows if the case needs a Unix shell.
func needsUnix(t *testing.T, c contract) {
	t.Helper()
	for _, turn := range c.turns {
		for _, a := range turn {
			if a.command != "" && runtime.GOOS == "windows" {
				t.Skip("its commands are for a Unix shell")
			}
		}
	}
}
