package store_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// TestChangingCalls_LeaveOutQuestions checks that a call that only reads or asks doesn't count as one that may change
// files: what the user edits while a question or a plan is open isn't the turn's change.
func TestChangingCalls_LeaveOutQuestions(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", Folder: "/f"}})
	for _, kind := range []backend.ToolKind{
		backend.ToolRead, backend.ToolSearch, backend.ToolFetch, backend.ToolThink, backend.ToolAsk, backend.ToolPlan,
		backend.ToolEdit, backend.ToolExecute,
	} {
		apply(t, s, backend.Event{Item: &backend.Item{
			ID: string(kind), ChatID: "chat", Kind: backend.ItemTool, CreatedAt: 1000, EndedAt: 2000,
			Tool: &backend.Tool{CallID: string(kind), Kind: kind, Status: backend.ToolCompleted},
		}})
	}
	calls, err := s.ChangingCalls(context.Background(), "chat", store.Period{From: 500, To: 3000})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range calls {
		got = append(got, c.ItemID)
	}
	if diff := cmp.Diff([]string{"edit", "execute"}, got); diff != "" {
		t.Errorf("the calls that may change files (-want +got):\n%s", diff)
	}
}
