package comment_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/review"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// env is an app with a chat in which a turn has changed a.go.
type env struct {
	*apptest.Window
	chat backend.Chat
	file string
}

// text returns a text of 40 different lines. It replaces the lines whose indexes are in change.
func text(change map[int]string) string {
	var b strings.Builder
	for i := range 40 {
		line := fmt.Sprintf("the text of line number %d", i)
		if other, ok := change[i]; ok {
			line = other
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func newEnv(t *testing.T, turns ...fakeagent.Turn) *env {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the agent's shell is bash, which may be another system's here")
	}
	first := fakeagent.Turn{fakeagent.Run("sed -i 's/line number 3$/line number three/' a.go")}
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: append([]fakeagent.Turn{first}, turns...)})
	e := &env{Window: apptest.Open(t, t.TempDir())}
	chat, err := e.App.CreateChat(t.TempDir(), backend.ProviderCopilot)
	if err == nil {
		err = e.App.SetPermissionMode(chat.ID, backend.ModeBypass)
	}
	if err != nil {
		t.Fatal(err)
	}
	e.chat, e.file = chat, filepath.Join(chat.Folder, "a.go")
	e.write(text(nil))
	e.Send(chat, "go")
	e.turnEnds(1)
	return e
}

func (e *env) write(content string) {
	e.T.Helper()
	if err := os.WriteFile(e.file, []byte(content), 0o600); err != nil {
		e.T.Fatal(err)
	}
}

// turnEnds waits until the changes of n turns have been recorded.
func (e *env) turnEnds(n int) {
	e.T.Helper()
	ended := map[string]bool{}
	e.WaitFor(fmt.Sprint("the record of turn ", n), func(ev backend.Event) bool {
		if u := ev.TurnUndo; u != nil && u.State != backend.UndoRecording {
			ended[u.TurnID] = true
		}
		return len(ended) >= n
	})
}

func (e *env) add(start, end int, comment string) backend.ReviewComment {
	e.T.Helper()
	files, err := e.Engine().Review.Files(e.T.Context(), review.Request{ChatID: e.chat.ID, Source: "chat"})
	if err != nil || len(files.Files) != 1 {
		e.T.Fatalf("the changed files are %+v, %v", files, err)
	}
	c, err := e.Engine().Comments.Add(e.T.Context(), e.chat.ID, backend.NewReviewComment{
		Source: "chat", Path: "a.go", Version: files.Files[0].Version, Side: backend.NewSide, Start: start, End: end, Text: comment,
	})
	if err != nil {
		e.T.Fatal(err)
	}
	return c
}

// list returns the comments that the page receives, in a map from text to comment.
func (e *env) list() map[string]backend.ReviewComment {
	e.T.Helper()
	var all []backend.ReviewComment
	if code := e.Get("/data/review-comments?chat="+e.chat.ID, &all); code != http.StatusOK {
		e.T.Fatalf("the list of comments has status %d", code)
	}
	byText := map[string]backend.ReviewComment{}
	for _, c := range all {
		byText[c.Text] = c
	}
	return byText
}

func (e *env) wantLines(when, comment string, start, end int) {
	e.T.Helper()
	if c := e.list()[comment]; c.Start != start || c.End != end || c.Outdated != (start < 0) {
		e.T.Errorf("%s, the comment %q is on lines %d to %d (outdated: %v); want %d to %d", when, comment, c.Start, c.End, c.Outdated, start, end)
	}
}

