package agent

import (
	"context"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// errUntrusted is the error of a call that was not made, or of which the answer
// is not used, because the folder can run something that the user has not trusted.
var errUntrusted = backend.Problem("the folder is not trusted")

// trusts says why no agent may run in the folder as it is now, or nil.
func (a *Agent) trusts(ctx context.Context) *LaunchError {
	if a.cfg.Trusted == nil {
		return nil
	}
	return a.cfg.Trusted(ctx, a.place())
}

// opened makes a call by which the agent reads what is in the folder and may run
// it: one that makes, loads or copies a session. The folder is looked at before,
// and once more when the call was answered, since it may have changed before the
// agent read it. If it is not trusted, the process is killed and the connection
// waits for trust.
func (a *Agent) opened(k *link, call func() (gjson.Result, error)) (gjson.Result, error) {
	if a.turnsAway(k) {
		return gjson.Result{}, errUntrusted
	}
	r, err := call()
	if k.ctx.Err() == nil && a.turnsAway(k) {
		return gjson.Result{}, errUntrusted
	}
	return r, err
}

// turnsAway reports whether the process may not go on in the folder. It gets no
// time to end by itself, since the Copilot CLI runs hooks when a session ends.
func (a *Agent) turnsAway(k *link) bool {
	why := a.trusts(k.ctx)
	if why == nil {
		return false
	}
	if k.ctx.Err() != nil {
		return true // it ended while the folder was looked at
	}
	if !k.refused.Swap(true) {
		a.log.Info("the folder is not trusted, and the agent is stopped", "folder", a.place())
		a.post(note{what: untrusted, link: k, of: true, cause: why.Cause, message: why.Message})
		k.fail(backend.CauseUntrusted)
	}
	return true
}
