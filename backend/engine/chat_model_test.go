package engine_test

import (
	stdcmp "cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// addMainAI adds a provider with a scripted model, for use as an orchestrator.
func (w *appEnv) addMainAI(script practice.Func) (backend.Provider, *practice.Server) {
	w.T.Helper()
	server, err := practice.New(script)
	if err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(server.Close)
	p, err := w.App.SaveProvider(backend.Provider{Name: "Mine", BaseURL: server.URL(), Model: "m"}, server.Key())
	if err != nil {
		w.T.Fatal(err)
	}
	return p, server
}

func (w *appEnv) choose(chat backend.Chat, mainID string) {
	w.T.Helper()
	if err := w.App.SetOrchestrator(chat.ID, mainID); err != nil {
		w.T.Fatal(err)
	}
}

func TestResponder_SwitchGetsHistory(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("copilot: $PROMPT")}, Calls: calls})
	w := newAppEnv(t, t.TempDir())
	p, server := w.addMainAI(func(req practice.Request) practice.Reply {
		return practice.Reply{practice.Text("the model: " + req.User())}
	})
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "first")
	w.WaitForDone("Copilot's turn", 1)
	w.choose(chat, p.ID)
	w.choose(chat, "")
	w.choose(chat, p.ID)
	w.Send(chat, "second")
	w.WaitForDone("the model's turn", 2)
	var told []string
	for _, m := range server.Requests()[0].Messages {
		if m.Role != "system" {
			told = append(told, m.Role+": "+m.Text)
		}
	}
	if want := []string{"user: first", "assistant: copilot: first", "user: second"}; !cmp.Equal(want, told) {
		t.Errorf("the model was told %q, want %q", told, want)
	}
	w.choose(chat, "")
	w.Send(chat, "third")
	w.WaitForDone("Copilot's second turn", 3)
	got := promptTexts(t, calls)
	if len(got) != 2 || len(got[1]) != 2 || got[1][1] != "third" {
		t.Fatalf("Copilot got %q", got)
	}
	for _, part := range []string{"> second", "> the model: second"} {
		if !strings.Contains(got[1][0], part) {
			t.Errorf("%q is missing in what it was told:\n%s", part, got[1][0])
		}
	}
	if err := w.App.SetOrchestrator(chat.ID, "nobody"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("nobody is taken as a main AI: %v", err)
	}
}

func TestSession_UserMessageIsBlockAllowsCommands(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("done: $PROMPT")}, Calls: calls})
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	if err := w.App.SendTo(chat.ID, "tests", "/compact now"); err != nil {
		t.Fatal(err)
	}
	ended := w.WaitFor("the block ends", func(e backend.Event) bool { return e.Item != nil && e.Item.Block != nil && !e.Item.Open }).Item
	if b := ended.Block; ended.TurnID != "" || b.SessionName != "tests" || b.Summary != "done: /compact now" || b.Error != nil {
		t.Errorf("the block is %+v of the turn %q", *b, ended.TurnID)
	}
	if got := promptTexts(t, calls); len(got) != 1 || got[0][len(got[0])-1] != "/compact now" {
		t.Errorf("the session got %q", got)
	}
	for _, bad := range []string{"", "a/b", strings.Repeat("x", 41)} {
		if err := w.App.SendTo(chat.ID, bad, "hello"); backend.CodeOf(err) != backend.CodeInvalid {
			t.Errorf("a session called %q: %v", bad, err)
		}
	}
	var did struct{ Sessions []backend.SessionStats }
	if code := w.Get("/data/sessions?chat="+chat.ID, &did); code != http.StatusOK || len(did.Sessions) != 1 || did.Sessions[0].Name != "tests" || did.Sessions[0].Turns != 1 {
		t.Errorf("what the sessions did is (%d) %+v", code, did)
	}
	if err := w.App.RenameSession(chat.ID, "tests", "checks"); err != nil {
		t.Fatal(err)
	}
	if err := w.App.SendTo(chat.ID, "checks", "and again"); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("the same session answers by its new name", func(e backend.Event) bool {
		return e.Item != nil && e.Item.Block != nil && e.Item.Block.SessionName == "checks" && e.Item.Block.Summary == "done: and again"
	})
	if err := w.App.CloseSession(chat.ID, "checks"); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("it is forgotten", func(e backend.Event) bool { return e.SessionDeleted != nil && e.SessionDeleted.ID == "checks" })
	if err := w.App.CloseSession(chat.ID, "checks"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("it is closed once more: %v", err)
	}
}

