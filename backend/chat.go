package backend

import (
	"crypto/rand"
	"strings"
	"time"
)

// Millis is a time in milliseconds since the Unix epoch. 0 means that no time is set.
type Millis int64

// Now returns the current time as Millis.
func Now() Millis { return Millis(time.Now().UnixMilli()) }

// NewID returns a new id: 26 lower-case letters and digits, unique without coordination.
func NewID() string { return strings.ToLower(rand.Text()) }

// Values of Chat.ProviderID that don't refer to a row in the database.
const (
	ProviderCopilot  = "copilot"  // the Copilot CLI with GitHub's models and the user's sign-in
	ProviderPractice = "practice" // the Copilot CLI with the built-in scripted model server
)

// Chat is a conversation in a folder.
type Chat struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	TitleByUser bool   `json:"titleByUser,omitempty"` // the user set the title: it is never overwritten
	Folder      string `json:"folder"`                // absolute path
	// ProviderID is ProviderCopilot, ProviderPractice, or the id of a Provider or a
	// CustomAgent.
	ProviderID string `json:"providerId"`
	// OrchestratorID is the id of the Provider whose model answers the user and delegates
	// tasks to the agent's sessions; "" if the agent's main session answers the user.
	OrchestratorID string `json:"mainId,omitempty" gorm:"column:main_id"`
	// PermissionMode determines what the chat's agent may do without asking.
	PermissionMode PermissionMode `json:"permissionMode"`
	// Sandbox determines where the chat's commands run.
	Sandbox Sandbox `json:"sandbox,omitzero" gorm:"serializer:json"`
	// TurnState is the state of the newest turn. It is stored with the chat so that the list of chats can be shown
	// without loading turns.
	TurnState TurnState `json:"turnState,omitempty"`
	TurnSince Millis    `json:"turnSince,omitempty"`                       // time at which the newest turn entered TurnState
	Detail    Message   `json:"detail,omitzero" gorm:"serializer:message"` // one-line subtitle of a running chat
	Unread    bool      `json:"unread,omitempty"`                          // a turn ended, and the user hasn't viewed the chat since
	Draft     string    `json:"draft,omitempty"`                           // unsent text in the composer
	// DraftAttachments holds the attachments of the draft.
	DraftAttachments []Attachment `json:"draftWith,omitempty" gorm:"column:draft_with;serializer:list"`
	Pinned           bool         `json:"pinned,omitempty"`   // listed above the other chats of the folder
	Archived         bool         `json:"archived,omitempty"` // hidden from the list of chats, but not deleted
	// DeletedAt is the time at which the user deleted the chat; 0 if it isn't deleted. The deletion can be
	// undone for UndoMillis while the app runs. DropSessions requests that the agent's own session files be
	// deleted along with the chat.
	DeletedAt    Millis `json:"deletedAt,omitempty"`
	DropSessions bool   `json:"dropSessions,omitempty"`
	CreatedAt    Millis `json:"createdAt" gorm:"autoCreateTime:false"`
	UpdatedAt    Millis `json:"updatedAt" gorm:"autoUpdateTime:false"` // last activity; chats are sorted by it
}

// UndoMillis is the time in milliseconds during which a deletion can be undone.
const UndoMillis = 10_000

// Attachment is a file, folder or image attached to a message.
type Attachment struct {
	Kind AttachmentKind `json:"kind"`
	Name string         `json:"name"`
	Path string         `json:"path,omitempty"` // absolute; "" for an image without a file
	// ContentID is the ID of the ContentImage with an image's bytes.
	ContentID string `json:"contentId,omitempty"`
	Mime      string `json:"mime,omitempty"`
	Size      int64  `json:"size,omitempty"`
}

// AttachmentKind is the kind of an attachment. It determines how the agent receives it.
type AttachmentKind string

// The kinds of attachments.
const (
	AttachmentImage   AttachmentKind = "image"   // ACP image: the agent receives the bytes
	AttachmentFile    AttachmentKind = "file"    // ACP resource_link: the agent reads it on demand
	AttachmentMention AttachmentKind = "mention" // like a file, but the text contains "@" and its path relative to the folder
)

