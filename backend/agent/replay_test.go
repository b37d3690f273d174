package agent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/agent/replay"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// transcriptRecorder records a transcript as the app would store it, for comparison with replays.
type transcriptRecorder struct {
	w *env

	mu    sync.Mutex
	turns []*recordedTurn
}

type recordedTurn struct {
	tu    *turn
	text  string
	state backend.TurnState
}

// configure makes the env's agents compare replays with the transcript that r records.
func (r *transcriptRecorder) configure(w *env, cfg *agent.Config) {
	r.w = w
	cfg.History = func(_ context.Context, _ string) (list []replay.Exchange, err error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, e := range r.turns {
			list = append(list, replay.Exchange{Prompt: e.text, Answer: w.answerText(e.tu), State: e.state})
		}
		return list, nil
	}
}

func (r *transcriptRecorder) start(text string) *recordedTurn {
	e := &recordedTurn{text: text, state: backend.TurnRunning}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turns = append(r.turns, e)
	e.tu = r.w.start(backend.SessionMain, text)
	return e
}

func (r *transcriptRecorder) finish(e *recordedTurn, want backend.TurnState) {
	r.w.t.Helper()
	r.w.expectEnd(e.tu, want)
	r.mu.Lock()
	defer r.mu.Unlock()
	e.state = want
}

func (r *transcriptRecorder) promptAndExpect(text string) {
	r.w.t.Helper()
	r.finish(r.start(text), backend.TurnDone)
}

// replayDifference returns the reported difference, or "" if there is none.
func (w *env) replayDifference() (detail string) {
	for _, it := range w.items(nil) {
		if it.Banner != nil && it.Banner.Kind == backend.BannerHistoryMismatch {
			detail = it.Banner.Detail.String()
		}
	}
	return detail
}

// exchange returns a turn for a transcript. A prefix of text sets the turn's state: "!" means stopped, "?" interrupted
// and "…" running; without a prefix, the turn is done. "#" is a turn with an image and no text.
func exchange(text string) replay.Exchange {
	if text == "#" {
		return replay.Exchange{Answer: "I see a dot", State: backend.TurnDone}
	}
	e := replay.Exchange{Prompt: text, Answer: "answer to " + text, State: backend.TurnDone}
	for mark, state := range map[string]backend.TurnState{"!": backend.TurnStopped, "?": backend.TurnInterrupted, "…": backend.TurnRunning} {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			e = replay.Exchange{Prompt: rest, Answer: "answer", State: state}
		}
	}
	return e
}

// replayOf returns the updates of an agent's replay, one per line: "> x" is a user message, "#" an image in one, "+ x"
// a tool call, and any other line an answer. \u0000 in a line is a JSON escape.
func replayOf(lines ...string) (updates []string) {
	for _, l := range lines {
		if l == "#" {
			updates = append(updates, `{"sessionUpdate":"user_message_chunk","content":{"type":"image","mimeType":"image/png","data":"AAAA"}}`)
			continue
		}
		kind, text := "agent_message_chunk", l
		if rest, ok := strings.CutPrefix(l, "> "); ok {
			kind, text = "user_message_chunk", rest
		}
		if rest, ok := strings.CutPrefix(l, "+ "); ok {
			updates = append(updates, fmt.Sprintf(`{"sessionUpdate":"tool_call","toolCallId":%q,"title":"T","kind":"read","status":"completed"}`, rest))
			continue
		}
		updates = append(updates, strings.ReplaceAll(fmt.Sprintf(`{"sessionUpdate":%q,"content":{"type":"text","text":%q}}`, kind, text), `\\u`, `\u`))
	}
	return updates
}

// numbered returns n lines, which consist of the given start and a number. Each of them is followed by the lines in
// the parameter between.
func numbered(start string, n int, between ...string) (lines []string) {
	for i := range n {
		lines = append(append(lines, fmt.Sprintf("%s %d", start, i)), between...)
	}
	return lines
}

