package backend

// ItemKind says what an item of the transcript is.
type ItemKind string

// The kinds of items.
const (
	ItemUser    ItemKind = "user"    // the user's message; its text comes as Text
	ItemMessage ItemKind = "message" // prose of the agent; its text comes as Text
	ItemThought ItemKind = "thought" // its reasoning; its text comes as Text
	ItemNote    ItemKind = "note"    // a line of the CLI itself ("Info: …"); its text comes as Text
	ItemTool    ItemKind = "tool"    // a tool call; Tool is set
	ItemPlan    ItemKind = "plan"    // Plan is set
	ItemImage   ItemKind = "image"   // an image; its body is a Content
	ItemBlock   ItemKind = "block"   // work given to a named session; Block is set, items inside have it as ParentID
	ItemBanner  ItemKind = "banner"  // something that happened to the chat; Banner is set
)

// Item is one entry of a chat's transcript.
type Item struct {
	ID       string `json:"id"`
	ChatID   string `json:"chatId"`
	TurnID   string `json:"turnId,omitempty"`
	ParentID string `json:"parentId,omitempty"` // the block it belongs to; "" is the transcript itself
	Session  string `json:"session,omitempty"`
	// Pos orders the items of a chat. The store gives it at the first commit,
	// before the event is emitted; whoever makes the item leaves it 0.
	Pos         int64        `json:"pos"`
	Kind        ItemKind     `json:"kind"`
	Open        bool         `json:"open,omitempty"` // more of it may come: text streams, the tool runs
	CreatedAt   Millis       `json:"createdAt" gorm:"autoCreateTime:false"`
	EndedAt     Millis       `json:"endedAt,omitempty"`
	Tool        *Tool        `json:"tool,omitempty" gorm:"serializer:message"`
	Plan        []PlanEntry  `json:"plan,omitempty" gorm:"serializer:list"`
	Banner      *Banner      `json:"banner,omitempty" gorm:"serializer:message"`
	Block       *Block       `json:"block,omitempty" gorm:"serializer:message"`
	Attachments []Attachment `json:"with,omitempty" gorm:"column:attachments;serializer:list"` // of a user's message
	// HasError marks a message that is the CLI's own report of a failed model
	// call ("Error: …"), which it sends as ordinary text.
	HasError bool `json:"hasError,omitempty"`
	// Waited is how many milliseconds between CreatedAt and EndedAt were spent
	// waiting for the user's decision. Durations leave them out.
	Waited Millis `json:"waited,omitempty"`
	// Replaced marks text that the agent repeated when it tried its model call
	// again. The later text stands for it; it is not shown, searched or exported.
	Replaced bool `json:"replaced,omitempty"`
	// CutOff marks a message whose model call broke off and was not completed by
	// a later try.
	CutOff bool `json:"cutOff,omitempty"`
	// Retry is set on a note that reports another try of a model call.
	Retry *Retry `json:"retry,omitempty" gorm:"serializer:json"`
}

// Retry is one failed try of a model call, after which the agent tries again.
type Retry struct {
	Reason     string `json:"reason"`           // in the agent's words, at most 300 bytes
	DurationMs int64  `json:"tookMs,omitempty"` // how long the failed try took, in milliseconds
	Of         int    `json:"of,omitempty"`     // how many tries there are at most; 0 if the agent does not say
}

// Text is a piece of an item's text. It belongs at Offset; a piece that starts
// before the end of what is known was seen already, one that starts after it
// shows that something is to be pulled. Size is the whole text's size once the
// piece is in place, or more where a snapshot holds only the beginning.
type Text struct {
	ItemID string `json:"itemId"`
	ChatID string `json:"chatId"`
	Offset int64  `json:"offset"`
	Text   string `json:"text"`
	Size   int64  `json:"size"`
}

// ToolKind is ACP's ToolKind.
type ToolKind string

// The kinds of tool calls (ACP schema, ToolKind).
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
)

// ToolStatus is ACP's ToolCallStatus and one of our own.
type ToolStatus string

