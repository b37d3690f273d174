package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// promptEvents returns the events that the app commits for a turn and its prompt.
func promptEvents(turn backend.Turn, item string, text string) []backend.Event {
	turn.ChatID, turn.Session = "chat", "main"
	return []backend.Event{
		{Turn: &turn},
		{Item: &backend.Item{ID: item, ChatID: "chat", TurnID: turn.ID, Session: "main", Kind: backend.ItemUser, CreatedAt: turn.StartedAt, EndedAt: turn.StartedAt}},
		{Text: &backend.Text{ItemID: item, ChatID: "chat", Text: text}},
	}
}

// answerEvents returns the events for one message of an answer.
func answerEvents(id, turn, text string) []backend.Event {
	return []backend.Event{
		{Item: &backend.Item{ID: id, ChatID: "chat", TurnID: turn, Session: "main", Kind: backend.ItemMessage}},
		{Text: &backend.Text{ItemID: id, ChatID: "chat", Text: text}},
	}
}

func TestHistory_SinceSessionWasCreated(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s,
		backend.Event{Chat: &backend.Chat{ID: "chat"}},
		backend.Event{Session: &backend.Session{ChatID: "chat", Name: "main", ACPID: "second", CreatedAt: 200}},
		backend.Event{Session: &backend.Session{ChatID: "chat", Name: "other", ACPID: "third", CreatedAt: 200}},
	)
	apply(t, s, promptEvents(backend.Turn{ID: "t1", State: backend.TurnInterrupted, StartedAt: 100, SentAt: 101, EndedAt: 201}, "m1", "to the lost session")...)
	apply(t, s, promptEvents(backend.Turn{ID: "t2", State: backend.TurnDone, StartedAt: 190, SentAt: 205, EndedAt: 210}, "m2", "one")...)
	apply(t, s, answerEvents("a1", "t2", "first, ")...)
	apply(t, s, backend.Event{Item: &backend.Item{ID: "thought", ChatID: "chat", TurnID: "t2", Session: "main", Kind: backend.ItemThought}},
		backend.Event{Text: &backend.Text{ItemID: "thought", ChatID: "chat", Text: "hm"}})
	apply(t, s, answerEvents("a2", "t2", "then")...)
	apply(t, s, promptEvents(backend.Turn{ID: "t3", State: backend.TurnStopped, StartedAt: 220, SentAt: 221, EndedAt: 230}, "m3", "two")...)
	apply(t, s, promptEvents(backend.Turn{ID: "t4", State: backend.TurnRunning, StartedAt: 240}, "m4", "not sent yet")...)
	past, err := s.History(context.Background(), "chat", "main")
	want := []store.Exchange{
		{Prompt: "one", Answer: "first, then", State: backend.TurnDone},
		{Prompt: "two", State: backend.TurnStopped},
	}
	if diff := cmp.Diff(want, past); diff != "" || err != nil {
		t.Errorf("(-want +got), %v:\n%s", err, diff)
	}
	if past, err := s.History(context.Background(), "chat", "other"); len(past) != 0 || err != nil {
		t.Errorf("the other session has %+v, %v", past, err)
	}
}

