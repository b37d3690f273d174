package doctor

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// account reports the state of the user's GitHub sign-in and the source of the token. It omits the user's name,
// because the report is meant to be shared.
func account(a backend.Account) Check {
	out, whose := Check{Name: "GitHub sign-in", State: Bad}, backend.Plain(a.Host)
	if from := source(a); !from.IsZero() {
		whose = backend.Say("%s, using %s", a.Host, from)
	}
	switch a.State {
	case backend.AccountValid:
		out.State, out.Detail = OK, backend.Say("%s: valid", whose)
		if a.CheckedAt != 0 {
			out.Detail = backend.Say("%s: valid, checked %s", whose, timeOf(a.CheckedAt))
		}
	case backend.AccountOwn:
		out.State = OK
		out.Detail = backend.Say("%s: can't be checked by VoxPilot", whose)
	case backend.AccountSignedOut:
		out.State, out.Detail, out.Hint = Warn, backend.Say("not signed in to %s", a.Host), backend.Say("Sign in from Settings to use GitHub Copilot.")
	case backend.AccountUnverified:
		out.State, out.Detail = Warn, backend.Say("%s: not confirmed by GitHub", whose)
		if a.CheckedAt != 0 {
			out.Detail = backend.Say("%s: not confirmed by GitHub, checked %s", whose, timeOf(a.CheckedAt))
		}
		out.Hint = backend.Say("Check your network and proxy. You can keep using VoxPilot in the meantime.")
	case backend.AccountExpired:
		out.Detail = backend.Say("%s: rejected by GitHub", whose)
		if a.CheckedAt != 0 {
			out.Detail = backend.Say("%s: rejected by GitHub, checked %s", whose, timeOf(a.CheckedAt))
		}
		out.Hint = backend.Say("Sign in again in Settings.")
	case backend.AccountWrongKind:
		out.Detail = backend.Say("%s: token type not supported by Copilot", whose)
		out.Hint = backend.Say("Sign in from Settings, or use a fine-grained token with the “Copilot Requests” permission.")
	case backend.AccountNoAccess:
		out.Detail = backend.Say("%s: accepted by GitHub, rejected by Copilot", whose)
		out.Hint = backend.Say("Sign in with an account that has a Copilot plan.")
	case backend.AccountLocked:
		out.Detail = backend.Say("%s: VoxPilot can't read the keychain", whose)
		out.Hint = backend.Say("Unlock the keychain, then check the sign-in again in Settings.")
	default:
		out.State, out.Detail, out.Hint = Warn, backend.Say("checking…"), backend.Say("Check again in a moment.")
	}
	return out
}

func source(a backend.Account) backend.Message {
	switch a.Source {
	case backend.SourceEnv:
		return backend.Say("the environment variable %s", a.Variable)
	case backend.SourceStored:
		switch token, inMemory := a.Kind == backend.LoginToken, a.Key == backend.KeyMemory; {
		case token && inMemory:
			return backend.Say("a token kept in memory until you quit VoxPilot")
		case token:
			return backend.Say("a token stored in the keychain")
		case inMemory:
			return backend.Say("a VoxPilot sign-in kept in memory until you quit")
		}
		return backend.Say("a VoxPilot sign-in stored in the keychain")
	case backend.SourceGH:
		return backend.Say("gh at %s", a.Program)
	case backend.SourceCLI:
		return backend.Say("the Copilot CLI login")
	default:
		return backend.Message{}
	}
}

// timeOf returns the time of day at a given moment, in UTC, such as "14:05 UTC".
func timeOf(at backend.Millis) string {
	return time.UnixMilli(int64(at)).UTC().Format("15:04") + " UTC"
}

// agents reports the agents' capabilities and their last output on stderr. Agents with identical results are listed
// only once, and agents that are still starting aren't listed.
func agents(connections []backend.Connection) (checks []Check) {
	seen := map[string]bool{}
	for _, c := range connections {
		name := strings.TrimSpace(cmp.Or(c.Agent, c.Path) + " " + c.Version)
		check := Check{Name: "Agent", State: OK, Detail: capabilitiesText(name, c.Capabilities)}
		if c.Capabilities == nil {
			check.State, check.Detail = Bad, backend.Say("%s didn't respond.", name)
			check.Hint = backend.Say("Run this in a terminal: copilot --version. If that also fails, reinstall Copilot CLI.")
			if program := strings.ToLower(filepath.Base(c.Path)); !strings.HasPrefix(program, "copilot") {
				check.Hint = backend.Say("Start the agent in a terminal to see why, or fix its command or address in Settings.")
			}
			if c.Stderr == "" && c.ExitCode == nil && c.State != "" { // it is still starting
				continue
			}
		}
		if c.Stderr != "" {
			check.Detail = backend.Sentences(check.Detail, backend.Say("Last output: %q", c.Stderr))
		}
		if !seen[check.Detail.String()] {
			checks = append(checks, check)
		}
		seen[check.Detail.String()] = true
	}
	slices.SortFunc(checks, func(a, b Check) int { return cmp.Compare(a.Detail.String(), b.Detail.String()) })
	return checks
}

