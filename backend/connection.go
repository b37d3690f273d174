package backend

// ConnectionState says where a chat's agent stands (architecture: the
// reconnect machine).
type ConnectionState string

// The states of a connection.
const (
	Idle       ConnectionState = "idle"        // not running; the next message starts it
	Checking   ConnectionState = "checking"    // the token, before every start
	Starting   ConnectionState = "starting"    // spawned; initialize is awaited
	Restoring  ConnectionState = "restoring"   // sessions are loaded
	Ready      ConnectionState = "ready"       // prompts can be sent
	Waiting    ConnectionState = "waiting"     // stopped unexpectedly; tried again at NextTryAt
	NeedsLogin ConnectionState = "needs_login" // the agent wants a sign-in
	Failed     ConnectionState = "failed"      // gave up, or cannot start; the user retries
)

// Cause says why a connection is in its state. The window chooses its words by
// it.
type Cause string

// The causes.
const (
	CauseNone         Cause = ""
	CauseCLIMissing   Cause = "cli_missing"
	CauseCLITooOld    Cause = "cli_too_old"
	CauseFolderGone   Cause = "folder_gone"
	CauseNotSignedIn  Cause = "not_signed_in"
	CauseExited       Cause = "exited"        // ExitCode or Signal, and Stderr, say more
	CauseExitedAtOnce Cause = "exited_start"  // before it answered initialize
	CauseNoAnswer     Cause = "no_answer"     // initialize, new or load did not return in time
	CauseLineTooLong  Cause = "line_too_long" // over 64 MB without a newline
	CauseSpawn        Cause = "spawn"         // the system refused to start it
	CauseStuck        Cause = "stuck"         // it stopped reading what we send
	CauseProvider     Cause = "provider"      // the chat's own model has no address or key any more
)

// Connection is where a chat's agent stands now.
type Connection struct {
	ChatID    string          `json:"chatId"`
	State     ConnectionState `json:"state"`
	Cause     Cause           `json:"cause,omitempty"`
	Message   string          `json:"message,omitempty"` // for a person: what was being done, what to do next
	Since     Millis          `json:"since"`
	Attempt   int             `json:"attempt,omitempty"` // of MaxAttempts, while Waiting
	NextTryAt Millis          `json:"nextTryAt,omitempty"`
	PID       int             `json:"pid,omitempty"`
	StartedAt Millis          `json:"startedAt,omitempty"` // of the process
	Path      string          `json:"path,omitempty"`      // of the program
	Version   string          `json:"version,omitempty"`   // as the agent gave it
	ExitCode  *int            `json:"exitCode,omitempty"`
	Signal    string          `json:"signal,omitempty"`
	Stderr    string          `json:"stderr,omitempty"` // last lines, at most 2,000 bytes
	Searched  []string        `json:"searched,omitempty"`
	// TokenChecked is false where VoxPilot cannot check the sign-in: practice,
	// own models, and the CLI's own login.
	TokenChecked bool `json:"tokenChecked,omitempty"`
}

// MaxAttempts is how often in a minute an agent may exit before its connection
// is Failed.
const MaxAttempts = 5

// MinCLIVersion is the oldest Copilot CLI that VoxPilot works with: the first
// with session/close and usage.
const MinCLIVersion = "1.0.78"

// CLI is what is known of the Copilot CLI on this machine.
type CLI struct {
	State    CLIState `json:"state"`
	Path     string   `json:"path,omitempty"`
	Version  string   `json:"version,omitempty"`
	Min      string   `json:"min"`
	Searched []string `json:"searched,omitempty"` // places looked at, in order, when it is missing
	Message  string   `json:"message,omitempty"`
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
	Message string       `json:"message,omitempty"`
}

// StorageState says whether the database can be used.
type StorageState string

// The states of the database.
const (
	StorageOK       StorageState = "ok"
	StorageInUse    StorageState = "in_use"    // another VoxPilot has it
	StorageReadOnly StorageState = "read_only" // cannot be written
	StorageNewer    StorageState = "newer"     // made by a newer VoxPilot
	StorageSalvaged StorageState = "salvaged"  // it was corrupt: copied aside, what could be read was kept
	StorageFailing  StorageState = "failing"   // a write failed (disk full): what is new is held in memory and tried again
	StorageUnusable StorageState = "unusable"  // could not be opened for another reason
)
