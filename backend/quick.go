package backend

// QuickCommand is what VoxPilot tells the process of its quick prompt; one of it.
type QuickCommand struct {
	Show *QuickView `json:"show,omitempty"`
	// Sent says that what was sent is taken: the window goes away.
	Sent bool `json:"sent,omitempty"`
	// Failed says why it was not; the text stays where it is.
	Failed Message `json:"failed,omitzero"`
}

// QuickEvent is what the process of the quick prompt tells VoxPilot; one of it.
type QuickEvent struct {
	Ready  bool          `json:"ready,omitempty"`  // the page is loaded
	Shown  bool          `json:"shown,omitempty"`  // the window is painted and its field has the focus
	Draft  *QuickDraft   `json:"draft,omitempty"`  // what stands in the field
	Send   *QuickMessage `json:"send,omitempty"`   //
	Closed bool          `json:"closed,omitempty"` // the window was closed
	Open   bool          `json:"open,omitempty"`   // VoxPilot's own window is wanted
}

// QuickDraft is text that was not sent.
type QuickDraft struct {
	Text string `json:"text"`
}

// QuickMessage is a message of the quick prompt. ChatID "" is a new chat in
// Folder, which OrchestratorID answers, or the agent AgentID where that is "", or Copilot.
type QuickMessage struct {
	Text           string         `json:"text"`
	ChatID         string         `json:"chatId,omitempty"`
	Folder         string         `json:"folder,omitempty"`
	AgentID        string         `json:"agentId,omitempty"`
	OrchestratorID string         `json:"mainId,omitempty"`
	Mode           PermissionMode `json:"mode,omitempty"`
}

// QuickView is what the quick prompt shows.
type QuickView struct {
	Text    string        `json:"text,omitempty"` // what was not sent the last time
	Targets []QuickTarget `json:"targets"`
	Models  []QuickModel  `json:"answerers"` // of a new chat
	// The answerer that a new chat begins with.
	AgentID        string         `json:"agentId,omitempty"`
	OrchestratorID string         `json:"mainId,omitempty"`
	Mode           PermissionMode `json:"mode"`
	// How the window looks, and its language, as in Settings.
	Theme    string `json:"theme"`
	Contrast string `json:"contrast"`
	Motion   string `json:"motion"`
	TextSize string `json:"textSize"`
	Language string `json:"language,omitempty"`
}

// QuickModel is an agent, or a main AI, that can answer a new chat.
type QuickModel struct {
	AgentID        string `json:"agentId,omitempty"` // "" is Copilot
	OrchestratorID string `json:"mainId,omitempty"`
	Name           string `json:"name"`
	Provider       string `json:"provider,omitempty"` // whose model it is
}

// QuickTarget is where a message of the quick prompt can go.
type QuickTarget struct {
	ChatID string     `json:"chatId,omitempty"` // "" is a new chat in Folder
	Title  string     `json:"title,omitempty"`
	Folder string     `json:"folder"`
	Name   string     `json:"name"`            // of the folder
	Place  string     `json:"place,omitempty"` // the folder that it lies in, with ~
	State  QuickState `json:"state,omitempty"`
}

// QuickState says how a chat stands that a message can go to.
type QuickState string

// The states.
const (
	QuickIdle    QuickState = ""
	QuickRunning QuickState = "running"
	QuickWaiting QuickState = "waiting" // for the user
	QuickSignIn  QuickState = "signin"  // a sign-in is needed
	QuickTrust   QuickState = "trust"   // its folder is not trusted
	QuickCrashed QuickState = "crashed" // the agent stopped unexpectedly
	QuickFailed  QuickState = "failed"
	QuickUnread  QuickState = "unread"
)
