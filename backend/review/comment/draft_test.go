package comment_test

import (
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestDraft_SavedAndLimited(t *testing.T) {
	e := newEnv(t)
	comments := e.Engine().Comments
	for _, draft := range []string{`{"note":"Be kind"}`, ""} {
		if err := comments.SaveDraft(t.Context(), e.chat.ID, draft); err != nil {
			t.Fatal(err)
		}
		if got, err := comments.Draft(t.Context(), e.chat.ID); err != nil || got != draft {
			t.Errorf("the draft is %q, %v, want %q", got, err, draft)
		}
	}
	for _, draft := range []string{strings.Repeat("x", 1<<20+1), "\xff"} {
		if err := comments.SaveDraft(t.Context(), e.chat.ID, draft); backend.CodeOf(err) != backend.CodeInvalid {
			t.Errorf("%d bytes: %v", len(draft), err)
		}
	}
	if err := comments.SaveDraft(t.Context(), "none", "x"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("of an unknown chat: %v", err)
	}
}
