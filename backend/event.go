package backend

// EventName is the event name under which all batches are emitted to the window.
const EventName = "voxpilot:batch"

// MaxBatchBytes is the size in bytes, as JSON, below which every Batch must stay. Webviews leak the memory of larger
// payloads (macOS above about 8 KB, WebKitGTK above about 64 KB: wailsapp/wails#4587, wailsapp/wails#5930).
const MaxBatchBytes = 8 * 1000

// MaxTextBytes is the maximum size of the text in a live Text event, in bytes. The event bus splits longer text at a
// rune boundary.
const MaxTextBytes = 4 * 1024

// Event is a change to one entity. Exactly one field is set. Kinds lists the properties of each kind of
// event.
type Event struct {
	Chat                 *Chat           `json:"chat,omitempty"`
	ChatDeleted          *Deleted        `json:"chatGone,omitempty"` // deletes the chat and everything that belongs to it
	Turn                 *Turn           `json:"turn,omitempty"`
	TurnUndo             *TurnUndo       `json:"undo,omitempty"`
	Aside                *Aside          `json:"aside,omitempty"`    // never sent to the window
	ChatBranches         *ChatBranches   `json:"branches,omitempty"` // published with only a ChatID; the store fills in the rest
	ChatCopy             *ChatCopy       `json:"copy,omitempty"`     // never sent to the window
	Item                 *Item           `json:"item,omitempty"`
	Text                 *Text           `json:"text,omitempty"`       // appended to the text of its item
	Content              *Content        `json:"content,omitempty"`    // the body stays in the database
	Permission           *Permission     `json:"permission,omitempty"` // its database row is also the audit record
	Queued               *QueuedPrompt   `json:"queued,omitempty"`
	QueuedDeleted        *Deleted        `json:"queuedGone,omitempty"`
	ReviewComment        *ReviewComment  `json:"comment,omitempty"`
	ReviewCommentDeleted *Deleted        `json:"commentGone,omitempty"`
	Session              *Session        `json:"session,omitempty"`
	SessionDeleted       *Deleted        `json:"sessionGone,omitempty"` // deletes the session whose name is ID, but not its items
	SessionRenamed       *SessionRenamed `json:"renamed,omitempty"`
	Rule                 *Rule           `json:"rule,omitempty"`
	RuleDeleted          *Deleted        `json:"ruleGone,omitempty"`
	Provider             *Provider       `json:"provider,omitempty"` // never contains the provider's key
	ProviderDeleted      *Deleted        `json:"providerGone,omitempty"`
	CustomAgent          *CustomAgent    `json:"profile,omitempty"` // never contains the values of environment variables
	CustomAgentDeleted   *Deleted        `json:"profileGone,omitempty"`
	Settings             *Settings       `json:"settings,omitempty"`
	Login                *Login          `json:"login,omitempty"` // never contains the token
	LoginDeleted         *Deleted        `json:"loginGone,omitempty"`
	TrustedFolder        *TrustedFolder  `json:"trusted,omitempty"`     // adds the entries in Add to the stored ones
	TrustedFolderDeleted *Deleted        `json:"trustedGone,omitempty"` // deletes all entries of the folder whose key is ID
	UnknownUpdate        *UnknownUpdate  `json:"unknown,omitempty"`     // raw update of an unknown kind
	Storage              *Storage        `json:"storage,omitempty"`
	CLI                  *CLI            `json:"cli,omitempty"`
	Account              *Account        `json:"account,omitempty"` // never contains the token
	SignIn               *SignIn         `json:"signIn,omitempty"`
	Desktop              *Desktop        `json:"desktop,omitempty"`
	Update               *Update         `json:"update,omitempty"`
	Navigation           *Navigation     `json:"asked,omitempty"` // navigation request from outside the window
	Sandbox              *SandboxStatus  `json:"sandbox,omitempty"`
	Connection           *Connection     `json:"connection,omitempty"` // connection to a chat's agent
	TrustRequest         *TrustRequest   `json:"trust,omitempty"`
	TrustRequestDeleted  *Deleted        `json:"trustGone,omitempty"` // deletes the request whose key is ID
	ReviewJob            *ReviewJob      `json:"reviewJob,omitempty"`
	ReviewJobDeleted     *Deleted        `json:"reviewJobGone,omitempty"`
	MessageDraft         *MessageDraft   `json:"messageDraft,omitempty"`
	AgentReview          *AgentReview    `json:"agentReview,omitempty"`
	SessionImport        *SessionImport  `json:"sessionImport,omitempty"`
	SessionUse           *SessionUse     `json:"sessionUse,omitempty"`
	AgentSignIn          *AgentSignIn    `json:"agentSignIn,omitempty"`
	AgentTerminal        *AgentTerminal  `json:"agentTerminal,omitempty"` // output of the terminal of an agent's sign-in
	DialogResult         *DialogResult   `json:"picked,omitempty"`        // result of a file dialog
	QuitRequested        *QuitRequested  `json:"quitAsked,omitempty"`     // the user tried to quit while chats were running
	EventRef             *EventRef       `json:"pull,omitempty"`          // replaces an event too large to emit
}

// Batch is the payload of one emit to the window: the events numbered First, First+1, …, in order.
// Numbers start at 1 when the app starts and have no gaps. Batches can arrive out of order, because
// the dev server sends each one in its own goroutine. A page applies a batch only after all earlier
// ones.
type Batch struct {
	Run    string  `json:"run"` // changes with every start of the app; a page that sees a new one resets its state
	First  uint64  `json:"first"`
	Events []Event `json:"events"`
}

// Snapshot is the state after the event numbered Seq, expressed as a list of events. Applying these events in order,
// and then all events after Seq, gives the same state as applying all events since the app started.
type Snapshot struct {
	Run    string  `json:"run"`
	Seq    uint64  `json:"seq"`
	Events []Event `json:"events"`
	// Before is the cursor for the preceding page of a chat's items. It is 0 if there is no such page or the snapshot
	// isn't for a chat.
	Before int64 `json:"before,omitempty"`
}

// Deleted identifies a deleted entity. ID is the ID of the entity, the name of a session, or the key of a trusted
// folder or a trust request.
type Deleted struct {
	ID     string `json:"id"`
	ChatID string `json:"chatId,omitempty"`
}

// SessionRenamed changes the name of a session. Session is the old name, and To is the new one. The name also
// changes in the chat's turns, items, permission requests and asides.
type SessionRenamed struct {
	ChatID  string `json:"chatId"`
	Session string `json:"session"`
	To      string `json:"to"`
}

// EventRef replaces an event that is too large for a batch (MaxBatchBytes). The page
// fetches that event by Seq.
type EventRef struct {
	Seq uint64 `json:"seq"`
}

// QuitRequested is sent if the user tries to quit while chats are running. The page asks for confirmation
// and calls App.Quit if the user confirms.
type QuitRequested struct {
	Running int `json:"running"` // number of running chats
}

// DialogResult is the result of a file dialog. If Writing is true, it instead reports the progress of writing the
// file that the user chose in the dialog. If the request is "delete " followed by the ID of a chat, it reports that a
// deletion failed.
type DialogResult struct {
	Request string  `json:"request"`          // id from the page's call, or "protocol ", "export ", "image " or "delete " followed by an id
	Path    string  `json:"path"`             // the chosen path; "" if the user canceled
	Message Message `json:"message,omitzero"` // reason for a failure; "" if nothing failed
	// Writing reports whether the file is still being written. Written is the number of bytes so far.
	Writing bool  `json:"writing,omitempty"`
	Written int64 `json:"written,omitempty"`
}
