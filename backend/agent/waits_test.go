package agent_test

import (
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestWaited_RowsHaveUserWait(t *testing.T) {
	t.Parallel()
	for name, through := range map[string]bool{"of the agent's request": false, "of a request of ours": true} {
		t.Run(name, func(t *testing.T) {
			step := fakeagent.Edit("a.txt", "", "new")
			if through {
				step = writeFile("$CWD/a.txt", "new")
			}
			w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{step}}}), nil)
			tu := w.start(backend.SessionMain, "go")
			a := w.nextRequest()
			began := backend.Now()
			waitFor(t, "time to pass", func() bool { return backend.Now() >= began+20 })
			a.answer <- "allow_once"
			w.expectEnd(tu, backend.TurnDone)
			it := w.tools(tu)[0]
			if it.Waited < 20 || it.Waited > it.EndedAt-it.CreatedAt {
				t.Errorf("waited %d of %d ms", it.Waited, it.EndedAt-it.CreatedAt)
			}
		})
	}
}

func TestWaited_StoppedRequestCounts(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Edit("a.txt", "", "new")}}}), nil)
	tu := w.start(backend.SessionMain, "go")
	w.nextRequest()
	began := time.Now()
	waitFor(t, "time to pass", func() bool { return time.Since(began) > 20*time.Millisecond })
	tu.cancel()
	w.expectEnd(tu, backend.TurnStopped)
	if it := w.tools(tu)[0]; it.Waited < 20 {
		t.Errorf("waited %d ms", it.Waited)
	}
}
