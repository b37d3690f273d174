package engine_test

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// importScript returns a model that follows the instruction in the user's last message, using the given folder.
func importScript(folder string) practice.Func {
	at := func(name string) string { return filepath.Join(folder, name) }
	steps := map[string]practice.Reply{
		"image": {practice.Text("A dot 😀.")},
		"work": {
			practice.Reasoning("I think about it."), practice.Text("I look."),
			practice.ToolCall("bash", map[string]any{"command": "printf 'so\\nmany 😀'; exit 3", "description": "fail it"}),
			practice.ToolCall("view", map[string]any{"path": at("old.txt")}), practice.ToolCall("view", map[string]any{"path": at("none.txt")}),
			practice.ToolCall("view", map[string]any{"path": at("old.txt"), "view_range": []int{2, 3}}),
			practice.ToolCall("grep", map[string]any{"pattern": "two", "path": folder, "output_mode": "content"}),
			practice.ToolCall("glob", map[string]any{"pattern": "*.txt", "path": folder}), practice.ToolCall("nonsense", map[string]any{"x": 1}),
		},
		"edit": {
			practice.ToolCall("create", map[string]any{"path": at("a.txt"), "file_text": "one 😀\n"}),
			practice.ToolCall("edit", map[string]any{"path": at("old.txt"), "old_str": "two", "new_str": "2"}),
			practice.ToolCall("edit", map[string]any{"path": at("old.txt"), "old_str": "nowhere", "new_str": "2"}),
			practice.ToolCall("sql", map[string]any{"query": "select 1", "description": "ask"}), practice.ToolCall("list_agents", map[string]any{}),
			practice.ToolCall("bash", map[string]any{"command": "yes 'long line' | head -n 500", "description": "print"}),
		},
		"task": {practice.ToolCall("task", map[string]any{"agent_type": "explore", "description": "look around", "name": "looker", "prompt": "look as a subagent"})},
		"hang": {practice.Text("I start."), practice.ToolCall("bash", map[string]any{"command": "sleep 60", "description": "wait"})},
		"fail": {practice.HTTPError(400, `{"error":{"message":"bad request","code":"x"}}`)},
	}
	return func(req practice.Request) practice.Reply {
		last, text := lastPrompt(req)
		answered := last < len(req.Messages)-1
		switch {
		case strings.Contains(text, "as a subagent") && !answered:
			return practice.Reply{practice.Reasoning("I am one."), practice.Text("I look too."), practice.ToolCall("bash", map[string]any{"command": "echo sub", "description": "echo"})}
		case strings.Contains(text, "as a subagent"):
			return practice.Reply{practice.Text("The subagent's answer.")}
		}
		for name, step := range steps {
			if strings.Contains(text, "please "+name) && !answered {
				return step
			}
		}
		return practice.Reply{practice.Text("Answered.")}
	}
}

// converse holds a conversation in which the real CLI uses most of its tools. It returns the chat, the CLI's home and
// the ID of the session.
func converse(t *testing.T, w *appEnv, folder, providerID string) (chat backend.Chat, home, id string) {
	t.Helper()
	noErr(t, os.WriteFile(filepath.Join(folder, "old.txt"), []byte("one\ntwo\nthree\n"), 0o600))
	chat, err := w.App.CreateChat(folder, providerID)
	noErr(t, err)
	noErr(t, w.App.SetPermissionMode(chat.ID, backend.ModeBypass))
	data := picture(t)
	w.Engine().AddPendingImage(backend.Attachment{ContentID: "k", Mime: "image/png"}, data)
	_, err = w.App.Send(chat.ID, "please image 😀", []backend.Attachment{
		{Kind: backend.AttachmentImage, Name: "shot.png", ContentID: "k", Mime: "image/png", Size: int64(len(data))},
		{Kind: backend.AttachmentFile, Name: "old.txt", Path: filepath.Join(folder, "old.txt")},
	})
	noErr(t, err)
	turns := 0
	ended := func(state backend.TurnState) {
		t.Helper()
		w.WaitFor("a turn ends", func(e backend.Event) bool {
			return e.Turn != nil && e.Turn.State != backend.TurnRunning && e.Turn.State == state
		})
		turns++
	}
	ended(backend.TurnDone)
	seen := map[string]bool{}
	for _, step := range []struct {
		name  string
		state backend.TurnState
	}{{"work", backend.TurnDone}, {"edit", backend.TurnDone}, {"task", backend.TurnDone}, {"hang", backend.TurnStopped}, {"fail", backend.TurnFailed}, {"last", backend.TurnDone}} {
		w.Send(chat, "please "+step.name)
		if step.name == "hang" {
			w.WaitFor("it waits", func(e backend.Event) bool {
				return e.Item != nil && e.Item.Tool != nil && e.Item.Tool.Command == "sleep 60"
			})
			noErr(t, w.App.Stop(chat.ID))
		}
		w.WaitFor(step.name, func(e backend.Event) bool {
			if e.Turn == nil || e.Turn.State == backend.TurnRunning || seen[e.Turn.ID] {
				return false
			}
			if e.Turn.State == step.state && slices.Contains(w.Text(chat.ID, backend.ItemUser), "please "+step.name) && turnOf(w, chat.ID, "please "+step.name) == e.Turn.ID {
				seen[e.Turn.ID] = true
				return true
			}
			return false
		})
	}
	ids, home := sessionIDs(w)
	return chat, home, ids[backend.SessionMain]
}

