package auth

import (
	"cmp"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// What is said to the person, in one place.

var (
	lockedWords    = backend.Say("The system keychain is locked. Unlock it so VoxPilot can read your sign-in.")
	ghHangs        = backend.Say("gh did not say within 3 seconds which token it has. Its keychain may be locked: unlock it, then choose Try again.")
	expiredWords   = backend.Say("Your GitHub sign-in has expired. Sign in again and VoxPilot reconnects this session where it stopped. Nothing is lost, and queued messages are sent afterwards.")
	nobodyWords    = backend.Say("Copilot needs your GitHub sign-in. Sign in, and your messages are sent afterwards.")
	ownWords       = backend.Say("The Copilot CLI is not signed in any more. Sign in again; your messages are sent afterwards.")
	renewedWords   = backend.Say("Your GitHub sign-in was renewed. Copilot is started again with it.")
	offlineWords   = backend.Say("You are offline. Messages wait here and are sent when the connection is back. Your history stays readable.")
	unreachedWords = backend.Say("GitHub cannot be reached. The sign-in is checked before Copilot is started.")
	untrustedWords = backend.Say("GitHub cannot be reached: this computer does not trust the certificate of what answers. A proxy of your company may stand in between: its certificate has to be installed here.")
	closingWords   = backend.Say("VoxPilot is closing.")
)

// words are what is to be said of an answer, "" where all is well.
func (d *Desk) words(a answer) backend.Message {
	switch a.verdict {
	case known, refused: // A refusal depends on where the token is from.
		return backend.Message{}
	case forbidden:
		return backend.Say("GitHub does not let this account in: %s", sentence(a.message))
	case limited:
		return backend.Say("GitHub asks for a pause. The sign-in is checked later; your work goes on.")
	case troubled:
		return backend.Say("GitHub has trouble (%s). The sign-in is checked later; your work goes on.", a.message)
	case strange:
		return backend.Say("What answers for %s is not GitHub (%s). Check the network, its proxy and GH_HOST.", d.host, a.message)
	default:
		return cmp.Or(a.message, unreachedWords)
	}
}

func sentence(s backend.Message) backend.Message {
	switch {
	case s.IsZero():
		return backend.Say("it gives no reason.")
	case strings.HasSuffix(s.String(), "."):
		return s
	default:
		return backend.Say("%s.", s)
	}
}

// refusedBy says that GitHub refused a token, and what to do where it is from.
func refusedBy(c *credential) backend.Message {
	switch c.source {
	case backend.SourceEnv:
		return backend.Say("GitHub does not take the token in the environment variable %s any more. Replace it there and start VoxPilot again, or sign in here.", c.variable)
	case backend.SourceGH:
		return backend.Say("GitHub does not take the token of gh any more. Run `gh auth login` in a terminal, then choose Check again, or sign in here.")
	default:
		return expiredWords
	}
}

// notTaken says that the only token there is is of a kind that Copilot does not
// take.
func notTaken(m *misfit) backend.Message {
	instead := backend.Say(`Sign in here, or put a fine-grained token there that has the permission "Copilot Requests".`)
	if m.source == backend.SourceEnv {
		return backend.Say("The environment variable %s has %s. %s", m.variable, m.why, instead)
	}
	return backend.Say("What gh has is %s. %s", m.why, instead)
}

// lostWords say that the sign-in of a login is not in the keychain any more.
func lostWords(login string) backend.Message {
	return backend.Say("The sign-in of %s is not in the keychain any more. Sign in again; your messages are sent afterwards.", login)
}

// noAccess says that GitHub knows a token, but Copilot does not take it.
func noAccess(login string, c *credential) backend.Message {
	words := backend.Say("%s has no Copilot access. Sign in with an account that has a Copilot plan, or check again once it is turned on.", login)
	if isFineGrained(c.grant.Token) {
		return backend.Sentences(words, backend.Say(`A fine-grained token also needs the permission "Copilot Requests".`))
	}
	return words
}

// elsewhere says how to sign out where VoxPilot cannot.
func elsewhere(a backend.Account) backend.Message {
	switch a.Source {
	case backend.SourceEnv:
		return backend.Say("The token is in the environment variable %s. Remove it there and start VoxPilot again, or choose another sign-in.", a.Variable)
	case backend.SourceGH:
		return backend.Say("The sign-in is that of gh. Run `gh auth logout` in a terminal, or choose another sign-in.")
	default:
		return backend.Say("The sign-in is the Copilot CLI's own. Sign out of the Copilot CLI, or choose another sign-in.")
	}
}

// pastedWords say why a token that was pasted is not taken, before GitHub was
// asked.
func pastedWords(token string) backend.Message {
	make := backend.Say(`Make a fine-grained token at GitHub, with the permission "Copilot Requests", and paste that.`)
	switch why := wrongKind(token); {
	case token == "":
		return backend.Say("Paste a token first.")
	case !why.IsZero():
		return backend.Say("This is %s. %s", why, make)
	default:
		return backend.Say("This is no token of GitHub's: those begin with github_pat_, gho_ or ghu_. %s", make)
	}
}
