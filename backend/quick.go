package backend

// QuickCommand is a command that the app sends to the quick prompt's process. Exactly one field is set.
type QuickCommand struct {
	Show *QuickView `json:"show,omitempty"`
	// Sent reports that the message was accepted. The window then closes.
	Sent bool `json:"sent,omitempty"`
	// Failed is the reason why the message wasn't accepted. The text then stays in the field.
	Failed Message `json:"failed,omitzero"`
}

// QuickEvent is an event that the quick prompt's process sends to the app. Exactly one field is set.
type QuickEvent struct {
	Ready  bool          `json:"ready,omitempty"`  // the page has loaded
	Shown  bool          `json:"shown,omitempty"`  // the window is painted and its field has the focus
	Draft  *QuickDraft   `json:"draft,omitempty"`  // unsent text in the field
	Send   *QuickMessage `json:"send,omitempty"`   // a message to send
	Closed bool          `json:"closed,omitempty"` // the window was closed
	Open   bool          `json:"open,omitempty"`   // the user wants to open VoxPilot's main window
}

// QuickDraft is the unsent text in the quick prompt.
type QuickDraft struct {
	Text string `json:"text"`
}

// QuickMessage is a message from the quick prompt. If ChatID is empty, the message starts a new chat in Folder. Such a
// chat is answered by the orchestrator with the ID OrchestratorID or, if that is empty, by the agent with the ID
// AgentID. If both are empty, Copilot answers.
type QuickMessage struct {
	Text           string         `json:"text"`
	ChatID         string         `json:"chatId,omitempty"`
	Folder         string         `json:"folder,omitempty"`
	AgentID        string         `json:"agentId,omitempty"`
	OrchestratorID string         `json:"mainId,omitempty"`
	Mode           PermissionMode `json:"mode,omitempty"`
}

// QuickView is the content of the quick prompt.
type QuickView struct {
	Text    string        `json:"text,omitempty"` // unsent text from the last time the prompt was open
	Targets []QuickTarget `json:"targets"`
	Models  []QuickModel  `json:"answerers"` // agents and orchestrators for a new chat
	// AgentID, OrchestratorID and Mode are the defaults for a new chat.
	AgentID        string         `json:"agentId,omitempty"`
	OrchestratorID string         `json:"mainId,omitempty"`
	Mode           PermissionMode `json:"mode"`
	// Theme and the fields below it hold the appearance and language of the window, as set in Settings.
	Theme    string `json:"theme"`
	Contrast string `json:"contrast"`
	Motion   string `json:"motion"`
	TextSize string `json:"textSize"`
	Language string `json:"language,omitempty"`
}

// QuickModel is an agent or orchestrator that a new chat can use.
type QuickModel struct {
	AgentID        string `json:"agentId,omitempty"` // "" for Copilot
	OrchestratorID string `json:"mainId,omitempty"`
	Name           string `json:"name"`
	Provider       string `json:"provider,omitempty"` // name of the model's provider
	Sandbox        bool   `json:"sandbox,omitempty"`  // a new chat with this agent or orchestrator uses the sandbox
}

// QuickTarget is a possible destination for a message from the quick prompt.
type QuickTarget struct {
	ChatID  string     `json:"chatId,omitempty"` // "" for a new chat in Folder
	Title   string     `json:"title,omitempty"`
	Folder  string     `json:"folder"`
	Name    string     `json:"name"`            // last part of the folder's path
	Place   string     `json:"place,omitempty"` // parent folder, with ~ for the home folder
	State   QuickState `json:"state,omitempty"`
	Sandbox bool       `json:"sandbox,omitempty"` // the chat uses the sandbox
}

// QuickState is the state of a chat that can receive a message.
type QuickState string

// States of a chat.
const (
	QuickIdle    QuickState = ""
	QuickRunning QuickState = "running"
	QuickWaiting QuickState = "waiting" // waiting for the user
	QuickSignIn  QuickState = "signin"  // a sign-in is required
	QuickTrust   QuickState = "trust"   // the folder isn't trusted
	QuickCrashed QuickState = "crashed" // the agent stopped unexpectedly
	QuickFailed  QuickState = "failed"
	QuickUnread  QuickState = "unread"
)
