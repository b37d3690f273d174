package assistant_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

func TestStop_OneBlockOrSessionOnly(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	main := w.sendAndWait(chat)
	auth, logger := w.delegate(chat, main.turn.ID, "auth", "one"), w.delegate(chat, main.turn.ID, "logger", "two")
	if err := w.chats.StopBlock(auth.turn.BlockID); err != nil {
		t.Fatal(err)
	}
	<-auth.block
	more := []delegation{w.delegate(chat, main.turn.ID, "more", "three"), w.delegate(chat, main.turn.ID, "more", "four")}
	w.chats.StopSession(chat.ID, "more")
	for _, g := range more {
		<-g.block
	}
	if turn := <-w.turns; turn.ID != auth.turn.ID || turn.State != backend.TurnStopped {
		t.Errorf("the turn ended as %+v", turn)
	}
	if logger.ctx.Err() != nil || main.ctx.Err() != nil {
		t.Error("more was stopped")
	}
	if err := w.chats.StopBlock(auth.turn.BlockID); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("stopping it again: %v", err)
	}
	logger.end <- backend.TurnDone
	<-logger.block
	main.end <- backend.TurnDone
	w.waitForEndedTurns(4)
}

func TestStop_LeavesNothingPending(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(w *env, chat backend.Chat) error
		want backend.TurnState
	}{
		"stop":   {func(w *env, chat backend.Chat) error { return w.chats.Stop(chat.ID) }, backend.TurnStopped},
		"delete": {func(w *env, chat backend.Chat) error { return w.chats.Delete(context.Background(), chat.ID) }, backend.TurnStopped},
		"quit":   {func(w *env, _ backend.Chat) error { return w.chats.Close(context.Background()) }, backend.TurnInterrupted},
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnv(t, assistant.Config{})
			chat := w.create()
			main := w.sendAndWait(chat)
			auth, logger := w.delegate(chat, main.turn.ID, "auth", "one"), w.delegate(chat, main.turn.ID, "logger", "two")
			own := w.delegate(chat, "", "mine", "three")
			if err := c.end(w, chat); err != nil {
				t.Fatal(err)
			}
			for _, g := range []delegation{auth, logger, own} {
				<-g.block
				if w.blockOf(g.turn).Open {
					t.Error("a block is open")
				}
			}
			want := map[string]backend.TurnState{"main": c.want, "auth": c.want, "logger": c.want, "mine": c.want}
			if diff := cmp.Diff(want, w.waitForEndedTurns(4)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if n := w.chats.Running(); n != 0 {
				t.Errorf("%d chats are at work", n)
			}
		})
	}
}
