package assistant_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

// queuedTexts returns the texts of the queued prompts in the order in which a restart would load them. The text of a
// paused prompt ends with ", paused".
func (w *env) queuedTexts() (texts []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	byID := map[string]backend.QueuedPrompt{}
	for _, e := range w.events {
		if e.Queued != nil {
			byID[e.Queued.ID] = *e.Queued
		}
		if e.QueuedDeleted != nil {
			delete(byID, e.QueuedDeleted.ID)
		}
	}
	var queue []backend.QueuedPrompt
	for _, q := range byID {
		queue = append(queue, q)
	}
	slices.SortFunc(queue, func(a, b backend.QueuedPrompt) int { return int(a.Pos - b.Pos) })
	for _, q := range queue {
		if q.Paused {
			q.Text += ", paused"
		}
		texts = append(texts, q.Text)
	}
	return texts
}

func (w *env) assertQueue(what string, want ...string) {
	w.t.Helper()
	if diff := cmp.Diff(want, w.queuedTexts()); diff != "" {
		w.t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// newChatWithQueue returns a chat with four queued messages, the prompt that is running in it, and the IDs of the
// queued messages, keyed by their texts.
func (w *env) newChatWithQueue() (chat backend.Chat, runs prompt, ids map[string]string) {
	chat = w.create()
	w.send(chat, "first")
	runs, ids = <-w.prompts, map[string]string{}
	for _, text := range []string{"a", "b", "c", "d"} {
		ids[text] = w.send(chat, text)
	}
	return chat, runs, ids
}

func TestQueue_KeepsUserOrder(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat, runs, ids := w.newChatWithQueue()
	for _, move := range []struct {
		what, before string
		want         []string
	}{
		{"d", "b", []string{"a", "d", "b", "c"}},
		{"a", "", []string{"d", "b", "c", "a"}},
		{"c", "d", []string{"c", "d", "b", "a"}},
		{"c", "b", []string{"d", "c", "b", "a"}},
		{"b", "b", []string{"d", "c", "b", "a"}},
		{"a", "", []string{"d", "c", "b", "a"}},
	} {
		if err := w.chats.MoveQueued(t.Context(), ids[move.what], ids[move.before]); err != nil {
			t.Fatal(err)
		}
		w.assertQueue(move.what+" is put in front of "+move.before, move.want...)
	}
	w.send(chat, "e")
	if err := w.chats.MoveQueued(t.Context(), ids["a"], "gone"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("it is put in front of what doesn't exist: %v", err)
	}
	other := w.create()
	w.send(other, "first of another")
	runs2 := <-w.prompts
	foreign := w.send(other, "second of another")
	if err := w.chats.MoveQueued(t.Context(), ids["a"], foreign); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("it is put into the queue of another chat: %v", err)
	}
	if err := w.chats.RemoveQueued(t.Context(), foreign); err != nil {
		t.Fatal(err)
	}
	runs2.end <- backend.TurnDone
	<-w.turns
	for _, want := range []string{"d", "c", "b", "a", "e"} {
		runs.end <- backend.TurnDone
		<-w.turns
		if runs = <-w.prompts; runs.text != want {
			t.Fatalf("%q is sent, want %q", runs.text, want)
		}
	}
	runs.end <- backend.TurnDone
	<-w.turns
}

func TestSendNow_StopsAnswerAndGoesNext(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	_, runs, ids := w.newChatWithQueue()
	if err := w.chats.SendQueuedNow(t.Context(), ids["c"]); err != nil {
		t.Fatal(err)
	}
	<-runs.ctx.Done()
	if turn := <-w.turns; turn.State != backend.TurnStopped {
		t.Errorf("the answer ended as %s", turn.State)
	}
	for _, want := range []string{"c", "a", "b", "d"} {
		p := <-w.prompts
		if p.text != want {
			t.Fatalf("%q is sent, want %q", p.text, want)
		}
		p.end <- backend.TurnDone
		<-w.turns
	}
	if err := w.chats.SendQueuedNow(t.Context(), ids["c"]); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("it is sent once more: %v", err)
	}
}

func TestSendNow_PausedQueueSendsOnlyThat(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat, _, ids := w.newChatWithQueue()
	if err := w.chats.Stop(chat.ID); err != nil {
		t.Fatal(err)
	}
	<-w.turns
	if err := w.chats.SendQueuedNow(t.Context(), ids["b"]); err != nil {
		t.Fatal(err)
	}
	p := <-w.prompts
	if p.text != "b" {
		t.Fatalf("%q is sent", p.text)
	}
	p.end <- backend.TurnDone
	<-w.turns
	w.assertQueue("what waits", "a, paused", "c, paused", "d, paused")
	if err := w.chats.Resume(t.Context(), chat.ID); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a", "c", "d"} {
		p := <-w.prompts
		if p.text != want {
			t.Fatalf("%q is sent, want %q", p.text, want)
		}
		p.end <- backend.TurnDone
		<-w.turns
	}
}

func TestDraft_SurvivesQueuedMessage(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	w.send(chat, "first")
	runs := <-w.prompts
	w.send(chat, "second")
	if err := w.chats.SaveDraft(t.Context(), chat.ID, "not sent yet", nil); err != nil {
		t.Fatal(err)
	}
	runs.end <- backend.TurnDone
	<-w.turns
	runs = <-w.prompts
	if now, err := w.chats.Get(chat.ID); err != nil || now.Draft != "not sent yet" {
		t.Errorf("the draft is %q, %v", now.Draft, err)
	}
	runs.end <- backend.TurnDone
	<-w.turns
}

func TestQueue_WaitsForEditedMessage(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	_, runs, ids := w.newChatWithQueue()
	answered := func() {
		runs.end <- backend.TurnDone
		<-w.turns
	}
	sent := func(want string) {
		t.Helper()
		if runs = <-w.prompts; runs.text != want {
			t.Fatalf("got %q, want %q", runs.text, want)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(w.chats.BeginEdit(ids["a"]))
	answered()
	w.assertQueue("while a is edited", "a", "b", "c", "d")
	must(w.chats.EditQueued(t.Context(), ids["a"], "a, better"))
	w.assertQueue("before the edit has ended", "a, better", "b", "c", "d")
	must(w.chats.EndEdit(t.Context(), ids["b"])) // a different prompt
	w.assertQueue("after the end of another edit", "a, better", "b", "c", "d")
	must(w.chats.EndEdit(t.Context(), ids["a"]))
	sent("a, better")

	must(w.chats.BeginEdit(ids["b"])) // then removed
	answered()
	must(w.chats.RemoveQueued(t.Context(), ids["b"]))
	sent("c")
	must(w.chats.BeginEdit(ids["d"])) // ended by a newly loaded page
	answered()
	w.assertQueue("while d is edited", "d")
	must(w.chats.EndEdit(t.Context(), ""))
	sent("d")
	answered()
	if err := w.chats.BeginEdit(ids["d"]); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("got %v for a message that was sent", err)
	}
	must(w.chats.EndEdit(t.Context(), ids["d"]))
}
