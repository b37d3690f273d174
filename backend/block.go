package backend

// Block is a piece of work that the answering AI gave to a named session, by a
// call of the tool copilot_agent. It is the body of an ItemBlock: what the
// session does stands in it, as items with the block as their ParentID.
type Block struct {
	ToolCallID  string `json:"toolCallId"`
	SessionName string `json:"sessionName"`
	TurnID      string `json:"turnId"` // of the work; its state is the block's
	// Prompt is what was asked for, at most MaxBlockPrompt bytes of it. Where
	// there is more, the first content of the item is the whole.
	Prompt string `json:"prompt"`
	// What came of it, once it has ended: this is what the caller is told.
	StopReason string       `json:"stopReason,omitempty"`
	Summary    string       `json:"summary,omitempty"` // the last message
	Files      []FileChange `json:"files,omitempty"`
	Commands   []CommandRun `json:"commands,omitempty"`
	Error      *Error       `json:"error,omitempty"`
}

// MaxBlockPrompt and MaxSummary are in bytes; more than MaxChanges files or
// commands are not told.
const (
	MaxBlockPrompt = 1000
	MaxSummary     = 4000
	MaxChanges     = 100
)

// FileChange is a file that was changed, with all its changes added up.
type FileChange struct {
	Path    string `json:"path"` // from the chat's folder on where it is inside, else absolute
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
}

// CommandRun is a command that was run.
type CommandRun struct {
	Command  string `json:"command"` // its first line, at most 300 bytes
	ExitCode *int   `json:"exitCode,omitempty"`
}

// TurnSummary is what a turn came to.
type TurnSummary struct {
	Message  string       `json:"message"` // the last message of the turn, whole
	Files    []FileChange `json:"files,omitempty"`
	Commands []CommandRun `json:"commands,omitempty"`
}
