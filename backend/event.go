package backend

// EventName is the one name under which batches are emitted to the window.
const EventName = "voxpilot:batch"

// MaxBatchBytes is the size a Batch stays under once it is JSON. Webviews keep
// the memory of large evaluated payloads (macOS above about 8 KB, WebKitGTK
// above about 64 KB: wailsapp/wails#4587, wailsapp/wails#5930).
const MaxBatchBytes = 8 * 1000

// MaxTextBytes is the size of the longest Text event that is emitted live; the
// feed cuts longer ones, on a rune boundary.
const MaxTextBytes = 4 * 1024

// Event is one fact. Exactly one field is set. Kinds says what holds for the events
// of each.
type Event struct {
	Chat                 *Chat           `json:"chat,omitempty"`
	ChatDeleted          *Deleted        `json:"chatGone,omitempty"` // with all that is its own
	Turn                 *Turn           `json:"turn,omitempty"`
	Item                 *Item           `json:"item,omitempty"`
	Text                 *Text           `json:"text,omitempty"`       // appended to its item
	Content              *Content        `json:"content,omitempty"`    // the body stays in the database
	Permission           *Permission     `json:"permission,omitempty"` // it is the audit row as well
	Queued               *QueuedPrompt   `json:"queued,omitempty"`
	QueuedDeleted        *Deleted        `json:"queuedGone,omitempty"`
	Session              *Session        `json:"session,omitempty"`
	SessionDeleted       *Deleted        `json:"sessionGone,omitempty"` // the session with this name; what it did stays
	SessionRenamed       *SessionRenamed `json:"renamed,omitempty"`     // gives a session another name
	Rule                 *Rule           `json:"rule,omitempty"`
	RuleDeleted          *Deleted        `json:"ruleGone,omitempty"`
	Provider             *Provider       `json:"provider,omitempty"` // never its key
	ProviderDeleted      *Deleted        `json:"providerGone,omitempty"`
	CustomAgent          *CustomAgent    `json:"profile,omitempty"` // never the values of its environment
	CustomAgentDeleted   *Deleted        `json:"profileGone,omitempty"`
	Settings             *Settings       `json:"settings,omitempty"`
	Login                *Login          `json:"login,omitempty"` // never its token
	LoginDeleted         *Deleted        `json:"loginGone,omitempty"`
	TrustedFolder        *TrustedFolder  `json:"trusted,omitempty"`     // with the entries that it adds
	TrustedFolderDeleted *Deleted        `json:"trustedGone,omitempty"` // the folder with this key and all of its entries
	UnknownUpdate        *UnknownUpdate  `json:"unknown,omitempty"`     // an update of a kind nobody knows, raw
	Storage              *Storage        `json:"storage,omitempty"`
	CLI                  *CLI            `json:"cli,omitempty"`
	Account              *Account        `json:"account,omitempty"` // never its token
	SignIn               *SignIn         `json:"signIn,omitempty"`
	Desktop              *Desktop        `json:"desktop,omitempty"`
	Update               *Update         `json:"update,omitempty"`
	Navigation           *Navigation     `json:"asked,omitempty"`      // what the user asked for outside of the window
	Connection           *Connection     `json:"connection,omitempty"` // of a chat
	TrustRequest         *TrustRequest   `json:"trust,omitempty"`
	TrustRequestDeleted  *Deleted        `json:"trustGone,omitempty"` // the request with this key
	DialogResult         *DialogResult   `json:"picked,omitempty"`    // what a file dialog answered
	QuitRequested        *QuitRequested  `json:"quitAsked,omitempty"` // the user closed the window while work runs
	EventRef             *EventRef       `json:"pull,omitempty"`      // stands for an event too large to emit
}

// Batch is what one emit carries: events numbered First, First+1, …, in order.
// Numbers start at 1 when the app starts and have no gaps. A page applies a
// batch only when all before it were applied; it may arrive out of order (the
// dev server sends every event in a goroutine of its own).
type Batch struct {
	Run    string  `json:"run"` // changes with every start of the app: a page that sees a new one begins afresh
	First  uint64  `json:"first"`
	Events []Event `json:"events"`
}

// Snapshot is everything true at the event numbered Seq, as events: applied in
// order, and followed by the events after Seq, they give the same state as
// having seen every event.
type Snapshot struct {
	Run    string  `json:"run"`
	Seq    uint64  `json:"seq"`
	Events []Event `json:"events"`
	// Before is the position to ask for to get the page before this one; 0
	// where there is none. Only for pages of a chat's items.
	Before int64 `json:"before,omitempty"`
}

// Deleted names a thing that is no more.
type Deleted struct {
	ID     string `json:"id"`
	ChatID string `json:"chatId,omitempty"`
}

// SessionRenamed says that a session of a chat is called To from here on, also in all
// that it has done.
type SessionRenamed struct {
	ChatID  string `json:"chatId"`
	Session string `json:"session"`
	To      string `json:"to"`
}

// EventRef stands in a batch for an event whose JSON is over MaxBatchBytes; the
// page fetches it by Seq.
type EventRef struct {
	Seq uint64 `json:"seq"`
}

// QuitRequested says that the user wants to quit while chats are at work. The page
// asks; App.Quit then quits.
type QuitRequested struct {
	Running int `json:"running"` // chats
}

// DialogResult is the answer of a file dialog that the page asked for.
type DialogResult struct {
	Request string  `json:"request"`          // the id the page gave with its call; of SaveProtocol, "protocol " and the chat's id; of ExportChat, "export " and the chat's id
	Path    string  `json:"path"`             // "" where the user cancelled
	Message Message `json:"message,omitzero"` // why nothing was written to Path
	// Writing says that Path is being written, and Written how many bytes are.
	Writing bool  `json:"writing,omitempty"`
	Written int64 `json:"written,omitempty"`
}
