package chaos_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// streaming is an answer that streams until it is stopped.
var streaming = fakeagent.Clock(1<<20, 2*time.Millisecond)

// scene is an activity during which the app is killed.
type scene struct {
	name  string
	turns []fakeagent.Turn
	play  func(l *appProcess, r *rand.Rand, p *scenePlayer)
	after time.Duration // maximum delay of the kill after play
}

// scenePlayer records which actions of a scene the app has confirmed.
type scenePlayer struct {
	round  int
	chat   string
	sent   map[string]string // text by id
	drafts []string          // in order; the last one may be unconfirmed
}

func (p *scenePlayer) text(what string) string { return fmt.Sprintf("round %d: %s", p.round, what) }

// send sends a message and records that the message must be persisted.
func (p *scenePlayer) send(l *appProcess, what string) {
	l.t.Helper()
	text := p.text(what)
	p.sent[l.send(p.chat, text)] = text
}

func (p *scenePlayer) waitForStream(l *appProcess, from int) {
	l.t.Helper()
	l.waitForEvent(from, "the answer streams", func(e backend.Event) bool {
		return e.Item != nil && e.Item.ChatID == p.chat && e.Item.Kind == backend.ItemMessage
	})
}

func (p *scenePlayer) waitForRequest(l *appProcess, from int) (request backend.Permission) {
	l.t.Helper()
	l.waitForEvent(from, "the agent asks", func(e backend.Event) bool {
		if e.Permission != nil && e.Permission.ChatID == p.chat {
			request = *e.Permission
			return true
		}
		return false
	})
	return request
}

var scenes = []scene{
	{
		name: "an answer streams", turns: []fakeagent.Turn{{streaming}}, after: 300 * time.Millisecond,
		play: func(l *appProcess, _ *rand.Rand, p *scenePlayer) {
			p.send(l, "go")
			p.waitForStream(l, 0)
		},
	},
	{
		name:  "an answer streams and a command runs",
		turns: []fakeagent.Turn{{fakeagent.Together(fakeagent.Run("sleep 600 & sleep 600"), streaming)}}, after: 300 * time.Millisecond,
		play: func(l *appProcess, _ *rand.Rand, p *scenePlayer) {
			p.send(l, "go")
			request := p.waitForRequest(l, 0)
			l.call(nil, "Answer", request.ID, request.Options[0].ID, false)
			p.waitForStream(l, 0)
		},
	},
	{
		name: "an answer streams and messages wait", turns: []fakeagent.Turn{{streaming}}, after: 300 * time.Millisecond,
		play: func(l *appProcess, _ *rand.Rand, p *scenePlayer) {
			p.send(l, "go")
			p.waitForStream(l, 0)
			p.send(l, "then this")
			p.send(l, "and this")
		},
	},
	{
		name:  "a request is open",
		turns: []fakeagent.Turn{{fakeagent.Together(fakeagent.Edit("a.txt", "", "text\n"), streaming)}}, after: 200 * time.Millisecond,
		play: func(l *appProcess, _ *rand.Rand, p *scenePlayer) {
			p.send(l, "go")
			p.waitForRequest(l, 0)
			p.waitForStream(l, 0)
		},
	},
	{
		name: "a draft is being written", turns: []fakeagent.Turn{{streaming}},
		play: func(l *appProcess, r *rand.Rand, p *scenePlayer) {
			p.send(l, "go")
			p.waitForStream(l, 0)
			for n := range 5 + r.IntN(20) {
				p.drafts = append(p.drafts, fmt.Sprintf("draft %d of round %d", n, p.round))
				l.call(nil, "SaveDraft", p.chat, p.drafts[n], nil)
			}
			p.drafts = append(p.drafts, "the last draft")
			l.ask("SaveDraft", p.chat, "the last draft", nil)
		},
	},
	{
		name: "a message is sent and the agent starts", turns: []fakeagent.Turn{{streaming}}, after: 150 * time.Millisecond,
		play: func(l *appProcess, _ *rand.Rand, p *scenePlayer) { l.ask("Send", p.chat, p.text("go"), nil) },
	},
	{
		name: "one message after another goes out", after: 100 * time.Millisecond,
		play: func(l *appProcess, _ *rand.Rand, p *scenePlayer) {
			for n := range 12 {
				p.send(l, fmt.Sprintf("number %d", n))
			}
		},
	},
}

