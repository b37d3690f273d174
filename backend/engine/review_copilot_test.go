package engine_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// TestAgentReview_CopilotSuggestsAndGetsComments checks that the real CLI reviews the chat's changes and suggests
// comments, and that only an accepted comment is sent to it.
func TestAgentReview_CopilotSuggestsAndGetsComments(t *testing.T) {
	w := newGuarded(t, func(string) {})
	noErr(t, w.App.SetPermissionMode(w.chat.ID, backend.ModeBypass))
	w.calls["write it"] = []practice.Step{practice.ToolCall("create", map[string]any{"path": filepath.Join(w.folder, "a.go"), "file_text": "package a\n\nfunc f() {\n\tx := open()\n\tuse(x)\n}\n"})}
	w.Send(w.chat, "write it")
	w.WaitForDone("the change", 1)
	if _, err := os.Stat(filepath.Join(w.folder, "a.go")); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("the record of the change", func(e backend.Event) bool {
		return e.TurnUndo != nil && e.TurnUndo.State == backend.UndoAvailable
	})
	w.answers = func(text string) string {
		if !strings.Contains(text, "## `a.go` (added)") {
			return ""
		}
		return "### a.go:2\n```go\n\tuse(x)\n```\nx may be nil here.\n\n### `a.go:3`\n```\nfunc f() {\n```\nSay what f does.\n"
	}

	noErr(t, w.Engine().Suggest.Start(w.chat.ID, backend.AgentReviewRequest{Source: "chat"}))
	r := w.WaitFor("the review", func(e backend.Event) bool {
		return e.AgentReview != nil && e.AgentReview.State != backend.AgentReviewRunning
	}).AgentReview
	if r.State != backend.AgentReviewDone || r.Comments != 2 || r.OtherComments != 0 {
		t.Fatalf("got %+v", r)
	}
	var list []backend.ReviewComment
	if code := w.Get("/data/review-comments?chat="+w.chat.ID, &list); code != http.StatusOK || len(list) != 2 || list[0].Start != 4 || list[0].State != backend.CommentSuggested {
		t.Fatalf("got status %d and %+v", code, list)
	}
	noErr(t, w.Engine().Comments.Accept(t.Context(), w.chat.ID, []string{list[0].ID}))
	_, err := w.Engine().Comments.Send(t.Context(), w.chat.ID, "Please fix:")
	noErr(t, err)
	w.WaitForDone("the answer", 3)
	sent := ""
	for _, req := range w.server.Requests() {
		if strings.Contains(req.User(), "Please fix:") {
			sent = req.User()
		}
	}
	if want := "1. `a.go`, line 5:\n\n```go\n\tuse(x)\n```\n\nx may be nil here."; !strings.Contains(sent, want) || strings.Contains(sent, "Say what f does") {
		t.Errorf("got the message %q", sent)
	}
}
