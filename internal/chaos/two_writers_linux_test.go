package chaos_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// twoWriters is a session that the app and a terminal use.
type twoWriters struct {
	t       *testing.T
	h       *appData
	program string
	env     []string // of the terminal
	chat    backend.Chat
	id      string
	l       *appProcess
	known   []byte // the log at the time of the last kill
}

// log returns the log of the session.
func (w *twoWriters) log() []byte {
	w.t.Helper()
	b, err := os.ReadFile(filepath.Join(w.h.home, "session-state", w.id, "events.jsonl"))
	if err != nil {
		w.t.Fatal(err)
	}
	return b
}

// logEvent is a line of the log.
type logEvent struct {
	Type, ID string
	ParentID string
	Data     struct{ Content string }
}

// check checks that nothing has disappeared from the log, that each line is an event that comes after the event it
// continues, and that each writer's messages are in order. It returns the user messages.
func (w *twoWriters) check(when string) (prompts []string) {
	w.t.Helper()
	now := w.log()
	if whole := w.known[:strings.LastIndexByte(string(w.known), '\n')+1]; !strings.HasPrefix(string(now), string(whole)) {
		w.t.Fatalf("%s: a part of the log is gone or was changed", when)
	}
	seen := map[string]bool{"": true}
	last := map[string]string{}
	for i, line := range strings.Split(strings.TrimSuffix(string(now), "\n"), "\n") {
		var e logEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Type == "" || e.ID == "" {
			w.t.Fatalf("%s: line %d isn't an event: %v\n%.500s", when, i+1, err, line)
		}
		if seen[e.ID] || !seen[e.ParentID] {
			w.t.Fatalf("%s: line %d occurs twice or isn't in order\n%.500s", when, i+1, line)
		}
		seen[e.ID] = true
		if e.Type != "user.message" {
			continue
		}
		prompts = append(prompts, e.Data.Content)
		writer, _, _ := strings.Cut(e.Data.Content, " ")
		if e.Data.Content <= last[writer] {
			w.t.Fatalf("%s: %q comes after %q", when, e.Data.Content, last[writer])
		}
		last[writer] = e.Data.Content
	}
	return prompts
}

// waitForLog waits until the log contains a user message with the given text.
func (w *twoWriters) waitForLog(text string) {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); !strings.Contains(string(w.log()), `"content":"`+text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("timed out waiting for %q in the log", text)
		}
	}
}

// open starts a terminal with the session.
func (w *twoWriters) open() *copilottest.Terminal {
	w.t.Helper()
	term := copilottest.OpenTerminal(w.t, w.program, w.chat.Folder, w.env, "--resume="+w.id)
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		text := term.Shown()
		switch {
		case strings.Contains(text, "Session in use"):
			term.Type("") // Resume anyway
			term.WaitForText("may already be in use")
			return term
		case strings.Contains(text, "/ commands"):
			return term
		case time.Now().After(end):
			w.t.Fatalf("the terminal isn't ready: %.2000s", text)
		}
	}
}

// send sends a message to the app, which may refuse it.
func (w *twoWriters) send(text string) {
	w.t.Helper()
	id := w.l.ask("Send", w.chat.ID, text, nil)
	var own *backend.Error
	if err := w.l.answer(id, nil); err != nil && (!errors.As(err, &own) || own.Code != backend.CodeUnavailable) {
		w.t.Fatal(err)
	}
}

// messageCounts returns how often the chat shows each user message.
func (w *twoWriters) messageCounts() map[string]int {
	texts := map[string]string{}
	user := map[string]bool{}
	for _, e := range w.l.snapshot("/data/chat?id=" + w.chat.ID).Events {
		switch {
		case e.Item != nil && e.Item.Kind == backend.ItemUser:
			user[e.Item.ID] = true
		case e.Text != nil:
			texts[e.Text.ItemID] += e.Text.Text
		}
	}
	count := map[string]int{}
	for id := range user {
		count[texts[id]]++
	}
	return count
}

// waitUntilShown waits until the chat shows the newest of the given messages, each once.
func (w *twoWriters) waitUntilShown(when string, prompts []string) {
	w.t.Helper()
	newest := prompts[max(0, len(prompts)-10):]
	var count map[string]int
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		count = w.messageCounts()
		if !slices.ContainsFunc(newest, func(p string) bool { return count[p] == 0 }) {
			break
		}
		if time.Now().After(end) {
			w.t.Fatalf("%s: the chat shows %v, want each of %q", when, count, newest)
		}
	}
	for text, n := range count {
		if n != 1 {
			w.t.Fatalf("%s: the chat shows %q %d times", when, text, n)
		}
	}
}