func TestChaosKilledApp_LosesNothingDisplayed(t *testing.T) {
	rounds, seed := chaos.Runs(len(scenes), 200), chaos.Seed(t)
	result := chaos.Row(t, "SIGKILL of the app while it works", rounds)
	h := newAppData(t)
	programs := make([]string, len(scenes))
	for i, s := range scenes {
		programs[i] = apptest.FakeAgentProgram(t, fakeagent.Script{Turns: s.turns})
	}
	var lives []leftovers
	var lags, orphans []time.Duration
	for round := range rounds {
		i := round % len(scenes)
		s, r := scenes[i], chaos.Rand(t, seed, round)
		h.restartScript()
		l := h.start(programs[i])
		if len(lives) > 0 {
			lives[len(lives)-1].assertDisplayed(l)
		}
		p := &scenePlayer{round: round, chat: l.newChat().ID, sent: map[string]string{}}
		s.play(l, r, p)
		if s.after > 0 {
			<-time.After(time.Duration(r.Int64N(int64(s.after))))
		}
		death := l.kill()
		orphans = append(orphans, h.waitForAllExits(death))
		left := leftovers{scenePlayer: p, disk: h.read()}
		left.assertComplete(l)
		if lag, ok := left.lag(death); ok {
			lags = append(lags, lag)
		}
		if t.Failed() {
			t.Fatalf("in round %d: %s", round, s.name)
		}
		lives = append(lives, left)
	}
	l := h.start(apptest.FakeAgentProgram(t, fakeagent.Script{}))
	lives[len(lives)-1].assertDisplayed(l)
	sent := h.prompts()
	for text, n := range sent {
		if n > 1 {
			t.Errorf("%q was sent to an agent %d times", text, n)
		}
	}
	for _, left := range lives {
		for _, waited := range []map[string]string{left.disk.queued, left.disk.unsent} {
			for id, text := range waited {
				if sent[text] > 0 {
					t.Errorf("the message %s waited, and was sent to an agent: %q", id, text)
				}
			}
		}
	}
	goOn := lives[max(0, len(lives)-2*len(scenes)):]
	for _, left := range goOn {
		left.assertContinues(l)
	}
	l.quit()
	h.waitForAllExits(time.Now())

	slices.Sort(lags)
	slices.Sort(orphans)
	// On a busy machine, the app may not have had time in one run to read the agent's output.
	if most := lags[len(lags)*98/100]; chaos.Long() && most > 100*time.Millisecond {
		t.Errorf("of what agents had written, the last %v were not kept", most)
	}
	t.Logf("text that was not kept: at most %v, as a rule %v; processes outlived the app by at most %v, as a rule %v",
		lags[len(lags)-1], lags[len(lags)/2], orphans[len(orphans)-1], orphans[len(orphans)/2])
	result("nothing shown was lost; of the agent's text, the last %d ms (median %d ms) were missing; no process left after %d ms (median %d ms); %d chats continue",
		lags[len(lags)-1].Milliseconds(), lags[len(lags)/2].Milliseconds(), orphans[len(orphans)-1].Milliseconds(), orphans[len(orphans)/2].Milliseconds(), len(goOn))
}

func TestChaosKilledApp_NextStartEndsLeftovers(t *testing.T) {
	rounds := chaos.Runs(1, 10)
	result := chaos.Row(t, "SIGKILL of the app, whose agent ignores the end of the app", rounds)
	h := newAppData(t)
	program := apptest.FakeAgentProgram(t, fakeagent.Script{
		IgnoreEOF: true, IgnoreTERM: true,
		Turns: []fakeagent.Turn{{fakeagent.Run("trap '' TERM; echo runs; setsid sleep 600 & sleep 600")}},
	})
	found := 0
	for round := range rounds {
		h.restartScript()
		l := h.start(program)
		p := &scenePlayer{round: round, chat: l.newChat().ID, sent: map[string]string{}}
		p.send(l, "go")
		request := p.waitForRequest(l, 0)
		l.call(nil, "Answer", request.ID, request.Options[0].ID, false)
		l.waitForEvent(0, "the command runs", func(e backend.Event) bool {
			return e.Content != nil && e.Content.Type == backend.ContentTerminal
		})
		l.kill()
		left := h.processes()
		if len(left) < 4 { // the agent, its shell, and two commands
			t.Fatalf("the agent and its commands are %d processes", len(left))
		}
		found += len(left)
		next := h.start(program)
		next.waitForOpen()
		for _, pid := range left {
			if !waitForProcessEnd(pid, time.Now().Add(orphanTime)) {
				t.Errorf("the next start leaves process %d: %s", pid, commandLine(pid))
			}
		}
		next.quit()
		h.waitForAllExits(time.Now())
	}
	result("the next start ended all %d processes, found by PID and start time or by their mark, before it started an agent", found)
}

// leftovers is the state that one run of the app leaves behind for the next.
type leftovers struct {
	*scenePlayer
	disk disk
}

