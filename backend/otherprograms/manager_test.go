package otherprograms_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/otherprograms"
)

// app is the part of the app that a Manager needs. It stores the rows in memory.
type app struct {
	*otherprograms.Manager
	t      *testing.T
	home   string
	dir    string
	ended  chan backend.SessionImport
	commit func([]backend.Event) error // nil: commits succeed

	mu      sync.Mutex
	chats   map[string]backend.Chat
	rows    map[string]string // by ID
	order   []string          // IDs of items
	deleted []string
}

func newApp(t *testing.T, home string) *app {
	a := &app{t: t, home: home, dir: t.TempDir(), ended: make(chan backend.SessionImport, 100), chats: map[string]backend.Chat{}, rows: map[string]string{}}
	a.start()
	return a
}

// start starts a Manager with the rows and records so far.
func (a *app) start() {
	a.Manager = otherprograms.New(otherprograms.Config{
		Dir: filepath.Join(a.dir, "conversations"), Log: slog.New(slog.DiscardHandler),
		Programs: func() map[backend.OtherProgram]otherprograms.Program { return programs(a.home) },
		Create: func(_ context.Context, folder, title string, eventsFor func(backend.Chat) ([]backend.Event, error)) (backend.Chat, error) {
			a.mu.Lock()
			chat := backend.Chat{ID: fmt.Sprintf("chat%d", len(a.chats)), Folder: folder, Title: title}
			a.chats[chat.ID] = chat
			a.mu.Unlock()
			events, err := eventsFor(chat)
			a.apply(events)
			return chat, err
		},
		Chat: func(id string) (backend.Chat, error) {
			a.mu.Lock()
			defer a.mu.Unlock()
			if chat, is := a.chats[id]; is {
				return chat, nil
			}
			return backend.Chat{}, errors.New("no such chat")
		},
		Change: func(_ context.Context, id string, change func(*backend.Chat), with ...backend.Event) error {
			a.mu.Lock()
			chat := a.chats[id]
			change(&chat)
			a.chats[id] = chat
			a.mu.Unlock()
			a.apply(with)
			return nil
		},
		Hold: func(string) (func(), error) { return func() {}, nil },
		Delete: func(chat backend.Chat) {
			a.mu.Lock()
			delete(a.chats, chat.ID)
			a.deleted = append(a.deleted, chat.ID)
			a.mu.Unlock()
			a.Forget(chat.ID)
		},
		Commit: func(_ context.Context, events ...backend.Event) error {
			if a.commit != nil {
				if err := a.commit(events); err != nil {
					return err
				}
			}
			a.apply(events)
			return nil
		},
		Publish: func(events ...backend.Event) {
			for _, e := range events {
				if e.SessionImport.State != backend.ImportReading {
					a.ended <- *e.SessionImport
				}
			}
		},
	})
	noErr(a.t, a.Start())
	a.t.Cleanup(a.Close)
}

func (a *app) apply(events []backend.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	put := func(id, row string) {
		a.rows[id] = row
	}
	for _, e := range events {
		switch {
		case e.Turn != nil:
			put(e.Turn.ID, fmt.Sprintf("turn %s %+v", e.Turn.State, e.Turn.Usage))
		case e.Item != nil:
			row := string(e.Item.Kind)
			if t := e.Item.Tool; t != nil {
				row += fmt.Sprintf(" %s %s %q %s", t.Kind, t.Status, t.Title, t.Command)
				if t.ExitCode != nil {
					row += fmt.Sprintf(" exit %d", *t.ExitCode)
				}
				if t.Creates {
					row += " creates"
				}
			}
			if b := e.Item.Banner; b != nil {
				row += fmt.Sprintf(" %s %s: %s %s", b.Kind, b.From, b.Detail, b.Note)
			}
			for _, with := range e.Item.Attachments {
				row += fmt.Sprintf(" [%s %s]", with.Kind, with.Name)
			}
			if _, is := a.rows[e.Item.ID]; !is {
				a.order = append(a.order, e.Item.ID)
			}
			put(e.Item.ID, row)
		case e.Text != nil:
			put(e.Text.ItemID+" text", e.Text.Text)
		case e.Content != nil:
			put(e.Content.ID, fmt.Sprintf("%s %s +%d -%d %d bytes", e.Content.Type, filepath.ToSlash(e.Content.Path), e.Content.Added, e.Content.Removed, len(e.Content.Body)))
			put(e.Content.ItemID+" "+e.Content.ID, e.Content.ID)
		case e.Session != nil:
			put("session", fmt.Sprintf("%s %s %v", e.Session.State, e.Session.ReplacesID, e.Session.HadPrompt))
		}
	}
}

