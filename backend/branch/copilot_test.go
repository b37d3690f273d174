package branch_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// model is a scripted model that records the last request that it receives. To a message "run: …", it replies with a
// tool call that runs the command in the message.
type model struct {
	mu   sync.Mutex
	last practice.Request
}

func (m *model) Reply(req practice.Request) (practice.Reply, error) {
	if req.Side() {
		return practice.Reply{practice.Text("ok")}, nil
	}
	m.mu.Lock()
	m.last = req
	m.mu.Unlock()
	if _, command, runs := strings.Cut(req.User(), "run: "); runs && req.Last().Role == "user" {
		return practice.Reply{practice.ToolCall("bash", map[string]any{"command": command, "description": "Do it"})}, nil
	}
	return practice.Reply{practice.Text("Answer to " + req.User())}, nil
}

// knows returns the user's messages in the last request. It fails the test unless each of them, except for the last,
// has an answer.
func (m *model) knows(t *testing.T) string {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	var said []string
	for i, msg := range m.last.Messages {
		if msg.Role != "user" {
			continue
		}
		one := practice.Request{Messages: []practice.Message{msg}}.User()
		if _, after, has := strings.Cut(one, "</voxpilot_note>\n\n"); has {
			one = "(note) " + after
		}
		said = append(said, one)
		if rest := m.last.Messages[i+1:]; len(rest) > 0 && !slices.ContainsFunc(rest, func(a practice.Message) bool {
			return a.Role == "assistant" && (strings.HasSuffix(a.Text, one) || len(a.Calls) > 0)
		}) {
			t.Errorf("%q has no answer in %+v", one, rest)
		}
	}
	return strings.Join(said, ", ")
}

