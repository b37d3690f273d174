package backend

// CLISession describes a session of the Copilot CLI on this computer, based on the session's files.
type CLISession struct {
	ID   string `json:"id"`
	Home string `json:"home,omitempty"` // COPILOT_HOME in which the CLI stores the session; "" is the CLI's default
	// Title is the session's name or, if it has none, the first line of the user's first message. It is "" if neither is
	// known.
	Title         string `json:"title,omitempty"`
	Folder        string `json:"folder,omitempty"`     // working directory; "" if unknown
	FolderMissing bool   `json:"folderGone,omitempty"` // the working directory doesn't exist
	Branch        string `json:"branch,omitempty"`     // Git branch of the working directory when the session was last used
	Last          string `json:"last,omitempty"`       // first line of the user's last message
	Model         string `json:"model,omitempty"`      // ID of the model that was used last
	CreatedAt     Millis `json:"createdAt,omitempty"`
	UpdatedAt     Millis `json:"updatedAt"` // time of the last event in the log
	Size          int64  `json:"size"`      // size of the log in bytes
	// Messages is the number of messages of the user and of the agent. It is -1 until the whole log has been read.
	Messages int `json:"messages"`
	// Damage is the kind of damage that prevents the CLI from loading the session, or "" if none was found.
	Damage SessionDamage `json:"damage,omitempty"`
	// Holder is the running program that has the session open, or nil if there is none. VoxPilot's own agents aren't
	// listed.
	Holder *SessionHolder `json:"holder,omitempty"`
	ChatID string         `json:"chatId,omitempty"` // ID of the chat with this session; "" if there is none
}

// SessionHolder is a running program that has a session of the Copilot CLI open. VoxPilot recognizes it by the file
// inuse.<pid>.lock, which the CLI keeps in the session's folder.
type SessionHolder struct {
	PID       int    `json:"pid"`
	StartedAt Millis `json:"startedAt,omitempty"` // distinguishes the process from a later one with the same PID
	Program   string `json:"program,omitempty"`   // name of the program, such as "copilot"; "" if unknown
	Terminal  string `json:"terminal,omitempty"`  // terminal of the process, such as "pts/3"; "" if it has none
}

// SessionDamage is a kind of damage to the files of a session.
type SessionDamage string

// The kinds of damage.
const (
	DamageNone     SessionDamage = ""
	DamageEmpty    SessionDamage = "empty"    // the log is missing or empty
	DamageCutOff   SessionDamage = "cut_off"  // the log ends in the middle of an entry
	DamageInvalid  SessionDamage = "invalid"  // an entry isn't valid
	DamageMixed    SessionDamage = "mixed"    // the log has entries of another session
	DamageNoStart  SessionDamage = "no_start" // the log doesn't start with the session's description
	DamageMetadata SessionDamage = "metadata" // workspace.yaml isn't valid
)

// CLISessions is the list of the Copilot CLI's sessions on this computer, newest first.
type CLISessions struct {
	// Revision increases with each change to the list. A request that names the current revision gets no sessions.
	Revision int64        `json:"revision"`
	Sessions []CLISession `json:"sessions"`
	Known    int          `json:"known"`             // number of sessions that a chat uses
	Reading  bool         `json:"reading,omitempty"` // the list, or the number of messages in a session, is still incomplete
	Failure  Message      `json:"failure,omitzero"`  // why some sessions may be missing, such as a folder that can't be read
}

// CLISessionPreview is the content of a session that is shown before it is opened.
type CLISessionPreview struct {
	Session  CLISession `json:"session"`
	First    string     `json:"first,omitempty"`  // the user's first message, at most MaxPreviewText bytes
	Last     string     `json:"last,omitempty"`   // the user's last message, if it differs from First
	Answer   string     `json:"answer,omitempty"` // the agent's last message
	Commands int        `json:"commands,omitempty"`
	Files    int        `json:"files,omitempty"` // number of files that the agent changed
	Added    int        `json:"added,omitempty"` // number of lines that the agent added
	Removed  int        `json:"removed,omitempty"`
	// Report describes a damaged session; nil if it isn't damaged.
	Report *SessionReport `json:"report,omitempty"`
}

// MaxPreviewText is the maximum size of each text of a CLISessionPreview in bytes.
const MaxPreviewText = 16 << 10

// SessionReport describes the contents of a damaged session.
type SessionReport struct {
	Messages    int `json:"messages"`  // readable messages
	ToolCalls   int `json:"toolCalls"` // readable tool calls
	FileChanges int `json:"fileChanges"`
	Checkpoints int `json:"checkpoints"`
	// CutOff is the size in bytes of the incomplete last entry, or 0. Invalid is the number of other entries that can't
	// be read, and Mixed the number of entries of another session.
	CutOff  int64  `json:"cutOff,omitempty"`
	Invalid int    `json:"invalid,omitempty"`
	Mixed   int    `json:"mixed,omitempty"`
	UpTo    Millis `json:"upTo,omitempty"` // time of the last readable entry
	// Part is the start of the first damaged entry, at most 2,000 bytes, and Line is its number in the log, from 1.
	Part string `json:"part,omitempty"`
	Line int    `json:"line,omitempty"`
}

// SessionImport is the progress of reading a session of the Copilot CLI, or a conversation of another program, into a
// chat.
type SessionImport struct {
	ChatID string             `json:"chatId"`
	State  SessionImportState `json:"state"`
	Read   int64              `json:"read"`             // bytes of the log that were read
	Size   int64              `json:"size"`             // size of the log
	Error  Message            `json:"message,omitzero"` // why the import failed
	// Program and ConversationID identify another program's conversation. They are "" for a session of the Copilot CLI.
	Program        OtherProgram `json:"program,omitempty"`
	ConversationID string       `json:"conversationId,omitempty"`
}

// SessionImportState is the state of a SessionImport.
type SessionImportState string

// The states of an import.
const (
	ImportReading SessionImportState = "reading"
	ImportDone    SessionImportState = "done"
	ImportFailed  SessionImportState = "failed"
)

// SessionUse reports whether another program has the main session of a chat open. While the session is open there,
// the chat is read-only and shows the program's messages.
type SessionUse struct {
	ChatID string         `json:"chatId"`
	Holder *SessionHolder `json:"holder,omitempty"` // nil if no other program has the session open
	// Closing reports whether VoxPilot has asked the program to exit and is still waiting. Stayed reports whether the
	// program didn't exit in time.
	Closing bool `json:"closing,omitempty"`
	Stayed  bool `json:"stayed,omitempty"`
}