func TestComments_FollowFileThroughRestart(t *testing.T) {
	e := newEnv(t)
	e.add(3, 3, "changed line")
	e.add(10, 12, "three lines")
	e.add(20, 20, "to be changed")
	changed := map[int]string{3: "the text of line number three", 20: "now something else"}
	e.write("a new first line\n" + text(changed))
	check := func(when string) {
		e.wantLines(when, "changed line", 4, 4)
		e.wantLines(when, "three lines", 11, 13)
		e.wantLines(when, "to be changed", -1, -1)
	}
	check("after an edit")
	dir := e.App.Dir
	e.Close()
	e.Window = apptest.Open(t, dir)
	check("after a restart")
	if c := e.list()["three lines"]; c.State != backend.CommentDraft || !strings.HasPrefix(c.Quote, "the text of line number 10\n") {
		t.Errorf("after a restart, a comment is %+v", c)
	}

	if err := os.Remove(e.file); err != nil {
		t.Fatal(err)
	}
	if c := e.list()["three lines"]; !c.FileGone || !c.Outdated || c.Start != -1 {
		t.Errorf("without the file, a comment is %+v", c)
	}
	e.write("binary\x00")
	if c := e.list()["three lines"]; c.FileGone || !c.Outdated {
		t.Errorf("on a binary file, a comment is %+v", c)
	}
	delete(changed, 20)
	e.write(text(changed))
	e.wantLines("after the change was undone", "three lines", 10, 12)
	e.wantLines("after the change was undone", "to be changed", 20, 20)
}

func TestSend_OneMessageUntilAnswered(t *testing.T) {
	e := newEnv(t, fakeagent.Turn{fakeagent.Run("sed -i -e 's/line number 20$/line twenty/' -e '1i added at the top' a.go")})
	kept, answered := e.add(10, 12, "three lines"), e.add(20, 20, "please change")
	if err := e.App.SaveDraft(e.chat.ID, "not sent yet", nil); err != nil {
		t.Fatal(err)
	}
	comments := e.Engine().Comments
	id, err := comments.Send(t.Context(), e.chat.ID, "Look at these.")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := comments.Send(t.Context(), e.chat.ID, "Look at these."); err != nil || again != id {
		t.Errorf("a double click sends %q, %v; want %q", again, err, id)
	}
	if _, err := comments.Send(t.Context(), e.chat.ID, "Something else."); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("without drafts: %v", err)
	}
	if chat, _ := e.Engine().Chats.Get(e.chat.ID); chat.Draft != "not sent yet" {
		t.Errorf("the draft in the message field is %q", chat.Draft)
	}
	sent, _, err := e.Engine().Store.Text(t.Context(), id, 0, 0)
	want := "Look at these.\n\nReview comments:\n\n1. `a.go`, lines 11 to 13:\n\n```go\nthe text of line number 10\nthe text of line number 11\nthe text of line number 12\n```\n\nthree lines\n\n" +
		"2. `a.go`, line 21:\n\n```go\nthe text of line number 20\n```\n\nplease change\n"
	if err != nil || string(sent) != want {
		t.Errorf("the message is %q, %v", sent, err)
	}
	e.turnEnds(2)
	turn := e.WaitFor("the answer", func(ev backend.Event) bool {
		return ev.ReviewComment != nil && ev.ReviewComment.ID == answered.ID && ev.ReviewComment.State == backend.CommentAnswered
	}).ReviewComment.TurnID
	if item, err := e.Engine().Store.Item(t.Context(), id); err != nil || item.TurnID != turn {
		t.Errorf("the turn that answered is %q, the message is %+v", turn, item)
	}
	e.wantLines("after the turn", "three lines", 11, 13)
	if c := e.list()["three lines"]; c.ID != kept.ID || c.State != backend.CommentSent || c.ItemID != id {
		t.Errorf("the other comment is %+v", c)
	}
	if c := e.list()["please change"]; c.Outdated || c.Start != 21 || c.End != 21 || c.AnsweredAt == 0 || c.Quote != "the text of line number 20" {
		t.Errorf("the answered comment is %+v, want it on the line that replaced its own", c)
	}
	e.wantCard(id, 2)

	for _, resolved := range []bool{true, false} {
		if err := comments.Resolve(t.Context(), answered.ID, resolved); err != nil {
			t.Fatal(err)
		}
		if c := e.list()["please change"]; (c.State == backend.CommentResolved) != resolved || (c.ResolvedAt > 0) != resolved {
			t.Errorf("resolved %v: %+v", resolved, c)
		}
	}
	if err := comments.Edit(t.Context(), kept.ID, "other"); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("an edit of a sent comment: %v", err)
	}
}

