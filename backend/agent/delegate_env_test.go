package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/agent/session"
	"github.com/voxpilot/voxpilot/backend/assistant"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// delegationEnv is an app whose chat uses the real Copilot CLI with a scripted model that
// delegates to sessions through copilot_agent.
type delegationEnv struct {
	*app
	t     *testing.T
	dir   string // the app's data directory
	home  string
	chat  backend.Chat
	tools *toolServer
	model *practice.Server

	mu    sync.Mutex
	gates map[string]chan struct{} // gates that the model waits for
	sent  int                      // number of user messages
}

// task is one call to copilot_agent.
type task struct {
	Session string `json:"session_name"`
	Prompt  string `json:"prompt"`
}

func newDelegationEnv(t *testing.T) *delegationEnv {
	t.Helper()
	cli := copilotCLI(t)
	o := &delegationEnv{t: t, dir: t.TempDir(), home: t.TempDir(), gates: map[string]chan struct{}{}}
	var err error
	if o.model, err = practice.New(practice.Func(o.reply)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		o.model.Close()
		if err := o.model.Err(); err != nil {
			t.Error(err)
		}
	})
	o.tools = newToolServer(t, "voxpilot", o.delegate)
	launch := agent.Launch{Path: cli, Args: copilot.Args(), Env: append(os.Environ(), o.model.Env(o.home)...), Home: o.home}
	o.open(launch)
	t.Cleanup(func() { o.close() })
	o.chat = o.create(t.TempDir())
	return o
}

func (o *delegationEnv) open(launch agent.Launch) {
	o.app = openApp(o.t, o.dir, func(backend.Chat) agent.Launch { return launch })
	o.app.tools = func(backend.Chat) []session.MCPServer { return []session.MCPServer{o.tools.config()} }
}

// restart closes the app and opens it again.
func (o *delegationEnv) restart() {
	launch := o.launch(o.chat)
	o.close()
	o.open(launch)
}

// delegate handles a call to copilot_agent as the app does.
func (o *delegationEnv) delegate(r *http.Request, session, prompt string) string {
	block, err := o.chats.Delegate(r.Context(), assistant.Delegation{
		ChatID: o.chat.ID, TurnID: o.chats.Turn(o.chat.ID), SessionName: session, Prompt: prompt,
	})
	if err != nil {
		return "error: " + err.Error()
	}
	told, err := json.Marshal(block)
	noErr(o.t, err)
	return string(told)
}

// gate returns the channel with the given name, on which the model waits. It creates the channel if necessary.
func (o *delegationEnv) gate(name string) chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.gates[name] == nil {
		o.gates[name] = make(chan struct{})
	}
	return o.gates[name]
}

// reply returns the model's reply to a request. In the main session, the model answers with parallel copilot_agent
// calls, one per task, and quotes their results once the calls have returned. In a delegated session, the first word of
// the prompt tells the model what to do.
func (o *delegationEnv) reply(req practice.Request) practice.Reply {
	text := req.User()
	var results []string // tool results since the user's message
	for _, m := range req.Messages {
		switch m.Role {
		case "user":
			results = nil
		case "tool":
			results = append(results, m.Text)
		}
	}
	first, rest, _ := strings.Cut(text, " ")
	call := func(tool string, args map[string]any, then string) practice.Reply {
		if len(results) == 0 {
			return practice.Reply{practice.ToolCall(tool, args)}
		}
		return practice.Reply{practice.Text(then)}
	}
	switch {
	case req.Side():
	case first == "GIVE" && len(results) > 0:
		return practice.Reply{practice.Text("told: " + strings.Join(results, "\n"))}
	case first == "GIVE":
		i := slices.IndexFunc(req.Tools, func(name string) bool { return strings.HasSuffix(name, "-copilot_agent") })
		var tasks []task
		noErr(o.t, json.Unmarshal([]byte(rest), &tasks))
		var calls practice.Reply
		for _, k := range tasks {
			calls = append(calls, practice.ToolCall(req.Tools[i], map[string]any{"session_name": k.Session, "prompt": k.Prompt}))
		}
		return calls
	case first == "make":
		return call("create", map[string]any{"path": o.path(rest), "file_text": "one\ntwo\n"}, "Made "+rest+".")
	case first == "run" || strings.Contains(text, "allow-all"):
		if first != "run" {
			rest = "exit 3"
		}
		return call("bash", map[string]any{"command": rest, "description": "Run it"}, "Ran it.")
	case first == "hold":
		return practice.Reply{practice.Text("Begun " + rest + ". "), practice.Wait(o.gate(rest)), practice.Text("Ended " + rest + ".")}
	}
	return practice.Reply{practice.Text("ok")}
}

func (o *delegationEnv) path(name string) string { return o.chat.Folder + "/" + name }

// startDelegation sends a message that makes the model delegate the tasks to sessions.
func (o *delegationEnv) startDelegation(tasks ...task) {
	o.t.Helper()
	text, err := json.Marshal(tasks)
	noErr(o.t, err)
	o.send(o.chat.ID, "GIVE "+string(text))
	o.sent++
}

