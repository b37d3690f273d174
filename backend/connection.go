package backend

// ConnectionState is the state of the connection to a chat's agent. Package agent contains the state
// machine.
type ConnectionState string

// The states of a connection.
const (
	ConnectionIdle       ConnectionState = "idle"        // not running; the next message starts it
	ConnectionChecking   ConnectionState = "checking"    // checking the token, before every start
	ConnectionStarting   ConnectionState = "starting"    // spawned; waiting for initialize
	ConnectionRestoring  ConnectionState = "restoring"   // loading sessions
	ConnectionReady      ConnectionState = "ready"       // prompts can be sent
	ConnectionWaiting    ConnectionState = "waiting"     // stopped unexpectedly; next attempt at NextTryAt
	ConnectionNeedsLogin ConnectionState = "needs_login" // the agent requires a sign-in
	ConnectionNeedsTrust ConnectionState = "needs_trust" // the user must first trust the code in the folder
	ConnectionFailed     ConnectionState = "failed"      // gave up or can't start; the user can retry
)

// Cause is the reason for a connection's state. It determines the text that the window shows.
type Cause string

// Causes of connection states.
const (
	CauseNone            Cause = ""
	CauseCLIMissing      Cause = "cli_missing"
	CauseCLITooOld       Cause = "cli_too_old"
	CauseFolderMissing   Cause = "folder_gone"
	CauseUntrusted       Cause = "untrusted" // the folder's code isn't trusted: see the TrustRequest
	CauseNotSignedIn     Cause = "not_signed_in"
	CauseNoAccess        Cause = "no_access"     // the sign-in is valid, but Copilot rejects it
	CauseLocked          Cause = "locked"        // the keychain with the sign-in can't be read
	CauseOffline         Cause = "offline"       // the agent requires a sign-in, and GitHub can't be reached to check it
	CauseExited          Cause = "exited"        // see ExitCode or Signal, and Stderr
	CauseExitedOnStart   Cause = "exited_start"  // exited before it answered initialize
	CauseNoAnswer        Cause = "no_answer"     // the agent failed to start or to reload a session, or didn't answer in time
	CauseLineTooLong     Cause = "line_too_long" // more than 64 MB without a newline
	CauseSpawnFailed     Cause = "spawn"         // the system couldn't start the process
	CauseNotReading      Cause = "stuck"         // the agent stopped reading its input
	CauseProviderMissing Cause = "provider"      // the chat's model or agent is no longer set up
	CauseNoSandbox       Cause = "no_sandbox"    // the agent must start in the sandbox, which isn't ready
	CauseUnreachable     Cause = "unreachable"   // nothing listens at the agent's address (TCP)
	CauseIdle            Cause = "idle"          // stopped by VoxPilot after a period without work
	CauseStopped         Cause = "stopped"       // stopped by the user
)

// Connection describes the connection to a chat's agent.
type Connection struct {
	ChatID    string          `json:"chatId"`
	State     ConnectionState `json:"state"`
	Cause     Cause           `json:"cause,omitempty"`
	Message   Message         `json:"message,omitzero"` // for the user: the failed action and the next step
	Since     Millis          `json:"since"`
	Attempt   int             `json:"attempt,omitempty"`  // number of the next attempt, only in ConnectionWaiting
	Attempts  int             `json:"attempts,omitempty"` // number of exits per minute after which VoxPilot gives up
	NextTryAt Millis          `json:"nextTryAt,omitempty"`
	PID       int             `json:"pid,omitempty"`
	StartedAt Millis          `json:"startedAt,omitempty"` // start time of the agent process
	Path      string          `json:"path,omitempty"`      // path of the agent's program; host:port for an agent reached by TCP
	Agent     string          `json:"agent,omitempty"`     // name, as reported by the agent
	Version   string          `json:"version,omitempty"`   // version, as reported by the agent
	ExitCode  *int            `json:"exitCode,omitempty"`
	Signal    string          `json:"signal,omitempty"`
	Stderr    string          `json:"stderr,omitempty"`   // last lines, at most 2,000 bytes
	Searched  []string        `json:"searched,omitempty"` // locations searched for a missing program
	// TokenChecked is false if VoxPilot can't check the sign-in (practice, the user's
	// own models, the CLI's own sign-in), or if GitHub gave no result.
	TokenChecked bool `json:"tokenChecked,omitempty"`
	// Capabilities holds the agent's capabilities; nil until it declares them.
	Capabilities *Capabilities `json:"can,omitempty"`
}

// Capabilities describes an agent's abilities beyond answering prompts. If calls show that the agent declared
// an optional method incorrectly, the field of the method is corrected: it becomes false if the agent answers
// with error -32601 (method not found), and true if the method works although the agent didn't declare it.
type Capabilities struct {
	Load            bool `json:"load,omitempty"`
	List            bool `json:"list,omitempty"`
	Resume          bool `json:"resume,omitempty"`
	Fork            bool `json:"fork,omitempty"`
	Close           bool `json:"close,omitempty"`
	Image           bool `json:"image,omitempty"`
	Audio           bool `json:"audio,omitempty"`
	EmbeddedContext bool `json:"embeddedContext,omitempty"`
}