func TestRecap_UsesNewestRows(t *testing.T) {
	s := openStore(t, t.TempDir())
	tool := func(id, session string, kind backend.ToolKind) backend.Event {
		return backend.Event{Item: &backend.Item{ID: id, ChatID: "chat", TurnID: "t1", Session: session, Kind: backend.ItemTool, Tool: &backend.Tool{CallID: id, Kind: kind, Status: backend.ToolCompleted}}}
	}
	plan := func(id string) backend.Event {
		return backend.Event{Item: &backend.Item{ID: id, ChatID: "chat", Session: "main", Kind: backend.ItemPlan, Plan: []backend.PlanEntry{{Content: id, Status: backend.PlanPending}}}}
	}
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}})
	apply(t, s, promptEvents(backend.Turn{ID: "t1", State: backend.TurnDone, StartedAt: 100, SentAt: 101}, "m1", "one")...)
	apply(t, s, plan("plan1"), tool("edited", "main", backend.ToolEdit), tool("read", "main", backend.ToolRead), tool("elsewhere", "other", backend.ToolEdit), tool("ran", "main", backend.ToolExecute), plan("plan2"),
		backend.Event{Content: &backend.Content{ID: "diff", ItemID: "edited", ChatID: "chat", Type: backend.ContentDiff, Path: "/a", Added: 2}},
		backend.Event{Content: &backend.Content{ID: "output", ItemID: "ran", ChatID: "chat", Type: backend.ContentTerminal}},
	)
	apply(t, s, promptEvents(backend.Turn{ID: "t2", State: backend.TurnFailed, StartedAt: 200, SentAt: 201}, "m2", "two")...)
	answer := strings.Repeat("ö", 20_000) + "x" // the part that is read starts within a character
	apply(t, s, answerEvents("a1", "t2", "not the last")...)
	apply(t, s, answerEvents("a2", "t2", answer)...)
	apply(t, s, promptEvents(backend.Turn{ID: "t3", State: backend.TurnRunning, StartedAt: 300}, "m3", "the one that is about to be sent")...)

	events, err := s.Recap(context.Background(), "chat", "main")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range events {
		switch {
		case e.Turn != nil:
			got = append(got, "turn "+e.Turn.ID)
		case e.Item != nil:
			got = append(got, fmt.Sprintf("item %s", e.Item.ID))
		case e.Content != nil:
			got = append(got, "content "+e.Content.ID)
		case e.Text != nil && e.Text.ItemID == "a2":
			if e.Text.Size != int64(len(answer)) || !strings.HasSuffix(answer, e.Text.Text) || len(e.Text.Text) < 16_000 {
				t.Errorf("the end of the answer is %d bytes of %d", len(e.Text.Text), e.Text.Size)
			}
		case e.Text != nil:
			got = append(got, "text "+e.Text.Text)
		}
	}
	want := []string{"turn t2", "item m2", "text two", "item a2", "item plan2", "item edited", "item ran", "content diff"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if events, err := s.Recap(context.Background(), "chat", "nobody"); len(events) != 0 || err != nil {
		t.Errorf("a session without a past has %+v, %v", events, err)
	}
}

func TestAudit_PagesLoseNothing(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}})
	for i, at := range []backend.Millis{10, 20, 20, 20, 30, 30} {
		apply(t, s, backend.Event{Permission: &backend.Permission{ID: fmt.Sprint(i), ChatID: "chat", State: backend.PermissionDecided, CreatedAt: at, Raw: []byte("{}"), Mode: backend.ModeBypass, Outside: true}})
	}
	var pages [][]string
	for before := backend.Millis(1 << 60); ; {
		page, err := s.Permissions(context.Background(), before, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		var ids []string
		for _, p := range page {
			ids = append(ids, p.ID)
			if p.Mode != backend.ModeBypass || !p.Outside || p.Raw != nil {
				t.Errorf("a request is %+v", p)
			}
		}
		pages = append(pages, ids)
		before = page[len(page)-1].CreatedAt
	}
	if want := [][]string{{"5", "4"}, {"3", "2", "1"}, {"0"}}; !slices.EqualFunc(pages, want, slices.Equal) {
		t.Errorf("the pages are %q", pages)
	}
}

func TestUsage_SessionCountedInWholeChat(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}}, backend.Event{Chat: &backend.Chat{ID: "other"}})
	for _, turn := range []backend.Turn{
		{ID: "t1", ChatID: "chat", Session: "auth", BlockID: "older", State: backend.TurnDone, StartedAt: 100, EndedAt: 41_100, Usage: &backend.Usage{Input: 900, Output: 40, CacheRead: 500}},
		{ID: "t2", ChatID: "chat", Session: "auth", BlockID: "newer", State: backend.TurnFailed, StartedAt: 50_000, EndedAt: 50_500, Usage: &backend.Usage{Input: 100, Output: 2}},
		{ID: "t3", ChatID: "chat", Session: "logger", State: backend.TurnRunning, StartedAt: 60_000},
		{ID: "t4", ChatID: "chat", Session: "main", OrchestratorID: "ollama", State: backend.TurnDone, StartedAt: 10, EndedAt: 20, Usage: &backend.Usage{Input: 7, Output: 7}},
		{ID: "t5", ChatID: "other", Session: "auth", State: backend.TurnDone, StartedAt: 10, EndedAt: 20},
	} {
		apply(t, s, backend.Event{Turn: &turn})
	}
	for _, id := range []string{"older", "newer", "last"} {
		apply(t, s, textItem("chat", id, backend.ItemBlock, "text")...)
	}
	work, err := s.SessionStats(context.Background(), "chat")
	want := []backend.SessionStats{{Name: "auth", Turns: 2, WorkMillis: 41_500, BlockID: "newer", BlockPos: 2, Input: 1000, Output: 42, CacheRead: 500}, {Name: "logger", Turns: 1}}
	if diff := cmp.Diff(want, work); diff != "" || err != nil {
		t.Errorf("(-want +got), %v:\n%s", err, diff)
	}
	if work, err := s.SessionStats(context.Background(), "nobody's"); work == nil || len(work) != 0 || err != nil {
		t.Errorf("a chat without turns has %#v, %v", work, err)
	}
}

