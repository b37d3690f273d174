package backend

// ItemKind is the kind of a transcript item.
type ItemKind string

// Kinds of items.
const (
	ItemUser    ItemKind = "user"    // the user's message; its text arrives as Text
	ItemMessage ItemKind = "message" // the agent's prose; its text arrives as Text
	ItemThought ItemKind = "thought" // the agent's reasoning; its text arrives as Text
	ItemNote    ItemKind = "note"    // a line from the CLI ("Info: …") or from VoxPilot; its text arrives as Text
	ItemTool    ItemKind = "tool"    // a tool call; Tool is set
	ItemPlan    ItemKind = "plan"    // Plan is set
	ItemImage   ItemKind = "image"   // an image; its body is a Content
	ItemBlock   ItemKind = "block"   // a task delegated to a named session; Block is set
	ItemBanner  ItemKind = "banner"  // an event of the chat; Banner is set
)

// Item is an entry in a chat's transcript.
type Item struct {
	ID       string `json:"id"`
	ChatID   string `json:"chatId"`
	TurnID   string `json:"turnId,omitempty"`
	ParentID string `json:"parentId,omitempty"` // ID of the ItemBlock that contains it; "" if none does
	Session  string `json:"session,omitempty"`
	// Pos determines the order of the items in a chat. The store assigns it when the item is first committed,
	// before the item's event is emitted. Code that creates items leaves it at 0.
	Pos         int64        `json:"pos"`
	Kind        ItemKind     `json:"kind"`
	Open        bool         `json:"open,omitempty"` // still growing: text is streaming or the tool is running
	CreatedAt   Millis       `json:"createdAt" gorm:"autoCreateTime:false"`
	EndedAt     Millis       `json:"endedAt,omitempty"`
	Tool        *Tool        `json:"tool,omitempty" gorm:"serializer:message"`
	Plan        []PlanEntry  `json:"plan,omitempty" gorm:"serializer:list"`
	Banner      *Banner      `json:"banner,omitempty" gorm:"serializer:message"`
	Block       *Block       `json:"block,omitempty" gorm:"serializer:message"`
	Attachments []Attachment `json:"with,omitempty" gorm:"column:attachments;serializer:list"` // attachments of the user's message
	// HasError is true if the message is a report from the CLI that a model call failed ("Error: …"). The CLI sends
	// such reports as ordinary text.
	HasError bool `json:"hasError,omitempty"`
	// Waited is the part of the time between CreatedAt and EndedAt that was spent waiting for the user's decision,
	// in milliseconds. Durations exclude it.
	Waited Millis `json:"waited,omitempty"`
	// Replaced is true if the item's text comes from an attempt at a model call that the agent retried. The text
	// from another attempt replaces it, so the item isn't shown, searched or exported.
	Replaced bool `json:"replaced,omitempty"`
	// CutOff is true if the message is incomplete because its model call broke off and no retry completed it.
	CutOff bool `json:"cutOff,omitempty"`
	// Retry is set on a note that reports a retry of a model call.
	Retry *Retry `json:"retry,omitempty" gorm:"serializer:json"`
	// Aside is the ID of the Aside that hides the item, or "" if it is shown. Only the store sets it.
	Aside string `json:"aside,omitempty"`
}

// Retry is a failed attempt at a model call that the agent retries.
type Retry struct {
	Reason     string `json:"reason"`           // in the agent's wording, at most 300 bytes
	DurationMs int64  `json:"tookMs,omitempty"` // duration of the failed attempt in milliseconds
	Of         int    `json:"of,omitempty"`     // maximum number of attempts; 0 if unknown
}

// Text is a piece of an item's text. Offset is the position of its start and Size the position of its end, in bytes of
// UTF-8 from the start of the item's text. A piece that starts before the end of the text received so far repeats part
// of that text. A piece that starts after that end leaves a gap, and the missing text must be fetched. In a snapshot
// with only the beginning of a text, Size is the size of the whole text.
type Text struct {
	ItemID string `json:"itemId"`
	ChatID string `json:"chatId"`
	Offset int64  `json:"offset"`
	Text   string `json:"text"`
	Size   int64  `json:"size"`
}