// transcript returns the items in order, with their texts and contents.
func (a *app) transcript() (lines []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, id := range a.order {
		line := a.rows[id]
		if text, is := a.rows[id+" text"]; is {
			line += ": " + text
		}
		var contents []string
		for key := range a.rows {
			if of, content, is := strings.Cut(key, " "); is && of == id && content != "text" {
				contents = append(contents, a.rows[content])
			}
		}
		for _, kind := range []string{"command", "diff", "terminal", "text", "image"} {
			for _, c := range contents {
				if strings.HasPrefix(c, kind) {
					line += " | " + c
				}
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// open opens the only conversation of a program, and waits until it is read.
func (a *app) open(p backend.OtherProgram) (backend.Chat, backend.SessionImport) {
	a.t.Helper()
	chat, err := a.Open(a.t.Context(), p, list(a.t, a.home, p)[0].ID)
	noErr(a.t, err)
	return chat, <-a.ended
}

// TestManager_RowsOfConversation checks the rows of a conversation. It also checks that opening the conversation again,
// even after a restart, returns the same chat, and that the list names this chat.
func TestManager_RowsOfConversation(t *testing.T) {
	a := newApp(t, newHome(t))
	chat, ended := a.open(backend.ProgramClaudeCode)
	if ended.State != backend.ImportDone || ended.ChatID != chat.ID || chat.Folder != "/home/ada/shop" {
		t.Errorf("chat %+v: %+v", chat, ended)
	}
	want := []string{
		"banner imported Claude Code: 5 messages ",
		"user: The first prompt, please", "thought: Look at it.", "message: Let me look.",
		`tool execute completed "Print lines" printf "one\ntwo\n"; cat a.txt | terminal  +0 -0 13 bytes`,
		`tool read completed "Read a.txt"  | text  +0 -0 10 bytes`,
		`tool edit completed "Edit a.txt"  | diff /home/ada/shop/a.txt +1 -1 86 bytes`,
		`tool edit completed "Write b.txt"  creates | diff /home/ada/shop/b.txt +1 -0 58 bytes`,
		`tool execute failed "Fail" echo oops >&2; exit 3 exit 3 | terminal  +0 -0 4 bytes`,
		"plan", `tool other failed "TodoWrite"  | text  +0 -0 167 bytes`, `tool search failed "Search hello" hello | text  +0 -0 171 bytes`,
		"message: I changed a.txt. 😀", "user [image image]: The second prompt with a picture | image  +0 -0 75 bytes", "message: Second answer.",
	}
	if diff := cmp.Diff(want, a.transcript()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if a.rows["session"] != "lost none false" {
		t.Errorf("session %q", a.rows["session"])
	}
	a.Close()
	a.start()
	if again, err := a.Open(t.Context(), backend.ProgramClaudeCode, ended.ConversationID); err != nil || again.ID != chat.ID {
		t.Errorf("opened again, the chat is %q, not %q: %v", again.ID, chat.ID, err)
	}
	answer, err := a.List(t.Context())
	noErr(t, err)
	known := 0
	for _, c := range answer.Conversations {
		if c.ChatID != "" {
			known++
		}
	}
	if len(answer.Conversations) != 5 || known != 1 || len(answer.Programs) != 4 || answer.Programs[0].Name != "Claude Code" || !answer.Conversations[0].FolderMissing {
		t.Errorf("the list is %+v", answer)
	}
	if _, err := a.Open(t.Context(), backend.ProgramCodex, "../../etc/passwd"); err == nil {
		t.Error("an unknown ID was opened")
	}
	if _, err := a.Open(t.Context(), "nothing", "x"); err == nil {
		t.Error("an unknown program was opened")
	}
}

// TestManager_FailureAndRetry checks that a chat can't be written to after a failure, and that opening the conversation
// again gives the same rows as an attempt without a failure.
func TestManager_FailureAndRetry(t *testing.T) {
	home := newHome(t)
	reference := newApp(t, home)
	_, _ = reference.open(backend.ProgramCodex)
	a := newApp(t, home)
	a.commit = func([]backend.Event) error { return errors.New("the disk is full") }
	chat, ended := a.open(backend.ProgramCodex)
	if ended.State != backend.ImportFailed || ended.Error.String() == "" || ended.Program != backend.ProgramCodex {
		t.Errorf("got %+v", ended)
	}
	if err := a.Writable(chat.ID); err == nil {
		t.Error("the chat can be written to")
	}
	a.commit = nil
	again, ended := a.open(backend.ProgramCodex)
	if again.ID != chat.ID || ended.State != backend.ImportDone {
		t.Errorf("chat %s, %+v", again.ID, ended)
	}
	if err := a.Writable(chat.ID); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(reference.rows, a.rows); diff != "" {
		t.Errorf("the rows differ (-want +got):\n%s", diff)
	}
}

// TestManager_Cancel checks that canceling deletes the chat unless the whole conversation has already been read into
// it.
func TestManager_Cancel(t *testing.T) {
	a := newApp(t, newHome(t))
	waiting, leave := make(chan bool), make(chan bool)
	a.commit = func([]backend.Event) error {
		close(waiting)
		<-leave
		return errors.New("canceled")
	}
	id := list(t, a.home, backend.ProgramVSCode)[0].ID
	var wait sync.WaitGroup
	chats := make([]backend.Chat, 4)
	for i := range chats {
		wait.Go(func() { chats[i], _ = a.Open(t.Context(), backend.ProgramVSCode, id) })
	}
	wait.Wait()
	for _, c := range chats {
		if c.ID != "chat0" {
			t.Errorf("opened at the same time, the chats are %+v", chats)
		}
	}
	<-waiting
	if err := a.Writable("chat0"); err == nil {
		t.Error("the chat can be written to")
	}
	go func() { close(leave) }()
	if is, err := a.Cancel("chat0"); !is || err != nil {
		t.Errorf("got %t, %v", is, err)
	}
	if fmt.Sprint(a.deleted) != "[chat0]" {
		t.Errorf("deleted are %v", a.deleted)
	}
	if left, _ := os.ReadDir(filepath.Join(a.dir, "conversations")); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
	a.commit = nil
	chat, _ := a.open(backend.ProgramVSCode)
	if is, err := a.Cancel(chat.ID); !is || err == nil {
		t.Errorf("after the end: got %t, %v", is, err)
	}
	if is, err := a.Cancel("another"); is || err != nil {
		t.Errorf("another chat: got %t, %v", is, err)
	}
}

// TestManager_StartDeletesHalfChats checks that the next start deletes a chat whose conversation wasn't read to its end,
// and ignores damaged records.
func TestManager_StartDeletesHalfChats(t *testing.T) {
	a := newApp(t, newHome(t))
	done, _ := a.open(backend.ProgramOpencode)
	a.commit = func([]backend.Event) error { return errors.New("killed") }
	half, _ := a.open(backend.ProgramCodex)
	a.Close()
	noErr(t, os.WriteFile(filepath.Join(a.dir, "conversations", "damaged.json"), []byte("{"), 0o600))
	a.start()
	a.Close() // waits for the deletion
	if fmt.Sprint(a.deleted) != "["+half.ID+"]" {
		t.Errorf("deleted are %v", a.deleted)
	}
	left, err := os.ReadDir(filepath.Join(a.dir, "conversations"))
	if noErr(t, err); len(left) != 1 || left[0].Name() != done.ID+".json" {
		t.Errorf("the records are %v", left)
	}
}
