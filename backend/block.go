package backend

// Block is a task that the answering model or agent delegated to a named session by
// calling the tool copilot_agent. It is the content of an ItemBlock. Items of the
// delegated turn have the block's item as their parent (ParentID).
type Block struct {
	ToolCallID  string `json:"toolCallId"`
	SessionName string `json:"sessionName"`
	TurnID      string `json:"turnId"` // turn of the task; its state is also the block's
	// Prompt is the task, cut to MaxBlockPrompt bytes. If the task is longer, the first
	// Content of the item has its full text.
	Prompt string `json:"prompt"`
	// StopReason and the fields below are the result, which the caller receives after the task
	// has ended.
	StopReason string       `json:"stopReason,omitempty"`
	Summary    string       `json:"summary,omitempty"` // last message
	Files      []FileChange `json:"files,omitempty"`
	Commands   []CommandRun `json:"commands,omitempty"`
	Error      *Error       `json:"error,omitempty"`
}

// MaxBlockPrompt and MaxSummary are maximum sizes in bytes. MaxChanges is the maximum
// number of files, and of commands, that are reported.
const (
	MaxBlockPrompt = 1000
	MaxSummary     = 4000
	MaxChanges     = 100
)

// FileChange is the combined change to a file.
type FileChange struct {
	Path    string `json:"path"` // relative to the chat's folder if inside it, else absolute
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
}

// CommandRun is a command that was run, with its exit code if known.
type CommandRun struct {
	Command  string `json:"command"` // first line, at most 300 bytes
	ExitCode *int   `json:"exitCode,omitempty"`
}

// TurnSummary summarizes the result of a turn.
type TurnSummary struct {
	Message  string       `json:"message"` // last message of the turn, in full
	Files    []FileChange `json:"files,omitempty"`
	Commands []CommandRun `json:"commands,omitempty"`
}
