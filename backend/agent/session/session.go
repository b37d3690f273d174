// Package session is one session of an agent that a running process holds: what the
// agent reports becomes items of the transcript, and what it asks for is decided and
// done: permissions, files and commands.
//
//   - session.go, text.go, tool.go: updates to items of the transcript; row.go: to the
//     session's row, or what is replayed instead.
//   - options.go: modes and options, as the agent declares them.
//   - services.go: what the agent asks of us; permission.go: … of the user; fs.go:
//     files; terminals.go, commands.go: commands, and what is seen of them.
//   - without_permission.go: what it did without asking; late_requests.go: what still comes of a
//     turn that was stopped.
//   - own_tools.go: which calls are of the servers that VoxPilot gives.
//   - turn_summary.go: what came of a turn.
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
	"github.com/voxpilot/voxpilot/backend/terminal"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Config is what a session needs of its process and of the app. What is nil in
// Config of an Agent may be nil here.
type Config struct {
	Servers []MCPServer           // that the agent was given for it
	Process context.Context       // ends when the process does
	Env     func() []string       // of the commands that are run for the agent
	Hold    func() (rest func())  // there is something to do
	Save    func(backend.Session) // the row changed
	Publish func(...backend.Event)
	Commit  func(ctx context.Context, events ...backend.Event) error
	Ask     func(ctx context.Context, p backend.Permission) (decided backend.Permission, ok bool)
	Allowed func(backend.Permission) bool
	Denied  func(backend.Permission) bool
	// Send makes a call that the agent has to answer within a minute.
	Send func(ctx context.Context, method string, params any) (gjson.Result, error)
	Log  *slog.Logger
}

// New makes a session as its row says, of which nothing is known yet.
func New(row backend.Session, cfg Config) *Session {
	return &Session{cfg: cfg, log: cfg.Log, chatID: row.ChatID, Name: row.Name, ID: row.ACPID, Folder: row.Cwd, row: row}
}

// Session is a session that a running process holds. It turns the agent's
// updates into items of the transcript.
type Session struct {
	cfg      Config
	log      *slog.Logger
	chatID   string
	Name     string // of the row; it does not change, nor do the next two
	ID       string // by which the agent knows it
	Folder   string
	unloaded atomic.Bool // the process does not hold it any more: what still comes is left alone

	mu              sync.Mutex
	row             backend.Session
	inReplay        bool            // what comes was shown before: only commands and the like are taken
	collected       *replay.Replay  // collects what is replayed, where it is compared
	difference      backend.Message // what came of it
	choices         choices
	usageSoFar      backend.Usage // as the agent counted last
	hasOutput       bool          // something came in this turn
	turn            string        // the turn that runs, or the last one that did
	parent          string        // the block that it is in
	summary         summaryBuilder
	running         bool
	text            *textItem // what chunks are appended to
	tools           map[string]*toolItem
	plan            *backend.Item
	pendingChunk    []byte // the last chunk, while it may be a line of the CLI
	call            modelCall
	modelAnswered   bool // a model call of the turn was
	userRejected    bool // the user turned a request of the turn down
	turnCtx         context.Context
	turnDone        context.CancelFunc
	openRequests    sync.WaitGroup // permission requests of the turn
	grants          []grant        // what was allowed in the turn
	stopped         bool           // the turn was stopped: nothing of it may write or run any more
	revoked         []grant        // what stopped turns were allowed and had not done
	set             *terminal.Set  // the commands that are run for the agent
	commands        map[string]*command
	permissionWatch permissionWatch
}

// Begin makes what comes belong to turn.
func (s *Session) Begin(turn backend.Turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closeText() // of what came after the last answer
	s.turn, s.parent, s.running, s.plan, s.userRejected, s.hasOutput, s.modelAnswered = turn.ID, turn.BlockID, true, nil, false, false, false
	s.call = modelCall{startedAt: backend.Now()}
	s.summary = summaryBuilder{}
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

// End closes what the turn left open, and returns when that is published. cut
// says that the turn was cancelled or that the agent died. The result is the CLI's report of a failed model call, where
// that is what the turn ended with.
func (s *Session) End(cut bool) (failure string) {
	s.mu.Lock()
	if !s.running {
		s.mu.Unlock()
		return ""
	}
	s.running = false
	s.turnDone()
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
		s.text = t // some agents go on with it after they answered
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

// Unload ends the process's hold of the session. It says whether a turn was
// running.
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

// Stop closes the permission requests of the turn, which is being cancelled, and
// refuses all that it asks from now on.
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

// Update takes any session/update. The kind is read here and not by the SDK,
// which takes kinds it does not know for others.
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
		return // the user's own words are kept already
	}
	s.hasOutput = true
	switch kind {
	case "agent_message_chunk":
		s.block(acp.MessageChunk, up)
	case "agent_thought_chunk":
		s.block(acp.ThoughtChunk, up)
	case "tool_call", "tool_call_update":
		s.tool(up)
	case "plan":
		s.setPlan(up)
	default:
		if !announcesTools(up) {
			s.unknown(kind, up)
		}
	}
}

// Row is the row as it is now.
func (s *Session) Row() backend.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.row
}

// WasRejected says whether the user turned a request of the turn down.
func (s *Session) WasRejected() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.userRejected
}

// IsUnloaded says whether the process does not hold the session any more.
func (s *Session) IsUnloaded() bool { return s.unloaded.Load() }

// HasOutput says whether anything came of the turn that runs.
func (s *Session) HasOutput() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hasOutput
}

func (s *Session) unknown(kind string, up gjson.Result) {
	s.log.Info("an update of an unknown kind was kept as it came", "kind", kind, "bytes", len(up.Raw))
	s.cfg.Publish(backend.Event{UnknownUpdate: &backend.UnknownUpdate{
		ID: backend.NewID(), ChatID: s.chatID, Session: s.Name, Kind: kind, At: backend.Now(), Raw: []byte(up.Raw),
	}})
}

// block takes a chunk of any type of content. chunk has taken nearly all that
// are text before they come here.
func (s *Session) block(kind acp.ChunkKind, up gjson.Result) {
	content := up.Get("content")
	switch content.Get("type").String() {
	case "text", "":
		text := content.Get("text")
		if content.Type == gjson.String { // some agents send the text itself
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

// setPlan takes a plan, which is always sent whole. Older agents say steps
// where ACP says entries.
func (s *Session) setPlan(up gjson.Result) {
	list := up.Get("entries")
	if !list.Exists() {
		list = up.Get("steps")
	}
	var plan []backend.PlanEntry
	list.ForEach(func(_, e gjson.Result) bool {
		text := e.Get("content").String()
		for _, key := range []string{"title", "description", "text"} {
			if text == "" {
				text = e.Get(key).String()
			}
		}
		if e.Type == gjson.String {
			text = e.Str
		}
		status := backend.PlanStatus(e.Get("status").String())
		switch status {
		case backend.PlanPending, backend.PlanInProgress, backend.PlanCompleted:
		default:
			status = backend.PlanPending
		}
		if text != "" {
			plan = append(plan, backend.PlanEntry{Content: text, Status: status})
		}
		return true
	})
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
