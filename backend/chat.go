package backend

import (
	"crypto/rand"
	"strings"
	"time"
)

// Millis is a time in milliseconds since the Unix epoch; 0 is "not yet".
type Millis int64

// Now is the present as Millis.
func Now() Millis { return Millis(time.Now().UnixMilli()) }

// NewID mints an id: 26 letters and digits, unique without coordination.
func NewID() string { return strings.ToLower(rand.Text()) }

// Providers that are not rows: who answers for a chat.
const (
	ProviderCopilot  = "copilot"  // GitHub Copilot, with the CLI's own login
	ProviderPractice = "practice" // the scripted model server inside the app
)

// Chat is one conversation in one folder.
type Chat struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	TitleByUser bool   `json:"titleByUser,omitempty"` // typed by the user: never overwritten
	Folder      string `json:"folder"`                // absolute path
	// ProviderID is ProviderCopilot, ProviderPractice or the id of a Provider.
	// It may also be the id of a Profile: another agent than the Copilot CLI.
	ProviderID string `json:"providerId"`
	// OrchestratorID is the Provider of the main AI that answers the chat and gives work
	// to the agent's sessions; "" where the agent's session main answers.
	OrchestratorID string `json:"mainId,omitempty" gorm:"column:main_id"`
	// PermissionMode says what the agents of the chat may do without asking.
	PermissionMode PermissionMode `json:"permissionMode"`
	// The state of its newest turn, so that a list of chats needs no turns.
	TurnState TurnState `json:"turnState,omitempty"`
	TurnSince Millis    `json:"turnSince,omitempty"`                       // when that state began
	Detail    Message   `json:"detail,omitzero" gorm:"serializer:message"` // one short line under the title of a live chat
	Unread    bool      `json:"unread,omitempty"`                          // finished while the user looked elsewhere
	Draft     string    `json:"draft,omitempty"`                           // unsent text of its composer
	// DraftAttachments is what goes with the draft.
	DraftAttachments []Attachment `json:"draftWith,omitempty" gorm:"column:draft_with;serializer:list"`
	Pinned           bool         `json:"pinned,omitempty"`   // stands above the chats of its folder
	Archived         bool         `json:"archived,omitempty"` // out of the list of chats, but not gone
	// DeletedAt is when the user deleted it, which can be undone for UndoMillis
	// and while the app runs; DropSessions says that the agent's own files of its
	// sessions go with it.
	DeletedAt    Millis `json:"deletedAt,omitempty"`
	DropSessions bool   `json:"dropSessions,omitempty"`
	CreatedAt    Millis `json:"createdAt" gorm:"autoCreateTime:false"`
	UpdatedAt    Millis `json:"updatedAt" gorm:"autoUpdateTime:false"` // last activity: chats are sorted by it
}

// UndoMillis is how long a deletion can be undone.
const UndoMillis = 10_000

// Attachment is a file, a folder or an image that goes with a message.
type Attachment struct {
	Kind AttachmentKind `json:"kind"`
	Name string         `json:"name"`
	Path string         `json:"path,omitempty"` // absolute; "" of an image that has no file
	// ContentID is the bytes of an image: a ContentImage.
	ContentID string `json:"contentId,omitempty"`
	Mime      string `json:"mime,omitempty"`
	Size      int64  `json:"size,omitempty"`
}

// AttachmentKind says what an attachment is, and so how the agent gets it.
type AttachmentKind string

// The kinds of attachments.
const (
	AttachmentImage   AttachmentKind = "image"   // ACP's image: the agent gets the bytes
	AttachmentFile    AttachmentKind = "file"    // ACP's resource_link: the agent reads it where it needs to
	AttachmentMention AttachmentKind = "mention" // as a file, but its name stands in the text as "@" and its path from the folder on
)

// MaxImageBytes is the size of the largest image that is taken; MaxAttachments
// is how many go with one message.
const (
	MaxImageBytes  = 10 * 1024 * 1024
	MaxAttachments = 20
)

// TurnState says how a turn stands.
type TurnState string

// The states of a turn. All but TurnRunning are final.
const (
	TurnRunning     TurnState = "running"
	TurnDone        TurnState = "done"
	TurnFailed      TurnState = "failed"
	TurnStopped     TurnState = "stopped"     // the user stopped it, or the agent reached its own limit
	TurnInterrupted TurnState = "interrupted" // the agent or the app died under it
)

// Turn is one prompt to one session and all that came of it.
type Turn struct {
	ID             string    `json:"id"`
	ChatID         string    `json:"chatId"`
	Session        string    `json:"session"`                                // the session's name; "main" answers the user
	BlockID        string    `json:"blockId,omitempty"`                      // the item of the block whose work it is; "" where the user wrote it
	OrchestratorID string    `json:"mainId,omitempty" gorm:"column:main_id"` // the Provider of the main AI that answered; "" where the agent did
	State          TurnState `json:"state"`
	StopReason     string    `json:"stopReason,omitempty"` // ACP's word, as the agent gave it
	Error          *Error    `json:"error,omitempty" gorm:"serializer:message"`
	Usage          *Usage    `json:"usage,omitempty" gorm:"serializer:json"` // nil where the agent gave none
	StartedAt      Millis    `json:"startedAt"`
	// SentAt is durable before the agent gets the prompt: a turn without it
	// has reached no agent and may be sent after a restart, one with it never
	// is by itself.
	SentAt  Millis `json:"sentAt,omitempty"`
	EndedAt Millis `json:"endedAt,omitempty"`
	// Waited is how many milliseconds between StartedAt and EndedAt were spent
	// waiting for the user's decisions. Durations leave them out.
	Waited Millis `json:"waited,omitempty"`
}

