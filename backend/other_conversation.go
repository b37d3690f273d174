package backend

// OtherProgram is a program, other than the Copilot CLI, that stores conversations with a model on this computer.
type OtherProgram string

// The programs whose conversations can be opened.
const (
	ProgramClaudeCode OtherProgram = "claude-code" // Claude Code
	ProgramCodex      OtherProgram = "codex"       // Codex CLI
	ProgramOpencode   OtherProgram = "opencode"    // opencode
	ProgramVSCode     OtherProgram = "vscode"      // Copilot Chat in Visual Studio Code
)

// OtherConversation describes a conversation of another program, based on the program's files.
type OtherConversation struct {
	Program       OtherProgram `json:"program"`
	ID            string       `json:"id"`                   // unique within the program
	Title         string       `json:"title,omitempty"`      // name, or first line of the user's first message
	Folder        string       `json:"folder,omitempty"`     // working directory; "" if unknown
	FolderMissing bool         `json:"folderGone,omitempty"` // the working directory doesn't exist
	CreatedAt     Millis       `json:"createdAt,omitempty"`  // 0 if unknown
	UpdatedAt     Millis       `json:"updatedAt"`
	Size          int64        `json:"size,omitempty"`   // size of its file in bytes; 0 if it shares a file with others
	ChatID        string       `json:"chatId,omitempty"` // ID of the chat with the imported copy; "" if there is none
}

// OtherConversations is the list of the conversations of other programs on this computer, newest first.
type OtherConversations struct {
	Conversations []OtherConversation `json:"conversations"`
	Programs      []OtherProgramName  `json:"programs"` // programs that have conversations
	// Failure is the reason why some conversations may be missing, such as a file that can't be read.
	Failure Message `json:"failure,omitzero"`
}

// OtherProgramName is a program with its name for the user and the number of its conversations.
type OtherProgramName struct {
	Program       OtherProgram `json:"program"`
	Name          string       `json:"name"`
	Conversations int          `json:"conversations"`
}
