package chaos_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestChaosSignal_AppExitsCleanly(t *testing.T) {
	signals := []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}
	rounds, seed := chaos.Runs(len(signals), 30), chaos.Seed(t)
	result := chaos.Row(t, "SIGTERM, SIGINT or SIGHUP for the app while an answer streams and messages wait", rounds)
	h := newAppData(t)
	program := apptest.FakeAgentProgram(t, fakeagent.Script{Turns: []fakeagent.Turn{{streaming}}})
	var lags, ends []time.Duration
	for round := range rounds {
		r := chaos.Rand(t, seed, round)
		h.restartScript()
		l := h.start(program)
		p := &scenePlayer{round: round, chat: l.newChat().ID, sent: map[string]string{}}
		p.send(l, "go")
		p.waitForStream(l, 0)
		p.send(l, "then this")
		<-time.After(time.Duration(r.Int64N(int64(200 * time.Millisecond))))
		signaled := time.Now()
		l.endWith(func() error { return l.cmd.Process.Signal(signals[round%len(signals)]) })
		ends = append(ends, time.Since(signaled))
		h.waitForAllExits(time.Now())

		if info, err := os.Stat(h.dir + "/voxpilot.db-wal"); err == nil && info.Size() > 0 {
			t.Errorf("the database was not closed: its log has %d bytes", info.Size())
		}
		left := leftovers{scenePlayer: p, disk: h.read()}
		left.assertComplete(l)
		if len(left.disk.running) > 0 || len(left.disk.streams) > 0 {
			t.Errorf("turns or messages were left unfinished: %v %v", left.disk.running, left.disk.streams)
		}
		var last int64
		for _, text := range left.disk.texts {
			if stamps := strings.Fields(text); len(stamps) > 0 {
				if at, err := strconv.ParseInt(stamps[len(stamps)-1], 10, 64); err == nil {
					last = max(last, at)
				}
			}
		}
		// The agent streams until the app stops it, which happens after the signal to the app.
		lag := signaled.Sub(time.UnixMilli(last))
		lags = append(lags, max(lag, 0))
		if chaos.Long() && lag > 100*time.Millisecond {
			t.Errorf("of what the agent had written before the signal, the last %v were not kept", lag)
		}
		next := h.start(program)
		left.assertDisplayed(next)
		next.quit()
		h.waitForAllExits(time.Now())
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	slices.Sort(lags)
	slices.Sort(ends)
	result("ended after %d ms (median %d ms); saved up to %d ms before the signal; queue paused",
		ends[len(ends)-1].Milliseconds(), ends[len(ends)/2].Milliseconds(), lags[len(lags)-1].Milliseconds())
}

