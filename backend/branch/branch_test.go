package branch_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// env is an app with a chat whose agent may do everything.
type env struct {
	*apptest.Window
	chat backend.Chat
}

func newEnv(t *testing.T, turns ...fakeagent.Turn) *env {
	t.Helper()
	return newEnvWith(t, fakeagent.Script{Turns: turns})
}

func newEnvWith(t *testing.T, script fakeagent.Script) *env {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the agent's shell is bash, which may be another system's here")
	}
	apptest.UseFakeAgent(t, script)
	return open(t)
}

func open(t *testing.T) *env {
	t.Helper()
	e := &env{Window: apptest.Open(t, t.TempDir())}
	e.chat = e.newChat(t.TempDir())
	return e
}

func (e *env) newChat(folder string) backend.Chat {
	e.T.Helper()
	chat, err := e.App.CreateChat(folder, backend.ProviderCopilot)
	if err == nil {
		err = e.App.SetPermissionMode(chat.ID, backend.ModeBypass)
	}
	if err != nil {
		e.T.Fatal(err)
	}
	return chat
}

func (e *env) write(name, content string) {
	e.T.Helper()
	path := filepath.Join(e.chat.Folder, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
		e.T.Fatal(err)
	}
}

func (e *env) wantFiles(when string, want map[string]string) {
	e.T.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(e.chat.Folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		rel, _ := filepath.Rel(e.chat.Folder, path)
		all[filepath.ToSlash(rel)] = string(content)
		return err
	})
	if err != nil {
		e.T.Fatal(err)
	}
	if diff := cmp.Diff(want, all); diff != "" {
		e.T.Errorf("%s, the files differ (-want +got):\n%s", when, diff)
	}
}

// say sends a message, waits for the end of its turn, and returns the turn's ID.
func (e *env) say(chat backend.Chat, text string) string {
	e.T.Helper()
	id := e.Send(chat, text)
	turn := e.WaitFor("the message", func(ev backend.Event) bool { return ev.Item != nil && ev.Item.ID == id && ev.Item.TurnID != "" }).Item.TurnID
	e.WaitFor("the end of the turn", func(ev backend.Event) bool {
		if ev.Permission != nil && ev.Permission.State == backend.PermissionOpen {
			e.T.Logf("%s asks: %+v", text, ev.Permission)
		}
		if ev.Turn != nil && ev.Turn.ID == turn && ev.Turn.Error != nil {
			e.T.Errorf("%s: %+v", text, ev.Turn.Error)
		}
		return ev.Turn != nil && ev.Turn.ID == turn && ev.Turn.State == backend.TurnDone
	})
	return turn
}

// goBack goes back to the point before a turn's message.
func (e *env) goBack(turn string, scope backend.BackScope) {
	e.T.Helper()
	if err := e.App.GoBack(turn, backend.GoBackRequest{Scope: scope}); err != nil {
		e.T.Fatalf("going back: %v, %s", err, backend.AsError(err).Detail)
	}
}

func (e *env) bringBack(asideID string, files bool) {
	e.T.Helper()
	if err := e.App.BringBack(e.chat.ID, asideID, files); err != nil {
		e.T.Fatalf("bringing back: %v, %s", err, backend.AsError(err).Detail)
	}
}

// preview returns the preview of going back to the point before a turn's message.
func (e *env) preview(turn string) (p backend.GoBackPreview) {
	e.T.Helper()
	if code := e.Get("/data/go-back?turn="+turn, &p); code != 200 {
		var text any
		e.Get("/data/go-back?turn="+turn, &text)
		e.T.Fatalf("the preview is (%d) %v", code, text)
	}
	return p
}

// branches returns the chat's branches, as the page gets them.
func (e *env) branches() (b backend.ChatBranches) {
	e.T.Helper()
	for _, ev := range e.Snapshot("/data/chat?id=" + e.chat.ID).Events {
		if ev.ChatBranches != nil {
			b = *ev.ChatBranches
		}
	}
	return b
}

// messagesOf returns the user's messages in a chat's transcript.
func (e *env) messagesOf(chat backend.Chat) string {
	e.T.Helper()
	events := e.Snapshot("/data/chat?id=" + chat.ID).Events
	byItem := map[string]string{}
	for _, ev := range events {
		if ev.Text != nil {
			byItem[ev.Text.ItemID] = ev.Text.Text
		}
	}
	var texts []string
	for _, ev := range events {
		if ev.Item != nil && ev.Item.Kind == backend.ItemUser {
			texts = append(texts, byItem[ev.Item.ID])
		}
	}
	return strings.Join(texts, ", ")
}

func (e *env) wantMessages(when, want string) {
	e.T.Helper()
	if got := e.messagesOf(e.chat); got != want {
		e.T.Errorf("%s, the messages are %q, want %q", when, got, want)
	}
}
