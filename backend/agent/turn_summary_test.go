package agent_test

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// startInBlock starts a turn for a task that is delegated to the session and shown in the block with the given ID.
func (w *env) startInBlock(session, block, text string) *turn {
	ctx, cancel := context.WithCancel(context.Background())
	w.t.Cleanup(cancel)
	tu := &turn{w: w, id: backend.NewID(), cancel: cancel, done: make(chan agent.Result, 1), session: session, prompt: text}
	go func() {
		tu.done <- w.agent.Prompt(ctx, backend.Turn{ID: tu.id, ChatID: "chat", Session: session, BlockID: block, State: backend.TurnRunning}, text)
	}()
	return tu
}

func TestTurn_SummaryAddsUp(t *testing.T) {
	t.Parallel()
	needsUnix(t, contract{turns: [][]act{{{command: "exit"}}}})
	outside := filepath.Join(t.TempDir(), "outside.txt")
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{
		{
			fakeagent.Say("First this."),
			fakeagent.Edit("a.txt", "", "one\ntwo\n"), fakeagent.Edit("a.txt", "two", "2\nthree"),
			fakeagent.Edit("sub/b.txt", "", "x\n"), fakeagent.EditOutside(outside, "y\n"),
			fakeagent.Run("exit 3"), fakeagent.Run("true"),
			fakeagent.Say("Then "), fakeagent.Say("that."),
		},
		{fakeagent.Say("Nothing."), fakeagent.Edit("never.txt", "", "no\n")}, // the user rejects it
	}}), nil)
	noErr(t, os.Mkdir(w.path("sub"), 0o700))
	w.decide(func(p backend.Permission) string {
		if filepath.Base(p.Path) == "never.txt" {
			return "reject_once"
		}
		return "allow_once"
	})
	r := w.expectEnd(w.start("auth", "go"), backend.TurnDone)
	equal(t, "the last message", r.Summary.Message, "Then that.")
	equalDeep(t, "the files", r.Summary.Files, []backend.FileChange{
		{Path: "a.txt", Added: 4, Removed: 1}, {Path: filepath.Join("sub", "b.txt"), Added: 1}, {Path: outside, Added: 1},
	})
	if c := r.Summary.Commands; len(c) != 2 || c[0].Command != "exit 3" || *c[0].ExitCode != 3 || c[1].Command != "true" || *c[1].ExitCode != 0 {
		t.Errorf("the commands: %+v", c)
	}
	again := w.expectEnd(w.start("auth", "go"), backend.TurnDone)
	equalDeep(t, "the next turn begins at nothing", again.Summary, backend.TurnSummary{Message: "Nothing."})
}

func TestDelegate_StoppedTaskReportsWork(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Edit("a.txt", "", "one\n"), fakeagent.Say("half"), fakeagent.Hang()}}}), nil)
	w.setPolicy("allow_once")
	tu := w.startInBlock("auth", "block", "go")
	w.waitForText("half")
	tu.cancel()
	r := w.expectEnd(tu, backend.TurnStopped)
	equalDeep(t, "the work", r.Summary, backend.TurnSummary{Message: "half", Files: []backend.FileChange{{Path: "a.txt", Added: 1}}})
}

func TestDelegate_BlockHasAllItems(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Think("hm"), fakeagent.Plan("one"), fakeagent.Edit("a.txt", "", "one\n"), fakeagent.Say("done"), fakeagent.Stop("max_tokens")},
		{fakeagent.Say("mine")},
	}}), nil)
	w.setPolicy("allow_once")
	given := w.startInBlock("auth", "block", "go")
	w.expectEnd(given, backend.TurnStopped)
	kinds := map[backend.ItemKind]bool{}
	for _, it := range w.items(given) {
		kinds[it.Kind] = true
		equal(t, "where it stands", it.ParentID, "block")
	}
	for _, kind := range []backend.ItemKind{backend.ItemThought, backend.ItemPlan, backend.ItemTool, backend.ItemMessage, backend.ItemBanner} {
		equal(t, "it has a "+string(kind), kinds[kind], true)
	}
	own := w.start("auth", "go")
	w.expectEnd(own, backend.TurnDone)
	for _, it := range w.items(own) {
		equal(t, "where that of another turn stands", it.ParentID, "")
	}
}

func TestDelegate_FailsIfAgentGivesUp(t *testing.T) {
	t.Parallel()
	var tries atomic.Int32
	w := newEnv(t, nil, func(_ *env, cfg *agent.Config) {
		cfg.Launch = func(context.Context) (agent.Launch, *agent.LaunchError) {
			tries.Add(1)
			return agent.Launch{}, &agent.LaunchError{Cause: backend.CauseCLIMissing, Message: backend.Plain("There is no CLI.")}
		}
	})
	for i := range 3 { // each retries, because the user may have fixed the problem
		r := w.expectEnd(w.startInBlock("auth", "block", "go"), backend.TurnFailed)
		if r.Err == nil || r.Err.Code != backend.CodeConnection || r.Err.Message.String() != "There is no CLI." || r.SentAt != 0 {
			t.Errorf("it ended with %+v", r)
		}
		equal(t, "tries", tries.Load(), int32(i+1))
	}
	own := w.start(backend.SessionMain, "go") // the user's own turn waits
	w.waitForState(backend.ConnectionFailed)
	w.expectEnd(w.startInBlock("auth", "block", "go"), backend.TurnFailed)
	own.cancel()
	w.expectEnd(own, backend.TurnStopped)
}

func TestDelegate_WaitsForSignIn(t *testing.T) {
	t.Parallel()
	var signedIn atomic.Bool
	w := newEnv(t, fake(fakeagent.Script{}), func(w *env, cfg *agent.Config) {
		launch := cfg.Launch
		cfg.Launch = func(ctx context.Context) (agent.Launch, *agent.LaunchError) {
			if !signedIn.Load() {
				return agent.Launch{}, &agent.LaunchError{Cause: backend.CauseNotSignedIn, Message: backend.Plain("Sign in first.")}
			}
			return launch(ctx)
		}
	})
	tu := w.startInBlock("auth", "block", "go")
	w.waitForState(backend.ConnectionNeedsLogin)
	signedIn.Store(true)
	w.agent.Retry()
	w.expectEnd(tu, backend.TurnDone)
	cancelled := w.startInBlock("auth", "block", "go")
	cancelled.cancel()
	w.expectEnd(cancelled, backend.TurnStopped)
}
