// Package agentauth signs custom agents in and out with the methods that they offer themselves (ACP authenticate and
// logout): environment variables, a sign-in that the agent does, and a program that the user follows in a terminal.
package agentauth

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/agent/signin"
)

// Config configures a Manager. All fields are required.
type Config struct {
	// Launch returns the parameters for starting a custom agent outside any chat.
	Launch func(ctx context.Context, profileID string) (agent.Launch, error)
	// Command returns the path and the arguments of a custom agent's program, without those that VoxPilot adds for chats.
	Command func(profileID string) (path string, args []string)
	// HasVariable reports whether a custom agent has a stored value for an environment variable.
	HasVariable func(profileID, name string) bool
	// SaveVariables stores values of environment variables of a custom agent in the keychain.
	SaveVariables func(ctx context.Context, profileID string, values map[string]string) error
	// SignedIn is called after a sign-in, so that the agents of that profile that wait for it try again. SignedOut is
	// called after a sign-out.
	SignedIn, SignedOut func(profileID string)
	// Publish queues events; it never blocks.
	Publish func(events ...backend.Event)
	Redact  func(string) string // removes secrets from a text
	Version string              // VoxPilot's version
	Log     *slog.Logger
}

// Manager holds the state of the custom agents' own sign-ins. It is safe for concurrent use.
type Manager struct {
	cfg     Config
	life    context.Context
	end     context.CancelFunc
	running sync.WaitGroup

	mu     sync.Mutex
	closed bool
	byID   map[string]*profile
}

// profile is the sign-in of one custom agent.
type profile struct {
	now      backend.AgentSignIn
	cancel   context.CancelFunc // of the running sign-in, check or sign-out, or nil
	terminal *terminal          // of the running or last sign-in, or nil
}

// New returns a manager without any sign-ins.
func New(cfg Config) *Manager {
	m := &Manager{cfg: cfg, byID: map[string]*profile{}}
	m.life, m.end = context.WithCancel(context.Background())
	return m
}

// Close cancels all running sign-ins, ends their programs, and waits for them until ctx ends.
func (m *Manager) Close(ctx context.Context) {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.end()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		m.running.Wait()
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		m.cfg.Log.Warn("a sign-in program didn't end in time")
	}
}

// of returns the sign-in of a custom agent. The caller must hold m.mu.
func (m *Manager) of(profileID string) *profile {
	p := m.byID[profileID]
	if p == nil {
		p = &profile{now: backend.AgentSignIn{ProfileID: profileID, State: backend.AgentSignInUnknown, Since: backend.Now()}}
		m.byID[profileID] = p
	}
	return p
}

// update changes the sign-in of a custom agent and publishes it. It does nothing if p was replaced, because the agent was
// edited or removed. The caller must hold m.mu.
func (m *Manager) update(p *profile, change func()) {
	if m.byID[p.now.ProfileID] != p {
		return
	}
	was := p.now.State
	change()
	if p.now.State != was {
		p.now.Since = backend.Now()
	}
	now := p.now
	now.Methods = slices.Clone(p.now.Methods)
	m.cfg.Publish(backend.Event{AgentSignIn: &now})
}

// Announced takes the sign-in methods that an agent declared when it started.
func (m *Manager) Announced(profileID string, s signin.Offer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.of(profileID)
	m.update(p, func() { m.setMethods(p, s) })
}

// Refused records that an agent requires a sign-in (ACP error -32000).
func (m *Manager) Refused(profileID string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.of(profileID)
	m.update(p, func() {
		if p.now.State != backend.AgentSignInRunning {
			p.now.State = backend.AgentSignInNeeded
		}
	})
}

// Reset forgets what is known of a custom agent that was edited or removed, and cancels its sign-in.
func (m *Manager) Reset(profileID string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	old := m.byID[profileID]
	if old == nil {
		return
	}
	if old.cancel != nil {
		old.cancel()
	}
	delete(m.byID, profileID)
	p := m.of(profileID)
	m.update(p, func() {})
	delete(m.byID, profileID)
}

// start runs work for a custom agent in the background. prepare changes the sign-in before, unless it returns an error.
// It returns CodeUnavailable while other work for the agent runs, or if the manager is closed.
func (m *Manager) start(profileID string, prepare func(p *profile) error, work func(ctx context.Context, p *profile)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.of(profileID)
	switch {
	case m.closed:
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot is closing.")}
	case p.cancel != nil:
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("A sign-in to this agent is already running. Finish or cancel it first.")}
	}
	if err := prepare(p); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(m.life)
	p.cancel = cancel
	m.update(p, func() {})
	m.running.Go(func() {
		defer cancel()
		work(ctx, p)
	})
	return nil
}

// done records the result of the work that start began.
func (m *Manager) done(p *profile, change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p.cancel = nil
	m.update(p, change)
}

// Check asks an agent for its sign-in methods in the background. Its errors are those of start.
func (m *Manager) Check(profileID string) error {
	return m.start(profileID, checking, func(ctx context.Context, p *profile) {
		var s signin.Offer
		l, err := m.cfg.Launch(ctx, profileID)
		if err == nil {
			s, err = agent.AskSignIn(ctx, l, m.cfg.Version, m.cfg.Log)
		}
		m.done(p, func() {
			p.now.Checking = false
			if err != nil {
				p.now.Message = m.failure(err, backend.Say("Couldn't ask the agent how to sign in."))
				return
			}
			m.setMethods(p, s)
		})
	})
}

func checking(p *profile) error {
	p.now.Checking, p.now.Message = true, backend.Message{}
	return nil
}