// The states of a tool call.
const (
	ToolPending    ToolStatus = "pending"
	ToolInProgress ToolStatus = "in_progress"
	ToolCompleted  ToolStatus = "completed"
	ToolFailed     ToolStatus = "failed"
	// ToolCancelled is ours: the agent leaves a call open for ever when its
	// turn is cancelled or dies, so we end it.
	ToolCancelled ToolStatus = "cancelled"
)

// Tool is a tool call as the agent last described it.
type Tool struct {
	CallID        string     `json:"callId"` // the agent's id, unique in its session
	Title         string     `json:"title"`
	Kind          ToolKind   `json:"kind"`
	Status        ToolStatus `json:"status"`
	Path          string     `json:"path,omitempty"`    // absolute, of the first location
	To            string     `json:"to,omitempty"`      // absolute; where a move leads
	Command       string     `json:"command,omitempty"` // first line of the command, of a fetch the host, of a search what is looked for; at most 300 bytes
	ResultSummary Message    `json:"fact,omitzero"`     // what came out, in a few words: "3 matches"
	// Decision is how its permission request ended; "" where it asked nothing.
	Decision Decision `json:"decision,omitempty"`
	// DecidedBy says who or what made the decision; nil where nothing was asked,
	// and in chats from before it was recorded.
	DecidedBy *DecisionSource `json:"decidedBy,omitempty"`
	ExitCode  *int            `json:"exitCode,omitempty"`
	// Signal is the name of the signal that ended the command, such as "SIGKILL".
	Signal string `json:"signal,omitempty"`
	// Creates marks an edit that creates its file.
	Creates bool `json:"creates,omitempty"`
	// WithoutPermission says that the agent changed something without having asked,
	// while nothing allows it.
	WithoutPermission bool `json:"unasked,omitempty"`
}

// Decision is how a permission request ended.
type Decision string

// The decisions.
const (
	DecisionAllowedOnce   Decision = "allowed_once"
	DecisionAlwaysAllowed Decision = "always_allowed" // the user chose it, or a rule did
	DecisionAutoAllowed   Decision = "auto_allowed"   // the chat's permission mode did
	DecisionRejected      Decision = "rejected"       // the user chose it, or a rule did
	DecisionClosed        Decision = "closed"         // stopped, or the agent died, before anyone answered
)

// DecisionSourceKind says what made a decision.
type DecisionSourceKind string

// The sources of decisions.
const (
	DecidedByUser DecisionSourceKind = "user"
	DecidedByRule DecisionSourceKind = "rule"
	DecidedByMode DecisionSourceKind = "mode"
)

// DecisionSource is who or what made a decision, and when.
type DecisionSource struct {
	Kind DecisionSourceKind `json:"kind"`
	At   Millis             `json:"at"`
	// Rule is what the rule covers, as Settings lists it; of DecidedByRule.
	Rule *Scope         `json:"rule,omitempty"`
	Mode PermissionMode `json:"mode,omitempty"` // of DecidedByMode
	// Reason is what the user wrote with a rejection. The agent got it as the
	// user's next message.
	Reason string `json:"reason,omitempty"`
}

// ContentType says how a body is to be shown.
type ContentType string

// The types of content.
const (
	ContentText     ContentType = "text"     // what a tool returned
	ContentTerminal ContentType = "terminal" // output of a command, with ANSI colours
	ContentDiff     ContentType = "diff"     // a unified diff of one file
	ContentCommand  ContentType = "command"  // a command, whole
	ContentImage    ContentType = "image"    // bytes of an image; Mime says which
	ContentNames    ContentType = "names"    // of the files that a request does not list; shown with it alone
	ContentRequest  ContentType = "request"  // what the agent says of a request; shown with it alone
	ContentRaw      ContentType = "raw"      // JSON that nothing better is known of
)

