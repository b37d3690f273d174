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

// The contract is what VoxPilot builds on, whatever the agent: every case runs
// against the fake agent, the real GitHub Copilot CLI and Qwen Code, of which
// the real ones talk to a scripted model.

// subject is an agent that the suite runs on.
type subject struct {
	// launch says how the agent is started in the world. It does the turns.
	launch func(t *testing.T, w *world, turns [][]act) agent.Launch
	traits
	parallel bool
}

// traits are what agents may do in one way or another. The cases say what has
// to hold for either.
type traits struct {
	// exitCodes: how a command ended is told apart from its output.
	exitCodes bool
	// endsCalls: when it is told to stop it ends its tool calls itself, as
	// completed; else they stay open and are ended by the client.
	endsCalls bool
	// forgets: it does not declare loadSession.
	forgets bool
	// files, terminals: it reads and writes files, or runs commands, through the
	// client.
	files, terminals bool
	// staysInFolder: it has the sessions of the folder it works in and no others.
	staysInFolder bool
	// wrote says whether it has said text in what it keeps of its sessions; nil
	// where that is so before it answers. What it has not written when it ends
	// it does not know later, and no client can help that.
	wrote func(w *world, text string) bool
}

// act is something that the agent does when it is prompted, in the words of
// all of them.
type act struct {
	think   string
	say     string
	fail    bool // the model cannot be reached
	chunks  int  // of say, slowly: long enough to be cut
	edit    string
	old     string
	text    string
	command string
}

// pace is the time between two chunks.
const pace = 20 * time.Millisecond

type contract struct {
	name  string
	turns [][]act
	run   func(t *testing.T, w *world)
}

var contracts = slices.Concat(turnContracts, toolContracts, returnContracts)

func TestContract_FakeAgent(t *testing.T) {
	keepsTheContract(t, subject{parallel: true, traits: traits{exitCodes: true}, launch: func(_ *testing.T, w *world, turns [][]act) agent.Launch {
		return fake(fakeScript(turns))(w)
	}})
}

func TestContract_AgentWithoutSessionStorage(t *testing.T) {
	keepsTheContract(t, subject{parallel: true, traits: traits{exitCodes: true, forgets: true}, launch: func(_ *testing.T, w *world, turns [][]act) agent.Launch {
		s := fakeScript(turns)
		s.NoSessions = true
		return fake(s)(w)
	}})
}

func TestContract_AgentUsingClientMethods(t *testing.T) {
	keepsTheContract(t, subject{
		parallel: true, traits: traits{exitCodes: true, files: true, terminals: true},
		launch: func(_ *testing.T, w *world, turns [][]act) agent.Launch {
			s := fakeScript(turns)
			s.ThroughClient = true
			return fake(s)(w)
		},
	})
}

// recap is what a session is told that takes the place of a lost one.
const recap = "What was before: one."

func keepsTheContract(t *testing.T, s subject) {
	for _, c := range contracts {
		t.Run(c.name, func(t *testing.T) {
			if s.parallel {
				t.Parallel()
			}
			needsUnix(t, c)
			w := emptyWorld(t)
			w.traits = s.traits
			l := s.launch(t, w, c.turns)
			w.reopen = func() {
				w.open(func(*world) agent.Launch { return l }, func(w *world, cfg *agent.Config) {
					cfg.History = w.history
					cfg.Recap = func(context.Context, string) (string, error) { return recap, nil }
				})
			}
			w.reopen()
			c.run(t, w)
			for _, it := range w.items(nil) {
				if it.Tool != nil && it.Tool.WithoutPermission {
					t.Errorf("a call counts as not asked for: %+v", it.Tool)
				}
			}
		})
	}
}

// fakeScript has the fake agent do the turns.
func fakeScript(turns [][]act) (script fakeagent.Script) {
	script.On = map[string]fakeagent.Turn{}
	for i, turn := range turns {
		var steps fakeagent.Turn
		for _, a := range turn {
			switch {
			case a.think != "":
				steps = append(steps, fakeagent.Think(a.think))
			case a.fail: // as the Copilot CLI tells it
				steps = append(steps, fakeagent.Say("Error: 401 no such key"))
			case a.chunks > 0:
				steps = append(steps, fakeagent.Chunks(a.chunks, a.say, pace))
			case a.say != "":
				steps = append(steps, fakeagent.Say(a.say))
			case a.command != "":
				steps = append(steps, fakeagent.Run(a.command))
			default:
				steps = append(steps, fakeagent.Edit(a.edit, a.old, a.text))
			}
		}
		script.On[fmt.Sprintf("Do %d.", i+1)] = steps
	}
	return script
}

// needsUnix skips cases whose commands are for a Unix shell.
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