// failure returns the message for a failed request: the agent's own words, the user-facing message of err, or the given
// text.
func (m *Manager) failure(err error, text backend.Message) backend.Message {
	if words := agent.Words(err); words != "" {
		return backend.Say("The agent answered: %s", m.cfg.Redact(words))
	}
	if message := backend.MessageOf(err); backend.CodeOf(err) != "" && !message.IsZero() {
		return message
	}
	m.cfg.Log.Warn("an agent's sign-in failed", "err", err)
	return text
}

// SignIn starts one of an agent's sign-in methods in the background. values holds the values of the method's variables;
// a variable without a value keeps its stored one. It returns CodeNotFound if the agent has no such method or has changed
// it, CodeUnavailable if the method can't be used, CodeInvalid for missing values, and the errors of start.
func (m *Manager) SignIn(profileID, methodID string, values map[string]string) error {
	var method backend.AuthMethod
	var t *terminal
	return m.start(profileID, func(p *profile) (err error) {
		if method, err = usableMethod(p, methodID, values); err != nil {
			return err
		}
		p.now.TerminalID = ""
		if method.Kind == backend.AuthInTerminal {
			t = newTerminal()
			p.now.TerminalID = t.id
		}
		p.terminal = t
		p.now.State, p.now.MethodID, p.now.Message, p.now.Since = backend.AgentSignInRunning, methodID, backend.Message{}, backend.Now()
		return nil
	}, func(ctx context.Context, p *profile) {
		err := m.run(ctx, p, method, t, values)
		m.done(p, func() {
			p.now.TerminalID = ""
			p.now.State, p.now.Message = backend.AgentSignInDone, backend.Message{}
			switch {
			case err == nil:
			case ctx.Err() != nil:
				p.now.State, p.now.Message = backend.AgentSignInFailed, backend.Say("The sign-in was canceled.")
			default:
				p.now.State, p.now.Message = backend.AgentSignInFailed, m.failure(err, backend.Say("The sign-in failed. See the log."))
			}
		})
		if err == nil {
			m.cfg.SignedIn(profileID)
		}
	})
}

func (m *Manager) saveVariables(ctx context.Context, p *profile, method backend.AuthMethod, values map[string]string) error {
	given := map[string]string{}
	for _, v := range method.Vars {
		if value := values[v.Name]; value != "" {
			given[v.Name] = value
		}
	}
	if len(given) == 0 {
		return nil
	}
	if err := m.cfg.SaveVariables(ctx, p.now.ProfileID, given); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.update(p, func() {
		for i := range p.now.Methods {
			p.now.Methods[i].Vars = slices.Clone(p.now.Methods[i].Vars)
			for j := range p.now.Methods[i].Vars {
				v := &p.now.Methods[i].Vars[j]
				_, isGiven := given[v.Name]
				v.Set = v.Set || isGiven
			}
		}
	})
	return nil
}

// run carries out a sign-in method.
func (m *Manager) run(ctx context.Context, p *profile, method backend.AuthMethod, t *terminal, values map[string]string) error {
	if method.Kind == backend.AuthByVariable {
		if err := m.saveVariables(ctx, p, method, values); err != nil {
			return err
		}
	}
	l, err := m.cfg.Launch(ctx, p.now.ProfileID)
	if err != nil {
		return err
	}
	if t != nil {
		// The program stores the sign-in for the agent, so there is no call of authenticate. Exit code 0 means success
		// (ACP v1, terminal authentication).
		return t.run(ctx, l, method, func(part backend.AgentTerminal) {
			part.ProfileID = p.now.ProfileID
			m.cfg.Publish(backend.Event{AgentTerminal: &part})
		})
	}
	return agent.Authenticate(ctx, l, m.cfg.Version, m.cfg.Log, method.AgentID)
}

// Cancel cancels the running sign-in of a custom agent and ends its program. It does nothing if none is running.
func (m *Manager) Cancel(profileID string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.byID[profileID]; p != nil && p.cancel != nil {
		p.cancel()
	}
	return nil
}

// SignOut signs an agent out in the background. Its errors are those of start.
func (m *Manager) SignOut(profileID string) error {
	return m.start(profileID, checking, func(ctx context.Context, p *profile) {
		l, err := m.cfg.Launch(ctx, profileID)
		if err == nil {
			err = agent.SignOut(ctx, l, m.cfg.Version, m.cfg.Log)
		}
		m.done(p, func() {
			p.now.Checking = false
			if err != nil {
				p.now.Message = m.failure(err, backend.Say("Couldn't sign out. Sign out with the agent's own program in a terminal."))
				return
			}
			p.now.State = backend.AgentSignInUnknown
		})
		if err == nil {
			m.cfg.SignedOut(profileID)
		}
	})
}

// terminalOf returns the terminal of the running or last sign-in.
func (m *Manager) terminalOf(profileID string) (*terminal, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.byID[profileID]; p != nil && p.terminal != nil {
		return p.terminal, nil
	}
	return nil, errClosed()
}

func errClosed() error {
	return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This terminal is closed.")}
}

// Write sends the user's input to the terminal of the running sign-in. It returns CodeNotFound if there is none, and
// CodeLimit if the program doesn't read its input.
func (m *Manager) Write(profileID, input string) error {
	t, err := m.terminalOf(profileID)
	if err != nil {
		return err
	}
	return t.write(input)
}

// Resize sets the size of the terminal of the running sign-in in characters. Its errors are those of Write.
func (m *Manager) Resize(profileID string, columns, rows int) error {
	t, err := m.terminalOf(profileID)
	if err != nil {
		return err
	}
	return t.resize(columns, rows)
}

// Output returns the output of the terminal so far, or its end if it is long. Its errors are those of Write.
func (m *Manager) Output(profileID string) (backend.AgentTerminal, error) {
	t, err := m.terminalOf(profileID)
	if err != nil {
		return backend.AgentTerminal{}, err
	}
	part := t.output()
	part.ProfileID = profileID
	return part, nil
}