// MaxImageBytes is the maximum size of an image in bytes. MaxAttachments is the maximum number of attachments per
// message.
const (
	MaxImageBytes  = 10 * 1024 * 1024
	MaxAttachments = 20
)

// TurnState is the state of a turn.
type TurnState string

// The states of a turn. All but TurnRunning are final.
const (
	TurnRunning     TurnState = "running"
	TurnDone        TurnState = "done"
	TurnFailed      TurnState = "failed"
	TurnStopped     TurnState = "stopped"     // stopped by the user or VoxPilot, or at the agent's own limit
	TurnInterrupted TurnState = "interrupted" // the agent or the app exited during the turn
)

// Turn is one prompt to one session and its result.
type Turn struct {
	ID             string    `json:"id"`
	ChatID         string    `json:"chatId"`
	Session        string    `json:"session"`                                // session name; "main" answers the user
	BlockID        string    `json:"blockId,omitempty"`                      // ID of the ItemBlock, if the prompt is a delegated task; "" if the user sent it
	OrchestratorID string    `json:"mainId,omitempty" gorm:"column:main_id"` // ID of the orchestrator that answered; "" if the agent answered
	State          TurnState `json:"state"`
	StopReason     string    `json:"stopReason,omitempty"` // ACP stop reason, as sent by the agent
	Error          *Error    `json:"error,omitempty" gorm:"serializer:message"`
	Usage          *Usage    `json:"usage,omitempty" gorm:"serializer:json"` // nil if the agent reported none
	StartedAt      Millis    `json:"startedAt"`
	// SentAt is the time at which the prompt was sent. It is stored before the agent receives the prompt. If SentAt is
	// 0, the prompt hasn't reached an agent and can be sent after a restart; otherwise, it is never sent again
	// automatically.
	SentAt  Millis `json:"sentAt,omitempty"`
	EndedAt Millis `json:"endedAt,omitempty"`
	// Waited is the part of the time between StartedAt and EndedAt that was spent waiting for the user's
	// decisions, in milliseconds. Durations exclude it.
	Waited Millis `json:"waited,omitempty"`
	// Aside is the ID of the Aside that hides the turn, or "" if it is shown. Only the store sets it.
	Aside string `json:"aside,omitempty"`
}

// Usage contains the tokens and the cost of a turn, as counted by the agent or the orchestrator's model service.
type Usage struct {
	Input      int64 `json:"input"`
	Output     int64 `json:"output"`
	CacheRead  int64 `json:"cacheRead,omitempty"`
	CacheWrite int64 `json:"cacheWrite,omitempty"`
	Thought    int64 `json:"thought,omitempty"`
	// ContextUsed and ContextSize are set for an orchestrator's turn. ContextUsed is the number of tokens
	// that the conversation occupies in the model's context at the end of the turn. It is an estimate based
	// on the model service's count. If it exceeds ContextSize, VoxPilot shortens older parts of the
	// conversation.
	ContextUsed int64 `json:"used,omitempty"`
	ContextSize int64 `json:"size,omitempty"`
	// Model is the ID of the model that answered last, ignoring subagents; "" if the agent doesn't report it. Only the
	// Copilot CLI reports Model, Premium and NanoAIU.
	Model string `json:"model,omitempty"`
	// Premium is the number of premium requests: the sum of the multipliers of the models that answered the user.
	Premium float64 `json:"premium,omitempty"`
	// NanoAIU is the cost in billionths of an AI credit, including that of subagents.
	NanoAIU int64 `json:"nanoAiu,omitempty"`
}

// SessionMain is the name of the session that answers the user.
const SessionMain = "main"