// round lets the app and a terminal use the session. It kills and restarts the app in about half of the rounds, and
// then kills the terminal. It returns a description of the round.
func (w *twoWriters) round(r *rand.Rand, n int) (what string) {
	w.t.Helper()
	term := w.open()
	mine, theirs := fmt.Sprintf("app %03d", n), fmt.Sprintf("terminal %03d", n)
	both := n%3 == 2
	if both {
		mine += " slowly" // its answer is in progress when the terminal's message is written
	}
	if n%3 != 1 {
		w.send(mine)
	}
	if n%3 != 0 {
		term.Type(theirs)
		if r.IntN(4) > 0 {
			w.waitForLog(theirs)
		}
	}
	if n%3 == 1 {
		w.send(mine) // refused, if the app has seen the terminal by then
	}
	<-time.After(time.Duration(r.Int64N(int64(1200 * time.Millisecond))))
	killsApp := r.IntN(2) == 0
	w.known = w.log()
	if killsApp {
		what = "the app was killed"
		death := w.l.kill()
		w.h.waitForAllExits(death)
		w.l = w.h.start(w.program)
	} else {
		what = "the terminal was killed"
	}
	term.Kill()
	what = fmt.Sprintf("round %d: %s", n, what)
	w.t.Logf("%s, both at once: %t", what, both)
	w.check(what)
	w.l.call(nil, "ViewChat", w.chat.ID)
	if !killsApp {
		w.waitUntilIdle()
	}
	for end := time.Now().Add(time.Minute); len(sessionfiles.Holders(w.h.home, w.id)) > 1; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("%s: the session is still in use", what)
		}
	}
	prompts := w.check(what)
	w.waitUntilShown(what, prompts)
	return what
}

// waitUntilIdle waits until the app's turn has ended.
func (w *twoWriters) waitUntilIdle() {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		running := false
		for _, e := range w.l.snapshot("/data/app").Events {
			running = running || e.Chat != nil && e.Chat.TurnState == backend.TurnRunning
		}
		if !running {
			return
		}
		if time.Now().After(end) {
			w.t.Fatal("the app's turn doesn't end")
		}
	}
}

// TestChaosTwoWriters_LosesNothing checks that no line of a session's log is lost or mixed with another one if the app
// and a terminal use the session and one of them is killed, and that the app then shows each message once.
func TestChaosTwoWriters_LosesNothing(t *testing.T) {
	program := copilottest.Path(t)
	rounds, seed := chaos.Runs(3, 50), chaos.Seed(t)
	result := chaos.Row(t, "SIGKILL of the app or a terminal while both use a session of the real Copilot CLI", rounds)
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		if req.Side() {
			return practice.Reply{practice.Text("ok")}
		}
		pace := practice.Pace{Words: 1, Delay: 10 * time.Millisecond}
		if req.Last().Role == "user" && strings.Contains(req.Last().Text, "slowly") {
			pace.Delay = 50 * time.Millisecond
		}
		return practice.Reply{practice.Text(strings.Repeat("a word ", 50), pace)}
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	h := newAppData(t)
	h.env = model.Env(h.home)
	w := &twoWriters{t: t, h: h, program: program, env: append(os.Environ(), h.env...)}
	w.l = h.start(program)
	w.chat = w.l.newChat()
	copilottest.TrustFolder(t, h.home, w.chat.Folder)
	w.l.send(w.chat.ID, "app")
	w.l.waitForEvent(0, "the first answer", func(e backend.Event) bool {
		if e.Session != nil {
			w.id = e.Session.ACPID
		}
		return e.Turn != nil && e.Turn.State == backend.TurnDone
	})
	for n := range rounds {
		w.round(chaos.Rand(t, seed, n), n)
	}
	prompts := w.check("at the end")
	w.l.quit()
	h.waitForAllExits(time.Now())
	count := map[string]int{}
	for _, text := range h.read().texts {
		count[text]++
	}
	terminal := 0
	for _, p := range prompts {
		if count[p] != 1 {
			t.Errorf("the database has %q %d times", p, count[p])
		}
		if strings.HasPrefix(p, "terminal") {
			terminal++
		}
	}
	result("%d messages of the app and %d of the terminal: no line lost, changed or mixed; each is shown once", len(prompts)-terminal, terminal)
}