// Content is a body that belongs to an item. The event carries its facts; the
// body goes to the database only and is pulled from there.
type Content struct {
	ID      string      `json:"id"`
	ItemID  string      `json:"itemId"`
	ChatID  string      `json:"chatId"`
	Type    ContentType `json:"type"`
	Path    string      `json:"path,omitempty"` // absolute; the file a diff is of
	Mime    string      `json:"mime,omitempty"`
	Size    int64       `json:"size"`
	Version int64       `json:"version"` // grows when the body is replaced
	Added   int         `json:"added,omitempty"`
	Removed int         `json:"removed,omitempty"`
	Lines   int         `json:"lines,omitempty"`
	Body    []byte      `json:"-" gorm:"-"`
}

// PlanEntry is one entry of a plan.
type PlanEntry struct {
	Content string     `json:"content"`
	Status  PlanStatus `json:"status"`
}

// PlanStatus is ACP's PlanEntryStatus.
type PlanStatus string

// The states of a plan entry.
const (
	PlanPending    PlanStatus = "pending"
	PlanInProgress PlanStatus = "in_progress"
	PlanCompleted  PlanStatus = "completed"
)

// BannerKind says what a banner in the transcript tells.
type BannerKind string

// The kinds of banners that stand in the transcript. Conditions that pass
// (CLI missing, sign-in needed, reconnecting) are no banners of this kind:
// they follow from the Connection.
const (
	BannerRestored        BannerKind = "restored"     // loaded again after a crash without a running prompt
	BannerResumed         BannerKind = "resumed"      // loaded again at app start: a thin rule
	BannerIncomplete      BannerKind = "incomplete"   // loaded again; a prompt was running at death
	BannerSessionLost     BannerKind = "session_lost" // a new session took its place
	BannerAgentLimit      BannerKind = "agent_limit"  // the agent reached its own limit
	BannerAgentError      BannerKind = "agent_error"  // the agent did something wrong that the user should know
	BannerHistoryMismatch BannerKind = "differs"      // what the agent remembers is not what the transcript shows; Detail says how
	BannerAllowAll        BannerKind = "allow_all"    // a session came back with its own "ask nothing" switched on
	BannerMode            BannerKind = "mode"         // a session came back in another mode than the agent's first; Detail is its name
	// BannerContinued stands at the beginning of a chat that goes on from another
	// one: Detail is the title of that, and Told what who answers is told of it.
	BannerContinued BannerKind = "continued"
	// BannerRateLimited is a pause that a model service asked for: Detail is its
	// name. It is open while it lasts.
	BannerRateLimited BannerKind = "rate_limited"
	// BannerTimeLimitNear stands, while it is open, at a turn that is stopped at
	// NextTryAt because it has worked for as long as the settings allow; 0 while
	// the user is waited for, which does not count. Detail is how many minutes it
	// can be given more.
	BannerTimeLimitNear BannerKind = "stops_soon"
	// BannerWithoutPermission says that VoxPilot stopped a turn in which the agent changed
	// something without asking: the first line of Detail is what, and each other one
	// is a hook or setting of the folder that may have answered for the user.
	BannerWithoutPermission BannerKind = "unasked"
	// BannerTimeLimitExtended says that the user gave a turn Detail minutes more.
	BannerTimeLimitExtended BannerKind = "extended"
)

// Banner is something that happened to a chat.
type Banner struct {
	Kind      BannerKind `json:"kind"`
	Session   string     `json:"session,omitempty"`
	Detail    Message    `json:"detail,omitzero"` // for "Copy details"
	Recap     string     `json:"told,omitempty"`  // what a new session was told: the recap
	Dismissed bool       `json:"dismissed,omitempty"`
	NextTryAt Millis     `json:"nextTryAt,omitempty"` // of BannerRateLimited and BannerTimeLimitNear
}

// UnknownUpdate is an update of a kind that VoxPilot does not know, kept as it came.
type UnknownUpdate struct {
	ID      string `json:"id"`
	ChatID  string `json:"chatId"`
	Session string `json:"session"`
	Kind    string `json:"kind"`
	At      Millis `json:"at"`
	Raw     []byte `json:"-"`
}
