package agent_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
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

// killMoment is the moment in a chat's life at which the agent is killed.
type killMoment string

const (
	duringStart         killMoment = "while it starts"
	duringAnswer        killMoment = "while it answers"
	duringRequest       killMoment = "while it asks"
	duringCommand       killMoment = "while a command runs"
	betweenMessages     killMoment = "between two messages"
	duringAnswerAndLoad killMoment = "while it answers, and again while its session is loaded"
	anyTime             killMoment = "at any time"
)

var moments = []killMoment{duringStart, duringAnswer, duringAnswer, duringRequest, duringCommand, betweenMessages, duringAnswerAndLoad, anyTime, anyTime}

// loadNow is the name of the file that the fake agent waits for before it loads a session.
const loadNow = "load now"

// victim describes an agent to be killed.
type victim struct {
	launch func(chat backend.Chat) agent.Launch
	// answer returns the agent's complete answer to a message.
	answer func(text string) string
	// deliveries returns the number of times that the agent received a message.
	deliveries func(t *testing.T, home, text string) int
	// loadsLater means that the agent doesn't load a session until the file loadNow exists.
	loadsLater bool
}

// tally counts the results of all rounds.
type tally struct {
	sync.Mutex
	messages, answered, interrupted int
	banners                         map[backend.BannerKind]int
}

// killRound runs one round of the test: it creates a chat, sends messages and kills the agent at a random moment.
func killRound(t *testing.T, r *rand.Rand, a *app, v victim, sum *tally) {
	home := t.TempDir()
	folder := filepath.Join(home, "folder")
	noErr(t, os.Mkdir(folder, 0o700))
	chat := a.create(folder)
	when := moments[r.IntN(len(moments))]
	if when == duringAnswerAndLoad && !v.loadsLater {
		when = duringAnswer
	}
	if when == duringCommand && runtime.GOOS == "windows" {
		when = duringAnswer
	}
	t.Log("killed", when)
	a.setUnanswered(chat.ID, when == duringRequest)

	var texts []string
	for i := range 1 + r.IntN(4) {
		text := fmt.Sprintf("Message %d of chat %s.", i+1, chat.ID)
		if i == 0 && (when == duringRequest || when == duringCommand) {
			text += " Run it."
		}
		texts = append(texts, text)
		a.send(chat.ID, text)
	}
	at := func(what string, seen func(s chatView) bool) {
		t.Helper()
		a.waitFor(t, chat.ID, what, func(events []backend.Event) bool { return seen(viewOf(events)) })
	}
	done := func(n int) func(chatView) bool {
		return func(s chatView) bool { return s.ended == n && s.waiting == 0 }
	}
	switch when {
	case duringStart:
		at("a process", func(s chatView) bool { return s.pid != 0 })
	case duringAnswer, duringAnswerAndLoad:
		n := 1 + r.IntN(3000)
		for _, text := range texts {
			n += len(text) // the messages themselves are counted, too
		}
		at("some of the answer", func(s chatView) bool { return s.textBytes >= n || done(len(texts))(s) })
	case duringRequest:
		at("a request", func(s chatView) bool { return s.requestOpen })
	case duringCommand:
		at("a command", func(s chatView) bool { return s.commandRuns })
	case betweenMessages:
		at("all answers", done(len(texts)))
	case anyTime:
		at("a process", func(s chatView) bool { return s.pid != 0 })
		<-time.After(time.Duration(r.Int64N(int64(300 * time.Millisecond))))
	}
	kill(t, a.agent(chat.ID).Connection().PID)
	a.setUnanswered(chat.ID, false)
	if when == duringAnswerAndLoad {
		at("it to load its session", func(s chatView) bool {
			return s.changesBeforeExit >= 0 && s.states[len(s.states)-1] == backend.ConnectionRestoring
		})
		kill(t, a.agent(chat.ID).Connection().PID)
	}
	noErr(t, os.WriteFile(filepath.Join(home, loadNow), nil, 0o600))

	// The chat continues automatically and remains usable.
	at("all messages", done(len(texts)))
	at("the agent to come back", func(s chatView) bool {
		return s.changesBeforeExit >= 0 && s.states[len(s.states)-1] == backend.ConnectionReady
	})
	last := fmt.Sprintf("Message %d of chat %s.", len(texts)+1, chat.ID)
	texts = append(texts, last)
	a.send(chat.ID, last)
	at("the last answer", done(len(texts)))
	assertNoOrphans(t, home, 1)

	items, turns := a.page(t, chat.ID)
	cut := 0
	for i, text := range texts {
		var turnID, said string
		for _, it := range items {
			switch {
			case it.Kind == backend.ItemUser && it.text == text:
				if turnID != "" {
					t.Errorf("%q is there twice", text)
				}
				turnID = it.TurnID
			case it.TurnID == turnID && turnID != "" && it.Kind == backend.ItemMessage:
				said += it.text
			}
			if it.Open {
				t.Errorf("an item is open: %+v %+v", it.Item, it.Tool)
			}
		}
		turn := turns[turnID]
		switch {
		case turn.State == backend.TurnDone && said == v.answer(text):
		case turn.State == backend.TurnInterrupted && strings.HasPrefix(v.answer(text), said) && i < len(texts)-1 && turn.Error != nil:
			cut++
		default:
			t.Errorf("%q: the turn is %s (%v), the answer %.300q", text, turn.State, turn.Error, said)
		}
		if n := v.deliveries(t, home, text); n > 1 || n == 0 && turn.State == backend.TurnDone {
			t.Errorf("the agent was told %q %d times", text, n)
		}
	}
	if cut > 1 {
		t.Errorf("%d turns were interrupted by one death", cut)
	}
	a.mu.Lock()
	s := viewOf(a.events[chat.ID])
	a.mu.Unlock()
	if want := expectedBanners(s, cut); !slices.Equal(s.banners, want) {
		t.Errorf("the banners are %v, want %v (killed %s; %d interrupted; sessions %q)", s.banners, want, when, cut, s.ids())
	}
	if slices.Contains(s.states, backend.ConnectionFailed) {
		t.Error("it was given up")
	}
	sum.Lock()
	defer sum.Unlock()
	sum.messages += len(texts)
	sum.answered += len(texts) - cut
	sum.interrupted += cut
	for _, b := range s.banners {
		sum.banners[b]++
	}
}

