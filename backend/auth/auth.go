// Package auth manages the user's GitHub sign-in: it finds a token, checks it with
// GitHub, and signs the user in and out.
//
// The first source with a token wins: an environment variable, the sign-in that
// VoxPilot stores in the system keychain, gh, or the Copilot CLI's own login, which
// needs no token. Settings.SignIn pins one source. If GitHub rejects a token,
// VoxPilot reports the token's source and never falls back to another account.
//
// A token exists only in the keychain, in memory, in requests to its own GitHub host
// and in the result of Check. It never appears in an event, an error or the log.
package auth

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/keychain"
)

// Config configures a manager. Its functions may be called from any goroutine.
type Config struct {
	Version string // VoxPilot version, for the User-Agent
	Keys    *keychain.Fallback
	Logins  []backend.Login // as stored in the database
	// Getenv reads the environment VoxPilot was started with.
	Getenv   func(name string) string
	Settings func() backend.Settings
	// ClientID is the built-in client ID of the OAuth app for the device flow at github.com, or "".
	ClientID string
	// GH returns the path of gh, or "" if gh isn't installed. GH may be nil.
	GH func(ctx context.Context) (path string)
	// CLILogin returns the Copilot CLI's own login, or "" if it has none; known is false if that can't be determined.
	// CLILogin may be nil.
	CLILogin func(ctx context.Context) (login string, known bool)
	// Base returns the base URLs of a host's pages and API. If Base is nil, the real URLs are used.
	Base func(host string) (web, api string)
	// Publish is called with the manager's mutex held, so that events stay in order. It must not call
	// the manager.
	Publish func(events ...backend.Event)
	// Commit publishes events and returns once they are stored in the database.
	Commit func(ctx context.Context, events ...backend.Event) error
	// Pin stores the given source as the only one to use (Settings.SignIn).
	Pin func(ctx context.Context, source backend.TokenSource) error
	// Redact removes a secret from all further log output.
	Redact func(secret string)
	// TokenChanged is called when a different token comes into use or the current one becomes usable
	// again. It must restart agents that use the old token and let agents that wait for a sign-in
	// continue. signedIn is false if no token is left. TokenChanged may be called during a Check and must
	// not block.
	TokenChanged func(signedIn bool)
	// ReadOnly disables token renewal. Commands that may run alongside VoxPilot set it: a refresh token can
	// be used only once, so only VoxPilot itself may use it.
	ReadOnly bool
	Client   *http.Client // nil creates one: no redirects to other hosts, proxy from the environment
	// WrapTransport, if not nil, wraps the transport of the client that is created if Client is nil.
	WrapTransport func(*http.Transport) http.RoundTripper
	Log           *slog.Logger
}

// Manager finds, checks and stores the user's GitHub sign-in. It is safe for concurrent use.
type Manager struct {
	cfg    Config
	host   string
	web    string // base URL of the host's pages, without a trailing slash
	api    string // base URL of the host's API
	client *http.Client

	life context.Context // canceled by Close
	end  context.CancelFunc
	work sync.WaitGroup

	checks   callGroup[checkResult]
	refusals callGroup[Refusal]
	renewing chan struct{} // semaphore for a refresh token, which can be used only once

	mu          sync.Mutex
	closed      bool
	turn        uint64 // counts sign-ins, sign-outs and calls to Recheck; results of earlier checks are stale
	logins      []backend.Login
	account     backend.Account // last published
	used        identity        // token in use at the last call to TokenChanged
	checkedOnce bool            // used is known
	returned    identity        // token last returned by Check
	waiting     backend.Cause   // cause of the last refusal, "" once waiting agents were notified
	offline     bool            // the CLI's own login was refused while GitHub was unreachable
	flow        *flow           // device flow in progress
	signIn      backend.SignIn  // last published
	picture     picture
}

// Token is the GitHub token with which an agent is started.
type Token struct {
	// Secret is passed only in the agent's environment. It is "" for SourceCLI: the CLI
	// uses its own login.
	Secret   string
	Source   backend.TokenSource
	Verified bool // GitHub confirmed it
	// Reachable is false if GitHub's answer about the token is missing or inconclusive, for example because GitHub is
	// unreachable, failing or rate-limiting requests.
	Reachable bool
}

// Refusal is the reason why an agent that uses GitHub can't be started or has requested
// a sign-in. Message is for the user.
type Refusal struct {
	Cause   backend.Cause
	Message backend.Message
}

// New returns a manager that hasn't looked for a token yet.
func New(cfg Config) *Manager {
	d := &Manager{cfg: cfg, host: hostOf(cfg.Getenv), logins: slices.Clone(cfg.Logins), renewing: make(chan struct{}, 1)}
	base := cfg.Base
	if base == nil {
		base = addresses
	}
	d.web, d.api = base(d.host)
	d.client = cfg.Client
	if d.client == nil {
		d.client = newClient(cfg.WrapTransport)
	}
	d.life, d.end = context.WithCancel(context.Background())
	return d
}

// Start publishes the initial state, then looks for a token and checks it with GitHub in the background.
func (m *Manager) Start() {
	account := m.blank()
	m.mu.Lock()
	m.publish(account)
	m.mu.Unlock()
	m.recheck()
}

// Avatar returns the user's picture and its MIME type. mime is "" if there is no picture.
func (m *Manager) Avatar() (body []byte, mime string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.picture.body, m.picture.mime
}

// Close cancels running operations and waits for them. Nothing is published afterward.
func (m *Manager) Close() {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.end()
	m.work.Wait()
}

// background runs f in the background. If the manager is closed, it returns false and doesn't run f.
func (m *Manager) background(f func()) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return false
	}
	m.work.Go(f)
	return true
}

var errClosed = backend.Problem("VoxPilot is closing")

// callGroup merges concurrent calls into one. It differs from package singleflight in two ways: a call stops
// accepting callers as soon as its request has been answered, and it continues even if all callers cancel.
type callGroup[T any] struct {
	mu   sync.Mutex
	open *call[T] // nil if the next caller starts a new one
}

type call[T any] struct {
	done  chan struct{}
	value T // valid once done is closed
}

// do returns the result of the open call. If no call is open, do starts one: it calls begin with a function that runs
// f. begin must run that function in the background and return true, or else return false; do then returns errClosed. f
// calls its argument when no further callers may join the call. If ctx ends before the result is known, do returns the
// cause as the error.
func (s *callGroup[T]) do(ctx context.Context, begin func(func()) bool, f func(answered func()) T) (T, error) {
	var none T
	s.mu.Lock()
	c := s.open
	if c == nil {
		c = &call[T]{done: make(chan struct{})}
		begun := begin(func() {
			defer close(c.done)
			c.value = f(func() { s.remove(c) })
			s.remove(c)
		})
		if !begun {
			s.mu.Unlock()
			return none, errClosed
		}
		s.open = c
	}
	s.mu.Unlock()
	select {
	case <-c.done:
		return c.value, nil
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
}

func (s *callGroup[T]) remove(c *call[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == c {
		s.open = nil
	}
}

// invalidate makes the next caller start a new call, because the result of the open one
// would be outdated.
func (s *callGroup[T]) invalidate() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = nil
}
