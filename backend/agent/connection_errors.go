package agent

import (
	"encoding/json"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend/acp"
)

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
