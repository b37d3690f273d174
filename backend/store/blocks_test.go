package store_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// addDelegation returns the events that the app commits for a delegated task.
func addDelegation(turn backend.Turn, caller, prompt string) []backend.Event {
	turn.ChatID, turn.BlockID = "chat", "block of "+turn.ID
	begin := prompt[:min(len(prompt), backend.MaxBlockPrompt)]
	events := []backend.Event{
		{Turn: &turn},
		{Item: &backend.Item{
			ID: turn.BlockID, ChatID: "chat", TurnID: caller, Session: turn.Session, Kind: backend.ItemBlock, Open: turn.State == backend.TurnRunning,
			CreatedAt: turn.StartedAt, EndedAt: turn.EndedAt, Block: &backend.Block{SessionName: turn.Session, TurnID: turn.ID, Prompt: begin},
		}},
	}
	if begin != prompt {
		events = append(events, backend.Event{Content: &backend.Content{
			ID: "prompt of " + turn.ID, ItemID: turn.BlockID, ChatID: "chat", Type: backend.ContentText, Version: 1, Body: []byte(prompt),
		}})
	}
	return events
}

// delegatedItem returns the event for an item of a delegated task.
func delegatedItem(id, session, turn string, item backend.Item) backend.Event {
	item.ID, item.ChatID, item.Session, item.TurnID, item.ParentID = id, "chat", session, turn, "block of "+turn
	return backend.Event{Item: &item}
}

func TestRecover_InterruptsBlockOfCrashedApp(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", TurnState: backend.TurnRunning}})
	apply(t, s, promptEvents(backend.Turn{ID: "caller", State: backend.TurnRunning, StartedAt: 100, SentAt: 101}, "m1", "one")...)
	apply(t, s, addDelegation(backend.Turn{ID: "done", Session: "first", State: backend.TurnDone, StartedAt: 110, SentAt: 111, EndedAt: 150}, "caller", "look")...)
	apply(t, s, addDelegation(backend.Turn{ID: "sent", Session: "second", State: backend.TurnRunning, StartedAt: 120, SentAt: 121}, "caller", "edit")...)
	apply(t, s, delegatedItem("tool", "second", "sent", backend.Item{Kind: backend.ItemTool, Open: true, Tool: &backend.Tool{CallID: "c", Status: backend.ToolInProgress}}))
	apply(t, s, addDelegation(backend.Turn{ID: "waits", Session: "second", State: backend.TurnRunning, StartedAt: 130}, "caller", "then this")...)
	closeStore(t, s)
	s = openStore(t, dir)
	now := newest(appEvents(t, s))
	if chat := now["Chat chat"].Chat; chat.TurnState != backend.TurnInterrupted {
		t.Errorf("the chat is %+v", chat)
	}
	events, _ := chatEvents(t, s, "chat", 10)
	now = newest(events)
	var got []string
	for _, id := range []string{"caller", "done", "sent", "waits"} {
		got = append(got, fmt.Sprint(id, " ", now["Turn "+id].Turn.State))
		if block := now["Item block of "+id].Item; block != nil && (block.Open || block.EndedAt == 0) {
			t.Errorf("the block of %s is open: %+v", id, block)
		}
	}
	if diff := cmp.Diff([]string{"caller interrupted", "done done", "sent interrupted", "waits interrupted"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if tool := now["Item tool"].Item; tool.Open || tool.Tool.Status != backend.ToolCancelled || tool.ParentID != "block of sent" {
		t.Errorf("the call in the block is %+v %+v", tool, tool.Tool)
	}
}

func TestPage_IncludesBlockItems(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}})
	for i := range 3 {
		caller := fmt.Sprint("caller", i)
		apply(t, s, promptEvents(backend.Turn{ID: caller, State: backend.TurnDone, StartedAt: 100}, fmt.Sprint("m", i), "one")...)
		work := fmt.Sprint("work", i)
		apply(t, s, addDelegation(backend.Turn{ID: work, Session: "auth", State: backend.TurnDone, StartedAt: 110, EndedAt: 120}, caller, "edit")...)
		apply(t, s, delegatedItem("answer"+work, "auth", work, backend.Item{Kind: backend.ItemMessage}),
			backend.Event{Text: &backend.Text{ItemID: "answer" + work, ChatID: "chat", Text: "did " + work}})
	}
	events, before := chatEvents(t, s, "chat", 2) // last message and its block
	for i := 2; ; i-- {
		now := newest(events)
		for _, about := range []string{"Turn work%d", "Item block of work%d", "Item answerwork%d", "Text answerwork%d"} {
			if _, ok := now[fmt.Sprintf(about, i)]; !ok {
				t.Errorf("page %d is without "+about, i, i)
			}
		}
		if before == 0 {
			if i != 0 {
				t.Errorf("the pages end at %d", i)
			}
			break
		}
		if err := s.Read(context.Background(), func(v *store.ReadTx) (err error) {
			events, before, err = v.Items(context.Background(), "chat", before, 2)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestHistory_SessionHasDelegatedTasks(t *testing.T) {
	s := openStore(t, t.TempDir())
	long := strings.Repeat("lang 🙂 ", 40_000)
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}}, backend.Event{Session: &backend.Session{ChatID: "chat", Name: "auth", CreatedAt: 50}})
	for i, prompt := range []string{"short", long} {
		turn := fmt.Sprint("work", i)
		apply(t, s, addDelegation(backend.Turn{ID: turn, Session: "auth", State: backend.TurnDone, StartedAt: 100, SentAt: 101, EndedAt: 102}, "caller", prompt)...)
		apply(t, s, delegatedItem("said"+turn, "auth", turn, backend.Item{Kind: backend.ItemMessage}),
			backend.Event{Text: &backend.Text{ItemID: "said" + turn, ChatID: "chat", Text: "did " + turn}})
	}
	past, err := s.History(context.Background(), "chat", "auth")
	want := []store.Exchange{{Prompt: "short", Answer: "did work0", State: backend.TurnDone}, {Prompt: long, Answer: "did work1", State: backend.TurnDone}}
	if diff := cmp.Diff(want, past); diff != "" || err != nil {
		t.Errorf("(-want +got), %v:\n%.2000s", err, diff)
	}
}

