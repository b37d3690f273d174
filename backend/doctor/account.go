package doctor

import (
	"fmt"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// account says how the user's sign-in stands and where it comes from. Who it is
// stays out: the report is made to be shown to others.
func account(a backend.Account) Check {
	out, whose := Check{Name: "GitHub sign-in", State: Bad}, a.Host
	if from := source(a); from != "" {
		whose = fmt.Sprintf("%s, by %s", a.Host, from)
	}
	switch a.State {
	case backend.AccountValid:
		out.State = OK
		out.Detail = whose + ": GitHub knows it, asked " + checkedAt(a.CheckedAt)
	case backend.AccountOwn:
		out.State = OK
		out.Detail = whose + ": VoxPilot cannot check it"
	case backend.AccountSignedOut:
		out.State, out.Detail, out.Hint = Warn, "nobody is signed in at "+a.Host, "Sign in in the settings, to use GitHub Copilot."
	case backend.AccountUnverified:
		out.State = Warn
		out.Detail = whose + ": GitHub did not say whether it knows it, asked " + checkedAt(a.CheckedAt)
		out.Hint = "Check the network and its proxy. VoxPilot goes on meanwhile."
	case backend.AccountExpired:
		out.Detail = whose + ": GitHub refused it, asked " + checkedAt(a.CheckedAt)
		out.Hint = "Sign in again in the settings."
	case backend.AccountWrongKind:
		out.Detail = whose + ": a kind of token that Copilot takes from nobody"
		out.Hint = "Sign in in the settings, or use a fine-grained token with the permission \"Copilot Requests\"."
	case backend.AccountNoAccess:
		out.Detail = whose + ": GitHub knows it, and Copilot refused it"
		out.Hint = "Sign in with an account that has a Copilot plan."
	case backend.AccountLocked:
		out.Detail = whose + ": the keychain that has it cannot be read"
		out.Hint = "Unlock the keychain, then check the sign-in again in the settings."
	default:
		out.State, out.Detail, out.Hint = Warn, "is being looked for", "Look again in a moment."
	}
	return out
}

func source(a backend.Account) string {
	switch a.Source {
	case backend.SourceEnv:
		return "the environment variable " + a.Variable
	case backend.SourceStored:
		switch token, held := a.Kind == backend.LoginToken, a.Key == backend.KeyMemory; {
		case token && held:
			return "a token, held in memory until VoxPilot quits"
		case token:
			return "a token, kept in the keychain"
		case held:
			return "a code, held in memory until VoxPilot quits"
		}
		return "a code, kept in the keychain"
	case backend.SourceGH:
		return "gh at " + a.Program
	case backend.SourceCLI:
		return "the Copilot CLI's own login"
	default:
		return ""
	}
}

func checkedAt(at backend.Millis) string {
	if at == 0 {
		return "not yet"
	}
	return time.UnixMilli(int64(at)).UTC().Format("15:04") + " UTC"
}
