package backend

// Block is a task that the answering model or agent delegated to a named session by
// calling the tool copilot_agent. It is the body of an ItemBlock. The session's items
// have the block as their ParentID.
type Block struct {
	ToolCallID  string `json:"toolCallId"`
	SessionName string `json:"sessionName"`
	TurnID      string `json:"turnId"` // turn of the task; its state is the block's
	// Prompt is the task, cut to MaxBlockPrompt bytes. If it is longer, the first
	// content of the item has all of it.
	Prompt string `json:"prompt"`
	// The result after the task has ended, which the caller receives.
	StopReason string       `json:"stopReason,omitempty"`
	Summary    string       `json:"summary,omitempty"` // last message
	Files      []FileChange `json:"files,omitempty"`
	Commands   []CommandRun `json:"commands,omitempty"`
	Error      *Error       `json:"error,omitempty"`
}

// MaxBlockPrompt and MaxSummary are in bytes. At most MaxChanges files and commands are
// reported.
const (
	MaxBlockPrompt = 1000
	MaxSummary     = 4000
	MaxChanges     = 100
)

// FileChange is a changed file, with all its changes summed up.
type FileChange struct {
	Path    string `json:"path"` // relative to the chat's folder if inside it, else absolute
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
}

// CommandRun is a command that ran.
type CommandRun struct {
	Command  string `json:"command"` // first line, at most 300 bytes
	ExitCode *int   `json:"exitCode,omitempty"`
}

// TurnSummary is the summary of a turn.
type TurnSummary struct {
	Message  string       `json:"message"` // last message of the turn, in full
	Files    []FileChange `json:"files,omitempty"`
	Commands []CommandRun `json:"commands,omitempty"`
}
