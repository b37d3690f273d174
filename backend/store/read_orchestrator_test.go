package store_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

func TestMainHistory_IncludesAllResponders(t *testing.T) {
	ctx := context.Background()
	s := openStore(t, t.TempDir())
	long := strings.Repeat("ü", 100_000)
	block := backend.Block{ToolCallID: "c1", SessionName: "tests", TurnID: "inner", Prompt: "add tests", Summary: "They pass."}
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}})
	apply(t, s, promptEvents(backend.Turn{ID: "t1", State: backend.TurnDone, StartedAt: 100, SentAt: 101, EndedAt: 110}, "m1", "to Copilot")...)
	apply(t, s, answerEvents("a1", "t1", "from ")...)
	apply(t, s, answerEvents("a2", "t1", "Copilot")...)
	apply(t, s, promptEvents(backend.Turn{ID: "t2", OrchestratorID: "model", State: backend.TurnDone, StartedAt: 200, SentAt: 201, EndedAt: 300}, "m2", "to the model")...)
	apply(t, s,
		backend.Event{Item: &backend.Item{ID: "b", ChatID: "chat", TurnID: "t2", Session: "tests", Kind: backend.ItemBlock, Block: &block}},
		backend.Event{Turn: &backend.Turn{ID: "inner", ChatID: "chat", Session: "tests", BlockID: "b", State: backend.TurnDone, StartedAt: 210, SentAt: 211, EndedAt: 290}},
		backend.Event{Item: &backend.Item{ID: "i", ChatID: "chat", TurnID: "inner", ParentID: "b", Session: "tests", Kind: backend.ItemMessage}},
		backend.Event{Text: &backend.Text{ItemID: "i", ChatID: "chat", Text: "inside the block"}},
	)
	apply(t, s, promptEvents(backend.Turn{ID: "t3", OrchestratorID: "model", State: backend.TurnStopped, StartedAt: 400, SentAt: 401, EndedAt: 410}, "m3", long)...)
	apply(t, s, promptEvents(backend.Turn{ID: "now", OrchestratorID: "model", State: backend.TurnRunning, StartedAt: 500}, "m4", "the present one")...)

	told, err := s.Conversation(ctx, "chat", "now")
	want := []store.AnsweredTurn{
		{Prompt: "to Copilot", Answer: "from Copilot", State: backend.TurnDone},
		{Prompt: "to the model", State: backend.TurnDone, Blocks: []backend.Block{block}},
		{Prompt: long[:64*1024], State: backend.TurnStopped},
	}
	if diff := cmp.Diff(want, told); diff != "" || err != nil {
		t.Errorf("(-want +got), %v:\n%s", err, diff)
	}
	for since, want := range map[backend.Millis]bool{150: true, 400: true, 501: false} {
		if got, err := s.AnsweredByOrchestrator(ctx, "chat", since); got != want || err != nil {
			t.Errorf("since %d: %t, %v; want %t", since, got, err, want)
		}
	}
	past, err := s.History(ctx, "chat", "main")
	if len(past) != 0 || err != nil { // no session of that name
		t.Errorf("the session has %v, %v", past, err)
	}
}

func TestMainHistory_ExcludedFromCopilots(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s,
		backend.Event{Chat: &backend.Chat{ID: "chat"}},
		backend.Event{Session: &backend.Session{ChatID: "chat", Name: "main", ACPID: "one", CreatedAt: 50}},
	)
	apply(t, s, promptEvents(backend.Turn{ID: "t1", State: backend.TurnDone, StartedAt: 100, SentAt: 101, EndedAt: 110}, "m1", "to Copilot")...)
	apply(t, s, promptEvents(backend.Turn{ID: "t2", OrchestratorID: "model", State: backend.TurnDone, StartedAt: 200, SentAt: 201, EndedAt: 300}, "m2", "to the model")...)
	past, err := s.History(context.Background(), "chat", "main")
	if diff := cmp.Diff([]store.Exchange{{Prompt: "to Copilot", State: backend.TurnDone}}, past); diff != "" || err != nil {
		t.Errorf("(-want +got), %v:\n%s", err, diff)
	}
}