// ToolKind is the kind of a tool call, with the values of ACP's ToolKind.
type ToolKind string

// Kinds of tool calls (ACP schema, ToolKind).
const (
	ToolRead    ToolKind = "read"
	ToolEdit    ToolKind = "edit"
	ToolDelete  ToolKind = "delete"
	ToolMove    ToolKind = "move"
	ToolSearch  ToolKind = "search"
	ToolExecute ToolKind = "execute"
	ToolThink   ToolKind = "think"
	ToolFetch   ToolKind = "fetch"
	ToolOther   ToolKind = "other"
	ToolAsk     ToolKind = "ask"  // not part of ACP: a question to the user
	ToolPlan    ToolKind = "plan" // not part of ACP: a plan for the user to approve
)

// ToolStatus is the state of a tool call: one of ACP's ToolCallStatus, or ToolCancelled.
type ToolStatus string

// States of a tool call.
const (
	ToolPending    ToolStatus = "pending"
	ToolInProgress ToolStatus = "in_progress"
	ToolCompleted  ToolStatus = "completed"
	ToolFailed     ToolStatus = "failed"
	// ToolCancelled isn't part of ACP. VoxPilot sets it if the turn is canceled or the agent exits, because the
	// agent then no longer reports how its calls ended.
	ToolCancelled ToolStatus = "cancelled"
)

// Tool is a tool call as last described by the agent.
type Tool struct {
	CallID string     `json:"callId"` // id from the agent, unique in its session
	Title  string     `json:"title"`
	Kind   ToolKind   `json:"kind"`
	Status ToolStatus `json:"status"`
	Path   string     `json:"path,omitempty"` // absolute; the first location that the tool call names
	To     string     `json:"to,omitempty"`   // absolute target of a move
	// Command is the first line of a command, the host of a fetch or of a web page to open (ToolAsk), or the query of a
	// search; at most 300 bytes.
	Command       string  `json:"command,omitempty"`
	ResultSummary Message `json:"fact,omitzero"` // short summary of the result: "3 matches"
	// Decision is the result of the call's permission request; "" if there was none.
	Decision Decision `json:"decision,omitempty"`
	// DecidedBy is the source of the decision. It is nil if there was no request, and
	// in chats that predate this field.
	DecidedBy *DecisionSource `json:"decidedBy,omitempty"`
	ExitCode  *int            `json:"exitCode,omitempty"`
	// Signal is the name of the signal that terminated the command, such as "SIGKILL".
	Signal string `json:"signal,omitempty"`
	// Creates reports whether the call is an edit that creates a new file.
	Creates bool `json:"creates,omitempty"`
	// WithoutPermission reports whether the call changed something without asking for permission.
	WithoutPermission bool `json:"unasked,omitempty"`
	// Sandboxed reports whether the command ran, or is running, in the sandbox. Blocked lists the sites that the
	// sandbox didn't let the command reach, as host:port.
	Sandboxed bool     `json:"sandboxed,omitempty"`
	Blocked   []string `json:"blocked,omitempty"`
}

// Decision is the outcome of a permission request.
type Decision string

// Permission decisions.
const (
	DecisionAllowedOnce   Decision = "allowed_once"
	DecisionAlwaysAllowed Decision = "always_allowed" // by the user or a rule
	DecisionAutoAllowed   Decision = "auto_allowed"   // by a permission mode or, for VoxPilot's own tools, by VoxPilot
	DecisionRejected      Decision = "rejected"       // by the user or a rule
	DecisionClosed        Decision = "closed"         // nothing was decided, for example because the turn was stopped or the agent exited
)

// DecisionSourceKind is the kind of a DecisionSource: the user, a rule or a permission mode.
type DecisionSourceKind string

// Kinds of decision sources.
const (
	DecidedByUser DecisionSourceKind = "user"
	DecidedByRule DecisionSourceKind = "rule"
	DecidedByMode DecisionSourceKind = "mode"
)

