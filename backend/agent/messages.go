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
	"github.com/voxpilot/voxpilot/backend/agent/lines"
	"github.com/voxpilot/voxpilot/internal/excerpt"
	"github.com/voxpilot/voxpilot/internal/process"
)

// User-facing messages.

// signInMessage asks the user to sign in with the agent's own program.
var signInMessage = backend.Say("Copilot needs you to sign in. Use its own program to sign in, then choose “Check again”. Your message is saved and will be sent then.")

// offlineMessage is the message shown while the connection waits for GitHub to become reachable.
var offlineMessage = backend.Say("Can't reach GitHub, so Copilot is waiting. Your messages are saved and will be sent when you're back online.")

// withName returns the text with "Copilot" replaced by the agent's name.
func (c *conn) withName(text backend.Message) backend.Message {
	c.mu.RLock()
	name := c.agentName
	c.mu.RUnlock()
	return withAgentName(cmp.Or(name, c.launch.Name), text)
}

// withName returns the text with "Copilot" replaced by the configured name of the agent. It is for agents that
// haven't reported a name.
func (l Launch) withName(text backend.Message) backend.Message { return withAgentName(l.Name, text) }

func withAgentName(name string, text backend.Message) backend.Message {
	if name == "" || strings.Contains(name, "Copilot") {
		return text
	}
	return text.About(excerpt.FirstLine(name, 40))
}

// errorWithName returns a copy of err whose message has "Copilot" replaced by the agent's name, or nil if err is nil.
func (c *conn) errorWithName(err *backend.Error) *backend.Error {
	if err == nil {
		return nil
	}
	named := *err
	named.Message = c.withName(err.Message)
	return &named
}

func folderMessage(err error) backend.Message {
	return backend.Say("Copilot can't work in this folder: %s. Restore the folder or your access to it, then choose “Try again”. Your messages are saved.", err)
}

func spawnMessage(l Launch, why string) backend.Message {
	path := l.Path
	if l.Name != "" {
		return backend.Say("Couldn't start %s (%s). Check its command in Settings, then choose “Try again”.", path, why)
	}
	return backend.Say("Couldn't start %s (%s). Check that it's a version of Copilot CLI for this computer, then choose “Try again”.", path, why)
}

func exitMessage(cause backend.Cause, how process.ExitStatus) backend.Message {
	switch cause {
	case backend.CauseExitedOnStart:
		return backend.Say("Copilot exited right after it started (%s). VoxPilot is restarting it.", how)
	case backend.CauseNoAnswer:
		return backend.Say("Copilot didn't respond in time. VoxPilot is restarting it.")
	case backend.CauseLineTooLong:
		return backend.Say("Copilot sent a message larger than 64 MB. VoxPilot is restarting Copilot.")
	case backend.CauseNotReading:
		return backend.Say("Copilot stopped reading its input. VoxPilot is restarting it.")
	case backend.CauseUnreachable:
		return backend.Say("Can't connect to the agent (%s). VoxPilot will try again.", how)
	default:
		return backend.Say("Copilot stopped unexpectedly (%s). VoxPilot is restarting it.", how)
	}
}

func exhaustedMessage(cause backend.Cause, how process.ExitStatus, times int) backend.Message {
	switch cause {
	case backend.CauseExitedOnStart:
		if times == 1 {
			return backend.Say("Copilot exited right after starting (%s). Check its output, then choose “Try again”.", how)
		}
		return backend.Say("Copilot exited right after starting, %d times in one minute (%s). Check its output, then choose “Try again”.", times, how)
	case backend.CauseUnreachable:
		return backend.Say("Can't connect to the agent (%s). Check that it's running and that its address is correct, then choose “Try again”.", how)
	default:
		if times == 1 {
			return backend.Say("Copilot stopped. Reason: %s. Fix the problem, then choose “Try again”.", how)
		}
		return backend.Say("Copilot stopped %d times in one minute. Last reason: %s. Fix the problem, then choose “Try again”.", times, how)
	}
}

