// Package agentauth signs custom agents in and out with the methods that they offer themselves (ACP authenticate and
// logout): environment variables, a sign-in that the agent does, and a program that the user follows in a terminal.
package agentauth

import (
	"context"
	"log/slog"
	"maps"
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

	mu   sync.Mutex
	byID map[string]*profile
}

// profile is the sign-in of one custom agent.
type profile struct {
	now      backend.AgentSignIn
	cancel   context.CancelFunc // of the running sign-in, or nil
	terminal *terminal          // of the running or last sign-in, or nil
}

// New returns a manager without any sign-ins.
func New(cfg Config) *Manager {
	m := &Manager{cfg: cfg, byID: map[string]*profile{}}
	m.life, m.end = context.WithCancel(context.Background())
	return m
}

// Close cancels all running sign-ins, ends their programs, and waits for them.
func (m *Manager) Close() {
	m.end()
	m.running.Wait()
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

// update changes the sign-in of a custom agent and publishes it if that made a difference.
func (m *Manager) update(profileID string, change func(p *profile)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.of(profileID)
	was := p.now
	change(p)
	if p.now.State != was.State {
		p.now.Since = backend.Now()
	}
	now := p.now
	m.cfg.Publish(backend.Event{AgentSignIn: &now})
}

// Announced takes the sign-in methods that an agent declared when it started.
func (m *Manager) Announced(profileID string, s signin.Offer) {
	m.update(profileID, func(p *profile) { m.setMethods(p, s) })
}

func (m *Manager) setMethods(p *profile, s signin.Offer) {
	p.now.Methods, p.now.CanSignOut = slices.Clone(s.Methods), s.CanSignOut
	for i := range p.now.Methods {
		method := &p.now.Methods[i]
		method.Vars = slices.Clone(method.Vars)
		if method.Kind == backend.AuthInTerminal && method.Program == "" {
			path, args := m.cfg.Command(p.now.ProfileID)
			method.Program, method.Args = path, append(slices.Clone(args), method.Args...)
		}
		for j := range method.Vars {
			method.Vars[j].Set = m.cfg.HasVariable(p.now.ProfileID, method.Vars[j].Name)
		}
	}
}

// Refused records that an agent requires a sign-in (ACP error -32000).
func (m *Manager) Refused(profileID string) {
	m.update(profileID, func(p *profile) {
		if p.now.State != backend.AgentSignInRunning {
			p.now.State = backend.AgentSignInNeeded
		}
	})
}

// Removed forgets a custom agent and cancels its sign-in.
func (m *Manager) Removed(profileID string) {
	_ = m.Cancel(profileID)
	m.mu.Lock()
	delete(m.byID, profileID)
	m.mu.Unlock()
}

// Check asks an agent for its sign-in methods in the background.
func (m *Manager) Check(profileID string) {
	m.update(profileID, func(p *profile) { p.now.Checking, p.now.Message = true, backend.Message{} })
	m.running.Go(func() {
		var s signin.Offer
		l, err := m.cfg.Launch(m.life, profileID)
		if err == nil {
			s, err = agent.AskSignIn(m.life, l, m.cfg.Version, m.cfg.Log)
		}
		m.update(profileID, func(p *profile) {
			p.now.Checking = false
			if err != nil {
				p.now.Message = m.failure(err, backend.Say("Couldn't ask the agent how to sign in."))
				return
			}
			m.setMethods(p, s)
		})
	})
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
// a variable without a value keeps its stored one. It returns CodeNotFound if the agent has no such method,
// CodeUnavailable if a sign-in is running or the method can't be used, and CodeInvalid for missing values.
func (m *Manager) SignIn(ctx context.Context, profileID, methodID string, values map[string]string) error {
	method, err := m.begin(profileID, methodID, values)
	if err != nil {
		return err
	}
	if method.Kind == backend.AuthByVariable {
		if err := m.saveVariables(ctx, profileID, method, values); err != nil {
			m.finish(profileID, nil, backend.MessageOf(err))
			return err
		}
	}
	life, cancel := context.WithCancel(m.life)
	t := (*terminal)(nil)
	if method.Kind == backend.AuthInTerminal {
		t = newTerminal()
	}
	m.update(profileID, func(p *profile) {
		p.cancel, p.terminal, p.now.TerminalID = cancel, t, ""
		if t != nil {
			p.now.TerminalID = t.id
		}
	})
	m.running.Go(func() {
		defer cancel()
		err := m.run(life, profileID, method, t)
		switch {
		case life.Err() != nil:
			m.finish(profileID, life.Err(), backend.Say("The sign-in was canceled."))
		case err != nil:
			m.finish(profileID, err, m.failure(err, backend.Say("The sign-in failed. See the log.")))
		default:
			m.finish(profileID, nil, backend.Message{})
			m.cfg.SignedIn(profileID)
		}
	})
	return nil
}

// begin marks a sign-in as running.
func (m *Manager) begin(profileID, methodID string, values map[string]string) (method backend.AuthMethod, err error) {
	m.update(profileID, func(p *profile) {
		i := slices.IndexFunc(p.now.Methods, func(o backend.AuthMethod) bool { return o.ID == methodID })
		switch {
		case p.now.State == backend.AgentSignInRunning:
			err = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("A sign-in to this agent is already running. Finish or cancel it first.")}
			return
		case i < 0:
			err = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This agent no longer offers this way to sign in. Check again.")}
			return
		}
		method = p.now.Methods[i]
		if method.Kind == backend.AuthUnknown {
			err = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot can't use this way to sign in. Sign in with the agent's own program in a terminal.")}
			return
		}
		for _, v := range method.Vars {
			if values[v.Name] == "" && !v.Set && !v.Optional {
				err = backend.Invalid("Enter a value for %s.", v.Name)
				return
			}
		}
		p.now.State, p.now.MethodID, p.now.Message = backend.AgentSignInRunning, methodID, backend.Message{}
	})
	return method, err
}

func (m *Manager) saveVariables(ctx context.Context, profileID string, method backend.AuthMethod, values map[string]string) error {
	given := map[string]string{}
	for _, v := range method.Vars {
		if value := values[v.Name]; value != "" {
			given[v.Name] = value
		}
	}
	if len(given) == 0 {
		return nil
	}
	if err := m.cfg.SaveVariables(ctx, profileID, given); err != nil {
		return err
	}
	m.update(profileID, func(p *profile) {
		for i := range p.now.Methods {
			for j := range p.now.Methods[i].Vars {
				v := &p.now.Methods[i].Vars[j]
				v.Set = v.Set || slices.Contains(slices.Collect(maps.Keys(given)), v.Name)
			}
		}
	})
	return nil
}

// run carries out a sign-in method.
func (m *Manager) run(ctx context.Context, profileID string, method backend.AuthMethod, t *terminal) error {
	l, err := m.cfg.Launch(ctx, profileID)
	if err != nil {
		return err
	}
	if t != nil {
		// The program stores the sign-in for the agent, so there is no call of authenticate. Exit code 0 means success
		// (ACP v1, terminal authentication).
		return t.run(ctx, l, method, func(part backend.AgentTerminal) {
			part.ProfileID = profileID
			m.cfg.Publish(backend.Event{AgentTerminal: &part})
		})
	}
	return agent.Authenticate(ctx, l, m.cfg.Version, m.cfg.Log, method.ID)
}

// finish records the end of a sign-in.
func (m *Manager) finish(profileID string, err error, message backend.Message) {
	m.update(profileID, func(p *profile) {
		p.cancel, p.now.TerminalID = nil, ""
		p.now.State, p.now.Message = backend.AgentSignInDone, message
		if err != nil || !message.IsZero() {
			p.now.State = backend.AgentSignInFailed
		}
	})
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

// SignOut signs an agent out in the background.
func (m *Manager) SignOut(profileID string) {
	m.update(profileID, func(p *profile) { p.now.Checking, p.now.Message = true, backend.Message{} })
	m.running.Go(func() {
		l, err := m.cfg.Launch(m.life, profileID)
		if err == nil {
			err = agent.SignOut(m.life, l, m.cfg.Version, m.cfg.Log)
		}
		m.update(profileID, func(p *profile) {
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

// terminalOf returns the terminal of the running sign-in.
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
