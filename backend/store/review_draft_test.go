package store_test

import (
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestReviewDraft_KeptUntilChatRemoved(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	apply(t, s, allEvents()...)
	want := func(draft string) {
		t.Helper()
		if got, err := s.ReviewDraft(t.Context(), "chat"); err != nil || got != draft {
			t.Errorf("the draft is %q, %v, want %q", got, err, draft)
		}
	}
	set := func(chatID, draft string) {
		t.Helper()
		if err := s.SetReviewDraft(chatID, draft); err != nil {
			t.Fatal(err)
		}
	}
	want("")
	set("chat", "half a")
	set("chat", "half a thought")
	set("unknown", "lost")
	want("half a thought")
	set("chat", "")
	want("")
	set("chat", "again")
	apply(t, s, backend.Event{ChatDeleted: &backend.Deleted{ID: "chat"}})
	if left := dump(t, dir)["review_drafts"]; len(left) != 0 {
		t.Errorf("after the chat was removed, %q is left", left)
	}
}
