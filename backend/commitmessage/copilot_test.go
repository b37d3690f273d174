package commitmessage_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// useCopilot makes the app use the real Copilot CLI with the fake model d. It returns the CLI's home folder.
func useCopilot(t *testing.T, d *drafter) (home string) {
	t.Helper()
	server, err := practice.New(d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	home = apptest.UseSignedInHome(t, filepath.Join(t.TempDir(), "home"))
	for _, v := range server.Env(home) {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	t.Setenv(copilot.PathVar, copilottest.Path(t))
	return home
}

// sessionsIn returns the IDs of the CLI's sessions in the home folder.
func sessionsIn(t *testing.T, home string) []string {
	t.Helper()
	return slices.DeleteFunc(names(t, filepath.Join(home, "session-state")), func(name string) bool { return !sessionfiles.IsID(name) })
}

// files returns the contents of all files below a folder, by path.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestDraft_RealCLIForksTheConversation checks that the real Copilot CLI knows the conversation when it drafts. The
// draft changes neither the chat, nor the files of its session, nor the later conversation.
func TestDraft_RealCLIForksTheConversation(t *testing.T) {
	d := &drafter{reply: func(practice.Request) practice.Reply {
		return practice.Reply{practice.Text("parser: read the second line\n\nThe first is a title."), practice.Usage(4321, 21)}
	}}
	home := useCopilot(t, d)
	e := open(t)
	e.say("The first line is only a title")
	sessions := filepath.Join(home, "session-state")
	own := sessionsIn(t, home)
	if len(own) != 1 {
		t.Fatalf("the CLI has the sessions %v, want one", own)
	}
	before, log := e.transcript(), files(t, filepath.Join(sessions, own[0]))
	seen := len(e.Events())

	got := e.ended(e.start())
	if got.State != backend.JobDone || got.Text != "parser: read the second line\n\nThe first is a title." || got.Model == "" {
		t.Errorf("got %+v", got)
	}
	if got.Usage == nil || got.Usage.Input == 0 || got.Usage.Output != 21 {
		t.Errorf("the usage is %+v", got.Usage)
	}
	t.Logf("drafted by %s with %+v", got.Model, got.Usage)
	req := d.last(t, true)
	if !slices.ContainsFunc(req.Messages, func(m practice.Message) bool {
		return m.Role == "assistant" && strings.HasSuffix(m.Text, "only a title")
	}) || !strings.Contains(req.User(), "-one\n+two\n") {
		t.Errorf("the model doesn't know the conversation or the changes: %+v", req.Messages)
	}

	if left := sessionsIn(t, home); !slices.Equal(left, own) {
		t.Errorf("the CLI has the sessions %v, want %v", left, own)
	}
	if left := names(t, filepath.Join(e.dir, "forks")); left != nil {
		t.Errorf("the marks %v are left", left)
	}
	for path, text := range files(t, filepath.Join(sessions, own[0])) {
		if log[path] != text {
			t.Errorf("%s has changed", path)
		}
	}
	if after := e.transcript(); !reflect.DeepEqual(before, after) {
		t.Errorf("the chat has changed from %+v to %+v", before, after)
	}
	for _, ev := range e.Events()[seen:] {
		if ev.MessageDraft == nil && ev.Sandbox == nil { // the sandbox becomes ready at any time
			t.Errorf("the draft published %+v", ev)
		}
	}
	e.say("Go on")
	for _, m := range d.last(t, false).Messages {
		if strings.Contains(m.Text, "Git commit") || strings.Contains(m.Text, "read the second line") {
			t.Errorf("the chat's model knows the draft: %+v", m)
		}
	}
}

// TestDraft_RealCLICannotUseTools checks that all tool calls of a draft are denied without asking, even if the user has
// turned off the CLI's permission requests.
func TestDraft_RealCLICannotUseTools(t *testing.T) {
	var marker string
	d := &drafter{}
	d.reply = func(req practice.Request) practice.Reply {
		if req.Last().Role == "tool" {
			return practice.Reply{practice.Text("parser: read the second line")}
		}
		return practice.Reply{
			practice.Text("Let me look."),
			practice.ToolCall("bash", map[string]any{"command": "touch " + marker, "description": "Mark"}),
			practice.ToolCall("create", map[string]any{"path": marker + ".txt", "file_text": "x\n"}),
		}
	}
	useCopilot(t, d)
	e := open(t)
	marker = filepath.Join(e.folder, "marker")
	e.say("hello")
	for _, allows := range []string{"off", "on"} {
		if err := e.App.SetOption(e.chat.ID, backend.SessionMain, "allow_all", allows); err != nil {
			t.Fatal(err)
		}
		got := e.ended(e.start())
		if got.State != backend.JobDone || got.Text != "parser: read the second line" {
			t.Errorf("with allow_all %s, got %+v", allows, got)
		}
		for _, m := range d.last(t, true).Messages {
			if m.Role == "tool" && !strings.Contains(m.Text, "denies all tool calls") {
				t.Errorf("with allow_all %s, a tool's result is %q", allows, m.Text)
			}
		}
		for _, name := range []string{marker, marker + ".txt"} {
			if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("with allow_all %s, %s was created: %v", allows, name, err)
			}
		}
	}
	for _, ev := range e.Events() {
		if ev.Permission != nil {
			t.Errorf("the user was asked: %+v", ev.Permission)
		}
	}
}

// TestDraft_RealCLILeavesNoFork checks that neither a canceled draft nor a draft in an app that was killed leaves a
// forked session behind.
func TestDraft_RealCLILeavesNoFork(t *testing.T) {
	d := &drafter{started: make(chan struct{}), reply: func(practice.Request) practice.Reply {
		return practice.Reply{practice.Text("parser"), practice.Hang()}
	}}
	home := useCopilot(t, d)
	e := open(t)
	e.say("hello")
	sessions, marks := filepath.Join(home, "session-state"), filepath.Join(e.dir, "forks")
	own := sessionsIn(t, home)
	id := e.start()
	var fork string
	<-d.started
	for _, name := range sessionsIn(t, home) {
		if !slices.Contains(own, name) {
			fork = name
		}
	}
	if fork == "" || !slices.Equal(names(t, marks), []string{fork}) {
		t.Fatalf("while it drafts, the CLI has the sessions %v, and the marks are %v", sessionsIn(t, home), names(t, marks))
	}
	mark, err := os.ReadFile(filepath.Join(marks, fork))
	if err != nil {
		t.Fatal(err)
	}
	log := files(t, filepath.Join(sessions, fork))

	e.Engine().CommitMessages.Cancel(e.chat.ID, "another")
	e.Engine().CommitMessages.Cancel(e.chat.ID, id)
	if got := e.ended(id); got.State != backend.JobCancelled || got.Text != "" {
		t.Errorf("got %+v", got)
	}
	if left := sessionsIn(t, home); !slices.Equal(left, own) || names(t, marks) != nil {
		t.Errorf("after Cancel, the CLI has the sessions %v, and the marks are %v", left, names(t, marks))
	}

	// The app closes during a draft.
	e.start()
	<-d.started
	e.Close()
	if left := sessionsIn(t, home); !slices.Equal(left, own) || names(t, marks) != nil {
		t.Errorf("after closing, the CLI has the sessions %v, and the marks are %v", left, names(t, marks))
	}

	// The app was killed during a draft.
	for path, text := range log {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.MkdirAll(marks, 0o700), os.WriteFile(filepath.Join(marks, fork), mark, 0o600)); err != nil {
		t.Fatal(err)
	}
	e.Window = apptest.Open(t, e.dir)
	e.Engine()
	if left := sessionsIn(t, home); !slices.Equal(left, own) || names(t, marks) != nil {
		t.Errorf("after a kill and a start, the CLI has the sessions %v, and the marks are %v", left, names(t, marks))
	}
}

// TestDraft_RealCLIWithoutConversation checks that the real Copilot CLI drafts a commit message in a chat without
// messages, which has no session to fork, and that it leaves no session behind.
func TestDraft_RealCLIWithoutConversation(t *testing.T) {
	d := &drafter{reply: func(practice.Request) practice.Reply {
		return practice.Reply{practice.Text("parser: read the second line")}
	}}
	home := useCopilot(t, d)
	e := open(t)
	if got := e.ended(e.start()); got.State != backend.JobDone || got.Text != "parser: read the second line" {
		t.Errorf("got %+v", got)
	}
	if strings.Contains(d.last(t, true).User(), "conversation") {
		t.Error("the prompt mentions a conversation")
	}
	if left := sessionsIn(t, home); len(left) > 0 || names(t, filepath.Join(e.dir, "forks")) != nil {
		t.Errorf("the CLI has the sessions %v, and the marks are %v", left, names(t, filepath.Join(e.dir, "forks")))
	}
}