// callTool makes a tool call as the chat's agent and returns the response.
func (w *appEnv) callTool(chat backend.Chat, name string, args map[string]any) (told string) {
	w.T.Helper()
	e, err := w.App.Engine()
	if err != nil {
		w.T.Fatal(err)
	}
	server := e.Servers(chat.ID)[0]
	arguments, err := json.Marshal(args)
	if err != nil {
		w.T.Fatal(err)
	}
	session := ""
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, name, arguments),
	} {
		req, err := http.NewRequestWithContext(w.T.Context(), http.MethodPost, server.URL, strings.NewReader(message))
		if err != nil {
			w.T.Fatal(err)
		}
		for header, value := range server.Headers {
			req.Header.Set(header, value)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
		}
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			w.T.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || answer.StatusCode >= http.StatusBadRequest {
			w.T.Fatalf("%s: %s %s %v", message, answer.Status, body, err)
		}
		session, told = stdcmp.Or(answer.Header.Get("Mcp-Session-Id"), session), string(body)
	}
	http.DefaultClient.CloseIdleConnections()
	return told
}

// TestDelegate_UnpromptedAgentRefused checks that a delegation is refused if the agent calls the tool after its turn
// has ended. No user message led to such a call, so its prompt must not reach a session.
func TestDelegate_UnpromptedAgentRefused(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("done: $PROMPT")}, Calls: calls})
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "hello")
	w.WaitForDone("the turn", 1)
	told := w.callTool(chat, "copilot_agent", map[string]any{"session_name": "a", "prompt": "/allow-all on"})
	if !strings.Contains(told, `"isError":true`) || !strings.Contains(told, "no answer is in progress") {
		t.Errorf("the agent was told %s", told)
	}
	if got := promptTexts(t, calls); len(got) != 1 {
		t.Errorf("its sessions got %q", got)
	}
}

func TestDelegate_BlocksInCallOrder(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("done: $PROMPT")}})
	w := newAppEnv(t, t.TempDir())
	names := []string{"one", "two", "three", "four", "five", "six"}
	p, _ := w.addMainAI(func(req practice.Request) practice.Reply {
		if last := req.Messages[len(req.Messages)-1]; last.Role == "tool" {
			return practice.Reply{practice.Text("All done.")}
		}
		var calls practice.Reply
		for _, name := range names {
			calls = append(calls, practice.ToolCall("copilot_agent", map[string]any{"session_name": name, "prompt": "do " + name}))
		}
		return calls
	})
	chat := w.Chat(backend.ProviderCopilot)
	w.choose(chat, p.ID)
	w.Send(chat, "Do it all")
	w.WaitForDone("the turn and the work", 1+len(names))
	var got []string
	for _, e := range w.Snapshot("/data/chat?id=" + chat.ID).Events {
		if e.Item != nil && e.Item.Block != nil {
			got = append(got, e.Item.Block.SessionName)
		}
	}
	if diff := cmp.Diff(names, got); diff != "" {
		t.Error("(-want +got):\n", diff)
	}
}

// TestSession_LateMessageNotSent checks that a message isn't sent if the caller's context ended first: the caller gets
// an error and may send the message again.
func TestSession_LateMessageNotSent(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("done: $PROMPT")}, Calls: calls})
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	e, err := w.App.Engine()
	if err != nil {
		t.Fatal(err)
	}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	for range 20 {
		if err := e.SendToSession(late, chat.ID, "tests", "first"); err == nil {
			t.Error("it went out")
		}
	}
	if err := w.App.SendTo(chat.ID, "tests", "second"); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("the second is done", func(e backend.Event) bool {
		return e.Item != nil && e.Item.Block != nil && e.Item.Block.Summary == "done: second"
	})
	if got := promptTexts(t, calls); len(got) != 1 {
		t.Errorf("the session got %q", got)
	}
}
