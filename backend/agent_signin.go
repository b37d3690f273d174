package backend

// AgentSignInState is the state of a custom agent's own sign-in.
type AgentSignInState string

// The states of an agent's own sign-in. The agent's word is all that VoxPilot knows: agents don't report whether they are
// signed in until they refuse a request (ACP error -32000).
const (
	AgentSignInUnknown AgentSignInState = "unknown" // not asked for, or not needed
	AgentSignInNeeded  AgentSignInState = "needed"  // the agent refused a request
	AgentSignInRunning AgentSignInState = "running" // a sign-in is in progress
	AgentSignInDone    AgentSignInState = "done"    // the agent reported that the sign-in succeeded
	AgentSignInFailed  AgentSignInState = "failed"  // the sign-in failed or was canceled; see Message
)

// AgentSignIn describes the sign-in of a custom agent that has its own. It is published as a retained event for each
// agent that was asked.
type AgentSignIn struct {
	ProfileID string           `json:"profileId"` // ID of the CustomAgent
	State     AgentSignInState `json:"state"`
	// Checking reports whether VoxPilot is asking the agent for its methods, or to sign out.
	Checking   bool         `json:"checking,omitempty"`
	Methods    []AuthMethod `json:"methods,omitempty"`
	CanSignOut bool         `json:"canSignOut,omitempty"`
	MethodID   string       `json:"methodId,omitempty"` // the running or last method
	// TerminalID is the ID of the terminal in which the method runs, or "" if there is none.
	TerminalID string  `json:"terminalId,omitempty"`
	Message    Message `json:"message,omitzero"` // why the sign-in, the check or the sign-out failed
	Since      Millis  `json:"since"`
}

// AuthMethodKind is the kind of an AuthMethod.
type AuthMethodKind string

// The kinds of sign-in methods (ACP schema, AuthMethod).
const (
	AuthByAgent    AuthMethodKind = "agent"    // the agent does it, for example with the browser
	AuthByVariable AuthMethodKind = "env_var"  // the agent reads environment variables
	AuthInTerminal AuthMethodKind = "terminal" // the user follows a program in a terminal
	AuthUnknown    AuthMethodKind = "unknown"  // VoxPilot can't use it
)

// AuthMethod is a way to sign in, as the agent describes it (ACP schema, AuthMethod).
type AuthMethod struct {
	// ID identifies the method with everything that is shown of it: a method that the agent changes has another ID.
	// AgentID is the agent's ID of the method.
	ID          string         `json:"id"`
	AgentID     string         `json:"-"`
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Kind        AuthMethodKind `json:"kind"`
	Vars        []AuthVar      `json:"vars,omitempty"` // for AuthByVariable
	// Link is the address of a page where the user gets the values of the variables, or "".
	Link string `json:"link,omitempty"`
	// Program is the program of AuthInTerminal, and Args its arguments.
	Program string   `json:"program,omitempty"`
	Args    []string `json:"args,omitempty"`
	// Env are additional environment variables for Program, as NAME=value.
	Env []string `json:"env,omitempty"`
}

// AuthVar is an environment variable from which an agent reads its sign-in.
type AuthVar struct {
	Name     string `json:"name"`
	Label    string `json:"label,omitempty"`
	Secret   bool   `json:"secret,omitempty"` // must not be shown while the user enters it
	Optional bool   `json:"optional,omitempty"`
	Set      bool   `json:"set,omitempty"` // has a stored value
}

// AgentTerminal is a part of the output of the terminal of an agent's sign-in.
type AgentTerminal struct {
	ProfileID string `json:"profileId"`
	ID        string `json:"id"` // AgentSignIn.TerminalID
	// Offset is the position of Data in the whole output, in bytes.
	Offset int64  `json:"offset"`
	Data   string `json:"data"` // in base64
}
