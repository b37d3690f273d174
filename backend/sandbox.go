package backend

// Sandbox holds the sandbox options of one chat. It supplements the SandboxSettings, which apply to all chats.
type Sandbox struct {
	On bool `json:"on,omitempty"` // commands run in the sandbox
	// OnlyFolder means that commands can't write to the temporary folder.
	OnlyFolder bool           `json:"onlyFolder,omitempty"`
	Network    SandboxNetwork `json:"network,omitempty"` // "" for the network in the settings
	Write      []string       `json:"write,omitempty"`   // additional folders that commands in this chat may write to
	Sites      []string       `json:"sites,omitempty"`   // additional sites that commands in this chat may reach
	// WholeAgent means that the agent itself runs in a sandbox from its next start on.
	WholeAgent bool `json:"wholeAgent,omitempty"`
	// Masked means that the user opened the folder without running its code. The agent then runs in a sandbox in which the
	// folder's untrusted hooks and settings are empty. If Masked is set, On is also set.
	Masked bool `json:"masked,omitempty"`
}

// SandboxNetwork is the part of the network that commands in the sandbox can reach.
type SandboxNetwork string

// The networks of a sandbox.
const (
	NetworkOff   SandboxNetwork = "off"
	NetworkSites SandboxNetwork = "sites" // the listed sites, through a proxy; the user is asked about others
	NetworkOn    SandboxNetwork = "on"
)

// WhenBlocked determines what happens when a command in the sandbox connects to a site that isn't listed.
type WhenBlocked string

// Values of WhenBlocked.
const (
	BlockedAsk  WhenBlocked = "ask"  // ask the user; the connection waits
	BlockedKeep WhenBlocked = "keep" // refuse the connection
)

// SandboxSettings are the settings of the sandbox for all chats.
type SandboxSettings struct {
	NewChats     bool           `json:"newChats"` // new chats use the sandbox
	WhenBlocked  WhenBlocked    `json:"whenBlocked"`
	Write        []string       `json:"write,omitempty"`       // additional folders that commands may write to; "~" is the home folder
	Hidden       []string       `json:"hidden,omitempty"`      // places that commands can't read, in addition to the defaults
	Readable     []string       `json:"readable,omitempty"`    // places that commands may read although they are hidden by default
	KeepSecrets  bool           `json:"keepSecrets,omitempty"` // commands also get environment variables whose names suggest secrets
	Network      SandboxNetwork `json:"network"`
	Sites        []string       `json:"sites,omitempty"`        // allowed sites ("host" or "*.host"), in addition to those in SandboxStatus
	BlockedSites []string       `json:"blockedSites,omitempty"` // sites in SandboxStatus that commands can't reach
	Ports        []int          `json:"ports,omitempty"`        // local ports that commands may reach
}

// SandboxState is the result of testing the sandbox on this computer.
type SandboxState string

// The states of the sandbox. VoxPilot offers the sandbox only in the state SandboxReady.
const (
	SandboxChecking    SandboxState = "checking"
	SandboxReady       SandboxState = "ready"
	SandboxLimited     SandboxState = "limited"     // only some of its protections work
	SandboxUnavailable SandboxState = "unavailable" // none of its protections work
)

// SandboxStatus describes the sandbox on this computer.
type SandboxStatus struct {
	State   SandboxState `json:"state"`
	Program string       `json:"program,omitempty"` // name and version of the sandbox program, such as "bubblewrap 0.8.0"
	Problem Message      `json:"problem,omitzero"`  // why the sandbox isn't ready
	Fix     string       `json:"fix,omitempty"`     // a command that solves the problem, for the user to run
	Limits  []Message    `json:"limits,omitempty"`  // what the sandbox can't prevent on this computer
	Hidden  []string     `json:"hidden,omitempty"`  // places that commands can't read by default; "~" is the home folder
	// Sites are the hosts that the package managers on this computer are configured to use, once SitesKnown is set.
	// VoxPilot looks them up only when they are needed, because the lookup takes seconds.
	Sites      []SandboxSite `json:"sites,omitempty"`
	SitesKnown bool          `json:"sitesKnown,omitempty"`
}

// SandboxSite is a host that a package manager is configured to use.
type SandboxSite struct {
	Host string `json:"host"`
	Tool string `json:"tool"` // "npm", "Go", "pip" or "cargo"
}

// SandboxRole describes how a permission request relates to the sandbox.
type SandboxRole string

// The roles of the sandbox.
const (
	SandboxInside   SandboxRole = "inside" // the command would run in the sandbox
	SandboxLeaves   SandboxRole = "leaves" // the command already ran in the sandbox and would now run outside of it
	SandboxAsksSite SandboxRole = "site"   // a command in the sandbox wants to reach the site in Command
)
