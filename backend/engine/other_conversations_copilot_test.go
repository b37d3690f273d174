package engine_test

import (
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// otherHome creates a home directory, sets HOME to it and returns it. The directory contains the conversations in the
// test data of backend/otherprograms, as if they had taken place in the given folder.
func otherHome(t *testing.T, folder string) string {
	t.Helper()
	home := t.TempDir()
	if cache, err := os.UserCacheDir(); err == nil {
		t.Setenv("XDG_CACHE_HOME", cache) // of the CLI
	}
	t.Setenv("HOME", home)
	for _, key := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"} {
		t.Setenv(key, "")
	}
	from := filepath.Join("..", "otherprograms", "testdata")
	for name, to := range map[string]string{"claude": ".claude/projects", "codex": ".codex/sessions", "vscode": ".config/Code/User/workspaceStorage", "opencode": ".local/share/opencode"} {
		from := filepath.Join(from, name)
		noErr(t, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			noErr(t, err)
			rel, err := filepath.Rel(from, path)
			noErr(t, err)
			file := filepath.Join(home, to, rel)
			noErr(t, os.MkdirAll(filepath.Dir(file), 0o700))
			return os.WriteFile(file, []byte(strings.ReplaceAll(string(data), "/home/ada/shop", folder)), 0o600)
		}))
	}
	script := filepath.Join(home, ".local/share/opencode/opencode.sql")
	data, err := os.ReadFile(script)
	noErr(t, err)
	db, err := sql.Open("sqlite", strings.TrimSuffix(script, ".sql")+".db")
	noErr(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), string(data))
	noErr(t, err)
	return home
}

// TestOtherConversation_ContinuesInCopilot checks that Copilot gets the whole conversation of another program as
// messages and tool results, and that the program's files don't change.
func TestOtherConversation_ContinuesInCopilot(t *testing.T) {
	program := copilottest.Path(t)
	t.Setenv(copilot.PathVar, program)
	folder := t.TempDir()
	home := otherHome(t, folder)
	before := contentsOf(t, home)
	w := newAppEnv(t, t.TempDir())
	p, server := w.addMainAI(func(practice.Request) practice.Reply { return practice.Reply{practice.Text("Answered by Copilot.")} })
	w.Chat(p.ID) // new chats have the same model
	answer := w.Conversations()
	if len(answer.Conversations) != 5 || answer.Failure.String() != "" {
		t.Fatalf("got %+v", answer)
	}
	want := map[backend.OtherProgram][]string{
		backend.ProgramClaudeCode: {"user: The first prompt, please", "one\ntwo\nhello", "+hello world", "oops", "assistant: I changed a.txt. 😀", "user: The second prompt with a picture", "assistant: Second answer."},
		backend.ProgramCodex:      {"user: The first prompt, please", "one\ntwo\nhello", "unsupported custom tool call", "Exit code: 3", "assistant: I changed a.txt. 😀", "user: The second prompt with a picture", "assistant: Second answer."},
		backend.ProgramOpencode:   {`user: "The first prompt, please"`, "one\ntwo\nhello", "+hello world", "Exit code: 3", "assistant: I changed a.txt. 😀", `user: "The second prompt with a picture"`, "assistant: Second answer."},
		backend.ProgramVSCode:     {"user: The first prompt, please", "assistant: Let me look at `a.txt`.", "Exit code: 3", "hello world", "found it", "assistant: I changed a.txt. 😀", "user: The second prompt", "assistant: Half an ans"},
	}
	var news sync.Map // by ID of the turn
	w.Engine().Overview.Follow(func(_ overview.State, e backend.Event) {
		if e.Turn != nil {
			news.Store(e.Turn.ID, true)
		}
	})
	for _, c := range answer.Conversations {
		if c.Folder != folder || c.FolderMissing || c.ChatID != "" {
			t.Errorf("the list has %+v", c)
		}
		chat, err := w.App.OpenOtherConversation(string(c.Program), c.ID)
		noErr(t, err)
		w.WaitFor("the conversation is read", func(e backend.Event) bool {
			return e.SessionImport != nil && e.SessionImport.ChatID == chat.ID && e.SessionImport.State == backend.ImportDone
		})
		if again, err := w.App.OpenOtherConversation(string(c.Program), c.ID); err != nil || again.ID != chat.ID {
			t.Errorf("opened again, %s is chat %s, not %s: %v", c.Program, again.ID, chat.ID, err)
		}
		w.Send(chat, "what now?")
		w.waitForOwnTurn(chat.ID)
		if now, err := w.Engine().Chats.Get(chat.ID); err != nil || now.Title != chat.Title || !now.TitleByUser {
			t.Errorf("the chat %q became %+v, %v", chat.Title, now, err)
		}
		lines := lastConversation(server)
		text := strings.Join(lines, "\n")
		for _, part := range append(want[c.Program], "user: what now?") {
			i := strings.Index(text, part)
			if i < 0 {
				t.Errorf("%s: Copilot got no %q after that in\n%s", c.Program, part, strings.Join(lines, "\n"))
				break
			}
			text = text[i+len(part):]
		}
		for _, e := range w.Snapshot("/data/chat?id=" + chat.ID).Events {
			if e.Item == nil || e.Item.Banner == nil {
				continue
			}
			switch b := e.Item.Banner; b.Kind {
			case backend.BannerImported, backend.BannerHandedOver:
			default:
				t.Errorf("%s: banner %s: %s", c.Program, b.Kind, b.Detail)
			}
		}
	}
	reported := 0
	for range news.Range {
		reported++
	}
	if reported != len(answer.Conversations) { // only Copilot's turns
		t.Errorf("%d turns were reported as new, want %d", reported, len(answer.Conversations))
	}
	if diff := cmp.Diff(before, contentsOf(t, home)); diff != "" {
		t.Errorf("the files of other programs changed (-before +after):\n%s", diff)
	}
	for _, c := range w.Conversations().Conversations {
		if c.ChatID == "" {
			t.Errorf("%s has no chat", c.ID)
		}
	}
}

// waitForOwnTurn waits until a turn that ran in VoxPilot has ended in the chat. Turns read from another program's
// conversation don't count.
func (w *appEnv) waitForOwnTurn(chatID string) {
	w.T.Helper()
	running := map[string]bool{}
	e := w.WaitFor("Copilot's turn", func(e backend.Event) bool {
		if e.Turn == nil || e.Turn.ChatID != chatID {
			return false
		}
		running[e.Turn.ID] = running[e.Turn.ID] || e.Turn.State == backend.TurnRunning
		return running[e.Turn.ID] && e.Turn.State != backend.TurnRunning
	})
	if e.Turn.State != backend.TurnDone {
		w.T.Fatalf("the turn ended as %s: %+v", e.Turn.State, e.Turn.Error)
	}
}

// contentsOf returns the contents of other programs' files in a home directory, by path.
func contentsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	noErr(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if d.Type().IsRegular() && slices.ContainsFunc([]string{".claude", ".codex", ".config/Code", ".local/share/opencode"}, func(of string) bool {
			return strings.HasPrefix(rel, of)
		}) {
			data, err := os.ReadFile(path)
			all[path] = string(data)
			return err
		}
		return nil
	}))
	return all
}

// Conversations returns the conversations of other programs.
func (w *appEnv) Conversations() (answer backend.OtherConversations) {
	w.T.Helper()
	if code := w.Get("/data/other-conversations", &answer); code != 200 {
		w.T.Fatalf("code %d", code)
	}
	return answer
}
