package backend

// ConnectionState says where a chat's agent stands (architecture: the
// reconnect machine).
type ConnectionState string

// The states of a connection.
const (
	ConnectionIdle       ConnectionState = "idle"        // not running; the next message starts it
	ConnectionChecking   ConnectionState = "checking"    // the token, before every start
	ConnectionStarting   ConnectionState = "starting"    // spawned; initialize is awaited
	ConnectionRestoring  ConnectionState = "restoring"   // sessions are loaded
	ConnectionReady      ConnectionState = "ready"       // prompts can be sent
	ConnectionWaiting    ConnectionState = "waiting"     // stopped unexpectedly; tried again at NextTryAt
	ConnectionNeedsLogin ConnectionState = "needs_login" // the agent wants a sign-in
	ConnectionNeedsTrust ConnectionState = "needs_trust" // the folder can run code, and the user has not trusted that
	ConnectionFailed     ConnectionState = "failed"      // gave up, or cannot start; the user retries
)

// Cause says why a connection is in its state. The window chooses its words by
// it.
type Cause string

// The causes.
const (
	CauseNone            Cause = ""
	CauseCLIMissing      Cause = "cli_missing"
	CauseCLITooOld       Cause = "cli_too_old"
	CauseFolderMissing   Cause = "folder_gone"
	CauseUntrusted       Cause = "untrusted" // what the folder can run is not trusted: the TrustRequest says what
	CauseNotSignedIn     Cause = "not_signed_in"
	CauseNoAccess        Cause = "no_access"     // the sign-in is good, but Copilot does not take it
	CauseLocked          Cause = "locked"        // the keychain with the sign-in cannot be read
	CauseOffline         Cause = "offline"       // the agent wants a sign-in, and GitHub cannot be reached to say whether it has one
	CauseExited          Cause = "exited"        // ExitCode or Signal, and Stderr, say more
	CauseExitedOnStart   Cause = "exited_start"  // before it answered initialize
	CauseNoAnswer        Cause = "no_answer"     // initialize, new or load did not return in time
	CauseLineTooLong     Cause = "line_too_long" // over 64 MB without a newline
	CauseSpawnFailed     Cause = "spawn"         // the system refused to start it
	CauseNotReading      Cause = "stuck"         // it stopped reading what we send
	CauseProviderMissing Cause = "provider"      // the chat's own model or agent is not set up any more
	CauseUnreachable     Cause = "unreachable"   // nothing answers at the agent's address (TCP)
	CauseIdle            Cause = "idle"          // stopped by VoxPilot, since it had nothing to do for a while
	CauseStopped         Cause = "stopped"       // stopped by the user
)

// Connection is where a chat's agent stands now.
type Connection struct {
	ChatID    string          `json:"chatId"`
	State     ConnectionState `json:"state"`
	Cause     Cause           `json:"cause,omitempty"`
	Message   Message         `json:"message,omitzero"` // for a person: what was being done, what to do next
	Since     Millis          `json:"since"`
	Attempt   int             `json:"attempt,omitempty"`  // while Waiting
	Attempts  int             `json:"attempts,omitempty"` // how many there are in a minute
	NextTryAt Millis          `json:"nextTryAt,omitempty"`
	PID       int             `json:"pid,omitempty"`
	StartedAt Millis          `json:"startedAt,omitempty"` // of the process
	Path      string          `json:"path,omitempty"`      // of the program; host:port for one that is reached by TCP
	Agent     string          `json:"agent,omitempty"`     // its name, as it gave it
	Version   string          `json:"version,omitempty"`   // as the agent gave it
	ExitCode  *int            `json:"exitCode,omitempty"`
	Signal    string          `json:"signal,omitempty"`
	Stderr    string          `json:"stderr,omitempty"` // last lines, at most 2,000 bytes
	Searched  []string        `json:"searched,omitempty"`
	// TokenChecked is false where VoxPilot cannot check the sign-in: practice,
	// own models, and the CLI's own login; or where GitHub did not say.
	TokenChecked bool `json:"tokenChecked,omitempty"`
	// Capabilities is what the agent is able to do; nil before it said so.
	Capabilities *Capabilities `json:"can,omitempty"`
}

// Capabilities are what an agent can do beyond answering prompts. An optional
// method that it answered with -32601 is not among them.
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

// MaxAttempts is how often in a minute an agent may exit before its connection
// is Failed, where the settings say nothing else.
const MaxAttempts = 5

