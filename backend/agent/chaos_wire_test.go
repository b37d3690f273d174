package agent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestChaosGarbageOnWire_IsHarmless(t *testing.T) {
	t.Parallel()
	const turns = 10
	lines, rounds := chaos.Runs(50, 200), chaos.Runs(2, 50)
	result := chaos.Row(t, "Garbage lines between and after the lines of an answer", rounds*turns*lines*2)
	seed := chaos.Seed(t)
	t.Run("rounds", func(t *testing.T) {
		for i := range rounds {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				g, dir := garbage{chaos.Rand(t, seed, i)}, t.TempDir()
				file := func(name string) string {
					path := filepath.Join(dir, name)
					noErr(t, os.WriteFile(path, g.lines(lines), 0o600))
					return path
				}
				var script fakeagent.Script
				for n := range turns {
					script.Turns = append(script.Turns, fakeagent.Turn{
						fakeagent.Say("<begin>"), fakeagent.File(file(fmt.Sprint(n))), fakeagent.Say("<end>"),
						fakeagent.After(fakeagent.File(file(fmt.Sprint(n, " after")))),
					})
				}
				w := newEnv(t, fake(script), func(_ *env, cfg *agent.Config) {
					// Garbage may contain an edit without a permission request.
					cfg.IsAllowed = func(backend.Permission) bool { return true }
				})
				w.setPolicy("allow_once")
				for range turns {
					tu := w.promptAndExpect("go", backend.TurnDone)
					// Updates after an answer may become part of the next one.
					_, said, _ := strings.Cut(w.answerText(tu), "<begin>")
					if !strings.Contains(said, "<end>") {
						t.Errorf("it said %.200q", said)
					}
				}
				pid := w.agent.Connection().PID
				tu := w.promptAndExpect("and now?", backend.TurnDone)
				if said := w.answerText(tu); !strings.Contains(said, "ok") {
					t.Errorf("it said %.200q", said)
				}
				equal(t, "process", w.agent.Connection().PID, pid)
			})
		}
	})
	result("every answer is whole, from the same process; no crash, no hang, no leaked goroutine")
}