// delegateAndWait delegates the tasks as startDelegation does, and returns the model's answer.
func (o *delegationEnv) delegateAndWait(tasks ...task) (answer string) {
	o.t.Helper()
	o.startDelegation(tasks...)
	return o.waitForAnswer(backend.TurnDone)
}

// waitForAnswer waits until the last message's turn has ended in the given state and returns
// the answer.
func (o *delegationEnv) waitForAnswer(want backend.TurnState) (answer string) {
	o.t.Helper()
	var last backend.Turn
	o.waitFor(o.t, o.chat.ID, "the answer", func(events []backend.Event) bool {
		ended := map[string]bool{}
		for _, e := range events {
			if e.Turn != nil && e.Turn.Session == backend.SessionMain && e.Turn.State != backend.TurnRunning {
				ended[e.Turn.ID], last = true, *e.Turn
			}
		}
		return len(ended) == o.sent
	})
	if last.State != want {
		o.t.Fatalf("the answer ended as %s: %+v", last.State, last.Error)
	}
	items, _ := o.page(o.t, o.chat.ID)
	for _, it := range items {
		if it.TurnID == last.ID && it.Kind == backend.ItemMessage {
			answer = it.text
		}
	}
	return answer
}

// parseBlocks returns the blocks quoted in the model's answer.
func parseBlocks(t *testing.T, answer string) (blocks []backend.Block) {
	t.Helper()
	for line := range strings.Lines(strings.TrimPrefix(answer, "told: ")) {
		var b backend.Block
		if err := json.Unmarshal([]byte(line), &b); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		blocks = append(blocks, b)
	}
	slices.SortFunc(blocks, func(a, b backend.Block) int { return strings.Compare(a.SessionName, b.SessionName) })
	return blocks
}

// blocks returns the chat's blocks and their contents by session, as a newly opened window shows them.
func (o *delegationEnv) blocks() (blocks map[string][]*item, inside map[string][]*item) {
	o.t.Helper()
	items, _ := o.page(o.t, o.chat.ID)
	blocks, inside = map[string][]*item{}, map[string][]*item{}
	for _, it := range items {
		if it.Kind == backend.ItemBlock {
			blocks[it.Session] = append(blocks[it.Session], it)
		}
		if it.ParentID != "" {
			inside[it.Session] = append(inside[it.Session], it)
		}
	}
	return blocks, inside
}

// waitForText waits until the window shows the text.
func (o *delegationEnv) waitForText(text string) {
	o.t.Helper()
	o.waitFor(o.t, o.chat.ID, text, func(events []backend.Event) bool {
		return slices.ContainsFunc(events, func(e backend.Event) bool { return e.Text != nil && strings.Contains(e.Text.Text, text) })
	})
}

// sessionIDs returns the ACP IDs of the sessions by session name.
func (o *delegationEnv) sessionIDs() map[string]string {
	o.t.Helper()
	ids := map[string]string{}
	sessions, err := o.store.Sessions(context.Background(), o.chat.ID)
	noErr(o.t, err)
	for _, s := range sessions {
		ids[s.Name] = s.ACPID
	}
	return ids
}

// pids returns the PIDs of all processes of the chat's agent.
func (o *delegationEnv) pids() (pids []int) {
	o.app.mu.Lock()
	defer o.app.mu.Unlock()
	for _, e := range o.events[o.chat.ID] {
		if c := e.Connection; c != nil && c.PID != 0 && !slices.Contains(pids, c.PID) {
			pids = append(pids, c.PID)
		}
	}
	return pids
}

// methods returns the session/load, session/new and session/prompt requests sent to the
// agent, in order, each with its session's name.
func (o *delegationEnv) methods() (out []string) {
	names := map[string]string{}
	for name, id := range o.sessionIDs() {
		names[id] = name
	}
	for _, f := range o.agent(o.chat.ID).Protocol(0, "session/", 0) {
		if f.Out && (f.Method == "session/load" || f.Method == "session/new" || f.Method == "session/prompt") {
			out = append(out, fmt.Sprint(strings.TrimPrefix(f.Method, "session/"), " ", names[f.Session]))
		}
	}
	return out
}

// modelReceived reports whether a delegated session sent the model all of the given texts in one conversation, in
// the given order.
func (o *delegationEnv) modelReceived(texts ...string) bool {
	return slices.ContainsFunc(o.model.Requests(), func(req practice.Request) bool {
		if slices.ContainsFunc(req.Messages, func(m practice.Message) bool { return m.Role == "user" && strings.Contains(m.Text, "GIVE [") }) {
			return false // main's conversation contains all texts
		}
		left := texts
		for _, m := range req.Messages {
			if len(left) > 0 && m.Role == "user" && strings.Contains(m.Text, left[0]) {
				left = left[1:]
			}
		}
		return len(left) == 0
	})
}

// promptSession sends a user message to a session and returns the resulting block.
func (o *delegationEnv) promptSession(session, text string) backend.Block {
	o.t.Helper()
	block, err := o.chats.Delegate(context.Background(), assistant.Delegation{ChatID: o.chat.ID, SessionName: session, Prompt: text})
	noErr(o.t, err)
	return block
}
