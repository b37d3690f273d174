package backend

import "errors"

// Code is an error code that the window can act on.
type Code string

// Error codes.
const (
	CodeInvalid     Code = "invalid"     // bad input; the message states the reason
	CodeTooLarge    Code = "too_large"   // a limit was exceeded; the message names it
	CodeNotFound    Code = "not_found"   // doesn't exist, or no longer exists
	CodeStorage     Code = "storage"     // a write to the database failed
	CodeModel       Code = "model"       // the model behind the agent failed
	CodeRefused     Code = "refused"     // the agent declined the request
	CodeLimit       Code = "limit"       // the agent reached its own limit
	CodeInterrupted Code = "interrupted" // the agent or the app exited
	CodeAuth        Code = "auth"        // the agent requires a sign-in
	CodeAgent       Code = "agent"       // the agent returned an error
	CodeConnection  Code = "connection"  // the agent couldn't be started
	CodeUnavailable Code = "unavailable" // not possible now
	CodeNoEditor    Code = "no_editor"   // no editor was found; one can be set in the settings
	CodeUntrusted   Code = "untrusted"   // the user hasn't trusted the folder
	CodeStale       Code = "stale"       // the data that the request refers to has changed since the page loaded it
)

// Error is a user-facing error. Message states the failed action and the next step, in the same style
// as the text in the window. Detail is for "Copy details".
type Error struct {
	Code    Code    `json:"code"`
	Message Message `json:"message"`
	Detail  string  `json:"detail,omitempty"`
}

func (e *Error) Error() string { return e.Message.String() }

// Invalid returns the error for bad input. It takes the same arguments as Say.
func Invalid(format string, args ...any) *Error {
	return &Error{Code: CodeInvalid, Message: Say(format, args...)}
}

// CodeOf returns the code of the first *Error in err's chain, or "" if there is none.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// NotSaved returns the error to report if a write to the database or a file failed, or stored data couldn't be read
// with err. The parameter what names the data, such as "the settings".
func NotSaved(what Message, err error) error {
	return &Error{
		Code:    CodeStorage,
		Message: Say("Couldn't save %s because VoxPilot can't write to its database. Everything saved earlier is safe.", what),
		Detail:  err.Error(),
	}
}

// AsError returns the error that the page receives for err: the first *Error in its
// chain, or a generic one with err as its detail.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: CodeUnavailable, Message: Say("Something went wrong in VoxPilot. See the log in Settings > Doctor."), Detail: err.Error()}
}

// MaxPromptBytes is the maximum size of a prompt in bytes.
const MaxPromptBytes = 1_000_000