func TestBlock_EmptyComesWithTurn(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}},
		backend.Event{Turn: &backend.Turn{ID: "work", ChatID: "chat", Session: "auth", BlockID: "block", State: backend.TurnFailed, StartedAt: 1, EndedAt: 2}},
		backend.Event{Item: &backend.Item{ID: "block", ChatID: "chat", Session: "auth", Kind: backend.ItemBlock, Block: &backend.Block{SessionName: "auth", TurnID: "work"}}})
	err := s.Read(context.Background(), func(v *store.ReadTx) error {
		events, _, err := v.ChatEvents(context.Background(), "chat", 10)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(events, func(e backend.Event) bool { return e.Turn != nil && e.Turn.ID == "work" }) {
			t.Errorf("the page has no turn of the block: %+v", events)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestCut_ReportedOnce(t *testing.T) {
	ctx := context.Background()
	s := openStore(t, t.TempDir())
	cut := func() []string {
		t.Helper()
		names, err := s.InterruptedSessions(ctx, "chat")
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}})
	apply(t, s, promptEvents(backend.Turn{ID: "t1", State: backend.TurnInterrupted, StartedAt: 100, SentAt: 101}, "m1", "one")...)
	apply(t, s,
		backend.Event{Turn: &backend.Turn{ID: "i", ChatID: "chat", Session: "tests", BlockID: "b", State: backend.TurnInterrupted, StartedAt: 110, SentAt: 111}},
		backend.Event{Turn: &backend.Turn{ID: "u", ChatID: "chat", Session: "unsent", BlockID: "c", State: backend.TurnInterrupted, StartedAt: 110}},
	)
	if got := cut(); !slices.Equal(got, []string{"main", "tests"}) {
		t.Errorf("cut off are %q", got)
	}
	apply(t, s, backend.Event{Item: &backend.Item{
		ID: "told", ChatID: "chat", Session: "tests", Kind: backend.ItemBanner, CreatedAt: 200, Banner: &backend.Banner{Kind: backend.BannerIncomplete, Session: "tests"},
	}})
	if got := cut(); !slices.Equal(got, []string{"main"}) {
		t.Errorf("after one was told of: %q", got)
	}
	apply(t, s, promptEvents(backend.Turn{ID: "t2", State: backend.TurnDone, StartedAt: 300, SentAt: 301}, "m2", "two")...)
	if got := cut(); len(got) != 0 {
		t.Errorf("after another turn: %q", got)
	}
}

// TestCut_IgnoresBannerFromBeforeTurnWasSent checks that a session counts as interrupted if its last turn was
// interrupted, even if a banner about an earlier interruption was added while that turn's message waited to be sent.
func TestCut_IgnoresBannerFromBeforeTurnWasSent(t *testing.T) {
	ctx := context.Background()
	for name, told := range map[string]backend.Millis{"while it waited": 250, "in the moment when it was sent": 260} {
		t.Run(name, func(t *testing.T) {
			s := openStore(t, t.TempDir())
			apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}})
			apply(t, s, promptEvents(backend.Turn{ID: "t1", State: backend.TurnInterrupted, StartedAt: 100, SentAt: 101}, "m1", "one")...)
			apply(t, s, promptEvents(backend.Turn{ID: "t2", State: backend.TurnInterrupted, StartedAt: 200, SentAt: 260}, "m2", "two")...)
			apply(t, s, backend.Event{Item: &backend.Item{
				ID: "told", ChatID: "chat", Session: "main", Kind: backend.ItemBanner, CreatedAt: told,
				Banner: &backend.Banner{Kind: backend.BannerIncomplete, Session: "main"},
			}})
			got, err := s.InterruptedSessions(ctx, "chat")
			if err != nil || !slices.Equal(got, []string{"main"}) {
				t.Errorf("got %q, %v, want main", got, err)
			}
		})
	}
}
