package backend

// Provider is an OpenAI-compatible model endpoint set up by the user. Its key is stored
// only in the keychain.
type Provider struct {
	ID      string            `json:"id"`
	Name    string            `json:"name"`
	Kind    ProviderKind      `json:"kind,omitempty"`
	BaseURL string            `json:"baseUrl"`
	Headers map[string]string `json:"headers,omitempty" gorm:"serializer:list"`
	Models  []string          `json:"models,omitempty" gorm:"serializer:list"` // as listed by the endpoint
	Model   string            `json:"model"`                                   // the model in use
	Context int64             `json:"context,omitempty"`                       // context size in tokens; 0 if unknown
	Key     KeyStorage        `json:"key,omitempty"`
	// CheckedAt is the time of the last check of the endpoint, or 0 if it was never checked. Check is the error of that
	// check, or "" if it succeeded.
	CheckedAt Millis  `json:"checkedAt,omitempty"`
	Check     Message `json:"check,omitzero" gorm:"serializer:message"`
	CreatedAt Millis  `json:"createdAt" gorm:"autoCreateTime:false"`
}

// ProviderKind identifies the service to which an endpoint belongs. The APIs of these services differ slightly.
type ProviderKind string

// Kinds of providers.
const (
	KindCustom     ProviderKind = "" // any service with the OpenAI chat format
	KindOpenAI     ProviderKind = "openai"
	KindAzure      ProviderKind = "azure" // Azure AI Foundry: the key is sent in the header api-key
	KindOllama     ProviderKind = "ollama"
	KindLMStudio   ProviderKind = "lmstudio"
	KindOpenRouter ProviderKind = "openrouter"
)

// KeyStorage is the storage location of a key.
type KeyStorage string

// Storage locations of a key.
const (
	KeyNone     KeyStorage = ""         // the endpoint needs no key
	KeyKeychain KeyStorage = "keychain" // the system's keychain
	KeyMemory   KeyStorage = "memory"   // in memory, because the keychain isn't usable; lost when the app quits
	KeyMissing  KeyStorage = "missing"  // was set, but is no longer in the keychain
)

// CustomAgent is an agent other than the Copilot CLI, set up by the user. The values of
// its environment variables are stored only in the keychain.
type CustomAgent struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Address string   `json:"address,omitempty"` // host:port of a running agent, if Command is ""
	Command string   `json:"command,omitempty"`
	Args    []string `json:"args,omitempty" gorm:"serializer:list"` // {socket} is replaced by the path of a Unix socket, {port} by a free port, to which VoxPilot connects
	Env     []string `json:"env,omitempty" gorm:"serializer:list"`  // names of the agent's additional environment variables
	Home    string   `json:"home,omitempty"`                        // COPILOT_HOME of an agent based on the Copilot CLI; "" to set none
	// GitHub reports whether the agent needs the user's GitHub sign-in. If so, it gets the token in
	// COPILOT_GITHUB_TOKEN; VoxPilot checks the token before each start. Otherwise, the agent has its own
	// sign-in or needs none.
	GitHub    bool       `json:"github,omitempty" gorm:"column:github"`
	Key       KeyStorage `json:"key,omitempty"` // storage location of the variables' values
	CreatedAt Millis     `json:"createdAt" gorm:"autoCreateTime:false"`
}

