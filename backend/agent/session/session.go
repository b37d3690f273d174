// Package session handles one agent session in a running process: it converts the agent's updates to
// transcript items, and decides and serves its requests for permission, files and commands.
//
//   - session.go, text.go, tool.go, tool_content.go: updates to transcript items;
//     retry.go: repeated model calls; row.go: changes to the session's row, and replays.
//   - options.go: modes and options, as declared by the agent.
//   - services.go: requests to VoxPilot; permission.go, request_changes.go: requests to
//     the user; fs.go: files; terminals.go, commands.go: commands and their output.
//   - without_permission.go: changes without permission; late_requests.go: requests
//     from stopped turns; guard.go: calls that the guard reports; sandbox.go:
//     commands in the sandbox.
//   - elicitation.go: questions of the agent to the user.
//   - own_tools.go: calls to tools of VoxPilot's MCP servers.
//   - turn_summary.go: summaries of turns.
package session

import (
	"context"
	"encoding/base64"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/replay"
	"github.com/voxpilot/voxpilot/backend/agent/result"
	"github.com/voxpilot/voxpilot/backend/agent/sandboxed"
	"github.com/voxpilot/voxpilot/backend/question"
	"github.com/voxpilot/voxpilot/backend/terminal"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Config holds a session's dependencies. Functions that may be nil in agent.Config may also be nil here. Fields without
// a comment have the same meaning as in agent.Config, where Allowed and Denied are called IsAllowed and IsDenied.
type Config struct {
	Servers []MCPServer             // passed to the agent for this session
	Guarded bool                    // the agent's guard must report each tool call to Session.Guard before it runs
	Process context.Context         // canceled when the process ends
	Home    string                  // the agent's COPILOT_HOME, or "" if it is unknown
	Env     func() []string         // environment of commands run for the agent
	Hold    func() (release func()) // keeps the process from counting as idle until release is called
	Save    func(backend.Session)   // stores and publishes a changed row
	Publish func(...backend.Event)
	Commit  func(ctx context.Context, events ...backend.Event) error
	Ask     func(ctx context.Context, p backend.Permission) (decided backend.Permission, ok bool)
	Allowed func(backend.Permission) bool
	Denied  func(backend.Permission) bool
	Sandbox sandboxed.Sandbox
	// Questions asks the user for elicitations.
	Questions *question.Broker
	// Send makes a call that the agent must answer within a minute, and passes the answer to apply. If ctx ends or the
	// minute passes first, Send returns an error. Even then, apply is called if an answer arrives later.
	Send func(ctx context.Context, method string, params any, apply func(answer gjson.Result)) error
	// Abort ends the process because of a change without permission. It is called for a turn that the agent started
	// itself, because such a turn can't be canceled.
	Abort func(change string)
	Log   *slog.Logger
}

// New returns a session for the given row. It doesn't contain any state reported by the agent yet.
func New(row backend.Session, cfg Config) *Session {
	return &Session{cfg: cfg, log: cfg.Log, chatID: row.ChatID, Name: row.Name, ID: row.ACPID, Folder: row.Cwd, row: row, guard: guardState{added: make(chan struct{})}}
}

// Session is a session in a running process. It converts the agent's updates to transcript items.
type Session struct {
	cfg      Config
	log      *slog.Logger
	chatID   string
	Name     string // the row's name; Name, ID and Folder never change
	ID       string // the session's ACP ID
	Folder   string
	unloaded atomic.Bool // unloaded from the process; updates are ignored

	mu              sync.Mutex
	row             backend.Session
	inReplay        bool              // the agent is replaying the session; most updates aren't applied
	collected       *replay.Replay    // collects the replay for comparison; nil if it isn't compared
	difference      replay.Difference // the result of the comparison
	choices         choices
	usageSoFar      backend.Usage // the total in the agent's last report
	cost            backend.Usage // model and cost of the turn's model calls
	hasOutput       bool          // an update arrived in this turn
	turn            string        // ID of the running or last turn
	parent          string        // ID of the block that contains the turn, or ""
	summary         summaryBuilder
	running         bool      // a turn is running
	text            *textItem // the item that chunks are appended to, or nil
	tools           map[string]*toolItem
	plan            *backend.Item
	pendingChunk    []byte // the last chunk, if it may be a line of the CLI
	call            modelCall
	modelAnswered   bool // a model call of the turn was answered
	userRejected    bool // the user rejected a request from the turn
	turnCtx         context.Context
	turnDone        context.CancelFunc
	openRequests    sync.WaitGroup // permission requests, elicitations and writes; a turn waits for them before it ends
	grants          []grant        // grants of the turn
	stopped         bool           // the turn was stopped: none of its requests may write or run anything
	revoked         []grant        // unused grants of stopped turns
	set             *terminal.Set  // terminals of commands run for the agent
	commands        map[string]*command
	permissionWatch permissionWatch
	guard           guardState
	sandboxRuns     sandboxed.Runs
}

// Begin starts the given turn. Updates belong to it until the next turn starts.
func (s *Session) Begin(turn backend.Turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closeText() // text that arrived after the end of the previous turn
	s.turn, s.parent, s.running, s.plan, s.userRejected, s.hasOutput, s.modelAnswered = turn.ID, turn.BlockID, true, nil, false, false, false
	s.call = modelCall{startedAt: backend.Now()}
	s.summary, s.cost = summaryBuilder{}, backend.Usage{}
	s.turnCtx, s.turnDone = context.WithCancel(context.Background())
	s.grants, s.stopped = nil, false
	s.dropReleasedCommands()
	for id, t := range s.tools {
		if !t.item.Open && !t.isLate {
			delete(s.tools, id)
		}
	}
	s.dropOldLate()
}

// End closes the turn's open items and returns once they are published. If cut is true, the turn was canceled or the
// agent exited. If the turn ended with the CLI's report of a failed model call, failure is that report.
func (s *Session) End(cut bool) (failure string) {
	s.mu.Lock()
	if !s.running {
		s.mu.Unlock()
		return ""
	}
	s.running = false
	s.turnDone()
	s.sandboxRuns.Discard()
	if cut {
		s.revokeGrants()
	}
	s.mu.Unlock()
	s.openRequests.Wait()
	s.settleCommands(cut)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !cut {
		failure = s.failureReport()
	}
	if failure == "" && !cut {
		s.endModelCall()
	}
	s.release()
	if cut && len(s.call.earlierItems) > 0 {
		s.endFailedTry()
	}
	if t := s.text; t != nil {
		s.closeText()
		s.text = t // some agents continue the text after their response
	}
	for _, t := range s.tools {
		if t.item.Open {
			s.closeTool(t, cut)
		}
	}
	if s.plan != nil && s.plan.Open {
		s.plan.Open, s.plan.EndedAt = false, backend.Now()
		s.emitItem(*s.plan)
	}
	return failure
}

// Unload detaches the session from the process, ends its turn and its commands, and reports whether a turn
// was running.
func (s *Session) Unload() (cut bool) {
	s.mu.Lock()
	s.unloaded.Store(true)
	cut = s.running
	s.mu.Unlock()
	s.End(true)
	s.closeCommands()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.row.State == backend.SessionLoaded {
		s.row.State = backend.SessionUnloaded
		s.cfg.Save(s.row)
	}
	return cut
}

// Stop must be called when the turn is canceled, before it ends. It closes the turn's open permission requests, revokes
// its unused permissions, kills its commands and makes the session reject later requests of the turn.
func (s *Session) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revokeGrants()
}