// DecisionSource describes the source and the time of a decision on a permission request.
type DecisionSource struct {
	Kind DecisionSourceKind `json:"kind"`
	At   Millis             `json:"at"`
	// Rule, for DecidedByRule, is the scope of the rule, as listed in Settings.
	Rule *Scope         `json:"rule,omitempty"`
	Mode PermissionMode `json:"mode,omitempty"` // the mode that decided, for DecidedByMode
	// Reason is the text that the user entered when rejecting the request. The agent received it as the
	// user's next message.
	Reason string `json:"reason,omitempty"`
}

// ContentType determines how a body is displayed.
type ContentType string

// Types of content.
const (
	ContentText     ContentType = "text"     // output of a tool
	ContentTerminal ContentType = "terminal" // output of a command, with ANSI colors
	ContentDiff     ContentType = "diff"     // a unified diff of one file
	ContentCommand  ContentType = "command"  // a command in full
	ContentImage    ContentType = "image"    // bytes of an image; Mime is its type
	ContentNames    ContentType = "names"    // paths missing from the Files of a permission request; shown only with the request
	ContentRequest  ContentType = "request"  // the agent's description of a permission request; shown only with the request
	ContentReview   ContentType = "review"   // JSON: the comments of a message (SentReviewComment), which are also in its text
	ContentQuestion ContentType = "question" // Markdown: a question or a plan with its answer; the window shows its Question instead
	ContentRaw      ContentType = "raw"      // JSON of unknown structure
)

// Content is a body of data that belongs to an item. The window receives only the fields that describe the body;
// the body itself is stored in the database and fetched from there.
type Content struct {
	ID      string      `json:"id"`
	ItemID  string      `json:"itemId"`
	ChatID  string      `json:"chatId"`
	Type    ContentType `json:"type"`
	Path    string      `json:"path,omitempty"` // absolute path of the file that a diff changes
	Mime    string      `json:"mime,omitempty"`
	Size    int64       `json:"size"`
	Version int64       `json:"version"`           // increases when the body is replaced
	Added   int         `json:"added,omitempty"`   // number of lines that a diff adds
	Removed int         `json:"removed,omitempty"` // number of lines that a diff removes
	Lines   int         `json:"lines,omitempty"`
	Body    []byte      `json:"-" gorm:"-"`
}

// PlanEntry is a step of the agent's plan.
type PlanEntry struct {
	Content string     `json:"content"`
	Status  PlanStatus `json:"status"`
}

// PlanStatus is the state of a plan entry, with the values of ACP's PlanEntryStatus.
type PlanStatus string

// States of a plan entry.
const (
	PlanPending    PlanStatus = "pending"
	PlanInProgress PlanStatus = "in_progress"
	PlanCompleted  PlanStatus = "completed"
)

// BannerKind is the kind of a banner in the transcript.
type BannerKind string

