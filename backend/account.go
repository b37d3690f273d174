package backend

// Account is the user's GitHub account and the source of its token. It never contains the token itself. The
// app has only one Account, published as a retained event.
type Account struct {
	State AccountState `json:"state"`
	Host  string       `json:"host"`            // github.com, or the host of a GitHub Enterprise instance
	Login string       `json:"login,omitempty"` // "" if unknown
	Name  string       `json:"name,omitempty"`
	// Avatar changes whenever the picture served by GET /data/avatar changes. It is "" if there is no picture.
	Avatar string      `json:"avatar,omitempty"`
	Source TokenSource `json:"source,omitempty"` // source of the token in use
	// Variable is the name of the environment variable that holds the token, if Source is SourceEnv.
	Variable string     `json:"variable,omitempty"`
	Kind     LoginKind  `json:"kind,omitempty"` // set only for SourceStored
	Key      KeyStorage `json:"key,omitempty"`  // set only for SourceStored
	// Keychain is the user-facing name of the system's keychain, such as "macOS Keychain". Program is the
	// path of gh, if Source is SourceGH.
	Keychain  string `json:"keychain,omitempty"`
	Program   string `json:"program,omitempty"`
	ExpiresAt Millis `json:"expiresAt,omitempty"` // expiry of the token, if GitHub reports it
	// CheckedAt is the time of the last check with GitHub. Message is the problem that GitHub reported or
	// the reason the check failed; it is empty if the check succeeded.
	CheckedAt Millis  `json:"checkedAt,omitempty"`
	Message   Message `json:"message,omitzero"`
	// DeviceFlow reports whether the device flow, which needs a client ID, is available.
	DeviceFlow bool `json:"deviceFlow,omitempty"`
	// Found lists the sources that have a token now, in order of precedence. The first
	// is used unless Settings.SignIn selects another.
	Found []TokenSource `json:"found,omitempty"`
}

// AccountState is the state of the user's sign-in.
type AccountState string

// Account states.
const (
	AccountUnknown    AccountState = "unknown"    // not checked yet
	AccountSignedOut  AccountState = "signed_out" // no token, and the CLI isn't signed in
	AccountOwn        AccountState = "own"        // the CLI's own sign-in, which VoxPilot can't check
	AccountValid      AccountState = "valid"      // GitHub accepted the token
	AccountUnverified AccountState = "unverified" // GitHub is unreachable or gave no result
	AccountExpired    AccountState = "expired"    // GitHub rejected the token
	AccountWrongKind  AccountState = "wrong_kind" // Copilot doesn't support this type of token
	AccountNoAccess   AccountState = "no_access"  // GitHub accepted the token, but Copilot rejected it
	AccountLocked     AccountState = "locked"     // the keychain can't be read now
)

// TokenSource identifies the origin of a token.
type TokenSource string

// Token sources, in order of precedence.
const (
	SourceEnv    TokenSource = "env"    // an environment variable
	SourceStored TokenSource = "stored" // signed in with VoxPilot
	SourceGH     TokenSource = "gh"     // gh auth token
	SourceCLI    TokenSource = "cli"    // the Copilot CLI's own sign-in, without a token from VoxPilot
)

// LoginKind is the method by which the user signed in with VoxPilot.
type LoginKind string

// Kinds of logins.
const (
	LoginDevice LoginKind = "device" // device flow
	LoginToken  LoginKind = "token"  // pasted token
)

// Login is a sign-in with VoxPilot, as stored in the database. Key is the storage location of its token;
// the token itself is never in the database.
type Login struct {
	ID        string     `json:"id"` // host and login: "github.com/octocat"; also the account name in the keychain
	Host      string     `json:"host"`
	Login     string     `json:"login"`
	Kind      LoginKind  `json:"kind"`
	Key       KeyStorage `json:"key"`
	CreatedAt Millis     `json:"createdAt" gorm:"autoCreateTime:false"`
}

// SignIn describes the current sign-in, or the result of the last one. The app has only one, published as a
// retained event.
type SignIn struct {
	State SignInState `json:"state"`
	// CLI reports whether the Copilot CLI performs the sign-in. If so, Output is the output of the CLI.
	CLI       bool    `json:"cli,omitempty"`
	Code      string  `json:"code,omitempty"` // code for the user to enter at URL
	URL       string  `json:"url,omitempty"`
	ExpiresAt Millis  `json:"expiresAt,omitempty"` // expiry of the code
	Output    string  `json:"output,omitempty"`    // at most the last 4,000 bytes
	Message   Message `json:"message,omitzero"`    // why the sign-in failed, for the user
}

// SignInState is the state of a sign-in.
type SignInState string

// States of a sign-in.
const (
	SignInNone        SignInState = "none"        // not started, or canceled by the user
	SignInStarting    SignInState = "starting"    // requesting a code
	SignInWaiting     SignInState = "waiting"     // waiting for the user to enter the code
	SignInDone        SignInState = "done"        // signed in
	SignInExpired     SignInState = "expired"     // the code expired
	SignInDenied      SignInState = "denied"      // the user denied access at GitHub
	SignInUnreachable SignInState = "unreachable" // GitHub couldn't be reached
	SignInFailed      SignInState = "failed"      // see Message
)
