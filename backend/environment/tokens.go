package environment

import (
	"maps"
	"os"
	"slices"
	"strings"
)

// TokenVar hands a token to an agent, before any other variable and the CLI's
// own login.
const TokenVar = "COPILOT_GITHUB_TOKEN"

// HostVar names the user's GitHub, for the Copilot CLI alone; GH_HOST, which all
// programs of GitHub's read, is passed on to every agent.
const HostVar = "COPILOT_GH_HOST"

// isToken says whether a variable has a token of the user's GitHub account.
func isToken(name string) bool {
	name = strings.ToUpper(name)
	github := strings.HasPrefix(name, "GH_") || strings.HasPrefix(name, "GITHUB_")
	secret := strings.HasSuffix(name, "TOKEN") || strings.HasSuffix(name, "_PAT")
	return name == TokenVar || github && secret
}

// Tokens are the variables with the user's tokens, as VoxPilot was started with.
type Tokens map[string]string

// TakeTokens takes the user's tokens out of the environment of this process,
// which all that it starts inherits: login shells, git, the browser, and agents
// that have nothing to do with GitHub.
func TakeTokens() Tokens {
	tokens := Tokens{}
	for _, v := range os.Environ() {
		if name, value, _ := strings.Cut(v, "="); isToken(name) && os.Unsetenv(name) == nil {
			tokens[name] = value
		}
	}
	return tokens
}

// Get reads the environment that VoxPilot was started with.
func (t Tokens) Get(name string) string {
	if token, ok := t[name]; ok {
		return token
	}
	return os.Getenv(name)
}

// Environ is the environment that VoxPilot was started with, for another
// VoxPilot and for nobody else.
func (t Tokens) Environ() []string {
	env := os.Environ()
	for _, name := range slices.Sorted(maps.Keys(t)) {
		env = append(env, name+"="+t[name])
	}
	return env
}

// WithoutGitHub is the environment for an agent that has nothing to do with the
// user's GitHub account: without what would show it that account, or point it
// at another model.
func WithoutGitHub(env []string) []string {
	kept := make([]string, 0, len(env))
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		if !strings.HasPrefix(strings.ToUpper(name), "COPILOT_") && !isToken(name) {
			kept = append(kept, v)
		}
	}
	return kept
}
