package assistant_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

// sendAndWait sends a message and returns the prompt that the agent receives. The turn of this prompt can delegate
// tasks.
func (w *env) sendAndWait(chat backend.Chat) prompt {
	w.t.Helper()
	w.send(chat, "the message")
	return <-w.prompts
}

// delegation is a delegated task in progress, with a channel for its result.
type delegation struct {
	prompt
	block chan backend.Block
}

// delegate delegates a task on behalf of a turn, or of the user if turnID is "", and returns when the task has started.
func (w *env) delegate(chat backend.Chat, turnID, name, text string) delegation {
	w.t.Helper()
	g := delegation{block: make(chan backend.Block, 1)}
	failed := make(chan error, 1)
	go func() {
		block, err := w.chats.Delegate(context.Background(), assistant.Delegation{ChatID: chat.ID, TurnID: turnID, ToolCallID: "call", SessionName: name, Prompt: text})
		if err != nil {
			failed <- err
			return
		}
		g.block <- block
	}()
	select {
	case g.prompt = <-w.prompts:
	case err := <-failed:
		w.t.Fatal(err)
	}
	return g
}

// blockOf returns the latest state of a turn's block.
func (w *env) blockOf(turn backend.Turn) (item backend.Item) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.events {
		if e.Item != nil && e.Item.ID == turn.BlockID {
			item = *e.Item
		}
	}
	return item
}

// waitForEndedTurns waits for n turns to end and returns their states by session.
func (w *env) waitForEndedTurns(n int) map[string]backend.TurnState {
	states := map[string]backend.TurnState{}
	for range n {
		turn := <-w.turns
		states[turn.Session] = turn.State
	}
	return states
}

func TestDelegate_BlockDurableBeforePrompt(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	main := w.sendAndWait(chat)
	w.setFail(errors.New("disk full"))
	d := assistant.Delegation{ChatID: chat.ID, TurnID: main.turn.ID, ToolCallID: "call", SessionName: "auth", Prompt: "x"}
	if _, err := w.chats.Delegate(t.Context(), d); backend.CodeOf(err) != backend.CodeStorage {
		t.Errorf("on a full disk: %v", err)
	}
	w.setFail(nil)
	if len(w.prompts) > 0 {
		t.Fatal("a prompt was sent that is not kept")
	}
	long := strings.Repeat("länge ", 1000)
	g := w.delegate(chat, main.turn.ID, " auth ", long)
	item := w.blockOf(g.turn)
	if g.text != long || g.turn.Session != "auth" || g.turn.BlockID == "" || g.turn.State != backend.TurnRunning {
		t.Errorf("the prompt is %+v", g.turn)
	}
	want := backend.Item{
		ID: g.turn.BlockID, ChatID: chat.ID, TurnID: main.turn.ID, Session: "auth", Kind: backend.ItemBlock, Open: true, CreatedAt: item.CreatedAt,
		Block: &backend.Block{ToolCallID: "call", SessionName: "auth", TurnID: g.turn.ID, Prompt: item.Block.Prompt},
	}
	if diff := cmp.Diff(want, item); diff != "" {
		t.Errorf("the block (-want +got):\n%s", diff)
	}
	if p := item.Block.Prompt; len(p) > backend.MaxBlockPrompt || !strings.HasPrefix(long, strings.TrimSuffix(p, "…")) {
		t.Errorf("its prompt is %d bytes: %.20s", len(p), p)
	}
	w.mu.Lock()
	whole := ""
	for _, e := range w.events {
		if e.Content != nil && e.Content.ItemID == item.ID {
			whole = string(e.Content.Body)
		}
	}
	w.mu.Unlock()
	if whole != long {
		t.Errorf("the whole prompt that is kept is %d bytes", len(whole))
	}
	g.end <- backend.TurnDone
	<-g.block
	main.end <- backend.TurnDone
	w.waitForEndedTurns(2)
}

func TestDelegate_TwoNamesRunInParallel(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	main := w.sendAndWait(chat)
	auth, logger := w.delegate(chat, main.turn.ID, "auth", "one"), w.delegate(chat, main.turn.ID, "logger", "two") // the second starts while the first runs
	logger.end <- backend.TurnDone
	<-logger.block
	if auth.ctx.Err() != nil {
		t.Error("the first ended with the second")
	}
	auth.end <- backend.TurnDone
	<-auth.block
	main.end <- backend.TurnDone
	w.waitForEndedTurns(3)
}

