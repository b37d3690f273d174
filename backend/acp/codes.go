package acp

import (
	"errors"

	sdk "github.com/coder/acp-go-sdk"
)

// JSON-RPC error codes of agents.
const (
	CodeAuthRequired   = -32000
	CodeNotFound       = -32002
	CodeInvalidRequest = -32600
	CodeUnknownMethod  = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	CodeParse          = -32700
	CodeCancelled      = -32800 // a request that was given up
)

// Refused is the agent's own error in err's chain, or nil.
func Refused(err error) *sdk.RequestError {
	var r *sdk.RequestError
	if errors.As(err, &r) {
		return r
	}
	return nil
}