// interruptedError returns the error for a turn during which the process exited. The parameter how is the exit
// status, and stderr is the end of the process's error output.
func interruptedError(cause backend.Cause, how process.ExitStatus, stderr string) *backend.Error {
	e := &backend.Error{Code: backend.CodeInterrupted}
	switch cause {
	case backend.CauseNoAnswer:
		e.Message = backend.Say("Copilot stopped responding and was shut down. The answer so far is saved. Ask Copilot to continue.")
	case backend.CauseLineTooLong:
		e.Message = backend.Say("Copilot sent a message larger than 64 MB and was shut down. The answer so far is saved. Ask Copilot to continue in smaller steps.")
	case backend.CauseNotReading:
		e.Message = backend.Say("Copilot stopped reading its input and was shut down. The answer so far is saved. Ask Copilot to continue.")
	case backend.CauseUntrusted:
		e.Message = backend.Say("VoxPilot stopped Copilot's answer because something new in this folder can run code. The answer so far is saved. Review the folder, then ask Copilot to continue.")
	case backend.CauseUnreachable:
		e.Message = backend.Say("The connection to the agent was lost while it was answering (%s). The answer so far is saved. Ask the agent to continue.", how)
	default:
		e.Message = backend.Say("Copilot stopped while answering (%s). The answer so far is saved. Ask Copilot to continue.", how)
	}
	e.Detail = strings.TrimSpace(string(cause) + ", " + how.String() + "\n" + stderr)
	return e
}

// modelError returns the error for a turn that ended with the CLI's report of a failed model call. model is the user's
// own model, or the zero OwnModel. For known problems with such a model, the message explains how to solve them;
// otherwise it includes the first line of the report.
func modelError(report string, model OwnModel) *backend.Error {
	text := strings.TrimSpace(strings.TrimPrefix(report, string(lines.ErrorPrefix)))
	e := &backend.Error{Code: backend.CodeModel, Message: backend.Say("The model didn't respond: %s", excerpt.FirstLine(text, 300)), Detail: text}
	switch {
	case model.Name == "":
	case strings.HasPrefix(text, "Authentication failed with provider"):
		e.Message = backend.Say("%s rejected the API key. Fix the key in Settings, then send the message again.", model.Name)
	case noModel.MatchString(text):
		e.Message = backend.Say("%s doesn't have the selected model. Choose another one in Settings, then send the message again.", model.Name)
	default:
		if m := lastTry.FindStringSubmatch(text); m != nil {
			retries, _ := strconv.Atoi(m[1])
			e.Message = modelUnreachable(model, retries+1, excerpt.FirstLine(m[2], 200))
		}
	}
	return e
}

// lastTry matches the CLI's report after the last attempt at a model call, and captures the number of
// retries and the last error.
var lastTry = regexp.MustCompile(`^Failed to get response from the AI model; retried (\d+) times?.*Last error: (.*)`)

// noServer matches the error of a model call that couldn't reach a server.
var noServer = regexp.MustCompile(`(?i)ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|connection refused|no such host|fetch failed`)

// modelUnreachable returns the message for a turn that ended because all attempts to call the user's own model
// failed. The parameter tries is the number of attempts, and why is the last error.
func modelUnreachable(model OwnModel, tries int, why string) backend.Message {
	if noServer.MatchString(why) {
		return backend.Say("Can't reach %s. Nothing responds on %s (%s). Check that it's running, then choose “Try again”.", model.Name, model.Host, why)
	}
	return backend.Say("%s stopped answering. %d attempts failed, the last with “%s”. Check that it's running on %s and has enough memory for %s, or choose a smaller model.", model.Name, tries, why, model.Host, model.ID)
}

// noModel matches the CLI's error for a model that the service doesn't have.
var noModel = regexp.MustCompile(`^Model '[^']*' not found on provider`)

// limitMessage returns the message for a turn that ended at one of the agent's limits (ACP stop reasons).
func limitMessage(reason string) backend.Message {
	if reason == string(sdk.StopReasonMaxTokens) {
		return backend.Say("Copilot reached its model's limit for the length of an answer. Ask it to continue.")
	}
	return backend.Say("Copilot reached the step limit for one message. Ask it to continue.")
}

