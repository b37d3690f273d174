package agent

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/session"
	"github.com/voxpilot/voxpilot/internal/excerpt"
	"github.com/voxpilot/voxpilot/internal/process"
)

// What is said to the person, in one place.

// signInMessage is about an agent with a login of its own.
var signInMessage = backend.Say("Copilot wants you to sign in. Do that with its own program, then choose Check again. Your message is kept and goes out then.")

var offlineMessage = backend.Say("GitHub cannot be reached, so Copilot waits. Your messages are kept and go out when the connection is back.")

// named is text, which speaks of Copilot, for the agent that it is about.
func (k *link) named(text backend.Message) backend.Message {
	k.mu.RLock()
	name := k.agent
	k.mu.RUnlock()
	return namedAs(cmp.Or(name, k.launch.Name), text)
}

// named is text for the agent that launch starts, which has not said its name.
func (l Launch) named(text backend.Message) backend.Message { return namedAs(l.Name, text) }

func namedAs(name string, text backend.Message) backend.Message {
	if name == "" || strings.Contains(name, "Copilot") {
		return text
	}
	return text.About(excerpt.FirstLine(name, 40))
}

// namedError is err for the agent that it is about.
func (k *link) namedError(err *backend.Error) *backend.Error {
	if err == nil {
		return nil
	}
	named := *err
	named.Message = k.named(err.Message)
	return &named
}

func folderMessage(err error) backend.Message {
	return backend.Say("Copilot cannot work here: %s. Put it back, then choose Try again. Your messages are kept.", err)
}

func spawnMessage(l Launch, why string) backend.Message {
	path := l.Path
	if l.Name != "" {
		return backend.Say("Couldn't start %s (%s). Check its command in Settings, then choose Try again.", path, why)
	}
	return backend.Say("Couldn't start %s (%s). Check that it is the Copilot CLI for this computer, then choose Try again.", path, why)
}

func exitMessage(cause backend.Cause, how process.ExitStatus) backend.Message {
	switch cause {
	case backend.CauseExitedAtOnce:
		return backend.Say("Copilot ended as soon as it was started (%s). It is started again.", how)
	case backend.CauseNoAnswer:
		return backend.Say("Copilot did not answer in time. It was ended and is started again.")
	case backend.CauseLineTooLong:
		return backend.Say("Copilot sent more than 64 MB in one message. It was ended and is started again.")
	case backend.CauseStuck:
		return backend.Say("Copilot did not read what it was sent. It was ended and is started again.")
	case backend.CauseUnreachable:
		return backend.Say("The agent cannot be reached (%s). VoxPilot tries again.", how)
	default:
		return backend.Say("Copilot stopped unexpectedly (%s). It is started again.", how)
	}
}

func exhaustedMessage(cause backend.Cause, how process.ExitStatus, times int) backend.Message {
	switch cause {
	case backend.CauseExitedAtOnce:
		return backend.Say("Copilot ended each time it was started, %d times within a minute (%s). See what it wrote, then choose Try again.", times, how)
	case backend.CauseUnreachable:
		return backend.Say("The agent cannot be reached (%s). See that it runs and that its address is right, then choose Try again.", how)
	default:
		return backend.Say("Copilot stopped %d times within a minute, the last time because: %s. Choose Try again when the reason is gone.", times, how)
	}
}

// interrupted is the error of a turn whose process ended under it.
func interrupted(cause backend.Cause, how process.ExitStatus, stderr string) *backend.Error {
	e := &backend.Error{Code: backend.CodeInterrupted}
	switch cause {
	case backend.CauseNoAnswer:
		e.Message = backend.Say("Copilot did not answer any more and was ended. What it had said is kept; ask it to continue.")
	case backend.CauseLineTooLong:
		e.Message = backend.Say("Copilot sent more than 64 MB in one message and was ended. What it had said is kept; ask it to continue, with less at once.")
	case backend.CauseStuck:
		e.Message = backend.Say("Copilot did not read what it was sent and was ended. What it had said is kept; ask it to continue.")
	case backend.CauseUntrusted:
		e.Message = backend.Say("VoxPilot stopped Copilot while it was answering, because this folder has something new that can run code. What it had said is kept. Review the folder, then ask Copilot to continue.")
	case backend.CauseUnreachable:
		e.Message = backend.Say("The connection to the agent was lost while it was answering (%s). What it had said is kept; ask it to continue.", how)
	default:
		e.Message = backend.Say("Copilot stopped while it was answering (%s). What it had said is kept; ask it to continue.", how)
	}
	e.Detail = strings.TrimSpace(string(cause) + ", " + how.String() + "\n" + stderr)
	return e
}