// Settings are the user's settings.
type Settings struct {
	CLIPath      string `json:"cliPath,omitempty"`     // path of the CLI; "" for automatic detection
	CopilotHome  string `json:"copilotHome,omitempty"` // COPILOT_HOME of the CLI; "" is the CLI's default
	Theme        string `json:"theme"`                 // "system", "light", "dark"
	Contrast     string `json:"contrast"`              // "system", "normal", "more"
	Motion       string `json:"motion"`                // "system", "full", "reduced"
	SetupDone    bool   `json:"setupDone,omitempty"`   // setup is complete
	SidebarWidth int    `json:"sidebarWidth,omitempty"`
	KeepOpen     bool   `json:"keepOpen,omitempty"` // don't collapse groups of tool calls when they finish
	// IdleMinutes is the time without work after which an agent is stopped; 0 means never. The next message starts
	// it again.
	IdleMinutes   int             `json:"idleMinutes"`
	RestoreOnOpen bool            `json:"restoreOnOpen"` // restore a chat's sessions when it is opened
	Attempts      int             `json:"attempts"`      // number of exits within a minute after which VoxPilot stops restarting an agent; 1 to 10
	Mode          PermissionMode  `json:"mode"`          // for new chats; never ModeBypass
	AskOutside    bool            `json:"askOutside"`    // in every mode, ask before anything outside the folder, unless a rule allows it
	Sandbox       SandboxSettings `json:"sandbox"`
	// AgentMode is the ID of the agent's initial mode in a new chat; "" means the agent's default. It is never a mode
	// in which the agent doesn't ask for permission.
	AgentMode string `json:"agentMode,omitempty"`
	// SignIn is the only source whose token is used; "" means the first source that has one.
	SignIn         TokenSource `json:"signIn,omitempty"`
	ClientID       string      `json:"clientId,omitempty"` // client ID of the OAuth app for the device flow; "" is the built-in one
	OrchestratorID string      `json:"mainId,omitempty"`   // Chat.OrchestratorID of new chats; "" if Copilot itself answers
	// IfLost is the action for a session that can't be restored.
	IfLost IfLost `json:"ifLost"`
	// StopAfterMinutes is the time limit of a turn; 0 means none. Time spent waiting for the user isn't counted.
	StopAfterMinutes int `json:"stopAfterMinutes,omitempty"`
	// UndoDays is the number of days that snapshots of folders are kept for undo, and UndoGB is the maximum
	// size of all snapshots in gigabytes.
	UndoDays     int    `json:"undoDays"`
	UndoGB       int    `json:"undoGb"`
	Language     string `json:"language,omitempty"`  // language of the window: "en", "de" or "zh"; "" is the system's
	TextSize     string `json:"textSize"`            // "small", "normal", "large", "larger"
	CodeFont     string `json:"codeFont,omitempty"`  // font of code, changes and terminals: "system" is the system's, "" is JetBrains Mono
	ShowThoughts bool   `json:"showThoughts"`        // show the agent's reasoning
	SplitDiff    bool   `json:"splitDiff,omitempty"` // show the old and new lines of a diff side by side
	WrapDiff     bool   `json:"wrapDiff,omitempty"`  // wrap long lines of a diff
	// NameChat adds a trailer with the chat's title to commits made in VoxPilot.
	NameChat bool `json:"nameChat,omitempty"`
	// Editor is the command for opening files: a program and its arguments with the placeholders {file}, {line} and
	// {folder}. "" means the first known editor that is installed. See workspace.OpenInEditor.
	Editor         string `json:"editor,omitempty"`
	InspectorWidth int    `json:"inspectorWidth,omitempty"`
	InspectorTab   string `json:"inspectorTab,omitempty"` // the open tab; "" if the inspector is closed
	// CloseToTray keeps VoxPilot running in the tray when its window is closed. While chats are running,
	// VoxPilot always stays in the tray. Without a tray, the setting has no effect.
	CloseToTray  bool   `json:"closeToTray,omitempty"`
	Shortcut     string `json:"shortcut"` // global shortcut of the quick prompt, such as "Ctrl+Shift+Space"; "" for none
	Notify       Notify `json:"notify"`
	CheckUpdates bool   `json:"checkUpdates"` // check for a new version of VoxPilot once a day
	// SearchSessions adds the texts of the Copilot CLI's sessions on this computer to the search.
	SearchSessions bool `json:"searchSessions,omitempty"`
}

// IfLost determines what happens if a session can't be restored.
type IfLost string

// Values of IfLost.
const (
	IfLostRecap IfLost = "recap" // a new session receives a recap
	IfLostFresh IfLost = "fresh" // a new session starts without history
)

// DefaultSettings returns the settings of a new installation.
func DefaultSettings() Settings {
	return Settings{
		Theme: "system", Contrast: "system", Motion: "system",
		IdleMinutes: 15, RestoreOnOpen: true, Attempts: MaxAttempts, Mode: ModeAsk, AskOutside: true,
		UndoDays: 30, UndoGB: 2,
		Sandbox: SandboxSettings{WhenBlocked: BlockedAsk, Network: NetworkSites},
		IfLost:  IfLostRecap, TextSize: "normal", ShowThoughts: true,
		Shortcut: "Ctrl+Shift+Space", CheckUpdates: true,
		Notify: Notify{NeedsYou: true, Finished: true, Failed: true, SignIn: true},
	}
}
