package doctor

import (
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// account says how the user's sign-in stands and where it comes from. Who it is
// stays out: the report is made to be shown to others.
func account(a backend.Account) Check {
	out, whose := Check{Name: "GitHub sign-in", State: Bad}, backend.Plain(a.Host)
	if from := source(a); !from.IsZero() {
		whose = backend.Say("%s, by %s", a.Host, from)
	}
	switch a.State {
	case backend.AccountValid:
		out.State = OK
		out.Detail = backend.Say("%s: GitHub knows it, asked %s", whose, checkedAt(a.CheckedAt))
	case backend.AccountOwn:
		out.State = OK
		out.Detail = backend.Say("%s: VoxPilot cannot check it", whose)
	case backend.AccountSignedOut:
		out.State, out.Detail, out.Hint = Warn, backend.Say("nobody is signed in at %s", a.Host), backend.Say("Sign in in the settings, to use GitHub Copilot.")
	case backend.AccountUnverified:
		out.State = Warn
		out.Detail = backend.Say("%s: GitHub did not say whether it knows it, asked %s", whose, checkedAt(a.CheckedAt))
		out.Hint = backend.Say("Check the network and its proxy. VoxPilot goes on meanwhile.")
	case backend.AccountExpired:
		out.Detail = backend.Say("%s: GitHub refused it, asked %s", whose, checkedAt(a.CheckedAt))
		out.Hint = backend.Say("Sign in again in the settings.")
	case backend.AccountWrongKind:
		out.Detail = backend.Say("%s: a kind of token that Copilot takes from nobody", whose)
		out.Hint = backend.Say(`Sign in in the settings, or use a fine-grained token with the permission "Copilot Requests".`)
	case backend.AccountNoAccess:
		out.Detail = backend.Say("%s: GitHub knows it, and Copilot refused it", whose)
		out.Hint = backend.Say("Sign in with an account that has a Copilot plan.")
	case backend.AccountLocked:
		out.Detail = backend.Say("%s: the keychain that has it cannot be read", whose)
		out.Hint = backend.Say("Unlock the keychain, then check the sign-in again in the settings.")
	default:
		out.State, out.Detail, out.Hint = Warn, backend.Say("is being looked for"), backend.Say("Look again in a moment.")
	}
	return out
}

func source(a backend.Account) backend.Message {
	switch a.Source {
	case backend.SourceEnv:
		return backend.Say("the environment variable %s", a.Variable)
	case backend.SourceStored:
		switch token, held := a.Kind == backend.LoginToken, a.Key == backend.KeyMemory; {
		case token && held:
			return backend.Say("a token, held in memory until VoxPilot quits")
		case token:
			return backend.Say("a token, kept in the keychain")
		case held:
			return backend.Say("a code, held in memory until VoxPilot quits")
		}
		return backend.Say("a code, kept in the keychain")
	case backend.SourceGH:
		return backend.Say("gh at %s", a.Program)
	case backend.SourceCLI:
		return backend.Say("the Copilot CLI's own login")
	default:
		return backend.Message{}
	}
}

func checkedAt(at backend.Millis) backend.Message {
	if at == 0 {
		return backend.Say("not yet")
	}
	return backend.Plain(time.UnixMilli(int64(at)).UTC().Format("15:04") + " UTC")
}
