package assistant_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

// activityLines returns the subtitles that the chat had while it was running, in order.
func (w *env) activityLines(chatID string) (lines []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.events {
		if e.Chat == nil || e.Chat.ID != chatID || e.Chat.TurnState != backend.TurnRunning {
			continue
		}
		if n := len(lines); n == 0 || lines[n-1] != e.Chat.Detail.String() {
			lines = append(lines, e.Chat.Detail.String())
		}
	}
	return lines
}

func toolEvent(chat backend.Chat, id string, tool backend.Tool, open bool) backend.Event {
	return backend.Event{Item: &backend.Item{ID: id, ChatID: chat.ID, Kind: backend.ItemTool, Tool: &tool, Open: open}}
}

func TestActivity_CurrentLineInChatRow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newEnv(t, assistant.Config{})
		chat := w.create()
		w.send(chat, "go")
		runs := <-w.prompts
		build := backend.Tool{Kind: backend.ToolExecute, Title: "Build it", Command: "go build ./..."}
		edit := backend.Tool{Kind: backend.ToolEdit, Title: "Edit /x/main.go", Path: "/x/main.go"}
		search := backend.Tool{Kind: backend.ToolSearch, Title: "Looking around", Command: "TODO"}
		ask := backend.Permission{ID: "p", ChatID: chat.ID, State: backend.PermissionOpen}
		answered := ask
		answered.State = backend.PermissionDecided
		for _, e := range []backend.Event{
			{Item: &backend.Item{ID: "t", ChatID: chat.ID, Kind: backend.ItemThought, Open: true}},
			{Item: &backend.Item{ID: "t", ChatID: chat.ID, Kind: backend.ItemThought}},
			{Item: &backend.Item{ID: "m", ChatID: chat.ID, Kind: backend.ItemMessage, Open: true}},
			toolEvent(chat, "1", build, true),
			{Item: &backend.Item{ID: "m", ChatID: chat.ID, Kind: backend.ItemMessage}},
			toolEvent(chat, "2", edit, true),
			{Permission: &ask},
			{Permission: &answered},
			toolEvent(chat, "2", edit, false), // and the build continues
			toolEvent(chat, "1", build, false),
			toolEvent(chat, "3", search, true),
		} {
			var asks []backend.Permission
			if e.Permission != nil && e.Permission.State == backend.PermissionOpen {
				asks = append(asks, *e.Permission)
			}
			w.chats.Observe(e, asks)
			time.Sleep(time.Second)
		}
		runs.end <- backend.TurnDone
		<-w.turns
		synctest.Wait()
		want := []string{
			"", "Thinking…", "", "Writing…", "Running go build ./...", "Editing main.go", "Waiting for you", "Editing main.go",
			"Running go build ./...", "", "Searching for TODO",
		}
		if diff := cmp.Diff(want, w.activityLines(chat.ID)); diff != "" {
			t.Errorf("the lines (-want +got):\n%s", diff)
		}
		if now, _ := w.chats.Get(chat.ID); now.Detail.String() != "Finished." || now.TurnState != backend.TurnDone {
			t.Errorf("when it has ended, the row says %q", now.Detail)
		}
		w.chats.Observe(toolEvent(chat, "late", build, true), nil)
		time.Sleep(time.Second)
		synctest.Wait()
		if now, _ := w.chats.Get(chat.ID); now.Detail.String() != "Finished." {
			t.Errorf("a chat at rest says %q", now.Detail)
		}
		w.send(chat, "go on")
		again := <-w.prompts
		w.chats.Observe(backend.Event{Item: &backend.Item{ID: "t", ChatID: chat.ID, Kind: backend.ItemThought, Open: true}}, nil)
		time.Sleep(time.Second)
		if now, _ := w.chats.Get(chat.ID); now.Detail.String() != "Thinking…" {
			t.Errorf("what was heard of at rest is taken for new work: %q", now.Detail)
		}
		again.end <- backend.TurnDone
		<-w.turns
	})
}

func TestActivity_UpdatesAreThrottled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newEnv(t, assistant.Config{})
		chat := w.create()
		w.send(chat, "go")
		runs := <-w.prompts
		for i := range 10_000 { // over ten seconds
			tool := backend.Tool{Kind: backend.ToolRead, Path: fmt.Sprintf("/x/%d.go", i)}
			w.chats.Observe(toolEvent(chat, fmt.Sprint(i), tool, true), nil)
			w.chats.Observe(toolEvent(chat, fmt.Sprint(i-1), tool, false), nil)
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Second)
		lines := w.activityLines(chat.ID)
		if len(lines) > 30 || lines[len(lines)-1] != "Reading 9999.go" {
			t.Errorf("%d lines, and the last is %q", len(lines), lines[len(lines)-1])
		}
		runs.end <- backend.TurnDone
		<-w.turns
	})
}

func TestActivity_RunsWhileSessionRuns(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	worked := make(chan backend.Block, 1)
	go func() {
		block, err := w.chats.Delegate(context.Background(), assistant.Delegation{ChatID: chat.ID, SessionName: "tests", Prompt: "x"})
		if err != nil {
			t.Error(err)
		}
		worked <- block
	}()
	work := <-w.prompts
	state := func(want backend.TurnState) {
		t.Helper()
		if now, err := w.chats.Get(chat.ID); err != nil || now.TurnState != want {
			t.Errorf("the chat is %q, want %q", now.TurnState, want)
		}
	}
	state(backend.TurnRunning)
	w.send(chat, "go") // sent at once: main is free
	main := <-w.prompts
	main.end <- backend.TurnDone
	<-w.turns
	state(backend.TurnRunning)
	work.end <- backend.TurnDone
	<-worked
	<-w.turns
	state(backend.TurnDone)
}

func TestActivity_FinishedRowCountsChangedFiles(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	w.failure = &backend.Error{Code: backend.CodeAgent, Message: backend.Plain("It failed.")}
	chat := w.create()
	ends := func(p prompt, as backend.TurnState, files ...string) {
		t.Helper()
		w.summary = backend.TurnSummary{}
		for _, path := range files {
			w.summary.Files = append(w.summary.Files, backend.FileChange{Path: path, Added: 1})
		}
		p.end <- as
		<-w.turns
	}
	says := func(want string) {
		t.Helper()
		if now, err := w.chats.Get(chat.ID); err != nil || now.Detail.String() != want {
			t.Errorf("the row says %q, want %q; %v", now.Detail, want, err)
		}
	}
	// An orchestrator changes nothing itself; its delegated sessions do.
	main := w.sendAndWait(chat)
	for name, files := range map[string][]string{"auth": {"a", "b"}, "log": {"b", "c"}} {
		given := w.delegate(chat, main.turn.ID, name, "x")
		ends(given.prompt, backend.TurnDone, files...)
		<-given.block
		says("")
	}
	ends(main, backend.TurnDone)
	says("Finished. 3 files changed")
	ends(w.sendAndWait(chat), backend.TurnDone)
	says("Finished.")
	ends(w.sendAndWait(chat), backend.TurnFailed, "a")
	says("It failed.")
	ends(w.sendAndWait(chat), backend.TurnDone, "a")
	says("Finished. 1 file changed")
	ends(w.sendAndWait(chat), backend.TurnStopped, "a")
	says("")
	given := w.delegate(chat, "", "auth", "x") // from the user
	ends(given.prompt, backend.TurnDone, "a", "b")
	<-given.block
	says("Finished. 2 files changed")
}
