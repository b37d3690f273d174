package backend

// Provider is an OpenAI-compatible model endpoint of the user's own. Its key
// is in the keychain and nowhere else.
type Provider struct {
	ID      string            `json:"id"`
	Name    string            `json:"name"`
	Kind    ProviderKind      `json:"kind,omitempty"`
	BaseURL string            `json:"baseUrl"`
	Headers map[string]string `json:"headers,omitempty" gorm:"serializer:list"`
	Models  []string          `json:"models,omitempty" gorm:"serializer:list"` // as the endpoint lists them
	Model   string            `json:"model"`                                   // the one that is used
	Context int64             `json:"context,omitempty"`                       // tokens that fit into it; 0 is not known
	Key     KeyStorage        `json:"key,omitempty"`
	// CheckedAt, Check: the last time the endpoint was asked, and what it said
	// ("" where all was well).
	CheckedAt Millis  `json:"checkedAt,omitempty"`
	Check     Message `json:"check,omitzero" gorm:"serializer:message"`
	CreatedAt Millis  `json:"createdAt" gorm:"autoCreateTime:false"`
}

// ProviderKind says which service an endpoint is, for what they do differently.
type ProviderKind string

// Kinds of a provider.
const (
	KindCustom     ProviderKind = "" // any that speaks the OpenAI chat format
	KindOpenAI     ProviderKind = "openai"
	KindAzure      ProviderKind = "azure" // Azure AI Foundry: the key goes into the header api-key
	KindOllama     ProviderKind = "ollama"
	KindLMStudio   ProviderKind = "lmstudio"
	KindOpenRouter ProviderKind = "openrouter"
)

// KeyStorage says where a key is kept.
type KeyStorage string

// The places of a key.
const (
	KeyNone     KeyStorage = ""         // the endpoint needs none
	KeyKeychain KeyStorage = "keychain" // the system's keychain
	KeyMemory   KeyStorage = "memory"   // the keychain cannot be used: gone when the app quits
	KeyMissing  KeyStorage = "missing"  // it was set, but is not there any more
)

// CustomAgent is another agent than the Copilot CLI, as the user set it up. The
// values of its environment are in the keychain and nowhere else.
type CustomAgent struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Address string   `json:"address,omitempty"` // host:port of one that runs already; Command is "" then
	Command string   `json:"command,omitempty"`
	Args    []string `json:"args,omitempty" gorm:"serializer:list"` // {socket} stands for a Unix socket, {port} for a free port; the agent is reached there
	Env     []string `json:"env,omitempty" gorm:"serializer:list"`  // the names of its own environment variables
	Home    string   `json:"home,omitempty"`                        // COPILOT_HOME, where it is a Copilot CLI of another kind
	// GitHub says that it needs the user's GitHub sign-in: it gets the token in
	// COPILOT_GITHUB_TOKEN, checked before each start. Else it has its own login,
	// or needs none.
	GitHub    bool       `json:"github,omitempty" gorm:"column:github"`
	Key       KeyStorage `json:"key,omitempty"` // where the values of Env are
	CreatedAt Millis     `json:"createdAt" gorm:"autoCreateTime:false"`
}

// Settings are the user's choices.
type Settings struct {
	CLIPath      string `json:"cliPath,omitempty"`     // "" finds it
	CopilotHome  string `json:"copilotHome,omitempty"` // "" is the CLI's default
	Theme        string `json:"theme"`                 // "system", "light", "dark"
	Contrast     string `json:"contrast"`              // "system", "normal", "more"
	Motion       string `json:"motion"`                // "system", "full", "reduced"
	SetupDone    bool   `json:"setupDone,omitempty"`   // first run is over
	SidebarWidth int    `json:"sidebarWidth,omitempty"`
	KeepOpen     bool   `json:"keepOpen,omitempty"` // do not fold work groups when they finish
	// IdleMinutes is after how long without work an agent is stopped; 0 is
	// never. It comes back with the next message.
	IdleMinutes   int            `json:"idleMinutes"`
	RestoreOnOpen bool           `json:"restoreOnOpen"` // restore the sessions of a chat when it is opened
	Attempts      int            `json:"attempts"`      // how often in a minute an agent may exit before VoxPilot gives up; 1 to 10
	Mode          PermissionMode `json:"mode"`          // of new chats; never ModeBypass
	AskOutside    bool           `json:"askOutside"`    // ask before anything outside of the folder, in every mode
	// AgentMode is the mode of its own in which the agent of a new chat begins, by
	// the agent's id for it; "" is as the agent starts. Never one that asks nothing.
	AgentMode string `json:"agentMode,omitempty"`
	// SignIn is the source whose token is used, and no other; "" uses the first
	// that has one.
	SignIn         TokenSource `json:"signIn,omitempty"`
	ClientID       string      `json:"clientId,omitempty"` // of the OAuth app for the sign-in by code; "" is the one that was built in
	OrchestratorID string      `json:"mainId,omitempty"`   // the Provider that answers new chats; "" is Copilot itself
	// IfLost is what is done about a session that cannot be restored.
	IfLost IfLost `json:"ifLost"`
	// StopAfterMinutes is how long a turn may take before it is stopped; 0 is no
	// limit. Waiting for the user does not count.
	StopAfterMinutes int    `json:"stopAfterMinutes,omitempty"`
	Language         string `json:"language,omitempty"`  // of the window, "en", "de" or "zh"; "" is the system's
	TextSize         string `json:"textSize"`            // "small", "normal", "large", "larger"
	CodeFont         string `json:"codeFont,omitempty"`  // of code, changes and terminals: "system" is the system's, "" is JetBrains Mono
	ShowThoughts     bool   `json:"showThoughts"`        // show what the agent thinks
	SplitDiff        bool   `json:"splitDiff,omitempty"` // old and new side by side
	WrapDiff         bool   `json:"wrapDiff,omitempty"`  // long lines of a diff go on below
	// Editor opens files: a program and its arguments, in which {file}, {line} and
	// {folder} stand for what is to be opened; "" is the first known one that is
	// installed. See workspace.OpenInEditor.
	Editor         string `json:"editor,omitempty"`
	InspectorWidth int    `json:"inspectorWidth,omitempty"`
	InspectorTab   string `json:"inspectorTab,omitempty"` // the one that is shown, "" where the inspector is closed
	// CloseToTray keeps VoxPilot in the tray when its window is closed; while
	// chats are at work it stays there in any case. Without a tray it has no effect.
	CloseToTray  bool   `json:"closeToTray,omitempty"`
	Shortcut     string `json:"shortcut"` // the global one of the quick prompt, as "Ctrl+Shift+Space"; "" is none
	Notify       Notify `json:"notify"`
	CheckUpdates bool   `json:"checkUpdates"` // look for a newer version of VoxPilot once a day
}

// IfLost says what is done about a session that cannot be restored.
type IfLost string

// What can be done about a lost session.
const (
	IfLostRecap IfLost = "recap" // a new one is told what was said
	IfLostFresh IfLost = "fresh" // a new one begins without it
)

// DefaultSettings are the settings of a new installation.
func DefaultSettings() Settings {
	return Settings{
		Theme: "system", Contrast: "system", Motion: "system",
		IdleMinutes: 15, RestoreOnOpen: true, Attempts: MaxAttempts, Mode: ModeAsk, AskOutside: true,
		IfLost: IfLostRecap, TextSize: "normal", ShowThoughts: true,
		Shortcut: "Ctrl+Shift+Space", CheckUpdates: true,
		Notify: Notify{NeedsYou: true, Finished: true, Failed: true, SignIn: true},
	}
}