// Usage is what a turn cost, in tokens, as the agent counts it.
type Usage struct {
	Input      int64 `json:"input"`
	Output     int64 `json:"output"`
	CacheRead  int64 `json:"cacheRead,omitempty"`
	CacheWrite int64 `json:"cacheWrite,omitempty"`
	Thought    int64 `json:"thought,omitempty"`
	// Of a turn of a main AI: what the conversation takes of the model's context
	// when the turn has ended, and how much it may before older parts of it are
	// shortened. Used is a guess by what the service counted, and may be above Size.
	ContextUsed int64 `json:"used,omitempty"`
	ContextSize int64 `json:"size,omitempty"`
}

// SessionMain is the name of the session that answers the user.
const SessionMain = "main"

// Session is a named ACP session of a chat.
type Session struct {
	ChatID    string       `json:"chatId" gorm:"primaryKey"`
	Name      string       `json:"name" gorm:"primaryKey"` // unique in the chat
	ACPID     string       `json:"acpId" gorm:"column:acp_id"`
	Cwd       string       `json:"cwd"`
	Home      string       `json:"home,omitempty"` // the COPILOT_HOME its log is in; "" is the CLI's default
	HadPrompt bool         `json:"hadPrompt,omitempty"`
	State     SessionState `json:"state"`
	Mode      string       `json:"mode,omitempty"`     // current mode id
	AllowAll  bool         `json:"allowAll,omitempty"` // the CLI's own allow_all or autopilot is on: it asks nothing
	Modes     []Choice     `json:"modes,omitempty" gorm:"serializer:list"`
	Commands  []Choice     `json:"commands,omitempty" gorm:"serializer:list"` // slash commands; ID is the name without the slash
	// Options are what the agent lets the user choose for the session, besides
	// what Modes has and its own allow_all, in its order.
	Options []ConfigOption `json:"options,omitempty" gorm:"serializer:list"`
	Title   string         `json:"title,omitempty"` // the agent's own
	// ReplacesID is the ACP id of the lost session that this one took the place
	// of. Until it has had a prompt, a recap goes in front of its first one.
	ReplacesID  string `json:"replacesId,omitempty"`
	ContextUsed int64  `json:"used,omitempty" gorm:"column:used"` // tokens in context
	ContextSize int64  `json:"size,omitempty" gorm:"column:size"` // tokens that fit
	CreatedAt   Millis `json:"createdAt" gorm:"autoCreateTime:false"`
	UsedAt      Millis `json:"usedAt"`
}

// SessionStats is what a session of a chat has done so far.
type SessionStats struct {
	Name       string `json:"name"`
	Turns      int    `json:"turns"`
	WorkMillis int64  `json:"workMillis"` // of the turns that have ended
	// The newest block of it and where that is in the transcript; "" and 0 where there is none.
	BlockID  string `json:"blockId,omitempty"`
	BlockPos int64  `json:"blockPos,omitempty"`
	// The tokens of its turns, as the agent counted them; CacheRead is part of Input.
	Input     int64 `json:"input,omitempty"`
	Output    int64 `json:"output,omitempty"`
	CacheRead int64 `json:"cacheRead,omitempty"`
}

// SessionState says whether a process holds the session now.
type SessionState string

// The states of a session.
const (
	SessionUnloaded SessionState = "away"   // kept by the agent on disk; no process holds it
	SessionLoaded   SessionState = "loaded" // a running process holds it
	SessionLost     SessionState = "lost"   // could not be restored; a new one took its name
)

// Choice is one entry of a list that the agent declares.
type Choice struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Group       string `json:"group,omitempty"` // heading it stands under
}

// ConfigOption is something that the agent lets the user choose for a session
// (ACP, Session Config Options).
type ConfigOption struct {
	ID          string           `json:"id"`
	Name        string           `json:"name"`
	Description string           `json:"description,omitempty"`
	Category    string           `json:"category,omitempty"` // ACP's: mode, model, thought_level, or the agent's own
	Type        ConfigOptionType `json:"type"`
	Value       string           `json:"value"`             // for a boolean "true" or "false"
	Choices     []Choice         `json:"choices,omitempty"` // of a select
}

// ConfigOptionType says how an option is chosen.
type ConfigOptionType string

// The types of options.
const (
	ConfigSelect  ConfigOptionType = "select"
	ConfigBoolean ConfigOptionType = "boolean"
)

// QueuedPrompt is a prompt that waits for its session to be free.
type QueuedPrompt struct {
	ID          string       `json:"id"` // becomes the id of the user's item when it is sent
	ChatID      string       `json:"chatId"`
	Text        string       `json:"text"`
	Attachments []Attachment `json:"with,omitempty" gorm:"column:attachments;serializer:list"`
	Pos         int64        `json:"pos"`              // order; smaller goes first
	Paused      bool         `json:"paused,omitempty"` // after a quit or crash of the app: waits until the user sends
	CreatedAt   Millis       `json:"createdAt" gorm:"autoCreateTime:false"`
}
