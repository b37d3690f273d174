//go:build unix

package agent_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// words returns a string of n words, each of which is sent as one chunk.
func words(n int) string { return strings.Repeat("word ", n) }

// suspendApp starts a child process that runs the job j. While the child receives an answer, suspendApp suspends it
// for the given duration, as if the system were sleeping. It returns the child's reports about this answer and the
// next one.
func suspendApp(t *testing.T, j jobSpec, hold time.Duration) (one, two childReport) {
	t.Helper()
	p := startChild(t, j)
	p.nextReport("begun")
	noErr(t, p.cmd.Process.Signal(syscall.SIGSTOP))
	<-time.After(hold)
	noErr(t, p.cmd.Process.Signal(syscall.SIGCONT))
	one, two = p.nextReport("one"), p.nextReport("two")
	p.nextReport("ended")
	return one, two
}

func TestChaosSuspendedApp_GetsWholeAnswer(t *testing.T) {
	t.Parallel()
	const pieces = 8000
	hold := time.Second
	if chaos.Long() {
		hold = 6 * time.Second
	}
	result := chaos.Row(t, "SIGSTOP of the app for "+hold.String()+" in the middle of 8,000 pieces of text", 1)
	one, two := suspendApp(t, jobSpec{Do: "say", Scripts: []fakeagent.Script{{Turns: []fakeagent.Turn{{
		fakeagent.Chunks(pieces/8, "word ", time.Millisecond), fakeagent.Chunks(pieces-pieces/8, "word ", 0),
	}}}}}, hold)
	if one.State != backend.TurnDone || one.Text != words(pieces) || two.Text != "ok" || len(two.Banners) > 0 {
		t.Errorf("%s (%s) with %d bytes; then %s; banners %v", one.State, one.Stop, len(one.Text), two.State, two.Banners)
	}
	result("all %d bytes arrive, the next message is answered", len(one.Text))
}

// newSlowModel returns a model that answers the message "one" with one word at a time. The parameter pieces is the
// number of words, and pace is the interval between them.
func newSlowModel(t *testing.T, pieces int, pace time.Duration) *practice.Server {
	t.Helper()
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		if !req.Side() && req.User() == "one" {
			return practice.Reply{practice.Text(words(pieces), practice.Pace{Words: 1, Delay: pace})}
		}
		return practice.Reply{practice.Text("ok")}
	}))
	noErr(t, err)
	t.Cleanup(model.Close)
	return model
}

func TestChaosSuspendedApp_GetsWholeCopilotAnswer(t *testing.T) {
	t.Parallel()
	cli := copilotCLI(t)
	chaos.Slow(t, "20 s")
	const pieces = 8000
	const hold = 6 * time.Second
	t.Run("at the speed of a model", func(t *testing.T) {
		result := chaos.Row(t, "SIGSTOP of the app for 6s in the middle of 8,000 pieces of text of the real Copilot CLI, at the speed of a model", 1)
		model, dir := newSlowModel(t, pieces, 2*time.Millisecond), t.TempDir()
		one, two := suspendApp(t, jobSpec{Do: "say", Dir: dir, CLI: cli, Env: model.Env(dir)}, hold)
		if one.State != backend.TurnDone || one.Text != words(pieces) || two.Text != "ok" || len(two.Banners) > 0 {
			t.Errorf("%s (%s) with %d bytes; then %s; banners %v", one.State, one.Stop, len(one.Text), two.State, two.Banners)
		}
		result("all %d bytes arrive, the next message is answered", len(one.Text))
	})
	// The CLI gives up on a client with 4,096 unread events and ends the turn as cancelled. The session would then
	// never answer again.
	t.Run("faster than the CLI can wait for", func(t *testing.T) {
		result := chaos.Row(t, "SIGSTOP of the app for 6s in the middle of 8,000 pieces of text of the real Copilot CLI, from a model without pauses", 1)
		model, dir := newSlowModel(t, pieces, 0), t.TempDir()
		one, two := suspendApp(t, jobSpec{Do: "say", Dir: dir, CLI: cli, Env: model.Env(dir)}, hold)
		switch {
		case one.State == backend.TurnDone && one.Text == words(pieces) && len(two.Banners) == 0:
			result("all %d bytes arrive, the next message is answered", len(one.Text))
		case one.State == backend.TurnInterrupted && one.Stop == "cancelled" && strings.HasPrefix(words(pieces), one.Text) &&
			len(one.Banners) == 1 && one.Banners[0] == backend.BannerIncomplete:
			result("the CLI gave up after %d of %d bytes: marked interrupted, session reloaded, next message answered", len(one.Text), len(words(pieces)))
		default:
			t.Errorf("%s (%s) with %d bytes; banners %v", one.State, one.Stop, len(one.Text), one.Banners)
		}
		if two.State != backend.TurnDone || two.Text != "ok" || two.Sessions != 1 {
			t.Errorf("the next message: %s, %q, %d sessions", two.State, two.Text, two.Sessions)
		}
	})
}
