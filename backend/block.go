package backend

// Block is a task that the answering model or agent delegated to a named session by calling the tool copilot_agent.
// Each ItemBlock has a Block. The items of the delegated turn have the ItemBlock's ID as their ParentID.
type Block struct {
	ToolCallID  string `json:"toolCallId"`
	SessionName string `json:"sessionName"`
	TurnID      string `json:"turnId"` // ID of the turn that runs the task; the block's state is that of the turn
	// Prompt is the task, cut to MaxBlockPrompt bytes. If the task is longer, the item's first Content has
	// the full text.
	Prompt string `json:"prompt"`
	// StopReason and the fields below are the result of the task, which VoxPilot returns to the model or
	// agent that delegated it. They are empty until the task has ended.
	StopReason string       `json:"stopReason,omitempty"`
	Summary    string       `json:"summary,omitempty"` // last message of the turn, at most MaxSummary bytes
	Files      []FileChange `json:"files,omitempty"`
	Commands   []CommandRun `json:"commands,omitempty"`
	Error      *Error       `json:"error,omitempty"`
}

// MaxBlockPrompt and MaxSummary are the maximum sizes of Block.Prompt and Block.Summary in bytes.
// MaxChanges is the maximum length of Block.Files, and of Block.Commands.
const (
	MaxBlockPrompt = 1000
	MaxSummary     = 4000
	MaxChanges     = 100
)

// FileChange counts the lines that a turn added to a file and removed from it.
type FileChange struct {
	Path    string `json:"path"` // relative to the chat's folder if inside it, else absolute
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
}

// CommandRun is a command that was run, with its exit code if known.
type CommandRun struct {
	Command  string `json:"command"` // first line of the command, at most 300 bytes
	ExitCode *int   `json:"exitCode,omitempty"`
}

// TurnSummary summarizes the result of a turn.
type TurnSummary struct {
	Message  string       `json:"message"` // last message of the turn, in full
	Files    []FileChange `json:"files,omitempty"`
	Commands []CommandRun `json:"commands,omitempty"`
}
