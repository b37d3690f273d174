package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// TestHandOver_CopilotGetsWholeConversation checks that if Copilot takes over a chat from a main AI, it gets a new
// session that contains the conversation as messages and tool results, not as a recap. A session that is rebuilt later
// also contains the whole conversation.
func TestHandOver_CopilotGetsWholeConversation(t *testing.T) {
	program := copilottest.Path(t)
	dir := t.TempDir()
	t.Setenv(copilot.PathVar, program)
	w := newAppEnv(t, dir)
	p, server := w.addMainAI(func(req practice.Request) practice.Reply {
		at, text := lastPrompt(req)
		switch {
		case at < len(req.Messages)-1:
			return practice.Reply{practice.Text("Done.")}
		case strings.Contains(text, "please print"):
			return practice.Reply{practice.ToolCall("bash", map[string]any{"command": "printf result", "description": "print"})}
		case strings.Contains(text, "please delegate"):
			i := slices.IndexFunc(req.Tools, func(name string) bool { return strings.HasSuffix(name, "copilot_agent") })
			return practice.Reply{practice.ToolCall(req.Tools[i], map[string]any{"session_name": "helper", "prompt": "help me"})}
		case strings.Contains(text, "help me"):
			return practice.Reply{practice.Text("Helped.")}
		}
		return practice.Reply{practice.Text("An answer.")}
	})
	chat := w.Chat(p.ID)
	noErr(t, w.App.SetPermissionMode(chat.ID, backend.ModeBypass))
	w.Send(chat, "please print")
	w.WaitForDone("Copilot's turn", 1)
	first, _ := sessionIDs(w)
	w.choose(chat, p.ID)
	w.Send(chat, "please delegate")
	w.WaitForDone("the main AI's turn and its task", 3)
	w.choose(chat, "")
	w.Send(chat, "what now?")
	w.WaitForDone("Copilot's second turn", 4)

	want := []string{
		"user: please print", `call bash {"command":"printf result","description":"print"}`, "assistant: ", "tool: result", "assistant: Done.",
		"user: please delegate", `call copilot_agent {"prompt":"help me","session_name":"helper"}`, "assistant: ", "tool: Helped.", "assistant: Done.",
		"user: what now?",
	}
	if diff := cmp.Diff(want, lastConversation(server)); diff != "" {
		t.Errorf("Copilot got (-want +got):\n%s", diff)
	}
	ids, home := sessionIDs(w)
	if ids[backend.SessionMain] == first[backend.SessionMain] {
		t.Error("the session is still the first one")
	}
	if got := bannersBySession(w)[backend.SessionMain]; got != backend.BannerHandedOver {
		t.Errorf("banner %q", got)
	}
	if note := w.bannerNote(backend.BannerHandedOver); !strings.Contains(note, "2 messages") {
		t.Errorf("the banner says %q", note)
	}
	for _, e := range w.Snapshot("/data/chat?id=" + chat.ID).Events {
		if e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerSessionLost {
			t.Error("a banner says that Copilot got a summary")
		}
	}
	w.Close()

	noErr(t, os.Remove(filepath.Join(home, "session-state", ids[backend.SessionMain], "events.jsonl")))
	w = newAppEnv(t, dir)
	w.Send(chat, "and now?")
	w.WaitForDone("the turn after the damage", 1)
	if diff := cmp.Diff(append(want, "assistant: An answer.", "user: and now?"), lastConversation(server)); diff != "" {
		t.Errorf("after its session was lost, Copilot got (-want +got):\n%s", diff)
	}
	if got := bannersBySession(w)[backend.SessionMain]; got != backend.BannerSessionRebuilt {
		t.Errorf("banner %q", got)
	}
}

// lastConversation returns the conversation in the last request, ignoring requests for other purposes, such as a title.
func lastConversation(server *practice.Server) []string {
	for _, req := range slices.Backward(server.Requests()) {
		if !req.Side() {
			lines, _ := messagesOf(req)
			return lines
		}
	}
	return nil
}