// MaxAttempts is the default number of exits within a minute after which an agent's connection becomes
// ConnectionFailed. The settings can override it.
const MaxAttempts = 5

// Process is a running agent or one of its descendants, such as a command.
type Process struct {
	ChatID string `json:"chatId"`
	// ID identifies the process and, unlike its PID, is never reused. It is "" for a process that was started by
	// the agent instead of VoxPilot; such a process can't be stopped on its own.
	ID        string `json:"id,omitempty"`
	PID       int    `json:"pid"`
	ParentPID int    `json:"parentPid"`
	Command   string `json:"command"` // program and arguments without secrets, at most 300 bytes
	Memory    int64  `json:"memory"`  // resident, in bytes; 0 if unknown
	StartedAt Millis `json:"startedAt,omitempty"`
	IsAgent   bool   `json:"isAgent,omitempty"`
	Works     bool   `json:"works,omitempty"` // the process is an agent with a running prompt or command
}

// ProtocolMessage is a message between VoxPilot and an agent, as recorded in the protocol log.
type ProtocolMessage struct {
	Seq     uint64 `json:"seq"` // starts at 1, without gaps
	At      Millis `json:"at"`
	Out     bool   `json:"out,omitempty"` // sent to the agent, not received from it
	ID      string `json:"id,omitempty"`
	Method  string `json:"method,omitempty"` // "" for a response
	Session string `json:"session,omitempty"`
	Error   bool   `json:"error,omitempty"`
	Size    int    `json:"size"` // size of the whole message in bytes
	// Body is the message without secrets, truncated if long.
	Body string `json:"body"`
}

// MinCLIVersion is the oldest supported version of the Copilot CLI: the first one that supports session/close and
// reports usage.
const MinCLIVersion = "1.0.78"

// TestedCLIVersion is the version of the Copilot CLI that VoxPilot is tested with and installs.
const TestedCLIVersion = "1.0.102"

// CLI is the state of the Copilot CLI on this machine.
type CLI struct {
	State    CLIState `json:"state"`
	Path     string   `json:"path,omitempty"`
	Version  string   `json:"version,omitempty"`
	Min      string   `json:"min"`
	Searched []string `json:"searched,omitempty"` // locations searched, in order, if it is missing
	Message  Message  `json:"message,omitzero"`
	// Detecting reports whether detection is running; the other fields are then the
	// previous result. DetectedAt is the time of that result.
	Detecting  bool   `json:"looking,omitempty"`
	DetectedAt Millis `json:"lookedAt,omitempty"`
	// LoginCommand is the terminal command for signing in. It contains the program's full path if a terminal
	// wouldn't find the program by name.
	LoginCommand string `json:"loginCommand,omitempty"`
	// Installers are the available ways to install or update the CLI. The Description of each is the command that
	// the installer runs.
	Installers []Choice `json:"installers,omitempty"`
	// Install is the state of the newest installation; nil if there was none.
	Install *Install `json:"install,omitempty"`
}

// Install is the state of an installation of the Copilot CLI.
type Install struct {
	How     string  `json:"how"` // id of the installer
	Running bool    `json:"running,omitempty"`
	Output  string  `json:"output,omitempty"` // the end of the output, at most 4,000 bytes
	Message Message `json:"message,omitzero"` // why it failed
}

// CLIState indicates whether the Copilot CLI can be used.
type CLIState string

// The states of the CLI.
const (
	CLIChecking CLIState = "checking"
	CLIFound    CLIState = "found"
	CLIMissing  CLIState = "missing"
	CLITooOld   CLIState = "too_old"
	CLIBroken   CLIState = "broken" // found, but `--version` failed: see Message
)

// Storage is the state of the database.
type Storage struct {
	State   StorageState `json:"state"`
	Path    string       `json:"path"`
	Message Message      `json:"message,omitzero"`
	Backup  string       `json:"backup,omitempty"` // path of the database copy made at this start, before a migration; "" if none was made
}

// StorageState indicates whether the database can be used.
type StorageState string

// The states of the database.
const (
	StorageOK       StorageState = "ok"
	StorageOpening  StorageState = "opening"   // being opened and checked; requests wait
	StorageInUse    StorageState = "in_use"    // in use by another VoxPilot
	StorageReadOnly StorageState = "read_only" // not writable
	StorageNewer    StorageState = "newer"     // written by a newer VoxPilot
	StorageSalvaged StorageState = "salvaged"  // it was corrupt: copied aside, readable data recovered
	StorageFailing  StorageState = "failing"   // a write failed (disk full): new data stays in memory and is retried
	StorageUnusable StorageState = "unusable"  // couldn't be opened for another reason
)