// expectedBanners returns the kinds of the banners to expect after the agent has been
// killed once. interrupted is the number of interrupted turns.
func expectedBanners(s chatView, interrupted int) []backend.BannerKind {
	prompted := s.changesBeforeExit > 0 && s.sessions[s.changesBeforeExit-1].HadPrompt
	switch {
	case len(s.ids()) > 1 && prompted:
		return []backend.BannerKind{backend.BannerSessionLost} // killed before it saved anything
	case interrupted > 0:
		return []backend.BannerKind{backend.BannerIncomplete}
	case prompted:
		return []backend.BannerKind{backend.BannerRestored}
	}
	return nil
}

func (s *tally) String() string {
	var banners []string
	for _, kind := range []backend.BannerKind{backend.BannerIncomplete, backend.BannerRestored, backend.BannerSessionLost} {
		banners = append(banners, fmt.Sprintf("%d × %s", s.banners[kind], kind))
	}
	return fmt.Sprintf("%d messages: %d answered, %d marked interrupted, none lost or sent twice, no orphan; banners: %s",
		s.messages, s.answered, s.interrupted, strings.Join(banners, ", "))
}

func TestChaosKilledAgent_LosesNoMessage(t *testing.T) {
	runs := chaos.Runs(10, 200)
	result := chaos.Row(t, "SIGKILL of the fake agent at a random moment, with queued messages", runs)
	seed := chaos.Seed(t)
	const pieces = 60
	v := victim{
		launch: func(chat backend.Chat) agent.Launch {
			home := filepath.Dir(chat.Folder)
			path, args, env := fakeagent.Command(fakeagent.Script{
				On:        map[string]fakeagent.Turn{"Run it.": {fakeagent.Chunks(pieces/2, "$PROMPT", time.Millisecond), fakeagent.Run("exec sleep 1000")}},
				Rest:      fakeagent.Turn{fakeagent.Think("hm"), fakeagent.Chunks(pieces, "$PROMPT", time.Millisecond)},
				LoadAfter: filepath.Join(home, loadNow),
			})
			return agent.Launch{Path: path, Args: args, Env: append(append(os.Environ(), env...), "COPILOT_HOME="+home), Home: home}
		},
		answer:     func(text string) string { return strings.Repeat(text, pieces) },
		loadsLater: true,
		deliveries: func(t *testing.T, home, text string) (n int) {
			files, err := filepath.Glob(filepath.Join(home, "session-state", "*.json"))
			noErr(t, err)
			for _, file := range files {
				var kept struct {
					Log []struct {
						SessionUpdate string
						Content       struct{ Text string }
					}
				}
				b, err := os.ReadFile(file)
				noErr(t, err)
				noErr(t, json.Unmarshal(b, &kept))
				for _, u := range kept.Log {
					if u.SessionUpdate == "user_message_chunk" && u.Content.Text == text {
						n++
					}
				}
			}
			return n
		},
	}
	sum := &tally{banners: map[backend.BannerKind]int{}}
	killRounds(t, runs, seed, v, sum)
	result("%v", sum)
}

