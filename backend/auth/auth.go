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
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/keychain"
)

// Config is what a manager is made of. Its funcs may be called from any goroutine.
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
	Base func(host string) (web, api string)
	// Publish is called with the manager locked, so that events are in order.
	Publish func(events ...backend.Event)
	Commit  func(ctx context.Context, events ...backend.Event) error
	// Pin makes source the one that is used (Settings.SignIn), durably.
	Pin func(ctx context.Context, source backend.TokenSource) error
	// Redact keeps a secret out of the log from now on.
	Redact func(secret string)
	// TokenChanged says that another token is in use, or that the one in use can be
	// used again: agents that use it start afresh, those that wait for a sign-in
	// go on. false says that there is none any more. It may be called while a
	// Check runs, and returns at once.
	TokenChanged func(signedIn bool)
	// ReadOnly has no sign-in renewed: a refresh token can be used once, and
	// belongs to the VoxPilot that runs.
	ReadOnly bool
	Client   *http.Client // nil makes one: no redirects to other hosts, the proxy of the environment
	// WrapTransport has the requests of that one go through what is made of its
	// transport; nil leaves it as it is.
	WrapTransport func(*http.Transport) http.RoundTripper
	Log           *slog.Logger
}

// Manager is where the user's sign-in is kept. It is used from several goroutines.
type Manager struct {
	cfg    Config
	host   string
	web    string // address of its pages, without a slash at the end
	api    string // and of its API
	client *http.Client

	life context.Context // ends with Close
	end  context.CancelFunc
	work sync.WaitGroup

	checks   callGroup[checkResult]
	refusals callGroup[Refusal]
	renewing chan struct{} // taken while a refresh token is in use: it can be used once

	mu          sync.Mutex
	closed      bool
	turn        uint64 // counts sign-ins and sign-outs: what was found out before the last one counts no more
	logins      []backend.Login
	account     backend.Account // as published last
	used        identity        // the token in use, as far as it was told by Changed
	checkedOnce bool            // used is known
	given       identity        // the token that Check gave out last
	waiting     backend.Cause   // why an agent was refused last, "" once they were told to go on
	offline     bool            // the CLI's own login was refused while GitHub was out of reach
	flow        *flow           // the sign-in by code that is under way
	signIn      backend.SignIn  // as published last
	picture     picture
}

// Token is what an agent that uses GitHub is started with.
type Token struct {
	// Secret goes into the agent's environment and nowhere else. It is "" of
	// SourceCLI: the CLI uses its own login.
	Secret   string
	Source   backend.TokenSource
	Verified bool // GitHub knows it
	// Reachable is false while GitHub cannot say anything of a token: it is out
	// of reach, has trouble, or asks for a pause.
	Reachable bool
}

// Refusal is why an agent that uses GitHub cannot be started, or why it asked
// for a sign-in. Message is for a person.
type Refusal struct {
	Cause   backend.Cause
	Message backend.Message
}

// New returns a manager that has not looked for anything yet.
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

// Start publishes what is known at once, then looks for a token and asks GitHub
// about it in the background.
func (m *Manager) Start() {
	account := m.blank()
	m.mu.Lock()
	m.publish(account)
	m.mu.Unlock()
	m.recheck()
}

// Avatar is the user's picture; mime is "" where there is none.
func (m *Manager) Avatar() (body []byte, mime string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.picture.body, m.picture.mime
}

// Close gives up what is under way and waits for its end. Nothing is published
// afterwards.
func (m *Manager) Close() {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.end()
	m.work.Wait()
}

// background runs f in the background, unless the manager is closed.
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

// callGroup makes calls at the same time one. Unlike with singleflight, a call is
// joined only until its question has been answered, and it outlives callers that
// go away.
type callGroup[T any] struct {
	mu   sync.Mutex
	open *call[T] // nil where the next caller begins a new one
}

type call[T any] struct {
	done  chan struct{}
	value T // read after done
}

// do joins the open call, or runs f by begin. f says by answered that nobody may
// join any more.
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

// invalidate has the next caller begin a new call: what the open one asks about
// has changed.
func (s *callGroup[T]) invalidate() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = nil
}
