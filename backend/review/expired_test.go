package review_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// expire removes the snapshot with the given ID, as if it had exceeded the maximum age.
func (e *env) expire(id string) {
	e.T.Helper()
	old := time.Now().Add(-40 * 24 * time.Hour)
	if err := os.Chtimes(filepath.Join(e.App.Dir, "snapshots", e.chat.ID, "snapshots", id), old, old); err != nil {
		e.T.Fatal(err)
	}
	res, err := e.Engine().Undo.Snapshots().Sweep(e.T.Context(), snapshot.Limits{Age: 30 * 24 * time.Hour, Bytes: 2 << 30})
	if err != nil || res.Removed != 1 {
		e.T.Fatalf("swept %+v, %v", res, err)
	}
}

func TestSources_ExpiredSnapshots(t *testing.T) {
	e := newEnv(t, fakeagent.Turn{fakeagent.Run("echo one > one.txt")}, fakeagent.Turn{fakeagent.Run("echo two > two.txt")})
	first := e.run("first")
	second := e.run("second")
	if l := e.want("chat", "added one.txt +1 -0\nadded two.txt +1 -0\n"); !l.Message.IsZero() {
		t.Errorf("the message is %q", l.Message)
	}
	undos, err := e.Engine().Store.TurnUndos(t.Context(), e.chat.ID)
	if err != nil {
		t.Fatal(err)
	}
	e.expire(undos[0].Before)
	turn, err := e.Engine().Store.Turn(t.Context(), second)
	if err != nil {
		t.Fatal(err)
	}
	want := "Changes before " + time.UnixMilli(int64(turn.StartedAt)).Format("2006-01-02 15:04") + " are no longer stored."
	if l := e.want("chat", "added two.txt +1 -0\n"); l.Message.String() != want {
		t.Errorf("the message is %q, want %q", l.Message, want)
	}
	if l := e.want("turn:"+first, ""); l.Message.String() != "This message's changes are no longer stored." {
		t.Errorf("the message of the turn is %q", l.Message)
	}
	if s := get[backend.ReviewSources](e, "review-sources"); len(s.Turns) != 1 || s.Turns[0].ID != second {
		t.Errorf("the turns are %+v", s.Turns)
	}
}