// useCopilot makes the app use the real Copilot CLI with a model.
func useCopilot(t *testing.T) *model {
	t.Helper()
	m := &model{}
	server, err := practice.New(m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	home := apptest.UseSignedInHome(t, filepath.Join(t.TempDir(), "home"))
	for _, v := range server.Env(home) {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	t.Setenv(copilot.PathVar, copilottest.Path(t))
	return m
}

// TestBranch_RealCLIRemembersWhatIsShown checks that after going back, bringing messages back or switching versions,
// even across a restart, the real Copilot CLI sends its model exactly the messages that the chat shows.
func TestBranch_RealCLIRemembersWhatIsShown(t *testing.T) {
	m := useCopilot(t)
	e := open(t)
	say := func(text, want string) (turn string) {
		t.Helper()
		turn = e.say(e.chat, text)
		if got := m.knows(t); got != want {
			t.Errorf("with %q, the model knows %q, want %q", text, got, want)
		}
		return turn
	}
	say("one", "one")
	two := say("two", "one, two")
	say("three", "one, two, three")
	if p := e.preview(two); p.Messages != 2 || p.Memory != backend.MemoryFork || !p.Blocked.IsZero() {
		t.Errorf("the preview is %+v", p)
	}

	e.goBack(two, backend.BackConversation)
	e.wantMessages("after going back", "one")
	b := e.branches()
	if b.WentBack == nil || b.WentBack.Messages != 2 {
		t.Fatalf("the branches are %+v", b)
	}
	first := b.WentBack.AsideID
	e.bringBack(first, false)
	e.wantMessages("after bringing back", "one, two, three")
	say("four", "one, two, three, four")

	e.goBack(two, backend.BackConversation)
	say("two again", "one, two again")
	e.wantMessages("in the second version", "one, two again")
	say("three again", "one, two again, three again")

	versions := func() (ids []string) {
		t.Helper()
		b := e.branches()
		if len(b.Forks) != 1 || len(b.Forks[0].Versions) != 2 {
			t.Fatalf("the branches are %+v", b)
		}
		for _, v := range b.Forks[0].Versions {
			ids = append(ids, v.ID)
		}
		return ids
	}
	ids := versions()
	if ids[1] != "" {
		t.Fatalf("the versions are %q", ids)
	}
	e.bringBack(ids[0], false)
	e.wantMessages("in the first version", "one, two, three, four")
	say("five", "one, two, three, four, five")
	ids = versions()
	if ids[0] != "" {
		t.Fatalf("the versions are %q", ids)
	}
	e.bringBack(ids[1], false)
	e.wantMessages("in the second version", "one, two again, three again")

	dir := e.App.Dir
	e.Close()
	e.Window = apptest.Open(t, dir)
	e.wantMessages("after a restart", "one, two again, three again")
	say("four again", "one, two again, three again, four again")
	e.bringBack(versions()[0], false)
	say("six", "one, two, three, four, five, six")

	// Go back to the very beginning.
	e.goBack(firstTurn(e), backend.BackConversation)
	e.wantMessages("at the beginning", "")
	say("zero", "zero")
}

// TestBranch_RealCLIFilesAndNewChat checks that files are restored together with the conversation, both when going back
// and when bringing messages back, and that a new chat from a message remembers everything before that message.
func TestBranch_RealCLIFilesAndNewChat(t *testing.T) {
	m := useCopilot(t)
	e := open(t)
	e.write("a", "before")
	e.say(e.chat, "hello")
	first := e.say(e.chat, "run: echo one > a; echo one > b")
	e.say(e.chat, "run: rm b; echo two >> a; mkdir c; echo two > c/d")
	after := map[string]string{"a": "one\ntwo\n", "c/d": "two\n"}
	e.wantFiles("after the turns", after)
	p := e.preview(first)
	var files []string
	for _, f := range p.Files {
		files = append(files, fmt.Sprint(f.Path, " ", f.Effect, " ", f.Choice))
	}
	if got := strings.Join(files, ", "); got != "c/d removes take, a restores take" || p.Total != 2 || p.Ready != 2 || !p.FilesBlocked.IsZero() {
		t.Errorf("the preview is %q, %+v", got, p)
	}

	e.goBack(first, backend.BackBoth)
	e.wantFiles("after going back", map[string]string{"a": "before"})
	b := e.branches()
	if b.WentBack == nil || !b.WentBack.HasFiles || b.WentBack.Files != 2 || b.WentBack.Messages != 2 {
		t.Fatalf("the branches are %+v", b.WentBack)
	}
	e.bringBack(b.WentBack.AsideID, true)
	e.wantFiles("after bringing back", after)
	third := e.say(e.chat, "third")
	if got, want := m.knows(t), "hello, run: echo one > a; echo one > b, run: rm b; echo two >> a; mkdir c; echo two > c/d, third"; got != want {
		t.Errorf("the model knows %q, want %q", got, want)
	}

	chat, err := e.App.NewChatFrom(third)
	if err != nil {
		t.Fatal(err)
	}
	want := "hello, run: echo one > a; echo one > b, run: rm b; echo two >> a; mkdir c; echo two > c/d"
	if got := e.messagesOf(chat); got != want {
		t.Errorf("the new chat has %q, want %q", got, want)
	}
	e.say(chat, "in the new chat")
	if got, want := m.knows(t), want+", in the new chat"; got != want {
		t.Errorf("in the new chat, the model knows %q, want %q", got, want)
	}
	e.say(e.chat, "in the old chat")
	if got, want := m.knows(t), want+", third, in the old chat"; got != want {
		t.Errorf("in the old chat, the model knows %q, want %q", got, want)
	}
}

// TestBranch_RealCLITriesAgainWithAnotherModel checks the steps that the page takes for "Try again with another model":
// the turn's files and messages are set aside, the forked session gets the other model, and the same message is sent to
// it. The first answer can be brought back.
func TestBranch_RealCLITriesAgainWithAnotherModel(t *testing.T) {
	m := useCopilot(t)
	e := open(t)
	say := func(text, model, want string) (turn string) {
		t.Helper()
		turn = e.say(e.chat, text)
		m.mu.Lock()
		asked := m.last.Model
		m.mu.Unlock()
		if got := m.knows(t); got != want || asked != model {
			t.Errorf("with %q, the model %q knows %q, want that %q knows %q", text, asked, got, model, want)
		}
		return turn
	}
	const command, other = "run: echo again >> a", "another-model"
	e.write("a", "before\n")
	say("hello", practice.Model, "hello")
	first := say(command, practice.Model, "hello, "+command)
	once := map[string]string{"a": "before\nagain\n"}
	e.wantFiles("after the first answer", once)

	e.goBack(first, backend.BackBoth)
	e.wantFiles("before the second answer", map[string]string{"a": "before\n"})
	if err := e.App.SetOption(e.chat.ID, backend.SessionMain, "model", other); err != nil {
		t.Fatal(err)
	}
	second := say(command, other, "hello, "+command)
	e.wantFiles("after the second answer", once)
	e.wantMessages("after the second answer", "hello, "+command)
	b := e.branches()
	if len(b.Forks) != 1 || b.Forks[0].TurnID != second || len(b.Forks[0].Versions) != 2 || b.Forks[0].Current != 1 {
		t.Fatalf("the branches are %+v", b)
	}
	say("more", other, "hello, "+command+", more")

	// The forked session uses the other model; the original session keeps its own.
	e.bringBack(b.Forks[0].Versions[0].ID, false)
	say("back", practice.Model, "hello, "+command+", back")
	e.wantMessages("in the first version", "hello, "+command+", back")
}

// TestBranch_RealCLIOtherSessions checks that sessions with delegated tasks go back and are brought back together with
// the chat, even if several versions of the chat use the same session.
func TestBranch_RealCLIOtherSessions(t *testing.T) {
	m := useCopilot(t)
	e := open(t)
	seen := map[string]bool{} // ended turns of the session tests
	task := func(text, want string) {
		t.Helper()
		if err := e.App.SendTo(e.chat.ID, "tests", text); err != nil {
			t.Fatal(err)
		}
		turn := e.WaitFor("the task's end", func(ev backend.Event) bool {
			return ev.Turn != nil && ev.Turn.Session == "tests" && ev.Turn.State == backend.TurnDone && !seen[ev.Turn.ID]
		}).Turn
		seen[turn.ID] = true
		if got := m.knows(t); got != want {
			t.Errorf("with %q, the model knows %q, want %q", text, got, want)
		}
	}
	e.say(e.chat, "one")
	task("t1", "t1")
	two := e.say(e.chat, "two")
	e.goBack(two, backend.BackConversation) // the session tests received no task after "two"
	task("t2", "t1, t2")
	versions := e.branches().Forks[0].Versions
	e.bringBack(versions[0].ID, false)
	e.wantMessages("in the first version", "one, two")
	task("t3", "t1, t3") // without the task of the other version
	e.bringBack(e.branches().Forks[0].Versions[1].ID, false)
	task("t4", "t1, t2, t4")
	e.goBack(firstTurn(e), backend.BackConversation)
	task("t5", "t5")
}

// firstTurn returns the chat's first turn.
func firstTurn(e *env) string {
	for _, ev := range e.Snapshot("/data/chat?id=" + e.chat.ID).Events {
		if ev.Item != nil && ev.Item.Kind == backend.ItemUser {
			return ev.Item.TurnID
		}
	}
	return ""
}