// agentError returns the error for a turn whose prompt the agent answered with an error.
func agentError(r *sdk.RequestError) *backend.Error {
	e := &backend.Error{Code: backend.CodeAgent, Detail: r.Error()}
	what := excerpt.FirstLine(r.Message, 400) // the CLI's errors end with the reason, after a path
	switch r.Code {
	case acp.CodeAuthRequired:
		e.Code = backend.CodeAuth
		e.Message = backend.Say("Copilot was signed out while it was answering. The answer so far is saved. Once you're signed in again, ask Copilot to continue.")
	case acp.CodeNotFound:
		e.Message = backend.Say("Copilot couldn't find an item that VoxPilot requested (%s). Send your message again, and VoxPilot will reopen the session.", what)
	case acp.CodeInvalidParams:
		e.Message = backend.Say("Copilot rejected the message (%s). Send it again.", what)
	case acp.CodeUnknownMethod:
		e.Message = backend.Say("This version of Copilot doesn't support VoxPilot's request (%s). Update Copilot, then send the message again.", what)
	case acp.CodeInternal:
		e.Message = backend.Say("Something went wrong inside Copilot (%s). Send the message again.", what)
		if _, servers := serverErrorStatus(r); servers {
			e.Message = backend.Say("Copilot couldn't get a response from its servers (%s). Check your network, then send the message again.", what)
		}
	case acp.CodeInvalidRequest:
		e.Message = backend.Say("Copilot can't accept this message right now (%s). Wait a moment, then send it again. If this keeps happening, restart the session.", what)
	case acp.CodeParse:
		e.Message = backend.Say("Copilot couldn't read VoxPilot's request (%s). Send the message again. If this keeps happening, update both apps.", what)
	case acp.CodeCancelled:
		e.Message = backend.Say("Copilot dropped the message. Send it again.")
	default:
		e.Message = backend.Say("Copilot returned an error (%s, code %d). Send the message again.", what, r.Code)
	}
	return e
}

// Before it creates or loads a session, the Copilot CLI requests the list of models from its servers. If that request
// fails, the CLI reports an internal error of the category "connection", with the HTTP status, if any. Such an error
// doesn't mean that the session is damaged or missing.

// serverErrorStatus reports whether r means that the agent's request to its servers failed. It also returns the HTTP
// status, or 0 if the servers didn't respond.
func serverErrorStatus(r *sdk.RequestError) (status int, ok bool) {
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

// toSignInError changes the code of r to CodeAuthRequired if the agent's servers rejected the sign-in (HTTP 401 or
// 403). A CLI that remembers the user from an earlier start reports a revoked token only through such a server error.
func toSignInError(r *sdk.RequestError) {
	if status, ok := serverErrorStatus(r); ok && (status == 401 || status == 403) {
		r.Code = acp.CodeAuthRequired
	}
}

// banner publishes a banner at the end of the transcript, outside any turn.
func (a *Agent) banner(kind backend.BannerKind, session string, detail backend.Message) {
	a.publishTurnBanner(backend.Banner{Kind: kind, Session: session, Detail: detail}, backend.Turn{})
}

// publishTurnBanner publishes a banner that belongs to the turn. If turn is the zero Turn, the banner doesn't
// belong to a turn.
func (a *Agent) publishTurnBanner(b backend.Banner, turn backend.Turn) {
	a.cfg.Publish(a.bannerEvent(b, turn))
}

// bannerEvent returns the event that adds the banner to the transcript. turn is as in publishTurnBanner.
func (a *Agent) bannerEvent(b backend.Banner, turn backend.Turn) backend.Event {
	now := backend.Now()
	return backend.Event{Item: &backend.Item{
		ID: backend.NewID(), ChatID: a.cfg.ChatID, TurnID: turn.ID, ParentID: turn.BlockID, Session: b.Session,
		Kind: backend.ItemBanner, CreatedAt: now, EndedAt: now, Banner: &b,
	}}
}