// The kinds of banners in the transcript. Temporary conditions (CLI missing, sign-in
// required, reconnecting) are derived from the Connection instead.
const (
	BannerRestored    BannerKind = "restored"     // the session was loaded again after a crash while no prompt was running
	BannerResumed     BannerKind = "resumed"      // the session was loaded again after the app started; shown as a thin line
	BannerIncomplete  BannerKind = "incomplete"   // the session was loaded again after a crash during a prompt
	BannerSessionLost BannerKind = "session_lost" // the session couldn't be restored, so a new one replaced it
	// BannerSessionRepaired and BannerSessionRebuilt report that the agent couldn't load a session completely and now
	// uses a copy of the conversation: a repaired copy of the session's files, or a session made from the transcript.
	// Note describes the result.
	BannerSessionRepaired BannerKind = "repaired"
	BannerSessionRebuilt  BannerKind = "rebuilt"
	// BannerHandedOver reports that the chat changed to another agent, which received the conversation as a session
	// made from the transcript. Note describes the result.
	BannerHandedOver      BannerKind = "handed_over"
	BannerAgentLimit      BannerKind = "agent_limit" // the agent reached its own limit
	BannerAgentError      BannerKind = "agent_error" // a problem with the agent; Detail describes it
	BannerHistoryMismatch BannerKind = "differs"     // the agent's history doesn't match the transcript; Detail describes the difference
	BannerAllowAll        BannerKind = "allow_all"   // a restored session has the agent's own allow_all or autopilot enabled
	BannerMode            BannerKind = "mode"        // a restored session isn't in the agent's default mode; Detail is the mode's name
	// BannerContinued is at the beginning of a chat that continues another one. Detail is the title of that
	// chat, and Recap is the recap for the model or agent.
	BannerContinued BannerKind = "continued"
	// BannerRateLimited reports that VoxPilot is waiting because of a rate limit of the model service named
	// by Detail. The banner is open until the wait ends.
	BannerRateLimited BannerKind = "rate_limited"
	// BannerTimeLimitNear warns that a turn is about to reach the time limit in the settings. The banner is open
	// until the turn is extended or ends. NextTryAt is the time at which VoxPilot will stop the turn. While a
	// request waits for the user, the time limit is paused and NextTryAt is 0. Detail is the number of minutes by
	// which the user can extend the turn.
	BannerTimeLimitNear BannerKind = "stops_soon"
	// BannerWithoutPermission reports that VoxPilot stopped a turn in which the agent changed something
	// without asking. The first line of Detail describes the change. Each further line names a hook or
	// setting of the folder that might have allowed it.
	BannerWithoutPermission BannerKind = "unasked"
	// BannerGuardOff reports that the guard, which tells VoxPilot about tool calls before they run, isn't active in
	// a session. Detail is the reason, or empty if the reason isn't known.
	BannerGuardOff BannerKind = "guard_off"
	// BannerTimeLimitExtended reports that the user extended a turn by Detail minutes.
	BannerTimeLimitExtended BannerKind = "extended"
	// BannerUndone and BannerRedone report that the user undid or redid a turn's changes to files. Detail is the
	// number of files. The banner's item has the TurnID of that turn and no Session. If the item has no TurnID, the
	// banners instead report that some files couldn't be changed when the user went back to a message
	// (BannerUndone) or brought files back (BannerRedone).
	BannerUndone BannerKind = "undone"
	BannerRedone BannerKind = "redone"
	// BannerImported precedes the messages that VoxPilot read from another program's session log. BannerOtherProgram
	// precedes messages that another program added to a session that the chat already used. Detail is the number of
	// messages.
	BannerImported     BannerKind = "imported"
	BannerOtherProgram BannerKind = "written_elsewhere"
)

// Banner is an event in a chat that is shown as a banner in the transcript.
type Banner struct {
	Kind    BannerKind `json:"kind"`
	Session string     `json:"session,omitempty"`
	Detail  Message    `json:"detail,omitzero"` // as described at the constants of Kind; otherwise the text for "Copy details"
	// From is the name of the program that wrote the messages after a BannerImported, or "" for the Copilot CLI.
	From string `json:"from,omitempty"`
	Copy bool   `json:"copy,omitempty"` // for BannerImported: the chat has a copy of the session
	// Note is an additional sentence about the result. Skipped is the number of files that an undo or redo couldn't
	// change.
	Note      Message `json:"note,omitzero"`
	Skipped   int     `json:"skipped,omitempty"`
	Recap     string  `json:"told,omitempty"` // recap that a new session receives
	Dismissed bool    `json:"dismissed,omitempty"`
	NextTryAt Millis  `json:"nextTryAt,omitempty"` // for BannerRateLimited and BannerTimeLimitNear
}

// UnknownUpdate is a session update of an unknown kind, stored as received from the agent.
type UnknownUpdate struct {
	ID      string `json:"id"`
	ChatID  string `json:"chatId"`
	Session string `json:"session"`
	Kind    string `json:"kind"`
	At      Millis `json:"at"`
	Raw     []byte `json:"-"`
}