// turnOf returns the ID of the turn with the given message.
func turnOf(w *appEnv, chatID, text string) (turnID string) {
	items := map[string]string{}
	for _, e := range w.Snapshot("/data/chat?id=" + chatID).Events {
		if e.Item != nil {
			items[e.Item.ID] = e.Item.TurnID
		}
		if e.Text != nil && e.Text.Text == text {
			turnID = items[e.Text.ItemID]
		}
	}
	return turnID
}

// shownRows returns the rows of a chat as the window shows them, without times and without details that a session
// doesn't contain. Consecutive messages are joined, because in a live chat only other items separate messages.
func shownRows(w *appEnv, chatID string) (rows []string) {
	w.T.Helper()
	texts, contents, states := map[string]string{}, map[string][]string{}, map[string]string{}
	var items []backend.Item
	for _, e := range w.Snapshot("/data/chat?id=" + chatID).Events {
		switch {
		case e.Item != nil && e.Item.Banner == nil && e.Item.Kind != backend.ItemNote:
			items = append(items, *e.Item)
		case e.Text != nil:
			texts[e.Text.ItemID] += e.Text.Text
		case e.Turn != nil:
			states[e.Turn.ID] = fmt.Sprintf("%s %v %+v", e.Turn.State, e.Turn.Error, *usageOf(e.Turn))
		case e.Content != nil && e.Content.Type != backend.ContentCommand && e.Content.ItemID != "":
			var body string
			w.Get("/data/content?id="+url.QueryEscape(e.Content.ID), &body)
			contents[e.Content.ItemID] = append(contents[e.Content.ItemID], fmt.Sprintf("  %s %s +%d -%d: %q", e.Content.Type, e.Content.Path, e.Content.Added, e.Content.Removed, body))
		}
	}
	slices.SortFunc(items, func(a, b backend.Item) int { return int(a.Pos - b.Pos) })
	last, turn := backend.ItemKind(""), ""
	for _, it := range items {
		if it.TurnID != turn {
			turn = it.TurnID
			rows = append(rows, "turn "+states[turn])
		}
		line := fmt.Sprintf("%s: %q", it.Kind, texts[it.ID])
		if tool := it.Tool; tool != nil {
			code := ""
			if tool.ExitCode != nil {
				code = fmt.Sprint(*tool.ExitCode)
			}
			line = fmt.Sprintf("tool: %q %s %s path %q command %q %s code %q creates %t %s", tool.Title, tool.Kind, tool.Status, tool.Path, tool.Command, tool.ResultSummary, code, tool.Creates, tool.Signal)
		}
		if it.Open {
			line += " open"
		}
		for _, a := range it.Attachments {
			if a.Kind != backend.AttachmentImage { // the CLI doesn't know the image's name
				line += " " + a.Name + " " + a.Path
			}
		}
		if it.Kind == backend.ItemMessage && last == it.Kind {
			joined := rows[len(rows)-1]
			rows[len(rows)-1] = joined[:len(joined)-1] + strings.TrimPrefix(line, `message: "`)
			continue
		}
		last = it.Kind
		slices.Sort(contents[it.ID])
		rows = append(append(rows, line), contents[it.ID]...)
	}
	return rows
}

func usageOf(turn *backend.Turn) *backend.Usage {
	if turn.Usage == nil {
		return &backend.Usage{}
	}
	return turn.Usage
}

// waitForImport waits until the session of a chat has been read. It fails the test if the import fails.
func waitForImport(w *appEnv, chatID string) {
	w.T.Helper()
	w.WaitFor("the session is read", func(e backend.Event) bool {
		if e.SessionImport != nil && e.SessionImport.ChatID == chatID && e.SessionImport.State == backend.ImportFailed {
			w.T.Fatalf("the import failed: %s", e.SessionImport.Error)
		}
		return e.SessionImport != nil && e.SessionImport.ChatID == chatID && e.SessionImport.State == backend.ImportDone
	})
}

