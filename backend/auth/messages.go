package auth

import (
	"cmp"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// Messages shown to the user.

var (
	lockedMessage          = backend.Say("The system keychain is locked. Unlock it so VoxPilot can read your sign-in.")
	ghTimeoutMessage       = backend.Say("gh didn't return a token within 3 seconds. The system keychain may be locked. Unlock it, then check again.")
	expiredMessage         = backend.Say("Your GitHub sign-in has expired. Sign in again, and VoxPilot will resume this session where it left off and send your queued messages.")
	signedOutMessage       = backend.Say("Sign in to GitHub to use Copilot. Your messages will be sent once you're signed in.")
	cliSignedOutMessage    = backend.Say("Copilot CLI is no longer signed in. Sign in again, and your messages will be sent.")
	renewedMessage         = backend.Say("Your GitHub sign-in was renewed. VoxPilot is restarting Copilot.")
	offlineMessage         = backend.Say("You're offline. Messages you send are queued until you're back online. You can still read your chats.")
	unreachableMessage     = backend.Say("Can't reach GitHub. VoxPilot will check your sign-in before it starts Copilot.")
	untrustedServerMessage = backend.Say("Can't reach GitHub: this computer doesn't trust the server's certificate. If your company uses a proxy, install its certificate on this computer.")
	closingMessage         = backend.Say("VoxPilot is closing.")
)

// messageFor returns the user-facing message for an answer, or an empty message if GitHub accepted or refused the
// token.
func (m *Manager) messageFor(a answer) backend.Message {
	switch a.verdict {
	case known, refused: // the message of a refusal depends on the source
		return backend.Message{}
	case forbidden:
		return backend.Say("GitHub denied this account access: %s", sentence(a.message))
	case rateLimited:
		return backend.Say("GitHub is rate-limiting requests. VoxPilot will check your sign-in later. You can keep working.")
	case serverError:
		return backend.Say("GitHub is having problems (%s). VoxPilot will check your sign-in later. You can keep working.", a.message)
	case unexpected:
		return backend.Say("The response from %s doesn't look like GitHub's (%s). Check your network, proxy and GH_HOST.", m.host, a.message)
	default:
		return cmp.Or(a.message, unreachableMessage)
	}
}

func sentence(s backend.Message) backend.Message {
	switch {
	case s.IsZero():
		return backend.Say("no reason given.")
	case strings.HasSuffix(s.String(), "."):
		return s
	default:
		return backend.Say("%s.", s)
	}
}

// rejectedMessage returns the message for a token that GitHub refused, with
// instructions for its source.
func rejectedMessage(c *credential) backend.Message {
	switch c.source {
	case backend.SourceEnv:
		return backend.Say("GitHub no longer accepts the token in the environment variable %s. Replace it and restart VoxPilot, or sign in here.", c.variable)
	case backend.SourceGH:
		return backend.Say("GitHub no longer accepts the token from gh. Run “gh auth login” in a terminal and check again, or sign in here.")
	default:
		return expiredMessage
	}
}

// unsupportedMessage returns the message shown if the only token found is of a kind
// that Copilot doesn't support.
func unsupportedMessage(m *unusableToken) backend.Message {
	instead := backend.Say("Sign in here, or replace it with a fine-grained token that has the “Copilot Requests” permission.")
	if m.source == backend.SourceEnv {
		return backend.Say("The environment variable %s contains %s. %s", m.variable, m.reason, instead)
	}
	return backend.Say("The token in gh is %s. %s", m.reason, instead)
}

// missingMessage returns the message for a sign-in that is no longer in the keychain.
func missingMessage(login string) backend.Message {
	return backend.Say("The sign-in for %s is no longer in the keychain. Sign in again, and your messages will be sent.", login)
}

// noAccessMessage returns the message for a token that GitHub accepts but Copilot rejects.
func noAccessMessage(login string, c *credential) backend.Message {
	words := backend.Say("%s has no Copilot access. Sign in with an account that has a Copilot plan, or check again once Copilot is turned on for this account.", login)
	if isFineGrained(c.grant.Token) {
		return backend.Sentences(words, backend.Say("A fine-grained token also needs the “Copilot Requests” permission."))
	}
	return words
}

// signOutHint returns instructions for a sign-out that VoxPilot can't perform itself.
func signOutHint(a backend.Account) backend.Message {
	switch a.Source {
	case backend.SourceEnv:
		return backend.Say("The token is in the environment variable %s. Unset the variable and restart VoxPilot, or choose another sign-in method.", a.Variable)
	case backend.SourceGH:
		return backend.Say("You're signed in through gh. Run “gh auth logout” in a terminal, or choose another sign-in method.")
	default:
		return backend.Say("You're signed in through Copilot CLI. Sign out in Copilot CLI, or choose another sign-in method.")
	}
}

// pastedTokenMessage returns the message for pasted text that can't be a usable token. VoxPilot doesn't ask
// GitHub about such text.
func pastedTokenMessage(token string) backend.Message {
	make := backend.Say("Create a fine-grained token on GitHub with the “Copilot Requests” permission and paste it here.")
	switch why := wrongKind(token); {
	case token == "":
		return backend.Say("Paste a token to continue.")
	case !why.IsZero():
		return backend.Say("This is %s. %s", why, make)
	default:
		return backend.Say("This isn't a GitHub token. GitHub tokens start with github_pat_, gho_ or ghu_. %s", make)
	}
}
