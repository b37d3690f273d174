package store_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

func TestChanges_SuccessfulStepsInOrder(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}}, backend.Event{Chat: &backend.Chat{ID: "other"}})
	tool := func(id, session string, ended backend.Millis, tool backend.Tool) backend.Event {
		return backend.Event{Item: &backend.Item{ID: id, ChatID: "chat", Session: session, Kind: backend.ItemTool, EndedAt: ended, Tool: &tool}}
	}
	diff := func(id, item, path, body string, added, removed int) backend.Event {
		return backend.Event{Content: &backend.Content{
			ID: id, ItemID: item, ChatID: "chat", Type: backend.ContentDiff, Path: path, Size: int64(len(body)), Added: added, Removed: removed, Body: []byte(body),
		}}
	}
	const made = "--- /dev/null\n+++ /w/ä\n@@ -0,0 +1 @@\n+a\n"
	const gone = "--- /w/ä\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
	const like = "--- /w/b\n+++ /w/b\n@@ -1 +1 @@\n--- /dev/null\n+++ /dev/null\n"
	apply(t, s,
		tool("later", "main", 300, backend.Tool{Kind: backend.ToolEdit, Status: backend.ToolCompleted, Path: "/w/ä"}),
		diff("gone", "later", "/w/ä", gone, 0, 1),
		tool("earlier", "helper", 100, backend.Tool{Kind: backend.ToolEdit, Status: backend.ToolCompleted, Path: "/w/ä", Decision: backend.DecisionAutoAllowed}),
		diff("made", "earlier", "/w/ä", made, 1, 0),
		diff("like", "earlier", "/w/b", like, 1, 1),
		tool("moved", "main", 400, backend.Tool{Kind: backend.ToolMove, Status: backend.ToolCompleted, Path: "/w/b", To: "/w/c"}),
		tool("read", "main", 401, backend.Tool{Kind: backend.ToolRead, Status: backend.ToolCompleted, Path: "/w/b"}),
		tool("failed", "main", 402, backend.Tool{Kind: backend.ToolEdit, Status: backend.ToolFailed, Path: "/w/b"}),
		tool("rejected", "main", 403, backend.Tool{Kind: backend.ToolEdit, Status: backend.ToolCompleted, Path: "/w/b", Decision: backend.DecisionRejected}),
		backend.Event{Item: &backend.Item{ID: "elsewhere", ChatID: "other", Kind: backend.ItemTool, Tool: &backend.Tool{Kind: backend.ToolDelete, Status: backend.ToolCompleted, Path: "/w/b"}}},
	)
	want := []store.FileEdit{
		{ItemID: "earlier", Session: "helper", Kind: backend.ToolEdit, Path: "/w/ä", ContentID: "made", Size: int64(len(made)), Added: 1, Creates: true, At: 100},
		{ItemID: "earlier", Session: "helper", Kind: backend.ToolEdit, Path: "/w/b", ContentID: "like", Size: int64(len(like)), Added: 1, Removed: 1, At: 100},
		{ItemID: "later", Session: "main", Kind: backend.ToolEdit, Path: "/w/ä", ContentID: "gone", Size: int64(len(gone)), Removed: 1, Deletes: true, At: 300},
		{ItemID: "moved", Session: "main", Kind: backend.ToolMove, Path: "/w/b", To: "/w/c", At: 400},
	}
	for session, want := range map[string][]store.FileEdit{"": want, "helper": want[:2], "main": want[2:], "nobody": nil} {
		got, err := s.FileEdits(context.Background(), "chat", session)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("of session %q (-want +got), %v:\n%s", session, err, diff)
		}
	}
}

func TestCommands_NewestFirstWithOutput(t *testing.T) {
	s := openStore(t, t.TempDir())
	zero := 0
	run := func(id, command string, started backend.Millis, tool backend.Tool) backend.Event {
		tool.Kind, tool.Command = backend.ToolExecute, command
		return backend.Event{Item: &backend.Item{ID: id, ChatID: "chat", Session: "main", Kind: backend.ItemTool, CreatedAt: started, Tool: &tool}}
	}
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}},
		run("one", "make", 100, backend.Tool{Status: backend.ToolCompleted, ExitCode: &zero}),
		backend.Event{Content: &backend.Content{ID: "whole", ItemID: "one", ChatID: "chat", Type: backend.ContentCommand, Size: 4, Body: []byte("make")}},
		backend.Event{Content: &backend.Content{ID: "output", ItemID: "one", ChatID: "chat", Type: backend.ContentTerminal, Size: 6, Lines: 2, Body: []byte("a\nb\nc\n")}},
		run("two", "sleep 9", 200, backend.Tool{Status: backend.ToolInProgress}),
		run("no", "git push", 200, backend.Tool{Status: backend.ToolFailed, Decision: backend.DecisionRejected}),
		run("cut", "git push", 200, backend.Tool{Status: backend.ToolFailed, Decision: backend.DecisionClosed}),
		backend.Event{Item: &backend.Item{ID: "edit", ChatID: "chat", Kind: backend.ItemTool, Tool: &backend.Tool{Kind: backend.ToolEdit, Status: backend.ToolCompleted}}},
	)
	want := []store.Command{
		{ItemID: "two", Session: "main", Command: "sleep 9", Status: backend.ToolInProgress, StartedAt: 200},
		{ItemID: "one", Session: "main", Command: "make", Status: backend.ToolCompleted, ExitCode: &zero, ContentID: "output", Size: 6, Lines: 2, StartedAt: 100},
	}
	for limit, want := range map[int][]store.Command{200: want, 1: want[:1]} {
		got, err := s.Commands(context.Background(), "chat", store.Period{}, limit)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("the last %d (-want +got), %v:\n%s", limit, err, diff)
		}
	}
	for during, want := range map[store.Period]string{{From: 101}: "two", {To: 199}: "one", {From: 100, To: 100}: "one"} {
		if got, err := s.Commands(context.Background(), "chat", during, 200); err != nil || len(got) != 1 || got[0].ItemID != want {
			t.Errorf("in %v: %+v, %v, want %q", during, got, err, want)
		}
	}
	if got, err := s.Commands(context.Background(), "nobody", store.Period{}, 200); got == nil || len(got) != 0 || err != nil {
		t.Errorf("of no chat: %+v, %v", got, err)
	}
}

func TestTranscript_ListsItsFiles(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}}, backend.Event{Chat: &backend.Chat{ID: "other"}},
		backend.Event{Item: &backend.Item{ID: "tool", ChatID: "chat", Kind: backend.ItemTool, Tool: &backend.Tool{Kind: backend.ToolMove, Path: "/from", To: "/to"}}},
		backend.Event{Content: &backend.Content{ID: "diff", ItemID: "tool", ChatID: "chat", Type: backend.ContentDiff, Path: "/diff"}},
		backend.Event{Item: &backend.Item{ID: "user", ChatID: "chat", Kind: backend.ItemUser, Attachments: []backend.Attachment{{Path: "/one"}, {Path: "/two"}}}},
	)
	for path, want := range map[string]bool{"/from": true, "/to": true, "/diff": true, "/one": true, "/two": true, "/": false, "": false, "/tw": false} {
		for chat, want := range map[string]bool{"chat": want, "other": false} {
			if got, err := s.Names(context.Background(), chat, path); got != want || err != nil {
				t.Errorf("%s names %q: %v, %v", chat, path, got, err)
			}
		}
	}
}