func TestRecap_MainIncludesSessionTasks(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}})
	apply(t, s, promptEvents(backend.Turn{ID: "caller", State: backend.TurnDone, StartedAt: 100, SentAt: 101}, "m1", "one")...)
	for _, name := range []string{"auth", "logger", "closed"} {
		if name != "closed" {
			apply(t, s, backend.Event{Session: &backend.Session{ChatID: "chat", Name: name, CreatedAt: 50}})
		}
		for i := range 2 {
			turn := fmt.Sprint(name, i)
			apply(t, s, addDelegation(backend.Turn{ID: turn, Session: name, State: backend.TurnDone, StartedAt: backend.Millis(110 + i), SentAt: 111, EndedAt: 112}, "caller", "do "+turn)...)
			apply(t, s, delegatedItem("edit "+turn, name, turn, backend.Item{Kind: backend.ItemTool, Tool: &backend.Tool{Kind: backend.ToolEdit, Status: backend.ToolCompleted}}))
		}
	}
	items := func(session string) (got []string) {
		events, err := s.Recap(context.Background(), "chat", session)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if e.Item != nil {
				got = append(got, e.Item.ID)
			}
			if e.Text != nil {
				got = append(got, "text "+e.Text.Text)
			}
		}
		return got
	}
	want := []string{
		"m1", "text one", "block of logger1", "block of auth1",
		"edit auth0", "edit auth1", "edit logger0", "edit logger1", "edit closed0", "edit closed1",
	}
	if diff := cmp.Diff(want, items("main")); diff != "" {
		t.Errorf("of main (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"block of auth1", "text do auth1", "edit auth0", "edit auth1"}, items("auth")); diff != "" {
		t.Errorf("of a session (-want +got):\n%s", diff)
	}
}

func TestHistory_FollowsRenameNotClose(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}}, backend.Event{Chat: &backend.Chat{ID: "other"}},
		backend.Event{Session: &backend.Session{ChatID: "chat", Name: "auth", ACPID: "acp", CreatedAt: 50}},
		backend.Event{Session: &backend.Session{ChatID: "other", Name: "auth", ACPID: "not this", CreatedAt: 50}})
	apply(t, s, addDelegation(backend.Turn{ID: "work", Session: "auth", State: backend.TurnDone, StartedAt: 100, SentAt: 101, EndedAt: 102}, "caller", "edit")...)
	apply(t, s, delegatedItem("said", "auth", "work", backend.Item{Kind: backend.ItemMessage}),
		backend.Event{Text: &backend.Text{ItemID: "said", ChatID: "chat", Text: "did it"}},
		backend.Event{Item: &backend.Item{ID: "banner", ChatID: "chat", Session: "auth", Kind: backend.ItemBanner, Banner: &backend.Banner{Kind: backend.BannerResumed, Session: "auth"}}},
		backend.Event{Permission: &backend.Permission{ID: "asked", ChatID: "chat", Session: "auth", State: backend.PermissionOpen}})
	apply(t, s, backend.Event{SessionRenamed: &backend.SessionRenamed{ChatID: "chat", Session: "auth", To: "login"}})
	past, err := s.History(context.Background(), "chat", "login")
	if diff := cmp.Diff([]store.Exchange{{Prompt: "edit", Answer: "did it", State: backend.TurnDone}}, past); diff != "" || err != nil {
		t.Errorf("(-want +got), %v:\n%s", err, diff)
	}
	events, _ := chatEvents(t, s, "chat", 10)
	now := newest(events)
	for about, name := range map[string]string{
		"the turn": now["Turn work"].Turn.Session, "the block": now["Item block of work"].Item.Session + "/login", "its header": now["Item block of work"].Item.Block.SessionName,
		"the banner": now["Item banner"].Item.Banner.Session, "the request": now["Permission asked"].Permission.Session,
	} {
		if strings.TrimSuffix(name, "/login") != "login" {
			t.Errorf("%s is of %q", about, name)
		}
	}
	if got := column(t, sqlite(t, dir), "SELECT chat_id || ' ' || name || ' ' || acp_id FROM acp_sessions ORDER BY chat_id"); fmt.Sprint(got) != "[chat login acp other auth not this]" {
		t.Errorf("the sessions are %q", got)
	}
	apply(t, s, backend.Event{SessionDeleted: &backend.Deleted{ID: "login", ChatID: "chat"}})
	if n := count(t, dir, "acp_sessions"); n != 1 {
		t.Errorf("there are %d sessions", n)
	}
	if n := count(t, dir, "items"); n != 3 {
		t.Errorf("there are %d items", n)
	}
}
