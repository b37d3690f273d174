package agent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

const mb = 1 << 20

func TestChaosEndlessLine_MemoryBounded(t *testing.T) {
	t.Parallel()
	// Up to 64 MB of a line are buffered, and growing the buffer temporarily takes more.
	const limit = 320 * mb
	result := chaos.Row(t, "100 MB without a newline", 1)
	p := startChild(t, jobSpec{Do: "answer", Scripts: []fakeagent.Script{{Turns: []fakeagent.Turn{
		{fakeagent.Say("a"), fakeagent.Long("garbage", 100*mb)},
	}}}})
	f := p.nextReport("message 1")
	if f.State != backend.TurnInterrupted || f.Text != "a" || f.Memory > limit {
		t.Errorf("%s with %q and %d MB", f.State, f.Text, f.Memory/mb)
	}
	p.nextReport("ended")
	result("agent restarted; the app used %d MB", f.Memory/mb)
}

func TestChaosLongReplay_MemoryBounded(t *testing.T) {
	t.Parallel()
	const limit = 64 * mb
	n := chaos.Runs(20_000, 200_000)
	result := chaos.Row(t, "Updates replayed by one session/load", n)
	p := startChild(t, jobSpec{Do: "answer", Scripts: []fakeagent.Script{{}, {Replay: n}}})
	p.nextReport("message 1")
	f := p.nextReport("message 2")
	if f.State != backend.TurnDone || f.Text != "ok" || f.Sessions != 1 || f.Memory > limit {
		t.Errorf("%s with %q, %d sessions, %d MB", f.State, f.Text, f.Sessions, f.Memory/mb)
	}
	p.nextReport("ended")
	result("loaded and answered in %.1f s, %d MB of extra memory", float64(f.Millis)/1000, f.Memory/mb)
}

func TestChaosManyPrompts_LeakNothing(t *testing.T) {
	t.Parallel()
	n := chaos.Runs(300, 10_000)
	result := chaos.Row(t, "Prompts in one run of the app, in ten parallel chats", n)
	p := startChild(t, jobSpec{Do: "many", N: n, Scripts: []fakeagent.Script{{On: map[string]fakeagent.Turn{
		"fill": {fakeagent.Chunks(6000, "some words of an answer ", 0)}, // fills the protocol log up to its limit
	}}}})
	first, last := p.nextReport("many"), p.nextReport("many")
	p.nextReport("ended")
	// The database, its cache and ten chats already exist at the first report. After that, the database
	// may still open connections for concurrent reads.
	const connections = 2 * 4
	if grown := int64(last.Heap) - int64(first.Heap); grown > 4*mb {
		t.Errorf("the heap grew from %d to %d KB", first.Heap/1024, last.Heap/1024)
	}
	if last.Routines > first.Routines || last.Files > first.Files+connections {
		t.Errorf("goroutines: %d, then %d; open files: %d, then %d", first.Routines, last.Routines, first.Files, last.Files)
	}
	result("after a tenth: heap %.1f MB, %d goroutines, %d open files; at the end: %.1f MB, %d, %d",
		float64(first.Heap)/mb, first.Routines, first.Files, float64(last.Heap)/mb, last.Routines, last.Files)
}

func TestChaosManySessions_StayIsolated(t *testing.T) {
	t.Parallel()
	n := chaos.Runs(10, 50)
	result := chaos.Row(t, "Parallel sessions in one process", n)
	w := newEnv(t, fake(fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Chunks(200, "$PROMPT", 0)}}), nil)
	w.promptAndExpect("first", backend.TurnDone)
	pid := w.agent.Connection().PID
	var turns []*turn
	for round := range 3 {
		for i := range n {
			turns = append(turns, w.start(fmt.Sprint("session ", i), fmt.Sprintf("<%d in %d>", round, i)))
		}
	}
	for i, tu := range turns {
		w.expectEnd(tu, backend.TurnDone)
		equal(t, "said", w.answerText(tu), strings.Repeat(fmt.Sprintf("<%d in %d>", i/n, i%n), 200))
	}
	ids := map[string]bool{}
	for _, s := range w.sessions() {
		ids[s.ACPID] = true
	}
	equal(t, "sessions", len(ids), n+1)
	equal(t, "process", w.agent.Connection().PID, pid)
	w.assertAllClosed()
	result("%d prompts at once, each answer in its own session and whole", len(turns))
}

func TestChaosCopilot_ReadsEightMegabyteFile(t *testing.T) {
	t.Parallel()
	cli := copilotCLI(t)
	result := chaos.Row(t, "The real Copilot CLI views a file of 8 MB: one line of 16 MB", 1)
	var once sync.Once
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		reply := practice.Reply{practice.Text("Seen.")}
		if !req.Side() {
			once.Do(func() {
				reply = practice.Reply{practice.ToolCall("view", map[string]any{"path": req.Cwd() + "/large.txt", "forceReadLargeFiles": true})}
			})
		}
		return reply
	}))
	noErr(t, err)
	t.Cleanup(model.Close)
	w := newEnv(t, func(w *env) agent.Launch {
		return agent.Launch{Path: cli, Args: copilot.Args(), Env: append(os.Environ(), model.Env(w.home)...), Home: w.home}
	}, nil)
	w.setPolicy("allow_once")
	noErr(t, os.WriteFile(filepath.Join(w.folder, "large.txt"), []byte(strings.Repeat("0123456789abcde\n", 8*mb/16)), 0o600))
	tu := w.promptAndExpect("Look at it.", backend.TurnDone)
	equal(t, "said", w.answerText(tu), "Seen.")
	var size int64
	for _, tool := range w.tools(tu) {
		for _, c := range tool.contents {
			size += c.Size
		}
	}
	if size < 8*mb {
		t.Errorf("%d bytes of the file are shown", size)
	}
	w.assertAllClosed()
	result("%d MB shown, turn finished", size/mb)
}