// Process is an agent that runs, or a command that one runs.
type Process struct {
	ChatID string `json:"chatId"`
	// ID names this process and never another one, unlike its number. It is ""
	// for one that VoxPilot didn't start, which can't be stopped alone.
	ID        string `json:"id,omitempty"`
	PID       int    `json:"pid"`
	ParentPID int    `json:"parentPid"`
	Command   string `json:"command"` // its program and arguments, at most 300 bytes, secrets taken out
	Memory    int64  `json:"memory"`  // resident, in bytes; 0 where the system does not say
	StartedAt Millis `json:"startedAt,omitempty"`
	IsAgent   bool   `json:"isAgent,omitempty"`
	Works     bool   `json:"works,omitempty"` // an agent with a prompt or a command under way
}

// ProtocolMessage is one message between VoxPilot and an agent, as the protocol log has
// it.
type ProtocolMessage struct {
	Seq     uint64 `json:"seq"` // counts from 1, without gaps
	At      Millis `json:"at"`
	Out     bool   `json:"out,omitempty"` // to the agent
	ID      string `json:"id,omitempty"`
	Method  string `json:"method,omitempty"` // "" for an answer
	Session string `json:"session,omitempty"`
	Error   bool   `json:"error,omitempty"`
	Size    int    `json:"size"` // of the whole message, in bytes
	// Body is the message, without secrets, cut where it is long.
	Body string `json:"body"`
}

// MinCLIVersion is the oldest Copilot CLI that VoxPilot works with: the first
// with session/close and usage.
const MinCLIVersion = "1.0.78"

// TestedCLIVersion is the Copilot CLI that VoxPilot is tested with, and installs.
const TestedCLIVersion = "1.0.102"

// CLI is what is known of the Copilot CLI on this machine.
type CLI struct {
	State    CLIState `json:"state"`
	Path     string   `json:"path,omitempty"`
	Version  string   `json:"version,omitempty"`
	Min      string   `json:"min"`
	Searched []string `json:"searched,omitempty"` // places looked at, in order, when it is missing
	Message  Message  `json:"message,omitzero"`
	// Detecting says that it is being looked for again: the rest is what was found
	// before. DetectedAt is when that was.
	Detecting  bool   `json:"looking,omitempty"`
	DetectedAt Millis `json:"lookedAt,omitempty"`
	// LoginCommand is what to type into a terminal to sign in: the program's
	// whole path where a terminal would not find this one by its name.
	LoginCommand string `json:"loginCommand,omitempty"`
	// Installers are the ways by which it can be installed or updated here: what
	// is run is the Description of each.
	Installers []Choice `json:"installers,omitempty"`
	// Install is how the newest installation stands; nil where there was none.
	Install *Install `json:"install,omitempty"`
}

// Install is how an installation of the Copilot CLI stands.
type Install struct {
	How     string  `json:"how"` // the id of the installer
	Running bool    `json:"running,omitempty"`
	Output  string  `json:"output,omitempty"` // the end of what it wrote, at most 4,000 bytes
	Message Message `json:"message,omitzero"` // why it failed
}

// CLIState says whether the Copilot CLI can be used.
type CLIState string

// The states of the CLI.
const (
	CLIChecking CLIState = "checking"
	CLIFound    CLIState = "found"
	CLIMissing  CLIState = "missing"
	CLITooOld   CLIState = "too_old"
	CLIBroken   CLIState = "broken" // found, but `--version` failed: Message says how
)

// Storage says how the database stands.
type Storage struct {
	State   StorageState `json:"state"`
	Path    string       `json:"path"`
	Message Message      `json:"message,omitzero"`
	Backup  string       `json:"backup,omitempty"` // the copy of it that this start has made, before it was brought to this version
}

// StorageState says whether the database can be used.
type StorageState string

// The states of the database.
const (
	StorageOK       StorageState = "ok"
	StorageOpening  StorageState = "opening"   // being opened and checked: what can be asked of it waits
	StorageInUse    StorageState = "in_use"    // another VoxPilot has it
	StorageReadOnly StorageState = "read_only" // cannot be written
	StorageNewer    StorageState = "newer"     // made by a newer VoxPilot
	StorageSalvaged StorageState = "salvaged"  // it was corrupt: copied aside, what could be read was kept
	StorageFailing  StorageState = "failing"   // a write failed (disk full): what is new is held in memory and tried again
	StorageUnusable StorageState = "unusable"  // could not be opened for another reason
)