// TestSessionImport_SameAsRecordedLive checks that a chat made from a session of the real CLI looks like the chat in
// which the conversation took place. The CLI must continue the session without a mismatch, and the model must know the
// conversation.
func TestSessionImport_SameAsRecordedLive(t *testing.T) {
	program := copilottest.Path(t)
	folder := t.TempDir()
	t.Setenv(copilot.PathVar, program)
	w := newAppEnv(t, t.TempDir())
	p, server := w.addMainAI(importScript(folder))
	live, home, id := converse(t, w, folder, p.ID)
	log := filepath.Join(home, "session-state", id, "events.jsonl")
	before, err := os.ReadFile(log)
	noErr(t, err)

	if same, err := w.App.OpenCLISession(home, id); err != nil || same.ID != live.ID {
		t.Fatalf("the session opens in chat %q, %v", same.ID, err)
	}
	var news atomic.Int32
	w.Engine().Overview.Follow(func(_ overview.State, e backend.Event) {
		if e.Turn != nil && e.Turn.ChatID != live.ID {
			news.Add(1)
		}
	})
	fork, err := w.App.ForkCLISession(home, id)
	noErr(t, err)
	waitForImport(w, fork.ID)
	if news.Load() > 0 {
		t.Errorf("%d turns of the session are reported as new", news.Load())
	}
	liveRows := shownRows(w, live.ID)
	if diff := cmp.Diff(liveRows, shownRows(w, fork.ID)); diff != "" {
		t.Errorf("rows (-live +imported):\n%s", diff)
	}
	models := 0
	for _, row := range liveRows {
		if strings.HasPrefix(row, "turn ") && strings.Contains(row, "Model:m ") {
			models++
		}
	}
	if models != 6 { // all turns but the one whose model call failed
		t.Errorf("%d turns have a model: %q", models, liveRows)
	}
	if fork.Folder != folder || fork.ProviderID != p.ID || fork.Title == "" {
		t.Errorf("the chat is %+v", fork)
	}
	if after, err := os.ReadFile(log); err != nil || string(after) != string(before) {
		t.Errorf("the session changed, %v", err)
	}

	asked := len(server.Requests())
	w.Send(fork, "please continue")
	w.WaitFor("the answer", func(e backend.Event) bool {
		return e.Turn != nil && e.Turn.ChatID == fork.ID && e.Turn.State == backend.TurnDone && e.Turn.ID == turnOf(w, fork.ID, "please continue")
	})
	for _, e := range w.Events() {
		if e.Item != nil && e.Item.ChatID == fork.ID && e.Item.Banner != nil && (e.Item.Banner.Kind == backend.BannerHistoryMismatch || e.Item.Banner.Kind == backend.BannerSessionLost) {
			t.Errorf("banner %s: %s", e.Item.Banner.Kind, e.Item.Banner.Detail)
		}
	}
	var known []string
	for _, m := range server.Requests()[asked].Messages {
		known = append(known, m.Role+" "+m.Text)
	}
	for _, want := range []string{"please image", "A dot", "please work", "so\nmany 😀", "please edit", "please last", "please continue"} {
		if !slices.ContainsFunc(known, func(text string) bool { return strings.Contains(text, want) }) {
			t.Errorf("the model doesn't know %q: %q", want, known)
		}
	}

	// Deleting the chat without its session keeps the session, which then opens in a new chat.
	w.App.SetUndoTime(0)
	noErr(t, w.App.DeleteChat(live.ID, false))
	w.WaitFor("the chat is deleted", func(e backend.Event) bool { return e.ChatDeleted != nil && e.ChatDeleted.ID == live.ID })
	again, err := w.App.OpenCLISession(home, id)
	noErr(t, err)
	waitForImport(w, again.ID)
	if again.ID == live.ID || len(w.Text(again.ID, backend.ItemUser)) != 7 {
		t.Errorf("chat %s has %q", again.ID, w.Text(again.ID, backend.ItemUser))
	}
}