func capabilitiesText(name string, can *backend.Capabilities) backend.Message {
	if can == nil {
		return backend.Message{}
	}
	var has, lacks []backend.Message
	for _, c := range []struct {
		name backend.Message
		has  bool
	}{
		{backend.Say("load sessions"), can.Load},
		{backend.Say("list sessions"), can.List},
		{backend.Say("resume sessions"), can.Resume},
		{backend.Say("fork sessions"), can.Fork},
		{backend.Say("close sessions"), can.Close},
		{backend.Say("accept images"), can.Image},
		{backend.Say("accept audio"), can.Audio},
		{backend.Say("accept embedded files"), can.EmbeddedContext},
	} {
		if c.has {
			has = append(has, c.name)
		} else {
			lacks = append(lacks, c.name)
		}
	}
	able, unable := backend.And(has...), backend.Or(lacks...)
	switch {
	case unable.IsZero():
		return backend.Say("%s supports everything that VoxPilot checks for. It can %s.", name, able)
	case able.IsZero():
		return backend.Say("%s can answer prompts. It can't %s.", name, unable)
	}
	return backend.Say("%s can %s. It can't %s.", name, able, unable)
}

// Shell is the environment provided by the user's login shell.
type Shell struct {
	Program  string   // "" if there is none
	Vars     []string // variables taken from it, as NAME=value
	Duration time.Duration
	Problem  backend.Message // why the shell couldn't be queried; zero if it could
}

// shell reports the variables taken from the user's login shell, or nothing if there is no such shell.
func shell(s Shell) []Check {
	if s.Program == "" {
		return nil
	}
	c := Check{Name: "Login shell", State: OK}
	took := backend.Say("%.1f s", s.Duration.Seconds())
	switch {
	case !s.Problem.IsZero():
		c.State, c.Detail = Warn, backend.Say("couldn't read the environment from %s: %s (after %s)", s.Program, s.Problem, took)
		c.Hint = backend.Say("VoxPilot can't see programs, proxies or certificates set up in your shell's startup files. Make sure a new terminal opens without asking for input, then reload the shell environment.")
	case len(s.Vars) == 0:
		c.Detail = backend.Say("PATH read from %s in %s; no other variables were needed", s.Program, took)
	default:
		shown := make([]string, len(s.Vars))
		for i, kv := range s.Vars {
			shown[i] = withoutLogin(kv)
		}
		c.Detail = backend.Say("Read from %s in %s: PATH, %s", s.Program, took, strings.Join(shown, ", "))
	}
	return []Check{c}
}

// withoutLogin returns kv, an environment variable in the form NAME=value. If its value is the address of a proxy
// with a user name or password, "•••" replaces them.
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
	// Unescaped passwords may contain an @.
	if i := strings.LastIndex(rest, "@"); i >= 0 {
		rest = rest[i+1:]
	}
	return name + "=" + scheme + "•••@" + rest
}

// Fonts is the result of ProbeFonts.
type Fonts struct {
	Probed  bool // false on systems that always have a Chinese font
	Chinese bool // a font with Chinese characters exists
}

// fonts reports whether Chinese text can be displayed. A missing font is a warning only
// if the window is in Chinese, because such text is rare otherwise.
func fonts(f Fonts, language string) []Check {
	switch {
	case !f.Probed:
		return nil
	case f.Chinese:
		return []Check{{Name: "Chinese font", State: OK, Detail: backend.Say("installed")}}
	}
	c := Check{Name: "Chinese font", State: OK, Detail: backend.Say("not installed, so Chinese characters appear as boxes")}
	if language == "zh" {
		c.State = Warn
	}
	c.Hint = backend.Say("Install fonts-noto-cjk (Debian, Ubuntu), google-noto-sans-cjk-fonts (Fedora) or noto-fonts-cjk (Arch), then restart VoxPilot.")
	return []Check{c}
}

// sandbox reports the result of testing the sandbox. A problem is only a warning, because VoxPilot works without a
// sandbox.
func sandbox(s backend.SandboxStatus) Check {
	out := Check{Name: "Sandbox", State: Warn, Detail: s.Problem}
	switch s.State {
	case backend.SandboxReady:
		out.State, out.Detail = OK, backend.Plain(s.Program)
	case backend.SandboxChecking:
		out.Detail, out.Hint = backend.Say("checking…"), backend.Say("Check again in a moment.")
	default:
		if s.Fix != "" {
			out.Hint = backend.Say("Run this in a terminal: %s", s.Fix)
		}
	}
	return out
}
