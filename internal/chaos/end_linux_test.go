package chaos_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/copilottest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// grace is the time that operating systems give a program between SIGTERM and SIGKILL.
const grace = 2 * time.Second

func TestChaosKillAfterSignal_SavesAllData(t *testing.T) {
	rounds := chaos.Runs(1, 10)
	result := chaos.Row(t, "SIGTERM for the app, whose agent ignores it, and SIGKILL two seconds later", rounds)
	h := newAppData(t)
	program := apptest.FakeAgentProgram(t, fakeagent.Script{
		IgnoreEOF: true, IgnoreTERM: true,
		Turns: []fakeagent.Turn{{fakeagent.Together(fakeagent.Run("trap '' TERM; sleep 600 & sleep 600"), streaming)}},
	})
	killed := 0
	for round := range rounds {
		h.restartScript()
		if h.endAfterSignal(program, round, true) {
			killed++
		}
	}
	if killed == 0 {
		t.Error("the app always ended by itself: nothing was tried")
	}
	result("in %d of %d rounds the app was still stopping its agent when it was killed; all messages, drafts and pieces of answers were there at the next start", killed, rounds)
}

func TestChaosKillAfterSignal_SavesAllCopilotData(t *testing.T) {
	program := copilottest.Path(t)
	rounds := chaos.Runs(1, 5)
	result := chaos.Row(t, "SIGTERM for the app while the real Copilot CLI answers, and SIGKILL two seconds later", rounds)
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		if req.Side() {
			return practice.Reply{practice.Text("ok")}
		}
		return practice.Reply{practice.Text(strings.Repeat("one word after another ", 2000), practice.Pace{Words: 1, Delay: 2 * time.Millisecond})}
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	h := newAppData(t)
	h.env = model.Env(h.home)
	killed := 0
	for round := range rounds {
		if h.endAfterSignal(program, round, false) {
			killed++
		}
	}
	result("in %d of %d rounds it had to be killed; all messages, drafts and pieces of answers were there at the next start", killed, rounds)
}

// endAfterSignal sends SIGTERM to a busy app, and SIGKILL if the app is still running after the grace period. If runs
// is true, it first answers the agent's permission request. At the end, it checks that the app shows everything again
// at the next start, and reports whether SIGKILL was needed.
func (h *appData) endAfterSignal(program string, round int, runs bool) (killed bool) {
	h.t.Helper()
	l := h.start(program)
	p := &scenePlayer{round: round, chat: l.newChat().ID, sent: map[string]string{}}
	p.send(l, "go")
	if runs {
		request := p.waitForRequest(l, 0)
		l.call(nil, "Answer", request.ID, request.Options[0].ID, false)
	}
	p.waitForStream(l, 0)
	p.send(l, "then this")
	p.drafts = []string{"not", "not sent yet"}
	for _, draft := range p.drafts {
		l.call(nil, "SaveDraft", p.chat, draft, nil)
	}
	if err := l.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		h.t.Fatal(err)
	}
	select {
	case <-l.ended:
		_ = l.cmd.Wait() // its exit status is checked by another test
	case <-time.After(grace):
		l.kill()
		killed = true
	}
	left := leftovers{scenePlayer: p, disk: h.read()}
	left.assertComplete(l)
	if draft := left.disk.drafts[p.chat]; draft != "not sent yet" {
		h.t.Errorf("the draft is %q", draft)
	}
	next := h.start(program)
	left.assertDisplayed(next)
	next.quit()
	h.waitForAllExits(time.Now())
	return killed
}

// waitForProcessEnd waits until a process that isn't a child of this one has exited,
// and reports whether that happened before the deadline.
func waitForProcessEnd(pid int, deadline time.Time) bool {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return errors.Is(err, unix.ESRCH)
	}
	defer unix.Close(fd)
	for {
		rest := max(time.Until(deadline).Milliseconds(), 0)
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(rest))
		if !errors.Is(err, unix.EINTR) {
			return err == nil && n > 0
		}
	}
}
