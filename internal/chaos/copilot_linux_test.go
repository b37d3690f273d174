package chaos_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

func TestChaosKilledApp_CopilotLeavesNothing(t *testing.T) {
	program := copilottest.Path(t)
	rounds, seed := chaos.Runs(2, 20), chaos.Seed(t)
	result := chaos.Row(t, "SIGKILL of the app while the real Copilot CLI works", rounds)
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		switch {
		case req.Side() || req.Last().Role != "user":
			return practice.Reply{practice.Text("ok")}
		case strings.Contains(req.User(), "run it"):
			return practice.Reply{practice.ToolCall("bash", map[string]any{
				"command": "echo it runs; sleep 600 & sleep 600", "description": "Wait", "initial_wait": 120,
			})}
		case strings.Contains(req.User(), "tell it"):
			return practice.Reply{practice.Text(strings.Repeat("one word after another ", 2000), practice.Pace{Words: 1, Delay: 2 * time.Millisecond})}
		}
		return practice.Reply{practice.Text("And on.")}
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	h := newAppData(t)
	h.env = model.Env(h.home)
	var orphans []time.Duration
	var lives []leftovers
	for round := range rounds {
		r := chaos.Rand(t, seed, round)
		l := h.start(program)
		if len(lives) > 0 {
			lives[len(lives)-1].assertDisplayed(l)
		}
		p := &scenePlayer{round: round, chat: l.newChat().ID, sent: map[string]string{}}
		if round%2 == 0 {
			p.send(l, "tell it")
			p.waitForStream(l, 0)
		} else {
			p.send(l, "run it")
			request := p.waitForRequest(l, 0)
			l.call(nil, "Answer", request.ID, request.Options[0].ID, false)
			l.waitForEvent(0, "the command runs", func(e backend.Event) bool {
				return e.Content != nil && e.Content.Type == backend.ContentTerminal
			})
		}
		<-time.After(time.Duration(r.Int64N(int64(500 * time.Millisecond))))
		death := l.kill()
		orphans = append(orphans, h.waitForAllExits(death))
		left := leftovers{scenePlayer: p, disk: h.read()}
		left.assertComplete(l)
		if t.Failed() {
			t.FailNow()
		}
		lives = append(lives, left)
	}
	l := h.start(program)
	lives[len(lives)-1].assertDisplayed(l)
	for _, left := range lives[len(lives)-chaos.Runs(1, 4):] {
		left.assertContinues(l)
	}
	l.quit()
	h.waitForAllExits(time.Now())
	slices.Sort(orphans)
	result("nothing shown was lost; no process or command left after %d ms (median %d ms); the chats continue",
		orphans[len(orphans)-1].Milliseconds(), orphans[len(orphans)/2].Milliseconds())
}