func (s *Session) emitItem(it backend.Item) { s.cfg.Publish(backend.Event{Item: &it}) }

func (s *Session) newItem(kind backend.ItemKind) backend.Item {
	return backend.Item{
		ID: backend.NewID(), ChatID: s.chatID, TurnID: s.turn, ParentID: s.parent, Session: s.Name,
		Kind: kind, Open: true, CreatedAt: backend.Now(),
	}
}

// Update handles a session/update notification of any kind. up is the notification's "update" field. Update doesn't
// use the SDK to determine the kind, because the SDK mistakes unknown kinds for others.
func (s *Session) Update(up gjson.Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unloaded.Load() {
		return
	}
	kind := up.Get("sessionUpdate").String()
	switch kind {
	case "available_commands_update":
		s.setRow(func(r *backend.Session) { r.Commands = commandsOf(up) })
		return
	case "usage_update":
		s.setRow(func(r *backend.Session) { r.ContextUsed, r.ContextSize = up.Get("used").Int(), up.Get("size").Int() })
		return
	case "session_info_update":
		if title := up.Get("title"); title.Exists() {
			s.setRow(func(r *backend.Session) { r.Title = excerpt.FirstLine(title.String(), 200) })
		}
		return
	}
	if s.inReplay {
		s.takeReplayed(kind, up)
		return
	}
	switch kind {
	case "current_mode_update":
		s.setCurrentMode(up.Get("currentModeId").String())
		return
	case "config_option_update":
		s.setRow(func(r *backend.Session) { s.declare(r, up) })
		return
	case "user_message_chunk":
		return // the user's message is already stored
	}
	s.hasOutput = true
	switch kind {
	case "agent_message_chunk":
		s.block(acp.MessageChunk, up)
	case "agent_thought_chunk":
		s.block(acp.ThoughtChunk, up)
	case "tool_call", "tool_call_update":
		s.tool(s.sandboxRuns.AsWritten(up))
	case "plan":
		s.setPlan(up)
	default:
		if !announcesTools(up) {
			s.unknown(kind, up)
		}
	}
}