// TestRename_BusySessionRefused checks that a session can't be renamed while it runs a task, because the task would be
// recorded under the old name.
func TestRename_BusySessionRefused(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	main := w.sendAndWait(chat)
	auth := w.delegate(chat, main.turn.ID, "auth", "one")
	never := func() error { t.Error("it was called"); return nil }
	for _, names := range [][]string{{"auth", "login"}, {"logger", "auth"}} {
		if err := w.chats.WhileIdle(chat.ID, never, names...); backend.CodeOf(err) != backend.CodeUnavailable {
			t.Errorf("one that works: %v", err)
		}
	}
	auth.end <- backend.TurnDone
	<-auth.block
	err := w.chats.WhileIdle(chat.ID, func() error {
		for _, name := range []string{"auth", "login"} {
			d := assistant.Delegation{ChatID: chat.ID, TurnID: main.turn.ID, SessionName: name, Prompt: "x"}
			if _, err := w.chats.Delegate(t.Context(), d); backend.CodeOf(err) != backend.CodeUnavailable {
				t.Errorf("%s is given work: %v", name, err)
			}
			if err := w.chats.WhileIdle(chat.ID, never, name); backend.CodeOf(err) != backend.CodeUnavailable {
				t.Errorf("%s is renamed twice: %v", name, err)
			}
		}
		other := w.delegate(chat, main.turn.ID, "logger", "x")
		other.end <- backend.TurnDone
		<-other.block
		return errors.New("failed")
	}, "auth", "login")
	if err == nil || err.Error() != "failed" {
		t.Errorf("its error is lost: %v", err)
	}
	again := w.delegate(chat, main.turn.ID, "auth", "two")
	again.end <- backend.TurnDone
	<-again.block
	main.end <- backend.TurnDone
	w.waitForEndedTurns(4)
}

func TestDelegate_SummaryReturnsToMainAI(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	code := 3
	for i := range backend.MaxChanges + 5 {
		w.summary.Files = append(w.summary.Files, backend.FileChange{Path: fmt.Sprint(i), Added: i})
	}
	w.summary.Commands = []backend.CommandRun{{Command: "go test", ExitCode: &code}}
	w.summary.Message = "Done. " + strings.Repeat("é", 4000)
	chat := w.create()
	main := w.sendAndWait(chat)
	g := w.delegate(chat, main.turn.ID, "auth", "fix it")
	g.end <- backend.TurnDone
	block := <-g.block
	main.end <- backend.TurnDone
	w.waitForEndedTurns(2)
	if len(block.Summary) > backend.MaxSummary || !strings.HasPrefix(block.Summary, "Done. é") || !strings.HasSuffix(block.Summary, "é…") {
		t.Errorf("the summary is %d bytes", len(block.Summary))
	}
	if len(block.Files) != backend.MaxChanges || block.Files[7].Added != 7 || len(block.Commands) != 1 || *block.Commands[0].ExitCode != 3 {
		t.Errorf("the block is %+v", block)
	}
	item := w.blockOf(g.turn)
	if item.Open || item.EndedAt == 0 {
		t.Errorf("its item is open")
	}
	if diff := cmp.Diff(*item.Block, block); diff != "" {
		t.Errorf("the user sees something else than the caller (-user +caller):\n%s", diff)
	}
}

func TestDelegate_EndsWithCaller(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	main := w.sendAndWait(chat)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan backend.Block, 1)
	go func() {
		block, _ := w.chats.Delegate(ctx, assistant.Delegation{ChatID: chat.ID, TurnID: main.turn.ID, SessionName: "auth", Prompt: "x"})
		ended <- block
	}()
	work := <-w.prompts
	cancel()
	<-work.ctx.Done()
	<-ended
	if got := w.waitForEndedTurns(1); got["auth"] != backend.TurnStopped {
		t.Errorf("it ended as %v", got)
	}
	main.end <- backend.TurnDone
	w.waitForEndedTurns(1)
}

func TestDelegate_EndsWithAnswer(t *testing.T) {
	for answer, work := range map[backend.TurnState]backend.TurnState{
		backend.TurnDone: backend.TurnStopped, backend.TurnFailed: backend.TurnStopped, backend.TurnInterrupted: backend.TurnInterrupted,
	} {
		t.Run(string(answer), func(t *testing.T) {
			w := newEnv(t, assistant.Config{})
			chat := w.create()
			main := w.sendAndWait(chat)
			g, own := w.delegate(chat, main.turn.ID, "auth", "one"), w.delegate(chat, "", "mine", "two")
			main.end <- answer
			<-g.block
			for _, want := range []struct {
				session string
				state   backend.TurnState
			}{{"auth", work}, {"main", answer}} { // the task first: nothing is pending when the turn has ended
				if turn := <-w.turns; turn.Session != want.session || turn.State != want.state {
					t.Errorf("%s ended as %s, want %+v", turn.Session, turn.State, want)
				}
			}
			if own.ctx.Err() != nil {
				t.Error("what the user gave was stopped")
			}
			own.end <- backend.TurnDone
			<-own.block
			late := assistant.Delegation{ChatID: chat.ID, TurnID: main.turn.ID, SessionName: "auth", Prompt: "late"}
			if _, err := w.chats.Delegate(t.Context(), late); backend.CodeOf(err) != backend.CodeUnavailable {
				t.Errorf("an answer that has ended gives work: %v", err)
			}
		})
	}
}

