package backend

import "errors"

// Code is what the window may act on.
type Code string

// The codes.
const (
	CodeInvalid     Code = "invalid"     // bad input; the text says what is wrong
	CodeTooLarge    Code = "too_large"   // over a limit; the text says which
	CodeNotFound    Code = "not_found"   // no such thing, or no more
	CodeStorage     Code = "storage"     // it could not be written
	CodeModel       Code = "model"       // the model behind the agent failed
	CodeRefused     Code = "refused"     // the agent declined the request
	CodeLimit       Code = "limit"       // the agent reached its own limit
	CodeInterrupted Code = "interrupted" // the agent or the app died
	CodeAuth        Code = "auth"        // the agent wants a sign-in
	CodeAgent       Code = "agent"       // the agent answered with an error
	CodeConnection  Code = "connection"  // the agent could not be started
	CodeUnavailable Code = "unavailable" // cannot be done now
	CodeNoEditor    Code = "no_editor"   // no editor was found; the settings name one
	CodeUntrusted   Code = "untrusted"   // the user has not trusted the folder
)

// Error is an error for a person: Message says what was being done and what to
// do next, in the words of the window; Detail is for "Copy details".
type Error struct {
	Code    Code    `json:"code"`
	Message Message `json:"message"`
	Detail  string  `json:"detail,omitempty"`
}

func (e *Error) Error() string { return e.Message.String() }

// Invalid is the error of bad input; what it says is as in Say.
func Invalid(format string, args ...any) *Error {
	return &Error{Code: CodeInvalid, Message: Say(format, args...)}
}

// CodeOf is the code of the first *Error in err's chain, "" where there is
// none.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// NotSaved is the error of what could not be written to the database.
func NotSaved(what Message, err error) error {
	return &Error{
		Code:    CodeStorage,
		Message: Say("Couldn't save %s because the database can't be written. Nothing saved earlier is lost.", what),
		Detail:  err.Error(),
	}
}

// AsError is what the page gets of err: the first *Error in its chain, or one that
// says that something failed, with err as its detail.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: CodeUnavailable, Message: Say("Something went wrong in VoxPilot. See the log in Settings > Doctor."), Detail: err.Error()}
}

// MaxPromptBytes is the size of the longest prompt that is accepted.
const MaxPromptBytes = 1_000_000