func TestChaosRemovedFolder_ChatContinuesWhenBack(t *testing.T) {
	result := chaos.Row(t, "A chat's folder is removed during an answer, and its agent is killed", 1)
	h := newAppData(t)
	l := h.start(apptest.FakeAgentProgram(t, fakeagent.Script{Turns: []fakeagent.Turn{{streaming}}}))
	chat := l.newChat()
	l.send(chat.ID, "go")
	var agent backend.Connection
	connected := func(state backend.ConnectionState) func(backend.Event) bool {
		return func(e backend.Event) bool {
			if e.Connection != nil && e.Connection.State == state {
				agent = *e.Connection
				return true
			}
			return false
		}
	}
	from := l.waitForEvent(0, "the agent is ready", connected(backend.ConnectionReady))
	from = l.waitForEvent(from, "the answer streams", func(e backend.Event) bool { return e.Text != nil })
	if err := os.RemoveAll(chat.Folder); err != nil {
		t.Fatal(err)
	}
	queued := l.send(chat.ID, "and this")
	from = l.waitForEvent(from, "the answer goes on", func(e backend.Event) bool { return e.Text != nil })
	if err := syscall.Kill(agent.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	from = l.waitForEvent(from, "the turn is interrupted", func(e backend.Event) bool {
		return e.Turn != nil && e.Turn.State == backend.TurnInterrupted
	})
	from = l.waitForEvent(from, "the chat says that its folder is gone", connected(backend.ConnectionFailed))
	if agent.Cause != backend.CauseFolderMissing || !strings.Contains(agent.Message.String(), chat.Folder) {
		t.Errorf("the connection is %+v", agent)
	}
	if err := os.Mkdir(chat.Folder, 0o700); err != nil {
		t.Fatal(err)
	}
	l.call(nil, "Reconnect", chat.ID)
	from = l.waitForEvent(from, "the agent is ready again", connected(backend.ConnectionReady))
	l.waitForEvent(from, "what waited is answered", func(e backend.Event) bool {
		return e.Turn != nil && e.Turn.State == backend.TurnDone
	})
	if text := displayedTexts(l.events())[queued]; text != "and this" {
		t.Errorf("the message that waited is shown as %q", text)
	}
	for text, n := range h.prompts() {
		if n != 1 {
			t.Errorf("%q was sent %d times", text, n)
		}
	}
	l.quit()
	h.waitForAllExits(time.Now())
	result("interrupted with the reason; queued messages were sent when the folder was back")
}

func TestChaosManyAgentDeaths_AllRestart(t *testing.T) {
	const chats = 10
	deaths, seed := chaos.Runs(2, 4), chaos.Seed(t) // one more would take more than a minute
	result := chaos.Row(t, fmt.Sprintf("The agents of %d chats are killed at once", chats), deaths)
	h := newAppData(t)
	l := h.start(apptest.FakeAgentProgram(t, fakeagent.Script{Turns: slices.Repeat([]fakeagent.Turn{{streaming}}, (deaths+1)*chats)}))
	agents := map[string]backend.Connection{} // by chat
	var ids []string
	// ready waits until all agents that start after the event with the number from are ready and stream. It returns the
	// number of events until then, and the delays before restarts.
	ready := func(from int) (upTo int, delays []backend.Millis) {
		t.Helper()
		up, streams := map[string]bool{}, map[string]bool{}
		upTo = l.waitForEvent(from, "all agents answer", func(e backend.Event) bool {
			switch {
			case e.Connection != nil && e.Connection.State == backend.ConnectionWaiting:
				delays = append(delays, e.Connection.NextTryAt-e.Connection.Since)
			case e.Connection != nil && e.Connection.State == backend.ConnectionReady:
				agents[e.Connection.ChatID], up[e.Connection.ChatID] = *e.Connection, true
			case e.Text != nil && up[e.Text.ChatID] && !strings.Contains(e.Text.Text, "message"):
				streams[e.Text.ChatID] = true
			}
			return len(streams) == chats
		})
		return upTo, delays
	}
	for n := range chats {
		chat := l.newChat()
		ids = append(ids, chat.ID)
		l.send(chat.ID, fmt.Sprintf("message 0 of chat %d", n))
		for death := range deaths {
			l.send(chat.ID, fmt.Sprintf("message %d of chat %d", death+1, n))
		}
	}
	l.waitForEvent(0, "the sandbox is tested: its programs have ended", func(e backend.Event) bool {
		return e.Sandbox != nil && e.Sandbox.State != backend.SandboxChecking
	})
	from, _ := ready(0)
	var spread backend.Millis
	for death := range deaths {
		// One process per chat plus the app itself.
		if n := len(h.processes()); n != chats+1 {
			t.Fatalf("%d chats have %d processes", chats, n-1)
		}
		r := chaos.Rand(t, seed, death)
		for _, i := range r.Perm(chats) {
			if err := syscall.Kill(agents[ids[i]].PID, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}
		var delays []backend.Millis
		from, delays = ready(from)
		if death == 0 {
			continue // the first attempt is immediate
		}
		slices.Sort(delays)
		if len(delays) != chats {
			t.Fatalf("%d agents waited before they were started again, not %d", len(delays), chats)
		}
		if spread = delays[chats-1] - delays[0]; spread == 0 {
			t.Errorf("all agents are started again at the same time: %v", delays)
		}
	}
	turns := map[string]map[backend.TurnState]int{}
	for _, e := range l.events() {
		if e.Turn != nil && (e.Turn.State != backend.TurnRunning || e.Turn.SentAt != 0) {
			if turns[e.Turn.ChatID] == nil {
				turns[e.Turn.ChatID] = map[backend.TurnState]int{}
			}
			turns[e.Turn.ChatID][e.Turn.State]++
		}
	}
	for _, id := range ids {
		if turns[id][backend.TurnInterrupted] != deaths || turns[id][backend.TurnRunning] != deaths+1 {
			t.Errorf("the turns of a chat were %v", turns[id])
		}
	}
	sent := h.prompts()
	for text, n := range sent {
		if n != 1 {
			t.Errorf("%q was sent %d times", text, n)
		}
	}
	if want := chats * (deaths + 1); len(sent) != want {
		t.Errorf("%d messages were sent, not %d", len(sent), want)
	}
	l.quit()
	h.waitForAllExits(time.Now())
	result("all restarted, one process each, and queued messages were sent; retries spread over %d ms", spread)
}
