package commitmessage_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// env is an app with a chat. The chat's folder is a repository with one commit and a changed file.
type env struct {
	*apptest.Window
	dir    string // the app's data folder
	folder string
	chat   backend.Chat
}

// open starts the app with a chat that uses the Copilot CLI.
func open(t *testing.T) *env {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	e := &env{dir: t.TempDir(), folder: folder}
	for _, v := range []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=a@example.org"} {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	e.git(t, "init", "--quiet", "--template=", "--initial-branch=topic")
	e.write(t, "a.txt", "one\n")
	e.git(t, "add", ".")
	e.git(t, "commit", "--quiet", "-m", "parser: read the first line")
	e.write(t, "a.txt", "two\n")
	e.Window = apptest.Open(t, e.dir)
	if e.chat, err = e.App.CreateChat(folder, backend.ProviderCopilot); err != nil {
		t.Fatal(err)
	}
	return e
}

func (e *env) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(e.folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (e *env) git(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = e.folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v %s", args, err, out)
	}
}

// start starts a draft for all files.
func (e *env) start() (id string) {
	e.T.Helper()
	id, err := e.Engine().CommitMessages.Start(e.chat.ID, backend.MessageDraftRequest{Files: backend.CommitAll})
	if err != nil {
		e.T.Fatal(err)
	}
	return id
}

// ended waits until the draft with the given ID has ended, and returns the draft.
func (e *env) ended(id string) backend.MessageDraft {
	e.T.Helper()
	return *e.WaitFor("the end of the draft", func(ev backend.Event) bool {
		return ev.MessageDraft != nil && ev.MessageDraft.ID == id && ev.MessageDraft.State != backend.JobRunning
	}).MessageDraft
}

// say sends a message and waits for the end of its turn.
func (e *env) say(text string) {
	e.T.Helper()
	id := e.Send(e.chat, text)
	turn := e.WaitFor("the message", func(ev backend.Event) bool { return ev.Item != nil && ev.Item.ID == id && ev.Item.TurnID != "" }).Item.TurnID
	e.WaitFor("the end of the turn", func(ev backend.Event) bool {
		return ev.Turn != nil && ev.Turn.ID == turn && ev.Turn.State == backend.TurnDone
	})
}

// names returns the names of the files in a folder, or nil if the folder doesn't exist.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// transcript returns the chat's events except those about its connection or its sessions.
func (e *env) transcript() []backend.Event {
	e.T.Helper()
	return slices.DeleteFunc(e.Snapshot("/data/chat?id="+e.chat.ID).Events, func(ev backend.Event) bool { return ev.Connection != nil || ev.Session != nil })
}

// drafter is a fake model that answers requests for drafts with reply, and other messages with "ok".
type drafter struct {
	mu     sync.Mutex
	drafts []practice.Request
	others []practice.Request
	reply  func(practice.Request) practice.Reply
	// Unless started is nil, it receives a value for each draft.
	started chan struct{}
}