// assertComplete checks that the database contains everything that was sent to the page
// or confirmed as saved.
func (left leftovers) assertComplete(l *appProcess) {
	l.t.Helper()
	for item, text := range displayedTexts(l.events()) {
		if kept := left.disk.texts[item]; !strings.HasPrefix(kept, text) {
			l.t.Errorf("of the text of %s, %d bytes were shown and %d are kept", item, len(text), len(kept))
		}
	}
	for id, text := range left.sent {
		item, queued := left.disk.texts[id], left.disk.queued[id]
		if item != text && queued != text || item != "" && queued != "" {
			l.t.Errorf("the message %q is kept as %q and waits as %q", text, item, queued)
		}
	}
	if n := len(left.drafts); n > 0 && !slices.Contains(left.drafts[n-2:], left.disk.drafts[left.chat]) {
		l.t.Errorf("the draft %q was kept, of %q", left.disk.drafts[left.chat], left.drafts)
	}
}

// lag returns the age of the last persisted chunk of text at the time of the kill,
// counted from when the agent wrote it. It returns false if no answer was streaming.
func (left leftovers) lag(death time.Time) (time.Duration, bool) {
	var last int64
	for item, chat := range left.disk.streams {
		if stamps := strings.Fields(left.disk.texts[item]); chat == left.chat && len(stamps) > 0 {
			at, err := strconv.ParseInt(stamps[len(stamps)-1], 10, 64)
			if err != nil {
				continue // another answer
			}
			last = at
		}
	}
	return death.Sub(time.UnixMilli(last)), last > 0
}

// assertDisplayed checks that the next run of the app shows the leftovers correctly:
// running turns as interrupted, permission requests as closed, queues as paused.
func (left leftovers) assertDisplayed(l *appProcess) {
	l.t.Helper()
	waiting := map[string]string{}
	for _, e := range l.waitForOpen().Events {
		switch {
		case e.Queued != nil:
			if waiting[e.Queued.ID] = e.Queued.Text; !e.Queued.Paused {
				l.t.Errorf("the message %q goes on by itself", e.Queued.Text)
			}
		case e.Chat != nil && e.Chat.ID == left.chat:
			if e.Chat.Draft != left.disk.drafts[left.chat] {
				l.t.Errorf("the draft is %q, of %q", e.Chat.Draft, left.drafts)
			}
		}
	}
	for id, text := range left.disk.queued {
		if waiting[id] != text {
			l.t.Errorf("the message %q that waited is %q now", text, waiting[id])
		}
	}
	for id, text := range left.disk.unsent {
		if waiting[id] != text {
			l.t.Errorf("the message %q that no agent got waits as %q", text, waiting[id])
		}
	}
	turns := 0
	for _, e := range l.snapshot("/data/chat?id=" + left.chat).Events {
		switch {
		case e.Turn != nil && left.disk.running[e.Turn.ID] != "":
			if turns++; e.Turn.State != backend.TurnInterrupted || e.Turn.EndedAt == 0 {
				l.t.Errorf("the turn that ran is shown as %+v", *e.Turn)
			}
		case e.Permission != nil && e.Permission.State == backend.PermissionOpen:
			l.t.Errorf("the request is shown as open: %+v", *e.Permission)
		case e.Item != nil && e.Item.Open:
			l.t.Errorf("something is shown as not ended: %+v", *e.Item)
		case e.Text != nil && left.disk.texts[e.Text.ItemID] != e.Text.Text:
			l.t.Errorf("the text %q is shown as %q", left.disk.texts[e.Text.ItemID], e.Text.Text)
		}
	}
	for _, chat := range left.disk.running {
		if chat == left.chat {
			turns--
		}
	}
	if turns != 0 {
		l.t.Error("not every turn that ran is shown")
	}
}

// assertContinues checks that the chat still gets answers and that queued prompts are
// sent once the user sends a message.
func (left leftovers) assertContinues(l *appProcess) {
	l.t.Helper()
	waiting := 0
	for _, e := range l.waitForOpen().Events {
		if e.Queued != nil && e.Queued.ChatID == left.chat {
			waiting++
		}
	}
	from, done := l.eventCount(), map[string]bool{}
	l.send(left.chat, left.text("and on"))
	l.waitForEvent(from, "the chat goes on", func(e backend.Event) bool {
		if e.Turn != nil && e.Turn.ChatID == left.chat && e.Turn.State != backend.TurnRunning {
			if e.Turn.State != backend.TurnDone {
				l.t.Errorf("a turn ended as %s: %+v", e.Turn.State, e.Turn.Error)
			}
			done[e.Turn.ID] = true
		}
		return len(done) == waiting+1
	})
}