// TestSend_RunningTurnAnswersNothing checks that comments sent during a turn aren't marked as answered by that turn,
// even if it changes their lines.
func TestSend_RunningTurnAnswersNothing(t *testing.T) {
	e := newEnv(t, fakeagent.Turn{fakeagent.Run("until [ -e sent ]; do sleep 0.05; done; sed -i -e 's/line number 20$/line twenty/' a.go")},
		fakeagent.Turn{fakeagent.Run("sed -i -e 's/line number 30$/line thirty/' a.go")})
	changed, later := e.add(20, 20, "please change"), e.add(30, 30, "this one, too")
	e.Send(e.chat, "go on")
	if _, err := e.Engine().Comments.Send(t.Context(), e.chat.ID, ""); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(e.chat.Folder, "sent"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e.WaitFor("the answer", func(ev backend.Event) bool {
		return ev.ReviewComment != nil && ev.ReviewComment.ID == later.ID && ev.ReviewComment.State == backend.CommentAnswered
	})
	if c := e.list()["please change"]; c.ID != changed.ID || c.State != backend.CommentSent || c.AnsweredAt != 0 || !c.Outdated {
		t.Errorf("the comment is %+v, want one that isn't answered", c)
	}
}

// TestList_TurnChangesLinesOfDraft checks that a draft remains a draft when a turn changes its lines, and is then
// outdated.
func TestList_TurnChangesLinesOfDraft(t *testing.T) {
	e := newEnv(t, fakeagent.Turn{fakeagent.Run("until [ -e drafted ]; do sleep 0.05; done; sed -i -e 's/line number 20$/line twenty/; s/line number 30$/line thirty/' a.go")})
	sent := e.add(30, 30, "please change")
	if _, err := e.Engine().Comments.Send(t.Context(), e.chat.ID, ""); err != nil {
		t.Fatal(err)
	}
	e.add(20, 20, "a draft")
	if err := os.WriteFile(filepath.Join(e.chat.Folder, "drafted"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e.WaitFor("the answer", func(ev backend.Event) bool {
		return ev.ReviewComment != nil && ev.ReviewComment.ID == sent.ID && ev.ReviewComment.State == backend.CommentAnswered
	})
	if c := e.list()["a draft"]; c.State != backend.CommentDraft || !c.Outdated || c.Start != -1 || c.Quote != "the text of line number 20" {
		t.Errorf("the draft is %+v", c)
	}
}

// TestSend_RemovedLinesHaveNoPlace checks that an answered comment has no place if its lines were removed.
func TestSend_RemovedLinesHaveNoPlace(t *testing.T) {
	e := newEnv(t, fakeagent.Turn{fakeagent.Run("sed -i -e '/line number 20$/d; /line number 21$/d' a.go")})
	c := e.add(20, 21, "remove this")
	if _, err := e.Engine().Comments.Send(t.Context(), e.chat.ID, ""); err != nil {
		t.Fatal(err)
	}
	e.WaitFor("the answer", func(ev backend.Event) bool {
		return ev.ReviewComment != nil && ev.ReviewComment.ID == c.ID && ev.ReviewComment.State == backend.CommentAnswered
	})
	if c := e.list()["remove this"]; !c.Outdated || c.Start != -1 {
		t.Errorf("the comment is %+v", c)
	}
}

// wantCard fails the test unless the message contains the data with which the page shows the message's n comments.
func (e *env) wantCard(itemID string, n int) {
	e.T.Helper()
	for _, ev := range e.Snapshot("/data/chat?id=" + e.chat.ID).Events {
		if ev.Content == nil || ev.Content.Type != backend.ContentReview || ev.Content.ItemID != itemID {
			continue
		}
		body, _, err := e.Engine().Store.Content(e.T.Context(), ev.Content.ID, 0, 0)
		var list []backend.SentReviewComment
		if err != nil || json.Unmarshal(body, &list) != nil || len(list) != n || list[0].Path != "a.go" || list[0].Start != 10 {
			e.T.Errorf("the card is %s, %v", body, err)
		}
		return
	}
	e.T.Error("the message has no card")
}

func TestComments_GoWithChat(t *testing.T) {
	e := newEnv(t)
	c := e.add(1, 1, "one")
	if err := e.Engine().Comments.Edit(t.Context(), c.ID, "two"); err != nil {
		t.Fatal(err)
	}
	e.add(2, 2, "removed")
	if err := e.Engine().Comments.Remove(t.Context(), e.list()["removed"].ID); err != nil {
		t.Fatal(err)
	}
	if all := e.list(); len(all) != 1 || all["two"].ID != c.ID {
		t.Errorf("the comments are %+v", all)
	}
	if err := e.Engine().Chats.Delete(t.Context(), e.chat.ID); err != nil {
		t.Fatal(err)
	}
	all, err := e.Engine().Store.ReviewComments(t.Context(), e.chat.ID)
	stored, err2 := e.Engine().Store.ReviewText(t.Context(), e.chat.ID, c.Seen)
	if err != nil || err2 != nil || len(all) != 0 || stored != nil {
		t.Errorf("of a deleted chat, %d comments and %d bytes are left (%v, %v)", len(all), len(stored), err, err2)
	}
}

// TestRestore_KeepsFollowing checks that restoring a comment brings back the comment that was removed, and that it
// still follows its lines.
func TestRestore_KeepsFollowing(t *testing.T) {
	e := newEnv(t)
	c := e.add(3, 4, "one")
	before := e.list()["one"]
	m := e.Engine().Comments
	for range 2 {
		if err := m.Remove(t.Context(), c.ID); err != nil {
			t.Fatal(err)
		}
		if all := e.list(); len(all) != 0 {
			t.Fatalf("the comments are %+v", all)
		}
		if err := m.Restore(t.Context(), e.chat.ID, c.ID); err != nil {
			t.Fatal(err)
		}
		if now := e.list()["one"]; !reflect.DeepEqual(now, before) {
			t.Errorf("got %+v, want %+v", now, before)
		}
	}
	if err := m.Restore(t.Context(), e.chat.ID, c.ID); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("a comment that exists: got %v", err)
	}
	text, err := os.ReadFile(e.file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(e.file, append([]byte("first\n"), text...), 0o600); err != nil {
		t.Fatal(err)
	}
	if now := e.list()["one"]; now.Start != 4 || now.End != 5 {
		t.Errorf("got lines %d to %d, want 4 to 5", now.Start, now.End)
	}
}

func TestAdd_RefusesBadInput(t *testing.T) {
	e := newEnv(t)
	for name, c := range map[string]backend.NewReviewComment{
		"no text":       {Source: "chat", Path: "a.go", Side: backend.NewSide, Text: " "},
		"not UTF-8":     {Source: "chat", Path: "a.go", Side: backend.NewSide, Text: "\xff"},
		"too long":      {Source: "chat", Path: "a.go", Side: backend.NewSide, Text: strings.Repeat("x", backend.MaxReviewCommentText+1)},
		"outside":       {Source: "chat", Path: "../a.go", Side: backend.NewSide, Text: "x"},
		"absolute":      {Source: "chat", Path: "/etc/passwd", Side: backend.NewSide, Text: "x"},
		"a NUL":         {Source: "chat", Path: "a\x00", Side: backend.NewSide, Text: "x"},
		"no side":       {Source: "chat", Path: "a.go", Text: "x"},
		"upside down":   {Source: "chat", Path: "a.go", Side: backend.NewSide, Start: 2, End: 1, Text: "x"},
		"many lines":    {Source: "chat", Path: "a.go", Side: backend.NewSide, End: backend.MaxReviewQuote, Text: "x"},
		"stale version": {Source: "chat", Path: "a.go", Side: backend.NewSide, Version: "other", Text: "x"},
	} {
		if _, err := e.Engine().Comments.Add(t.Context(), e.chat.ID, c); !slices.Contains([]backend.Code{backend.CodeInvalid, backend.CodeTooLarge, backend.CodeStale}, backend.CodeOf(err)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(e.list()); n != 0 {
		t.Errorf("%d comments were added", n)
	}
	e.write("line\n") // the length is counted in characters
	e.add(0, 0, strings.Repeat("好", backend.MaxReviewCommentText))
}
