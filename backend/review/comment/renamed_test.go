package comment_test

import (
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// wantAt waits until a comment has been stored the given number of times in the given file, and then checks its state
// and its first line.
func (e *env) wantAt(comment, path string, state backend.ReviewCommentState, start, times int) {
	e.T.Helper()
	seen := 0
	e.WaitFor(comment+" in "+path, func(ev backend.Event) bool {
		if c := ev.ReviewComment; c != nil && c.Text == comment && c.Path == path {
			seen++
		}
		return seen >= times
	})
	if c := e.list()[comment]; c.Path != path || c.State != state || c.Start != start || c.Outdated || c.FileGone {
		e.T.Errorf("the comment is %+v, want it in line %d of %s, %s", c, start, path, state)
	}
}

func TestComments_FollowMovedFile(t *testing.T) {
	e := newEnv(t, fakeagent.Turn{fakeagent.Run("mv a.go b.go; echo other > other.go")},
		fakeagent.Turn{fakeagent.Run("mkdir x; mv b.go x/c.go; sed -i -e 's/line number 20$/line twenty/' -e '1i added at the top' x/c.go")})
	e.add(10, 10, "sent")
	e.add(20, 20, "to be changed")
	if _, err := e.Engine().Comments.Send(t.Context(), e.chat.ID, "rename it"); err != nil {
		t.Fatal(err)
	}
	e.turnEnds(2)
	e.wantAt("sent", "b.go", backend.CommentSent, 10, 1)
	e.wantAt("to be changed", "b.go", backend.CommentSent, 20, 1)
	e.Send(e.chat, "again")
	e.turnEnds(3)
	e.wantAt("sent", "x/c.go", backend.CommentSent, 11, 1)
	e.wantAt("to be changed", "x/c.go", backend.CommentAnswered, 21, 1)

	undos, err := e.Engine().Store.TurnUndos(t.Context(), e.chat.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Engine().Undo.Undo(t.Context(), undos[2].TurnID, nil); err != nil {
		t.Fatal(err)
	}
	e.wantAt("sent", "b.go", backend.CommentSent, 10, 2)
}

func TestComments_DraftFollowsMovedFile(t *testing.T) {
	e := newEnv(t, fakeagent.Turn{fakeagent.Run("mkdir x; mv a.go x/a.go")}, fakeagent.Turn{fakeagent.Run("cp x/a.go y.go; mv x/a.go z.go")})
	e.add(10, 10, "draft")
	e.Send(e.chat, "move it")
	e.turnEnds(2)
	e.wantAt("draft", "x/a.go", backend.CommentDraft, 10, 1)
	e.Send(e.chat, "move it to one of two places")
	e.turnEnds(3)
	if c := e.list()["draft"]; c.Path != "x/a.go" || !c.FileGone {
		t.Errorf("with two equal files, the comment is %+v", c)
	}
}
