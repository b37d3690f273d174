package comment_test

import (
	"os"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// TestList_AnswersAfterRestart checks that if a turn ended while the app was closing, the comments that the turn
// answered are marked as answered after a restart. No other comment is moved to an older version of the file.
func TestList_AnswersAfterRestart(t *testing.T) {
	e := newEnv(t, fakeagent.Turn{fakeagent.Run("sed -i -e 's/line number 20$/line twenty/' -e '1i added at the top' a.go")}, fakeagent.Turn{fakeagent.Run("sed -i -e 's/line number 30$/line thirty/' a.go")})
	e.add(10, 12, "three lines")
	first := e.add(20, 20, "please change")
	comments, store := e.Engine().Comments, e.Engine().Store
	send := func() (sent []backend.ReviewComment) {
		t.Helper()
		if _, err := comments.Send(t.Context(), e.chat.ID, ""); err != nil {
			t.Fatal(err)
		}
		sent, err := store.ReviewComments(t.Context(), e.chat.ID)
		for i := range sent {
			if err == nil { // the store deletes a text to which no comment refers any longer
				sent[i].SeenText, err = store.ReviewText(t.Context(), e.chat.ID, sent[i].Seen)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		return sent
	}
	answered := func(id string) {
		t.Helper()
		e.WaitFor("the answer", func(ev backend.Event) bool {
			return ev.ReviewComment != nil && ev.ReviewComment.ID == id && ev.ReviewComment.State == backend.CommentAnswered
		})
	}
	was := send()
	answered(first.ID)
	second := e.add(31, 31, "this one, too")
	was = append(was, send()...)
	answered(second.ID)
	want := e.list()
	// Without the events of the turns, the comments would still be in these states.
	for _, c := range was {
		if c.State == backend.CommentSent && (c.ID == first.ID || c.ID == second.ID) {
			if err := e.Engine().Bus.Commit(t.Context(), backend.Event{ReviewComment: &c}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if c := e.list()["please change"]; c.State != backend.CommentSent {
		t.Fatalf("before the restart: %+v", c)
	}
	e.write("one more line\n" + read(t, e.file))
	e.wantLines("before the restart", "three lines", 12, 14)
	dir := e.App.Dir
	e.Close()
	e.Window = apptest.Open(t, dir)
	for range 2 {
		got := e.list()
		for _, name := range []string{"please change", "this one, too"} {
			g, w := got[name], want[name]
			if g.State != backend.CommentAnswered || g.AnsweredAt != w.AnsweredAt || g.TurnID != w.TurnID || g.Start != w.Start+1 || g.End != w.End+1 || g.Outdated {
				t.Errorf("after the restart: got %+v, want %+v", g, w)
			}
		}
		if c := got["three lines"]; c.State != backend.CommentSent || c.Start != 12 {
			t.Errorf("after the restart: %+v", c)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
