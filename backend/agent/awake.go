package agent

import (
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/voxpilot/voxpilot/backend"
)

// limitAlive is how long an agent may take to answer after a sleep.
var limitAlive = time.Minute

// Awake says that the computer has slept or got onto another network. An agent
// that waits to be started again is started at once. One that is ready and has
// nothing to do is asked for something that costs it nothing, and one that does
// not answer is ended and started afresh. While it works nobody asks: its turn
// goes on as long as its process does.
func (a *Agent) Awake() {
	if a.Connection().State == backend.Waiting {
		a.post(note{what: due})
		return
	}
	a.mu.Lock()
	k, works := a.link, len(a.cancels) > 0
	a.mu.Unlock()
	if k == nil || works || !k.can().List {
		return
	}
	cwd := a.place()
	_, _ = k.ask(k.ctx, limitAlive, sdk.AgentMethodSessionList, sdk.ListSessionsRequest{Cwd: &cwd}) // one that is late is ended
}
