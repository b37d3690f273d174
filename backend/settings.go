package backend

// Provider is an OpenAI-compatible model endpoint of the user's own. Its key
// is in the keychain and nowhere else.
type Provider struct {
	ID      string            `json:"id"`
	Name    string            `json:"name"`
	BaseURL string            `json:"baseUrl"`
	Headers map[string]string `json:"headers,omitempty"`
	Models  []string          `json:"models,omitempty"` // as the endpoint lists them
	Model   string            `json:"model"`            // the one that is used
	Key     KeyPlace          `json:"key,omitempty"`
	// CheckedAt, Check: the last time the endpoint was asked, and what it said
	// ("" where all was well).
	CheckedAt Millis `json:"checkedAt,omitempty"`
	Check     string `json:"check,omitempty"`
	CreatedAt Millis `json:"createdAt"`
}

// KeyPlace says where a key is kept.
type KeyPlace string

// The places of a key.
const (
	KeyNone     KeyPlace = ""         // the endpoint needs none
	KeyKeychain KeyPlace = "keychain" // the system's keychain
	KeyMemory   KeyPlace = "memory"   // the keychain cannot be used: gone when the app quits
	KeyMissing  KeyPlace = "missing"  // it was set, but is not there any more
)

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
}

// DefaultSettings are the settings of a new installation.
func DefaultSettings() Settings {
	return Settings{Theme: "system", Contrast: "system", Motion: "system"}
}