// modelError is the error of a turn that ended with the CLI's own report of a
// failed model call, of which the first line is for a person.
func modelError(report string, model OwnModel) *backend.Error {
	text := strings.TrimSpace(strings.TrimPrefix(report, string(session.ErrorPrefix)))
	e := &backend.Error{Code: backend.CodeModel, Message: backend.Say("The model did not answer: %s", excerpt.FirstLine(text, 300)), Detail: text}
	switch {
	case model.Name == "":
	case strings.HasPrefix(text, "Authentication failed with provider"):
		e.Message = backend.Say("%s did not accept its API key. Correct the key in Settings, then send the message again.", model.Name)
	case noModel.MatchString(text):
		e.Message = backend.Say("%s does not have the model that was chosen. Choose another one in Settings, then send the message again.", model.Name)
	default:
		if m := lastTry.FindStringSubmatch(text); m != nil {
			retries, _ := strconv.Atoi(m[1])
			e.Message = lostModel(model, retries+1, excerpt.FirstLine(m[2], 200))
		}
	}
	return e
}

// lastTry matches the CLI's report after the last try of a model call: how often
// it tried again, and why the last try failed.
var lastTry = regexp.MustCompile(`^Failed to get response from the AI model; retried (\d+) times?.*Last error: (.*)`)

// noServer matches the reason of a call that reached no server.
var noServer = regexp.MustCompile(`(?i)ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|connection refused|no such host|fetch failed`)

// lostModel returns the message for a model of the user's own whose every try failed.
func lostModel(model OwnModel, tries int, why string) backend.Message {
	if noServer.MatchString(why) {
		return backend.Say("%s can't be reached. Nothing answers on %s (%s). Check that it runs, then choose Try again.", model.Name, model.Host, why)
	}
	return backend.Say("%s stopped answering. %d tries failed, the last with “%s”. Check that it runs on %s and has room for %s, or choose a smaller model.", model.Name, tries, why, model.Host, model.ID)
}

var noModel = regexp.MustCompile(`^Model '[^']*' not found on provider`)

func limitMessage(reason string) backend.Message {
	if reason == string(sdk.StopReasonMaxTokens) {
		return backend.Say("Copilot stopped, because the answer is as long as its model allows. Ask it to continue.")
	}
	return backend.Say("Copilot stopped, because it has made as many steps as it may for one message. Ask it to continue.")
}

// agentError is the error of a turn that the agent answered with an error.
func agentError(r *sdk.RequestError) *backend.Error {
	e := &backend.Error{Code: backend.CodeAgent, Detail: r.Error()}
	what := excerpt.FirstLine(r.Message, 200)
	switch r.Code {
	case acp.CodeAuthRequired:
		e.Code = backend.CodeAuth
		e.Message = backend.Say("Copilot lost its sign-in while it was answering. What it had said is kept; ask it to continue when it is back.")
	case acp.CodeNotFound:
		e.Message = backend.Say("Copilot does not have what it was asked about (%s). Send your message again; VoxPilot opens the conversation afresh with it.", what)
	case acp.CodeInvalidParams:
		e.Message = backend.Say("Copilot did not accept the message (%s). Send it again.", what)
	case acp.CodeUnknownMethod:
		e.Message = backend.Say("This version of Copilot cannot do that (%s). Update it, then send the message again.", what)
	case acp.CodeInternal:
		e.Message = backend.Say("Something went wrong inside Copilot (%s). Send the message again.", what)
		if _, servers := ofServers(r); servers {
			e.Message = backend.Say("Copilot could not use its servers (%s). Check the network, then send the message again.", what)
		}
	case acp.CodeInvalidRequest:
		e.Message = backend.Say("Copilot can't take this message now (%s). Wait a moment, then send it again; if it happens again, restart the session.", what)
	case acp.CodeParse:
		e.Message = backend.Say("Copilot did not understand VoxPilot (%s). Send the message again; if it happens again, update both.", what)
	case acp.CodeCancelled:
		e.Message = backend.Say("Copilot dropped the message. Send it again.")
	default:
		e.Message = backend.Say("Copilot answered with an error (%s, code %d). Send the message again.", what, r.Code)
	}
	return e
}

// The Copilot CLI asks its servers for their models before it makes or loads a
// session. What keeps it from that comes as an internal error of the category
// "connection", with the status that the servers answered with, if they did. It
// says nothing about the session.

// ofServers says whether an error is about the agent's servers, and with which
// status they answered; 0 is not at all.
func ofServers(r *sdk.RequestError) (status int, ok bool) {
	if r.Code != acp.CodeInternal || r.Data == nil {
		return 0, false
	}
	raw, err := json.Marshal(r.Data)
	if err != nil {
		return 0, false
	}
	data := gjson.ParseBytes(raw)
	return int(data.Get("status").Int()), data.Get("category").String() == "connection"
}

// asSignIn makes an error of the servers' that is about the sign-in what agents
// answer where they want one: a token that was revoked while the CLI remembers
// whose it is shows in no other way.
func asSignIn(r *sdk.RequestError) {
	if status, ok := ofServers(r); ok && (status == 401 || status == 403) {
		r.Code = acp.CodeAuthRequired
	}
}
