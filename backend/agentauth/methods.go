package agentauth

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/signin"
)

// setMethods takes the methods that an agent declared. It completes the commands of those in a terminal.
func (m *Manager) setMethods(p *profile, s signin.Offer) {
	p.now.Methods, p.now.CanSignOut = slices.Clone(s.Methods), s.CanSignOut
	for i := range p.now.Methods {
		method := &p.now.Methods[i]
		method.Vars = slices.Clone(method.Vars)
		if method.Kind == backend.AuthInTerminal {
			path, args := m.cfg.Command(p.now.ProfileID)
			method.Program, method.Args = path, append(slices.Clone(args), method.Args...)
			if path == "" || !isQuotable(path, method.Args) {
				method.Kind, method.Program, method.Args, method.Env = backend.AuthUnknown, "", nil, nil
			}
		}
		method.AgentID, method.ID = method.ID, digestOf(*method)
		for j := range method.Vars {
			method.Vars[j].Set = m.cfg.HasVariable(p.now.ProfileID, method.Vars[j].Name)
		}
	}
}

// digestOf returns an ID for everything that the user is shown of a method. Variables don't have values yet.
func digestOf(method backend.AuthMethod) string {
	text, err := json.Marshal(method)
	if err != nil {
		panic(err) // strings always encode to JSON
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// isQuotable reports whether arguments reach a program unchanged. On Windows, the command interpreter runs batch files,
// and it reads arguments in another way than other programs do.
func isQuotable(program string, args []string) bool {
	ext := strings.ToLower(filepath.Ext(program))
	if ext != ".cmd" && ext != ".bat" {
		return true
	}
	return !slices.ContainsFunc(args, func(arg string) bool { return strings.ContainsAny(arg, "\"&|<>^%!()\r\n") })
}

// usableMethod returns the method with the given ID.
func usableMethod(p *profile, methodID string, values map[string]string) (backend.AuthMethod, error) {
	i := slices.IndexFunc(p.now.Methods, func(o backend.AuthMethod) bool { return o.ID == methodID })
	if i < 0 {
		return backend.AuthMethod{}, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This agent no longer offers this way to sign in. Check again.")}
	}
	method := p.now.Methods[i]
	if method.Kind == backend.AuthUnknown {
		return method, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot can't use this way to sign in. Sign in with the agent's own program in a terminal.")}
	}
	for _, v := range method.Vars {
		if values[v.Name] == "" && !v.Set && !v.Optional {
			return method, backend.Invalid("Enter a value for %s.", v.Name)
		}
	}
	return method, nil
}