// TestSessionImport_SessionOfTerminal checks that a session that the real CLI made outside VoxPilot opens as a chat and
// continues, in VoxPilot and then in a terminal. Its first turn can't be undone, because another program made the
// changes. A damaged session opens as a repaired copy.
func TestSessionImport_SessionOfTerminal(t *testing.T) {
	program := copilottest.Path(t)
	dir, folder := t.TempDir(), t.TempDir()
	t.Setenv(copilot.PathVar, program)
	w := newAppEnv(t, dir)
	p, server := w.addMainAI(importScript(folder))
	noErr(t, os.WriteFile(filepath.Join(folder, "old.txt"), []byte("one\ntwo\nthree\n"), 0o600))
	home := filepath.Join(dir, "models", p.ID)
	noErr(t, os.MkdirAll(home, 0o700))
	cmd := exec.CommandContext(t.Context(), program, "--no-auto-update", "-p", "please work", "--allow-all-tools", "--allow-all-paths")
	cmd.Dir, cmd.Env = folder, append(os.Environ(), server.Env(home)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	logs, err := filepath.Glob(filepath.Join(home, "session-state", "*", "events.jsonl"))
	noErr(t, err)
	if len(logs) != 1 {
		t.Fatalf("logs %q", logs)
	}
	log := logs[0]
	id := filepath.Base(filepath.Dir(log))
	chat, err := w.App.OpenCLISession(home, id)
	noErr(t, err)
	waitForImport(w, chat.ID)
	var tools []string
	for _, row := range shownRows(w, chat.ID) {
		if strings.HasPrefix(row, "tool: ") {
			tools = append(tools, row)
		}
	}
	if len(tools) != 7 || chat.Title == "" {
		t.Errorf("chat %q has the calls %q", chat.Title, tools)
	}
	turns, err := w.Engine().Store.TurnsOf(t.Context(), chat.ID)
	noErr(t, err)
	if _, err := w.Engine().Undo.Preview(t.Context(), turns[0].ID); !strings.Contains(backend.MessageOf(err).String(), "another program made them") {
		t.Errorf("undoing a turn of the terminal: %v", err)
	}
	asked := len(server.Requests())
	w.Send(chat, "please continue")
	w.WaitFor("the answer", func(e backend.Event) bool {
		return e.Turn != nil && e.Turn.ChatID == chat.ID && e.Turn.State == backend.TurnDone && e.Turn.ID == turnOf(w, chat.ID, "please continue")
	})
	known := fmt.Sprint(server.Requests()[asked].Messages)
	for _, want := range []string{"please work", "so\nmany 😀", "please continue"} {
		if !strings.Contains(known, want) {
			t.Errorf("the model doesn't know %q", want)
		}
	}
	for _, e := range w.Events() {
		if e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerHistoryMismatch {
			t.Errorf("banner %s", e.Item.Banner.Detail)
		}
	}

	resumeInTerminal(t, w, chat.ID, folder, program, server)

	noErr(t, w.App.DeleteChat(chat.ID, false)) // still in the trash
	text, err := os.ReadFile(log)
	noErr(t, err)
	noErr(t, os.WriteFile(log, slices.Concat([]byte("garbage\x00\xff\n"), text), 0o600))
	rescued, err := w.App.RescueCLISession(home, id)
	noErr(t, err)
	waitForImport(w, rescued.ID)
	if note := w.bannerNote(backend.BannerSessionRepaired); note != "1 damaged entry was left out." {
		t.Errorf("the banner says %q", note)
	}
	w.Send(rescued, "please last")
	w.WaitFor("the answer", func(e backend.Event) bool {
		return e.Turn != nil && e.Turn.ChatID == rescued.ID && e.Turn.State == backend.TurnDone && e.Turn.ID == turnOf(w, rescued.ID, "please last")
	})

	for _, c := range [][2]string{{home, "../../x"}, {home, "0cd2575d-d593-4ec5-bc0e-fc0862cc248f"}, {t.TempDir(), id}, {"relative", id}} {
		if _, err := w.App.OpenCLISession(c[0], c[1]); backend.CodeOf(err) != backend.CodeNotFound {
			t.Errorf("opening %q: %v", c, err)
		}
	}
}

// resumeInTerminal runs, in a shell, the command that continues a chat's session, and checks that the model then knows
// the conversation.
func resumeInTerminal(t *testing.T, w *appEnv, chatID, folder, program string, server *practice.Server) {
	t.Helper()
	command, err := w.App.ResumeCommand(chatID)
	noErr(t, err)
	bin := t.TempDir()
	noErr(t, os.Symlink(program, filepath.Join(bin, "copilot")))
	shell := exec.CommandContext(t.Context(), "sh", "-c", command+" --no-auto-update -p 'please last' --allow-all-tools")
	shell.Dir, shell.Env = folder, append(append(os.Environ(), server.Env(t.TempDir())...), "PATH="+bin+":"+os.Getenv("PATH"))
	asked := len(server.Requests())
	if out, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", command, err, out)
	}
	known := fmt.Sprint(server.Requests()[asked].Messages)
	if !strings.Contains(known, "please work") || !strings.Contains(known, "please continue") {
		t.Errorf("%s: the model knows only %.1000s", command, known)
	}
	if _, err := w.App.ResumeCommand("no chat"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("a chat without a session: %v", err)
	}
}
