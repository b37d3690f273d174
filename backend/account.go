package backend

// Account is who the user is at GitHub and how VoxPilot knows. It is held, one
// for the app, and never holds a token.
type Account struct {
	State AccountState `json:"state"`
	Host  string       `json:"host"`            // github.com, or that of an enterprise
	Login string       `json:"login,omitempty"` // "" where nobody is known
	Name  string       `json:"name,omitempty"`
	// Avatar changes with the picture that GET /data/avatar answers; "" is none.
	Avatar string      `json:"avatar,omitempty"`
	Source TokenSource `json:"source,omitempty"` // where the token in use comes from
	// Variable is the name of the environment variable, of SourceEnv.
	Variable string     `json:"variable,omitempty"`
	Kind     LoginKind  `json:"kind,omitempty"` // of SourceStored
	Key      KeyStorage `json:"key,omitempty"`  // of SourceStored
	// Keychain is how a person calls the system's keychain; Program is the path
	// of gh, of SourceGH.
	Keychain  string `json:"keychain,omitempty"`
	Program   string `json:"program,omitempty"`
	ExpiresAt Millis `json:"expiresAt,omitempty"` // of the token, where GitHub says so
	// CheckedAt is when GitHub was asked last, and Message what it said, or why
	// it could not be asked; "" where all is well.
	CheckedAt Millis  `json:"checkedAt,omitempty"`
	Message   Message `json:"message,omitzero"`
	// DeviceFlow says that a sign-in by code can be begun: there is a client id.
	DeviceFlow bool `json:"deviceFlow,omitempty"`
	// Found are the sources that have a token now, in the order in which the
	// first is used where Settings.SignIn does not say otherwise.
	Found []TokenSource `json:"found,omitempty"`
}

// AccountState is what is known of the user's sign-in.
type AccountState string

// Account states.
const (
	AccountUnknown    AccountState = "unknown"    // not looked for yet
	AccountSignedOut  AccountState = "signed_out" // there is no token, and the CLI has no login of its own
	AccountOwn        AccountState = "own"        // the CLI's own login, which VoxPilot cannot check
	AccountValid      AccountState = "valid"      // GitHub knows the token
	AccountUnverified AccountState = "unverified" // GitHub could not be asked, or did not say
	AccountExpired    AccountState = "expired"    // GitHub refused the token
	AccountWrongKind  AccountState = "wrong_kind" // a token that Copilot takes from nobody
	AccountNoAccess   AccountState = "no_access"  // GitHub knows the token, Copilot refused it
	AccountLocked     AccountState = "locked"     // the keychain cannot be read now
)

// TokenSource is where a token comes from.
type TokenSource string

// Token sources, in the order in which the first that is present is used.
const (
	SourceEnv    TokenSource = "env"    // an environment variable
	SourceStored TokenSource = "stored" // signed in with VoxPilot
	SourceGH     TokenSource = "gh"     // gh auth token
	SourceCLI    TokenSource = "cli"    // the Copilot CLI's own login, which needs no token of VoxPilot's
)

// LoginKind is how the user signed in with VoxPilot.
type LoginKind string

// Kinds of a login.
const (
	LoginDevice LoginKind = "device" // by a code
	LoginToken  LoginKind = "token"  // a token that was pasted in
)

// Login is a sign-in that VoxPilot keeps. Its token is in the keychain.
type Login struct {
	ID        string     `json:"id"` // host and login: "github.com/octocat"; also its account in the keychain
	Host      string     `json:"host"`
	Login     string     `json:"login"`
	Kind      LoginKind  `json:"kind"`
	Key       KeyStorage `json:"key"`
	CreatedAt Millis     `json:"createdAt" gorm:"autoCreateTime:false"`
}

// SignIn is a sign-in that is under way, or how the last one ended. It is held,
// one for the app.
type SignIn struct {
	State SignInState `json:"state"`
	// CLI says that the Copilot CLI signs in itself: what it writes is Output.
	CLI       bool    `json:"cli,omitempty"`
	Code      string  `json:"code,omitempty"` // what the user types at URL
	URL       string  `json:"url,omitempty"`
	ExpiresAt Millis  `json:"expiresAt,omitempty"` // of the code
	Output    string  `json:"output,omitempty"`    // the last 4,000 bytes
	Message   Message `json:"message,omitzero"`    // for a person, where it failed
}

// SignInState is how a sign-in stands.
type SignInState string

// States of a sign-in.
const (
	SignInNone        SignInState = "none"        // none was begun, or the user gave it up
	SignInStarting    SignInState = "starting"    // a code is asked for
	SignInWaiting     SignInState = "waiting"     // for the user to type the code
	SignInDone        SignInState = "done"        //
	SignInExpired     SignInState = "expired"     // the code was not used in time
	SignInDenied      SignInState = "denied"      // the user said no at GitHub
	SignInUnreachable SignInState = "unreachable" // GitHub could not be asked
	SignInFailed      SignInState = "failed"      // Message says why
)
