package agent_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// kinds holds the kinds of prompts that randomActions sends, each with the turn that the fake agent performs for it.
// A prompt's text ends with the name of its kind.
var kinds = map[string]fakeagent.Turn{
	"short": {fakeagent.Say("$PROMPT")},
	"long":  {fakeagent.Think("hm"), fakeagent.Chunks(50, "$PROMPT", time.Millisecond)},
	"edit":  {fakeagent.Say("$PROMPT"), fakeagent.Edit("made.txt", "", "text"), fakeagent.Say(edited)},
	"hang":  {fakeagent.Say("$PROMPT"), fakeagent.Hang()},
	"late":  {fakeagent.Say("$PROMPT"), fakeagent.After(fakeagent.Plan("one"), fakeagent.Think("more"))},
	"die":   {fakeagent.Say("$PROMPT"), fakeagent.Die(3, "it is Tuesday")},
}

// edited is the text that the agent adds to its answer after an allowed edit.
const edited = " It is done."

// answerOf returns the complete answer to a prompt with the given text, as the agent sends it if nothing interrupts
// the turn.
func answerOf(text string) string {
	switch {
	case strings.HasSuffix(text, "long"):
		return strings.Repeat(text, 50)
	case strings.HasSuffix(text, "edit"):
		return text + edited
	}
	return text
}

// sentPrompt is a prompt sent by the test.
type sentPrompt struct {
	*turn
	session, text string
}

// randomActions performs n random operations on an agent without waiting for their results,
// and fails the test if the agent doesn't recover.
func randomActions(t *testing.T, r *rand.Rand, n int, launch func(*env) agent.Launch, names []string) (prompts []sentPrompt, ended map[backend.TurnState]int) {
	nap := []time.Duration{0, 0, 5 * time.Millisecond, 50 * time.Millisecond}[r.IntN(4)]
	w := newEnv(t, launch, func(_ *env, cfg *agent.Config) {
		cfg.Idle = func() time.Duration { return nap }
		cfg.Attempts = func() int { return 1000 }
	})
	w.setPolicy([]string{"allow_once", "reject_once", ""}[r.IntN(3)])
	sessions := []string{backend.SessionMain, "one", "two"}
	deaths := 2
	var work sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for i := range n {
		session := sessions[r.IntN(len(sessions))]
		switch what := r.IntN(20); {
		case what < 8:
			kind := names[r.IntN(len(names))]
			if kind == "die" {
				if deaths == 0 {
					continue
				}
				deaths--
			}
			text := fmt.Sprintf("<%d> %s", i, kind)
			prompts = append(prompts, sentPrompt{w.start(session, text), session, text})
		case what < 10:
			w.agent.Cancel(session)
		case what < 11 && len(prompts) > 0:
			prompts[r.IntN(len(prompts))].cancel()
		case what < 12 && r.IntN(2) == 0:
			w.agent.Stop()
		case what < 13:
			w.agent.Retry()
		case what < 14:
			w.agent.Restore(sessions...)
		case what < 15:
			work.Go(func() { _ = w.agent.CloseSession(ctx, session) })
		case what < 16:
			work.Go(func() { _ = w.agent.SetMode(ctx, session, "plan") })
		case what < 17 && deaths > 0:
			if pids := processesWith(w.home); len(pids) > 0 { // empty on systems without /proc
				deaths--
				if p, err := os.FindProcess(pids[0]); err == nil {
					_ = p.Kill() // it may already have exited
				}
			}
		default:
			<-time.After(time.Duration(r.Int64N(int64(30 * time.Millisecond))))
		}
	}
	for _, p := range prompts {
		if strings.HasSuffix(p.text, "hang") {
			p.cancel()
		}
	}
	ended = map[backend.TurnState]int{}
	for _, p := range prompts {
		res := p.result()
		ended[res.State]++
		said := w.answerText(p.turn)
		whole := said == answerOf(p.text) || said+edited == answerOf(p.text) // or a rejected edit
		switch {
		case res.State == backend.TurnDone && whole:
		case (res.State == backend.TurnStopped || res.State == backend.TurnInterrupted) && strings.HasPrefix(answerOf(p.text), said):
		default:
			t.Errorf("%s in %s ended as %s (%s, %v) with %.200q", p.text, p.session, res.State, res.StopReason, res.Err, said)
		}
	}
	cancel()
	work.Wait()
	for _, session := range sessions {
		tu := w.start(session, "and now short")
		w.expectEnd(tu, backend.TurnDone)
		equal(t, "said at the end", w.answerText(tu), "and now short")
	}
	w.close()
	w.assertAllClosed()
	assertNoOrphans(t, w.home, 0)
	return prompts, ended
}

func TestChaosRandomActions_AgentRecovers(t *testing.T) {
	t.Parallel()
	randomRounds(t, chaos.Runs(5, 300), 60, "Prompts, stops, kills, sleeps, loads and closes of the fake agent, in any order and concurrently",
		fake(fakeagent.Script{On: kinds}), slices.Sorted(maps.Keys(kinds)))
}

func TestChaosRandomActions_CopilotRecovers(t *testing.T) {
	t.Parallel()
	cli := copilotCLI(t)
	chaos.Slow(t, "a minute")
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		text := req.User()
		_, kind, _ := strings.Cut(text, "> ")
		switch {
		case req.Side() || req.Last().Role != "user":
			return practice.Reply{practice.Text(edited)}
		case kind == "long":
			return practice.Reply{practice.Text(answerOf(text), practice.Pace{Words: 2, Delay: time.Millisecond})}
		case kind == "edit":
			return practice.Reply{practice.Text(text), practice.ToolCall("create", map[string]any{"path": req.Cwd() + "/made.txt", "file_text": "text"})}
		case kind == "hang":
			return practice.Reply{practice.Text(text), practice.Hang()}
		}
		return practice.Reply{practice.Text(text)}
	}))
	noErr(t, err)
	t.Cleanup(model.Close)
	randomRounds(t, 10, 40, "Prompts, stops, kills, sleeps, loads and closes of the real Copilot CLI, in any order and concurrently", func(w *env) agent.Launch {
		return agent.Launch{Path: cli, Args: copilot.Args(), Env: append(os.Environ(), model.Env(w.home)...), Home: w.home}
	}, []string{"edit", "hang", "long", "short"})
}

// randomRounds calls randomActions once per round and runs a few rounds in parallel. Each round has its own
// agent, which launch starts. The parameter things is the number of operations per round.
func randomRounds(t *testing.T, rounds, things int, what string, launch func(*env) agent.Launch, names []string) {
	result := chaos.Row(t, what, rounds*things)
	seed := chaos.Seed(t)
	var mu sync.Mutex
	prompts, sum := 0, map[backend.TurnState]int{}
	t.Run("rounds", func(t *testing.T) {
		for i := range rounds {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				all, ended := randomActions(t, chaos.Rand(t, seed, i), things, launch, names)
				mu.Lock()
				defer mu.Unlock()
				prompts += len(all)
				for state, n := range ended {
					sum[state] += n
				}
			})
		}
	})
	result("%d prompts: %d answered, %d stopped, %d interrupted; each session answers the next one, no orphan",
		prompts, sum[backend.TurnDone], sum[backend.TurnStopped], sum[backend.TurnInterrupted])
}
