package fakeagent

import (
	"encoding/json"
	"os"
)

// authenticate handles a request to sign in.
func (a *agent) authenticate(id json.RawMessage, method string) {
	switch {
	case method == "never":
	case method == "denied":
		a.fail(id, -32000, "Access\u202e denied.\nSee the log.")
	case method == "key" && os.Getenv("AGENT_KEY") != "right-93ab1f":
		a.fail(id, -32000, "The key is wrong.")
	default:
		if err := os.WriteFile(a.script.RefuseUntil, nil, 0o600); err != nil {
			a.fail(id, -32603, err.Error())
			return
		}
		a.answer(id, object{})
	}
}