// Row returns the current row.
func (s *Session) Row() backend.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.row
}

// WasRejected reports whether the user rejected a request from the turn.
func (s *Session) WasRejected() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.userRejected
}

// IsUnloaded reports whether the session was unloaded from the process.
func (s *Session) IsUnloaded() bool { return s.unloaded.Load() }

// HasOutput reports whether any output from the agent has arrived in the running turn.
func (s *Session) HasOutput() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hasOutput
}

// unknown publishes an update or a content block of an unknown kind, which is then stored unchanged.
func (s *Session) unknown(kind string, up gjson.Result) {
	s.log.Info("stored an unknown update unchanged", "kind", kind, "bytes", len(up.Raw))
	s.cfg.Publish(backend.Event{UnknownUpdate: &backend.UnknownUpdate{
		ID: backend.NewID(), ChatID: s.chatID, Session: s.Name, Kind: kind, At: backend.Now(), Raw: []byte(up.Raw),
	}})
}

// block adds a chunk with any type of content to the transcript. Most text chunks don't arrive here: the connection's
// reader passes them to Chunk.
func (s *Session) block(kind acp.ChunkKind, up gjson.Result) {
	content := up.Get("content")
	switch content.Get("type").String() {
	case "text", "":
		text := content.Get("text")
		if content.Type == gjson.String { // some agents send the text directly
			text = content
		}
		s.pieceOf(kind, text)
	case "image":
		s.image(content)
	case "resource_link":
		name, uri := content.Get("name").String(), content.Get("uri").String()
		s.piece(kind, quoteInside("["+name+"]("+uri+")"))
	case "resource":
		s.pieceOf(kind, content.Get("resource.text"))
	default:
		s.unknown(content.Get("type").String(), up)
	}
	s.flushText()
}

func (s *Session) pieceOf(kind acp.ChunkKind, text gjson.Result) {
	if text.Type == gjson.String {
		s.piece(kind, []byte(text.Raw[1:len(text.Raw)-1]))
	}
}

func (s *Session) image(content gjson.Result) {
	body, err := base64.StdEncoding.DecodeString(content.Get("data").String())
	if err != nil {
		s.unknown("image", content)
		return
	}
	s.closeText()
	it := s.newItem(backend.ItemImage)
	it.Open, it.EndedAt = false, it.CreatedAt
	c := backend.Content{
		ID: backend.NewID(), ItemID: it.ID, ChatID: s.chatID, Type: backend.ContentImage,
		Mime: content.Get("mimeType").String(), Size: int64(len(body)), Version: 1, Body: body,
	}
	s.cfg.Publish(backend.Event{Item: &it}, backend.Event{Content: &c})
}

// setPlan applies a plan update, which always contains the whole plan.
func (s *Session) setPlan(up gjson.Result) {
	plan := result.Plan(up)
	if s.plan == nil {
		if len(plan) == 0 {
			return
		}
		s.closeText()
		it := s.newItem(backend.ItemPlan)
		s.plan = &it
	}
	s.plan.Plan = plan
	if s.plan.Open = s.running; !s.running && s.plan.EndedAt == 0 {
		s.plan.EndedAt = backend.Now()
	}
	s.emitItem(*s.plan)
}