// Session is a named ACP session of a chat.
type Session struct {
	ChatID    string       `json:"chatId" gorm:"primaryKey"`
	Name      string       `json:"name" gorm:"primaryKey"` // unique within the chat
	ACPID     string       `json:"acpId" gorm:"column:acp_id"`
	Cwd       string       `json:"cwd"`
	Home      string       `json:"home,omitempty"`      // COPILOT_HOME in which the CLI stores the session; "" is the CLI's default
	HadPrompt bool         `json:"hadPrompt,omitempty"` // the session has received a prompt
	State     SessionState `json:"state"`
	Mode      string       `json:"mode,omitempty"`     // current mode id
	AllowAll  bool         `json:"allowAll,omitempty"` // the CLI's own allow_all or autopilot is on, so the agent never asks
	Modes     []Choice     `json:"modes,omitempty" gorm:"serializer:list"`
	Commands  []Choice     `json:"commands,omitempty" gorm:"serializer:list"` // slash commands; the ID of each is its name without the slash
	// Options are the session's configuration options in the agent's order, except those
	// in Modes and the agent's own allow_all.
	Options []ConfigOption `json:"options,omitempty" gorm:"serializer:list"`
	Title   string         `json:"title,omitempty"` // set by the agent
	// ReplacesID is the ACP id of the lost session that this one replaces, "none" if the lost
	// session had no id, or "" if this one replaces no other. If it isn't "", the session
	// receives a recap before its first prompt.
	ReplacesID  string `json:"replacesId,omitempty"`
	ContextUsed int64  `json:"used,omitempty" gorm:"column:used"` // tokens in the model's context
	ContextSize int64  `json:"size,omitempty" gorm:"column:size"` // size of that context in tokens
	CreatedAt   Millis `json:"createdAt" gorm:"autoCreateTime:false"`
	UsedAt      Millis `json:"usedAt"`
}

// SessionStats holds the statistics of a session.
type SessionStats struct {
	Name       string `json:"name"`
	Turns      int    `json:"turns"`
	WorkMillis int64  `json:"workMillis"` // total duration of its ended turns, excluding time spent waiting for the user
	// BlockID is the ID of the session's newest ItemBlock, and BlockPos is that item's position in the
	// transcript. They are "" and 0 if there is none.
	BlockID  string `json:"blockId,omitempty"`
	BlockPos int64  `json:"blockPos,omitempty"`
	// Input, Output and CacheRead are the token counts of the session's turns, as reported by the agent.
	// Input includes CacheRead.
	Input     int64 `json:"input,omitempty"`
	Output    int64 `json:"output,omitempty"`
	CacheRead int64 `json:"cacheRead,omitempty"`
}

// SessionState indicates whether a process has loaded the session.
type SessionState string

// The states of a session.
const (
	SessionUnloaded SessionState = "away"   // stored on disk by the agent; loaded by no process
	SessionLoaded   SessionState = "loaded" // loaded by a running process
	SessionLost     SessionState = "lost"   // the agent lost it; the next prompt creates a new session with the same name
)

// Choice is an entry in a list from which the user can choose, such as a mode that the agent declares.
type Choice struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Group       string `json:"group,omitempty"` // heading of its group
}

// ConfigOption is a configuration option that the agent offers for a session (ACP,
// Session Config Options).
type ConfigOption struct {
	ID          string           `json:"id"`
	Name        string           `json:"name"`
	Description string           `json:"description,omitempty"`
	Category    string           `json:"category,omitempty"` // defined by ACP (mode, model, thought_level) or by the agent
	Type        ConfigOptionType `json:"type"`
	Value       string           `json:"value"`             // "true" or "false" for a boolean
	Choices     []Choice         `json:"choices,omitempty"` // only for a select
}

// ConfigOptionType is the type of a configuration option.
type ConfigOptionType string

// The types of options.
const (
	ConfigSelect  ConfigOptionType = "select"
	ConfigBoolean ConfigOptionType = "boolean"
)

// QueuedPrompt is a prompt waiting for its session to become free.
type QueuedPrompt struct {
	ID          string       `json:"id"` // becomes the id of the user's item once sent
	ChatID      string       `json:"chatId"`
	Text        string       `json:"text"`
	Attachments []Attachment `json:"with,omitempty" gorm:"column:attachments;serializer:list"`
	Pos         int64        `json:"pos"`              // position in the queue, ascending
	Paused      bool         `json:"paused,omitempty"` // waits until the user sends it or resumes the queue, for example after a stop or a restart
	CreatedAt   Millis       `json:"createdAt" gorm:"autoCreateTime:false"`
}
