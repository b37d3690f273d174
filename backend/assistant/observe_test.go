package assistant_test

import (
	"context"
	"errors"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

// TestActivity_ReaderNeverWaitsForDatabase checks that the goroutine that reads an agent's output never waits for the
// chat's row to be written.
func TestActivity_ReaderNeverWaitsForDatabase(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	main := w.sendAndWait(chat)
	said := make(chan string, 1)
	block := make(chan backend.Block, 1)
	go func() {
		b, err := w.chats.Delegate(context.Background(), assistant.Delegation{
			ChatID: chat.ID, TurnID: main.turn.ID, SessionName: "auth", Prompt: "x", Progress: func(text string) { said <- text },
		})
		if err != nil {
			t.Error(err)
		}
		block <- b
	}()
	work := <-w.prompts
	writes, written := make(chan struct{}), make(chan struct{})
	w.before = func(backend.Event) error {
		close(writes)
		<-written
		return errors.New("disk full")
	}
	changed := make(chan error)
	go func() {
		changed <- w.chats.Change(context.Background(), chat.ID, func(c *backend.Chat) { c.Title = "new" })
	}()
	<-writes
	w.chats.Observe(backend.Event{Item: &backend.Item{
		ChatID: chat.ID, ParentID: work.turn.BlockID, Open: true, Tool: &backend.Tool{Title: "Run the tests\nall of them"},
	}}, nil)
	if got := <-said; got != "auth: Run the tests" {
		t.Errorf("the progress is %q", got)
	}
	if got, err := w.chats.Get(chat.ID); err != nil || got.Title == "new" {
		t.Errorf("a row that is not kept yet is told: %+v %v", got, err)
	}
	if err := w.chats.StopBlock(work.turn.BlockID); err != nil {
		t.Error(err)
	}
	<-work.ctx.Done()
	close(written)
	if err := <-changed; backend.CodeOf(err) != backend.CodeStorage {
		t.Errorf("the change: %v", err)
	}
	<-block
	w.before = nil
	main.end <- backend.TurnDone
	w.waitForEndedTurns(2)
}