func TestReplay_ComparedWithTranscript(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		history []string
		replay  []string
		want    string
	}{
		{"the same", []string{"a", "b"}, []string{"> a", "answer to a", "> b", "answer to b"}, ""},
		{"in other pieces", []string{"a b"}, []string{"> a", ">  b", "answer ", "to a b"}, ""},
		{"the agent lacks one", []string{"a", "b"}, []string{"> a", "answer to a"}, "Copilot's history is missing the last message."},
		{"the agent lacks two", []string{"a", "b", "c"}, []string{"> a", "answer to a"}, "Copilot's history is missing the last 2 messages."},
		{"the agent lacks all", []string{"a", "b"}, nil, "Copilot's history contains none of this chat's messages."},
		{"the agent has one more", []string{"a"}, []string{"> a", "answer to a", "> x", "y"}, "Copilot's history has 1 message that isn't in this chat."},
		{"the agent has two more", []string{"a"}, []string{"> a", "answer to a", "> x", "y", "> z"}, "Copilot's history has 2 messages that aren't in this chat."},
		{"both", []string{"a", "b"}, []string{"> a", "answer to a", "> x", "y"}, "Copilot's history is missing the last message and has 1 message that isn't in this chat."},
		{"the last answer is missing", []string{"a", "b"}, []string{"> a", "answer to a", "> b"}, "Copilot's history is missing the last answer."},
		{"the last answer is another", []string{"a"}, []string{"> a", "forty-two"}, "Copilot's history is missing the last answer."},
		{"it only did something", []string{"a"}, []string{"> a", "+ 1"}, ""},
		{"a line of its own is last", []string{"a"}, []string{"> a", "Info: cancelled"}, ""},
		{"what was stopped or cut off is missing", []string{"a", "!b", "?c"}, []string{"> a", "answer to a"}, ""},
		{"what was stopped or cut off is there", []string{"a", "!b", "?c"}, []string{"> a", "answer to a", "> b", "> c"}, ""},
		{"the one that waits", []string{"a", "…b"}, []string{"> a", "answer to a"}, ""},
		{"a command that is not replayed", []string{"a", "/compact"}, []string{"> a", "answer to a"}, ""},
		{"what the agent goes on with by itself", []string{"a"}, []string{"> a", "more", "> ", "answer to a", "> ", "answer to a"}, ""},
		{"a recap in front", []string{"lost", "a"}, []string{"> It was about tea.\na", "answer to a"}, ""},
		{"a difference of before", []string{"a", "b", "c"}, []string{"> a", "> x", "> c", "answer to c"}, ""},
		{"the same message many times", []string{"go", "!go", "go"}, []string{"> go", "answer to go", "> go", "answer to go"}, ""},
		{"an agent that replays no messages of the user's", []string{"a"}, []string{"answer to a"}, ""},
		{"a transcript that is empty", nil, []string{"> a", "answer to a"}, ""},
		{"an answer that ends with nothing", []string{"a"}, []string{"> a", "forty-two", "", " \n"}, "Copilot's history is missing the last answer."},
		{"an answer of nothing", []string{"a"}, []string{"> a", "", "\n"}, "Copilot's history is missing the last answer."},
		{"a piece that comes twice", []string{"no no"}, []string{"> no ", "> no", "answer ", "answer ", "to no no"}, ""},
		{"pieces of nothing", []string{"a b"}, []string{"> ", "> a", "> ", "> b", "", "answer to a b", ""}, ""},
		{"a message cut within a character", []string{"a 👋 b"}, []string{`> a \ud83d`, `> \udc4b b`, `answer to a \ud83d`, `\udc4b b`}, ""},
		{"a message that begins within a character", []string{"👋"}, []string{`> \ud83d`, `> \udc4b`, "answer to 👋"}, ""},
		{"half a character at the end of one message and the start of the next", []string{"a", "b"}, []string{`> a\ud83d`, "answer to a", `> \udc4bb`, "answer to b"}, ""},
		{"an image between texts", []string{"a b"}, []string{"> a", "#", "> b", "answer to a b"}, ""},
		{"an image before the text", []string{"a"}, []string{"#", "> a", "answer to a"}, ""},
		{"an image without words at the end", []string{"a", "#"}, []string{"> a", "answer to a", "#", "I see a dot"}, ""},
		{"an image without words that is not replayed", []string{"a", "#"}, []string{"> a", "answer to a"}, ""},
		{"an image without words, and then another answer", []string{"a", "#"}, []string{"> a", "answer to a", "#", "forty-two"}, "Copilot's history is missing the last answer."},
		{"an image without words in the middle", []string{"a", "#", "b"}, []string{"> a", "answer to a", "#", "I see a dot", "> b", "answer to b"}, ""},
		{"the agent has more than are looked at", []string{"a"}, numbered("> x", 70, "y"), "VoxPilot compared this chat's last 64 messages with the last 64 in Copilot's history and found no match."},
		{"nothing in common with a long transcript", numbered("a", 70), []string{"> x", "y"}, "VoxPilot compared this chat's last 64 messages with the last 64 in Copilot's history and found no match."},
		{"spaces", []string{" a\r\n  b "}, []string{"> a\nb", "answer to a b"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newEnvWithSessions(t, backend.SessionMain)
			w.open(fake(fakeagent.Script{Before: map[string][]string{"session/load": replayOf(c.replay...)}, Answer: map[string]string{"session/load": `{}`}}), func(_ *env, cfg *agent.Config) {
				cfg.History = func(context.Context, string) (list []replay.Exchange, _ error) {
					for _, text := range c.history {
						list = append(list, exchange(text))
					}
					return list, nil
				}
			})
			w.agent.Restore()
			w.waitForState(backend.ConnectionReady)
			equal(t, "the difference", w.replayDifference(), c.want)
		})
	}
}

func TestReplay_LongOneComparedAtEnd(t *testing.T) {
	t.Parallel()
	var lines []string
	var history []replay.Exchange
	for i := range 1000 {
		text := fmt.Sprintf("message %d %s", i, strings.Repeat("x", 5000))
		lines = append(lines, "> "+text, "answer to "+text)
		history = append(history, exchange(text))
	}
	w := newEnvWithSessions(t, backend.SessionMain)
	file := filepath.Join(w.home, "session-state", w.session().ACPID+".json")
	noErr(t, os.WriteFile(file, sessionFile(t, w, replayOf(lines[:len(lines)-2]...)), 0o600))
	w.open(fake(fakeagent.Script{}), func(_ *env, cfg *agent.Config) {
		cfg.History = func(context.Context, string) ([]replay.Exchange, error) { return history, nil }
	})
	w.agent.Restore()
	w.waitForState(backend.ConnectionReady)
	equal(t, "the difference", w.replayDifference(), "Copilot's history is missing the last message.")
}

// sessionFile returns the content of a session file of the fake agent with the given updates.
func sessionFile(t *testing.T, w *env, updates []string) []byte {
	t.Helper()
	return fmt.Appendf(nil, `{"ID":%q,"Cwd":%q,"Log":[%s]}`, w.session().ACPID, w.folder, strings.Join(updates, ","))
}