func TestDelegate_PromptIsNeverCommand(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	main := w.sendAndWait(chat)
	const command = "allow-all on"
	prefixes := []string{
		"/", "  /", "\n\r\n\t/", "\u00a0/", "\u3000/", "\ufeff/", "\u200b/", "\u2060\u00ad/", "\u3164/", "\u0301/", "\x00\x1b/", "／", " ／", "∕", "⁄", "\\", "＼", "!", "！", "&", " ＆",
		strings.Repeat(" ", 100_000) + "/",
	}
	for _, prefix := range prefixes {
		g := w.delegate(chat, main.turn.ID, "auth", prefix+command)
		if g.text != "Task: "+prefix+command {
			t.Errorf("%.20q reached the agent as %.20q", prefix, g.text)
		}
		if shown := w.blockOf(g.turn).Block.Prompt; !strings.HasPrefix(g.text, strings.TrimSuffix(shown, "…")) {
			t.Errorf("the user sees %.20q", shown)
		}
		g.end <- backend.TurnDone
		<-g.block
		own := w.delegate(chat, "", "auth", prefix+command)
		if own.text != prefix+command {
			t.Errorf("the user wrote %.20q, and %.20q was sent", prefix, own.text)
		}
		own.end <- backend.TurnDone
		<-own.block
	}
	for _, text := range []string{"Fix /etc", "- /allow-all on", "# Heading", "*bold*", "\u00e9tude", "修复登录", "\"/x\"", "`/x`", "(a)", "1. x", "?"} {
		g := w.delegate(chat, main.turn.ID, "auth", text)
		if g.text != text {
			t.Errorf("%q became %q", text, g.text)
		}
		g.end <- backend.TurnDone
		<-g.block
	}
	main.end <- backend.TurnDone
	w.waitForEndedTurns(2*len(prefixes) + 12)
}

func TestDelegate_NameSelectsSession(t *testing.T) {
	for name, want := range map[string]string{
		"auth-bug-fix": "auth-bug-fix", " refactor logger ": "refactor logger", "v1.2_x": "v1.2_x", "修复": "修复", "e\u0301tude": "étude",
		strings.Repeat("ö", 40): strings.Repeat("ö", 40),
		"":                      "", "  ": "", "main": "", "MAIN ": "", "a/b": "", "a\nb": "", "../x": "", "a\u202eb": "", "a\u200bb": "", "<b>": "", strings.Repeat("a", 41): "",
	} {
		got, err := assistant.SessionName(name)
		if got != want || (want == "") != (backend.CodeOf(err) == backend.CodeInvalid) {
			t.Errorf("%q is %q, %v", name, got, err)
		}
	}
}

func TestDelegate_CallerReceivesProgress(t *testing.T) {
	w := newEnv(t, assistant.Config{})
	chat := w.create()
	main := w.sendAndWait(chat)
	lines := make(chan string, 10)
	ended := make(chan backend.Block, 1)
	go func() {
		block, _ := w.chats.Delegate(context.Background(), assistant.Delegation{
			ChatID: chat.ID, TurnID: main.turn.ID, SessionName: "auth", Prompt: "x", Progress: func(text string) { lines <- text },
		})
		ended <- block
	}()
	work := <-w.prompts
	tool := func(parent string) backend.Event {
		return backend.Event{Item: &backend.Item{ID: "i", ChatID: chat.ID, ParentID: parent, Kind: backend.ItemTool, Open: true, Tool: &backend.Tool{Title: "Run go test\n./..."}}}
	}
	for _, e := range []backend.Event{tool("another"), tool(""), tool(work.turn.BlockID), {Turn: &main.turn}} {
		w.chats.Observe(e, nil)
	}
	work.end <- backend.TurnDone
	<-ended
	close(lines)
	for line := range lines {
		if line != "auth: Run go test" {
			t.Errorf("it hears %q", line)
		}
		main.end <- backend.TurnDone // exactly one line is expected
	}
	w.waitForEndedTurns(2)
}
