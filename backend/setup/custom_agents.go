package setup

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/keychain"
)

// envOf returns the keychain entry for a custom agent's environment values. They are
// stored as one JSON object, so that they change together.
func envOf(profileID string) keychain.Entry {
	return keychain.Entry{Service: keychain.Service, Account: "profile/" + profileID}
}

// CustomAgent returns a custom agent, or an error if it was removed.
func (m *Manager) CustomAgent(id string) (backend.CustomAgent, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.customAgents[id]
	if !ok {
		return p, errNoModel
	}
	p.Args, p.Env = slices.Clone(p.Args), slices.Clone(p.Env)
	return p, nil
}

// CustomAgentHomes returns the values of COPILOT_HOME of the custom agents that set it.
func (m *Manager) CustomAgentHomes() (homes []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.customAgents {
		if p.Home != "" {
			homes = append(homes, p.Home)
		}
	}
	slices.Sort(homes)
	return homes
}

// IsCustomAgent reports whether id belongs to a custom agent.
func (m *Manager) IsCustomAgent(id string) bool {
	_, err := m.CustomAgent(id)
	return err == nil
}

// CustomAgentWithEnv returns a custom agent and its environment variables in the form NAME=value.
func (m *Manager) CustomAgentWithEnv(ctx context.Context, id string) (backend.CustomAgent, []string, error) {
	p, err := m.CustomAgent(id)
	if err != nil || len(p.Env) == 0 {
		return p, nil, err
	}
	values, place, err := m.envValues(ctx, p)
	if err != nil {
		if errors.Is(err, keychain.ErrNotFound) {
			p.Key = backend.KeyMissing
			m.putCustomAgent(p)
		}
		return p, nil, envUnreadable(p, err)
	}
	if place != p.Key {
		p.Key = place
		m.putCustomAgent(p)
	}
	env := make([]string, 0, len(p.Env))
	for _, name := range p.Env {
		env = append(env, name+"="+values[name])
	}
	return p, env, nil
}

// envValues returns the values of p's environment variables by name, and the place where they are stored. The values
// are never logged or shown.
func (m *Manager) envValues(ctx context.Context, p backend.CustomAgent) (map[string]string, backend.KeyStorage, error) {
	stored, place, err := m.cfg.Keys.Get(ctx, envOf(p.ID))
	if err != nil {
		return nil, place, err
	}
	values := map[string]string{}
	if err := json.Unmarshal([]byte(stored), &values); err != nil {
		return nil, place, keychain.ErrNotFound // the entry can't be read as JSON
	}
	for _, v := range values {
		m.cfg.Redact(v)
	}
	return values, place, nil
}

func envUnreadable(p backend.CustomAgent, err error) error {
	if errors.Is(err, keychain.ErrNotFound) {
		return &backend.Error{Code: backend.CodeAuth, Message: backend.Say("The environment variables for %s are no longer in the keychain. Enter them again in Settings.", p.Name)}
	}
	return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't read the environment variables for %s from the system keychain. If the keychain is locked, unlock it, then try again.", p.Name), Detail: err.Error()}
}

// putCustomAgent updates a custom agent in memory and publishes it. It does nothing if the agent was removed.
func (m *Manager) putCustomAgent(p backend.CustomAgent) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.customAgents[p.ID]; ok {
		m.customAgents[p.ID] = p
		m.cfg.Publish(backend.Event{CustomAgent: &p})
	}
}

