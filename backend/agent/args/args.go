// Package args reads the parameters of an agent's requests to VoxPilot and converts VoxPilot's results and errors to
// the form that ACP prescribes.
package args

import (
	"regexp"
	"strings"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/terminal"
)

// Bad returns the error for a request with invalid params.
func Bad(message string) *sdk.RequestError {
	return &sdk.RequestError{Code: acp.CodeInvalidParams, Message: message}
}

// Text returns the string parameter with the given name, or an error if it isn't a string.
func Text(params gjson.Result, name string) (string, *sdk.RequestError) {
	v := params.Get(name)
	if v.Type != gjson.String {
		return "", Bad(name + " must be a string.")
	}
	return v.Str, nil
}

// Count returns the integer parameter with the given name, or 0 if it is missing or null. It returns an error
// if the parameter is anything other than a non-negative integer.
func Count(params gjson.Result, name string) (int, *sdk.RequestError) {
	v := params.Get(name)
	if !v.Exists() || v.Type == gjson.Null {
		return 0, nil
	}
	n := int(v.Int())
	if v.Type != gjson.Number || n < 0 || v.Num != float64(n) {
		return 0, Bad(name + " must be a whole number, 0 or more.")
	}
	return n, nil
}

// Failure returns the response to an agent's request that failed with err. path is the path of the file or
// folder in the request, or the ID of the terminal. If err has no backend.Code, the response says that the turn
// has ended.
func Failure(err error, path string) *sdk.RequestError {
	switch backend.CodeOf(err) {
	case backend.CodeNotFound:
		return &sdk.RequestError{Code: acp.CodeNotFound, Message: "Resource not found: " + path, Data: map[string]any{"uri": path}}
	case backend.CodeInvalid:
		return Bad(err.Error())
	case "":
		return &sdk.RequestError{Code: acp.CodeCancelled, Message: "The turn this belongs to has ended."}
	default:
		return &sdk.RequestError{Code: acp.CodeInternal, Message: err.Error()}
	}
}

// Exit converts a command's exit to ACP's TerminalExitStatus.
func Exit(e terminal.Exit) map[string]any {
	var signal *string
	if e.Signal != "" {
		signal = &e.Signal
	}
	return map[string]any{"exitCode": e.Code, "signal": signal}
}

// Command parses the params of terminal/create. The command runs in the given folder, unless the params contain
// a different one. Environment variables with names reserved for VoxPilot are dropped.
func Command(params gjson.Result, folder string) (spec terminal.Spec, rerr *sdk.RequestError) {
	if spec.Command, rerr = Text(params, "command"); rerr != nil {
		return spec, rerr
	}
	if strings.TrimSpace(spec.Command) == "" || strings.IndexByte(params.Raw, 0) >= 0 {
		return spec, Bad("command must be the command to run.")
	}
	if spec.Limit, rerr = Count(params, "outputByteLimit"); rerr != nil {
		return spec, rerr
	}
	spec.Dir = folder
	if cwd := params.Get("cwd"); cwd.Exists() && cwd.Type != gjson.Null {
		if spec.Dir, rerr = Text(params, "cwd"); rerr != nil {
			return spec, rerr
		}
	}
	for _, arg := range params.Get("args").Array() {
		if arg.Type != gjson.String || strings.IndexByte(arg.Str, 0) >= 0 {
			return spec, Bad("args must be strings.")
		}
		spec.Args = append(spec.Args, arg.Str)
	}
	for _, v := range params.Get("env").Array() {
		name, value := v.Get("name").String(), v.Get("value")
		if !variableName.MatchString(name) || value.Type != gjson.String || strings.IndexByte(value.Str, 0) >= 0 {
			return spec, Bad("env must be a list of names and values.")
		}
		if !strings.HasPrefix(strings.ToUpper(name), "VOXPILOT_") { // reserved for VoxPilot
			spec.Env = append(spec.Env, name+"="+value.Str)
		}
	}
	return spec, nil
}

// variableName matches the names of environment variables that a command may set. Variables
// with other names can define shell functions that replace programs.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
