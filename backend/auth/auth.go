// Package auth knows who the user is at GitHub: where a token comes from,
// whether GitHub still takes it, and how the user signs in and out.
//
// A token comes from the first source that has one: an environment variable, a
// sign-in that VoxPilot keeps in the system's keychain, gh, or the Copilot CLI's
// own login, which needs none of ours. Settings.SignIn pins one source. What
// GitHub refuses is said with its source; no other account takes its place.
//
// A token is in the keychain and in memory, in requests to its own GitHub, and
// in what Check returns. It is in no event, no error and no line of the log.
package auth

import (
	"context"
	"log/slog"
	"net/http"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/keychain"
)

// Config is what a desk is made of. Funcs may be called from any goroutine, and
// never while the desk holds a lock.
type Config struct {
	Version string // VoxPilot's own, for the User-Agent
	Keys    *keychain.Fallback
	Logins  []backend.Login // as kept
	// Getenv reads the environment that VoxPilot was started with.
	Getenv   func(name string) string
	Settings func() backend.Settings
	// ClientID is that of the OAuth app for the sign-in by code at github.com, as
	// it was built in; "" is none.
	ClientID string
	// GH is the path of gh; "" where it is not installed. May be nil.
	GH func(ctx context.Context) (path string)
	// CLILogin is the login that the Copilot CLI has of its own, "" where it has
	// none; known is false where that cannot be told. May be nil.
	CLILogin func(ctx context.Context) (login string, known bool)
	// Base gives the addresses of a host; nil those of the real one.
	Base    func(host string) (web, api string)
	Publish func(events ...backend.Event)
	Commit  func(ctx context.Context, events ...backend.Event) error
	// Pin makes source the one that is used (Settings.SignIn), durably.
	Pin func(ctx context.Context, source backend.TokenSource) error
	// Redact keeps a secret out of the log from now on.
	Redact func(secret string)
	// Changed says that another token is in use, or that the one in use can be
	// used again: agents that use it start afresh, those that wait for a sign-in
	// go on. false says that there is none any more. It may be called while a
	// Check runs, and returns at once.
	Changed func(signedIn bool)
	Client  *http.Client // nil makes one: no redirects to other hosts, the proxy of the environment
	Log     *slog.Logger
}

// Desk is where the user's sign-in is kept. It is used from several goroutines.
type Desk struct {
	cfg  Config
	life context.Context // ends with Close
	end  context.CancelFunc
	work sync.WaitGroup
}

// Token is what an agent that uses GitHub is started with.
type Token struct {
	// Secret goes into the agent's environment and nowhere else. It is "" of
	// SourceCLI: the CLI uses its own login.
	Secret    string
	Source    backend.TokenSource
	Verified  bool // GitHub knows it
	Reachable bool // GitHub answered, whatever it said
}

// Refusal is why an agent that uses GitHub cannot be started, or why it asked
// for a sign-in. Message is for a person.
type Refusal struct {
	Cause   backend.Cause
	Message string
}

// New returns a desk that has not looked for anything yet.
func New(cfg Config) *Desk {
	d := &Desk{cfg: cfg}
	d.life, d.end = context.WithCancel(context.Background())
	return d
}

// Start publishes what is known at once, then looks for a token and asks GitHub
// about it in the background.
func (d *Desk) Start() {}

// Check finds the token for an agent that is to be started and asks GitHub about
// it afresh; calls at the same time share one request. A token that GitHub could
// not be asked about, or did not say anything about, is returned unverified.
// The cause of a refusal is CauseNotSignedIn or CauseLocked: nothing is to be
// started.
func (d *Desk) Check(ctx context.Context) (Token, *Refusal) { return Token{}, nil }

// Refused says why an agent has asked for a sign-in (-32000), after asking
// GitHub afresh:
//   - CauseNotSignedIn: there is no token, or GitHub refused it
//   - CauseLocked: the keychain with the sign-in cannot be read
//   - CauseNoAccess: GitHub knows the token, so it is Copilot that refused it
//   - CauseOffline: GitHub cannot say, so nothing is known against the token
//   - CauseNone: the token was renewed, or is another than the agent was started
//     with; started afresh it gets the new one
func (d *Desk) Refused(ctx context.Context) Refusal { return Refusal{} }

// Recheck looks at all sources and asks GitHub again, in the background: what
// comes of it comes as an Account event. It is also what to call when
// Settings.SignIn or Settings.ClientID has changed.
func (d *Desk) Recheck(ctx context.Context) error { return nil }

// SignIn begins a sign-in by code in the place of any that is under way, and
// returns at once: SignIn events tell the rest.
func (d *Desk) SignIn(ctx context.Context) error { return nil }

// CancelSignIn gives up the sign-in by code that is under way.
func (d *Desk) CancelSignIn() {}

// UseToken signs in with a token that was pasted, once GitHub has said whose it
// is.
func (d *Desk) UseToken(ctx context.Context, token string) error { return nil }

// SignOut forgets the sign-in that VoxPilot keeps. Where the token in use comes
// from elsewhere, the error says how to sign out there.
func (d *Desk) SignOut(ctx context.Context) error { return nil }

// SignedInByCLI says that a sign-in by the Copilot CLI has ended, and how.
func (d *Desk) SignedInByCLI(ok bool) {}

// Avatar is the user's picture; mime is "" where there is none.
func (d *Desk) Avatar() (body []byte, mime string) { return nil, "" }

// Close gives up what is under way and waits for its end.
func (d *Desk) Close() {
	d.end()
	d.work.Wait()
}