func (d *drafter) Reply(req practice.Request) (practice.Reply, error) {
	if req.Side() {
		return practice.Reply{practice.Text("ok")}, nil
	}
	isDraft := strings.HasPrefix(req.User(), "Write the message for a Git commit")
	if isDraft && d.started != nil {
		d.started <- struct{}{}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if isDraft {
		d.drafts = append(d.drafts, req)
		return d.reply(req), nil
	}
	d.others = append(d.others, req)
	return practice.Reply{practice.Text("Answer to " + req.User()), practice.Usage(1000, 10)}, nil
}

// last returns the last request for a draft if drafts is true, or the last other request if drafts is false.
func (d *drafter) last(t *testing.T, drafts bool) practice.Request {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	list := d.others
	if drafts {
		list = d.drafts
	}
	if len(list) == 0 {
		t.Fatal("the model got no request")
	}
	return list[len(list)-1]
}

// TestDraft_ByOrchestrator checks that the chat's orchestrator drafts the message instead of the agent.
func TestDraft_ByOrchestrator(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	apptest.UseFakeAgent(t, fakeagent.Script{Calls: calls})
	e := open(t)
	d := &drafter{reply: func(practice.Request) practice.Reply {
		return practice.Reply{practice.Text("Here is the message:\n```\nparser: read the second line\n```"), practice.Usage(321, 12)}
	}}
	server, err := practice.New(d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	p, err := e.App.SaveProvider(backend.Provider{Name: "Mine", BaseURL: server.URL(), Model: "m"}, server.Key())
	if err == nil {
		err = e.App.SetOrchestrator(e.chat.ID, p.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	before := e.transcript()
	got := e.ended(e.start())
	if got.State != backend.JobDone || got.Text != "parser: read the second line" || got.Model != "m" || got.Usage == nil || got.Usage.Input != 321 || got.Usage.Output != 12 {
		t.Errorf("got %+v with usage %+v", got, got.Usage)
	}
	for _, part := range []string{"\n-one\n+two\n", "parser: read the first line", "topic", "M a.txt"} {
		if text := d.last(t, true).User(); !strings.Contains(text, part) {
			t.Errorf("%q isn't in the prompt %s", part, text)
		}
	}
	if names(t, filepath.Dir(calls)) != nil {
		t.Error("the agent was started")
	}
	if after := e.transcript(); len(after) != len(before) {
		t.Errorf("the chat has %d events, want %d", len(after), len(before))
	}
	server.Close()
	if got := e.ended(e.start()); got.State != backend.JobFailed || got.Message.IsZero() || got.Usage != nil {
		t.Errorf("without the service, got %+v", got)
	}
}

func TestDraft_FailuresAreNamed(t *testing.T) {
	for name, c := range map[string]struct {
		script fakeagent.Script
		want   string
	}{
		"offline":        {fakeagent.Script{Refuse: map[string]int{"session/new": -32000}}, "Can't draft a message because you're offline. Check your connection, then try again."},
		"exits at start": {fakeagent.Script{ExitAtOnce: 3}, "Copilot exited before the message was ready. Try again."},
		"empty answer":   {fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say(" \n ")}}, "The model answered without a message. Try again."},
		"dies":           {fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("Fix"), fakeagent.Die(1, "out of memory")}}, "Copilot exited before the message was ready. Try again."},
	} {
		t.Run(name, func(t *testing.T) {
			apptest.UseFakeAgent(t, c.script)
			e := open(t)
			got := e.ended(e.start())
			if got.State != backend.JobFailed || !strings.Contains(got.Message.String(), c.want) || got.Text != "" {
				t.Errorf("got %+v, want %q", got, c.want)
			}
			if left := names(t, filepath.Join(e.dir, "forks")); left != nil {
				t.Errorf("the marks %v are left", left)
			}
		})
	}
}

func TestDraft_NeedsSignIn(t *testing.T) {
	refuses := fakeagent.Script{Refuse: map[string]int{"session/new": -32000}}
	apptest.UseFakeAgent(t, refuses)
	e := open(t)
	p, err := e.App.SaveProvider(backend.Provider{Name: "Mine", BaseURL: "http://127.0.0.1:9/v1", Model: "m"}, "key")
	if err != nil {
		t.Fatal(err)
	}
	other, err := e.App.SaveProfile(backend.CustomAgent{Name: "Other", Command: apptest.FakeAgentProgram(t, refuses)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		p.ID:     "Mine rejected the API key. Fix the key in Settings, then try again.",
		other.ID: "Other can't draft a message until you sign in. Sign in, then try again.",
	} {
		if e.chat, err = e.App.CreateChat(e.folder, id); err != nil {
			t.Fatal(err)
		}
		if got := e.ended(e.start()); got.State != backend.JobFailed || got.Message.String() != want {
			t.Errorf("got %+v, want %q", got, want)
		}
	}
}

func TestDraft_NeedsChangesAndTrust(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{})
	e := open(t)
	e.write(t, "a.txt", "one\n")
	if got := e.ended(e.start()); got.State != backend.JobFailed || got.Message.String() != "There are no changes to describe." {
		t.Errorf("without changes, got %+v", got)
	}
	e.write(t, ".mcp.json", `{"mcpServers":{"evil":{"command":"evil"}}}`)
	if got := e.ended(e.start()); got.State != backend.JobFailed || !strings.HasPrefix(got.Message.String(), "Trust this folder first.") {
		t.Errorf("in an untrusted folder, got %+v", got)
	}
}

// TestDraft_AgentWithoutConversation checks that an agent other than the Copilot CLI drafts in a new session without
// the conversation. Its events don't appear in the chat, and its requests are rejected.
func TestDraft_AgentWithoutConversation(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("parser: read the second line")}, Calls: calls})
	e := open(t)
	first := e.start()
	if _, err := e.Engine().CommitMessages.Start(e.chat.ID, backend.MessageDraftRequest{Files: backend.CommitAll}); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("a second draft: got %v", err)
	}
	got := e.ended(first)
	if got.State != backend.JobDone || got.Text != "parser: read the second line" || got.Model == "" {
		t.Errorf("got %+v", got)
	}
	for _, ev := range e.Events() {
		if ev.Session != nil || ev.Item != nil || ev.Connection != nil || ev.Turn != nil {
			t.Errorf("the draft is in the chat: %+v", ev)
		}
	}
	if left := names(t, filepath.Join(e.dir, "forks")); left != nil {
		t.Errorf("the marks %v are left", left)
	}
}
