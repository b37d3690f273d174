package doctor

import (
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// Shell is what the user's login shell has told of the environment.
type Shell struct {
	Program string   // "" where there is none
	Vars    []string // what was taken over from it, as NAME=value
	Took    time.Duration
	Problem backend.Message // why it did not tell
}

// shell says which variables came from the login shell; nothing where there is
// none.
func shell(s Shell) []Check {
	if s.Program == "" {
		return nil
	}
	c := Check{Name: "Login shell", State: OK}
	took := backend.Say("%.1f s", s.Took.Seconds())
	switch {
	case !s.Problem.IsZero():
		c.State, c.Detail = Warn, backend.Say("%s did not tell its environment: %s, after %s", s.Program, s.Problem, took)
		c.Hint = backend.Say("Programs, proxies and certificates that are set up in its files are not known here. See to it that a new terminal opens without a question, then ask the shell again.")
	case len(s.Vars) == 0:
		c.Detail = backend.Say("%s told its PATH, and no variable had to be taken over, in %s", s.Program, took)
	default:
		shown := make([]string, len(s.Vars))
		for i, kv := range s.Vars {
			shown[i] = withoutLogin(kv)
		}
		c.Detail = backend.Say("%s told its PATH and %s, in %s", s.Program, strings.Join(shown, ", "), took)
	}
	return []Check{c}
}

// withoutLogin is a variable without the user and the password that the address
// in it has.
func withoutLogin(kv string) string {
	name, value, _ := strings.Cut(kv, "=")
	if !strings.HasSuffix(strings.ToUpper(name), "_PROXY") || strings.EqualFold(name, "NO_PROXY") || !strings.Contains(value, "@") {
		return kv
	}
	scheme, rest, ok := strings.Cut(value, "://")
	if !ok {
		scheme, rest = "", value
	} else {
		scheme += "://"
	}
	// Passwords that nobody has escaped may have an @ of their own.
	if i := strings.LastIndex(rest, "@"); i >= 0 {
		rest = rest[i+1:]
	}
	return name + "=" + scheme + "•••@" + rest
}
