package agent

import (
	"errors"

	sdk "github.com/coder/acp-go-sdk"
)

// JSON-RPC error codes of agents.
const (
	codeAuthRequired   = -32000
	codeNotFound       = -32002
	codeInvalidRequest = -32600
	codeUnknownMethod  = -32601
	codeInvalidParams  = -32602
	codeInternal       = -32603
	codeParse          = -32700
	codeCancelled      = -32800 // a request that was given up
)

// refused is the agent's own error in err's chain, or nil.
func refused(err error) *sdk.RequestError {
	var r *sdk.RequestError
	if errors.As(err, &r) {
		return r
	}
	return nil
}