// killRounds performs the given number of rounds with killRound, a few of them in parallel.
func killRounds(t *testing.T, runs int, seed uint64, v victim, sum *tally) {
	a := openApp(t, t.TempDir(), v.launch)
	t.Cleanup(a.close)
	t.Run("rounds", func(t *testing.T) {
		for i := range runs {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				killRound(t, chaos.Rand(t, seed, i), a, v, sum)
			})
		}
	})
}

func TestChaosKilledCopilot_LosesNoMessage(t *testing.T) {
	cli := copilotCLI(t)
	runs := chaos.Runs(1, 20)
	result := chaos.Row(t, "SIGKILL of the real Copilot CLI at a random moment, with queued messages", runs)
	seed := chaos.Seed(t)
	const pieces = 60
	answer := func(text string) string { return strings.Repeat(text+" ", pieces) }
	var mu sync.Mutex
	told := map[string]int{}
	message := regexp.MustCompile(`Message \d+ of chat \w+\.( Run it\.)?`)
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		said := message.FindAllString(req.User(), -1) // a recap before the prompt quotes other messages
		if req.Side() || len(said) == 0 {
			return practice.Reply{practice.Text("ok")}
		}
		text := said[len(said)-1]
		if req.Last().Role == "user" {
			mu.Lock()
			told[text]++
			mu.Unlock()
		}
		reply := practice.Reply{practice.Text(answer(text), practice.Pace{Words: 5, Delay: 5 * time.Millisecond})}
		if strings.HasSuffix(text, "Run it.") {
			return practice.Reply{practice.ToolCall("bash", map[string]any{"command": "sleep 1000", "description": "Run it"})}
		}
		return reply
	}))
	noErr(t, err)
	t.Cleanup(model.Close)
	sum := &tally{banners: map[backend.BannerKind]int{}}
	killRounds(t, runs, seed, victim{
		launch: func(chat backend.Chat) agent.Launch {
			home := filepath.Dir(chat.Folder)
			return agent.Launch{Path: cli, Args: copilot.Args(), Env: append(os.Environ(), model.Env(home)...), Home: home}
		},
		answer: answer,
		deliveries: func(_ *testing.T, _, text string) int {
			mu.Lock()
			defer mu.Unlock()
			return told[text]
		},
	}, sum)
	noErr(t, model.Err())
	result("%v", sum)
}