// SaveProfile saves a custom agent. The values of its environment variables are stored in the keychain first, so that
// the agent's database row never refers to missing values. If the row can't be saved, the previous values are restored.
// A variable in p.Env without a value in env keeps its stored value.
func (m *Manager) SaveProfile(ctx context.Context, p backend.CustomAgent, env map[string]string) (backend.CustomAgent, error) {
	p, err := checkCustomAgent(p)
	if err != nil {
		return p, err
	}
	old := map[string]string{}
	if p.ID == "" {
		p.ID, p.CreatedAt, p.Key = backend.NewID(), backend.Now(), backend.KeyNone
	} else {
		was, err := m.CustomAgent(p.ID)
		if err != nil {
			return p, err
		}
		p.Key, p.CreatedAt = was.Key, was.CreatedAt
		if len(was.Env) > 0 {
			// Missing values don't matter if all of them are replaced.
			if old, _, err = m.envValues(ctx, was); err != nil && !errors.Is(err, keychain.ErrNotFound) {
				return p, envUnreadable(was, err)
			}
		}
	}
	values := map[string]string{}
	for _, name := range p.Env {
		value := env[name]
		if value == "" {
			value = old[name]
		}
		if value == "" {
			return p, backend.Invalid("The variable %s has no value yet. Enter one, or remove it.", name)
		}
		if strings.ContainsRune(value, 0) {
			return p, backend.Invalid("The value of %s contains a null byte.", name)
		}
		m.cfg.Redact(value)
		values[name] = value
	}
	undo := func() {}
	if !maps.Equal(values, old) || p.Key == backend.KeyMissing {
		place, back, err := m.storeSecret(ctx, envOf(p.ID), secretOf(values), secretOf(old))
		if err != nil {
			return p, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't save the environment variables: %s", err)}
		}
		p.Key, undo = place, back
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.cfg.Commit(ctx, backend.Event{CustomAgent: &p}); err != nil {
		undo()
		return p, backend.NotSaved(backend.Say("the agent"), err)
	}
	m.customAgents[p.ID] = p
	return p, nil
}

// secretOf encodes values in the form in which the keychain stores them. It returns "" if there are none.
func secretOf(values map[string]string) string {
	if len(values) == 0 {
		return ""
	}
	b, err := json.Marshal(values)
	if err != nil {
		panic(err) // strings always encode to JSON
	}
	return string(b)
}

// DeleteProfile deletes a custom agent and its environment values. Its chats remain,
// but sending a message in them fails because the agent is no longer set up.
func (m *Manager) DeleteProfile(ctx context.Context, id string) error {
	p, err := m.CustomAgent(id)
	if err != nil {
		return err
	}
	err = m.cfg.Keys.Delete(ctx, envOf(id))
	if p.Key == backend.KeyKeychain && err != nil && !errors.Is(err, keychain.ErrNotFound) {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't remove the agent's environment variables from the keychain, so the agent wasn't removed. If the keychain is locked, unlock it, then try again."), Detail: err.Error()}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.cfg.Commit(ctx, backend.Event{CustomAgentDeleted: &backend.Deleted{ID: id}}); err != nil {
		return backend.NotSaved(backend.Say("the change"), err)
	}
	delete(m.customAgents, id)
	return nil
}

// Limits for the configuration of a custom agent, far above any real need.
const (
	maxAgentName = 100
	maxArgs      = 100
	maxArgBytes  = 4096
)

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// checkCustomAgent normalizes a custom agent, and returns a user-facing error if its configuration is
// invalid.
func checkCustomAgent(p backend.CustomAgent) (backend.CustomAgent, error) {
	p.Name = strings.Join(strings.Fields(p.Name), " ")
	p.Command, p.Address, p.Home = strings.TrimSpace(p.Command), strings.TrimSpace(p.Address), strings.TrimSpace(p.Home)
	switch {
	case p.Name == "":
		return p, backend.Invalid("Enter a name for the agent.")
	case utf8.RuneCountInString(p.Name) > maxAgentName:
		return p, backend.Invalid("The name is too long. The limit is %d characters.", maxAgentName)
	case p.Command == "" && p.Address == "":
		return p, backend.Invalid("Enter the command that starts the agent, or the address of a running agent.")
	case p.Command != "" && p.Address != "":
		return p, backend.Invalid("Enter either a command or an address, not both.")
	}
	if p.Address != "" {
		host, port, err := net.SplitHostPort(p.Address)
		n, _ := strconv.Atoi(port)
		if err != nil || host == "" || n < 1 || n > 65535 {
			return p, backend.Invalid("Enter a host and port, such as 127.0.0.1:4567.")
		}
		p.Args, p.Env, p.Home, p.GitHub = nil, nil, "", false // they don't apply to an agent started externally
		return p, nil
	}
	if strings.ContainsAny(p.Command, "\x00\n\r") {
		return p, backend.Invalid("The program's name can't contain a line break or a null byte.")
	}
	if strings.ContainsRune(p.Command, filepath.Separator) && !filepath.IsAbs(p.Command) {
		return p, backend.Invalid("%s isn't a full path. Enter a full path or just the program's name.", p.Command)
	}
	if len(p.Args) > maxArgs {
		return p, backend.Invalid("An agent can have at most %d arguments.", maxArgs)
	}
	for _, arg := range p.Args {
		if len(arg) > maxArgBytes || strings.ContainsRune(arg, 0) {
			return p, backend.Invalid("An argument is longer than %d bytes or contains a null byte.", maxArgBytes)
		}
	}
	for i, name := range p.Env {
		switch upper := strings.ToUpper(name); {
		case !envName.MatchString(name):
			return p, backend.Invalid("%q isn't a valid variable name. Use letters, digits and _, and don't start with a digit.", name)
		case slices.Contains(p.Env[:i], name):
			return p, backend.Invalid("The variable %s is listed twice. Remove one.", name)
		case upper == "COPILOT_ALLOW_ALL":
			return p, backend.Invalid("COPILOT_ALLOW_ALL would turn off all permission requests. Choose “Allow everything” in a chat instead.")
		}
	}
	if p.Home != "" && !filepath.IsAbs(p.Home) {
		return p, backend.Invalid("%s isn't a full path. Enter a full path.", p.Home)
	}
	return p, nil
}
