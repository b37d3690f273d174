package agent

import (
	"context"
	"errors"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/session"
)

// A Rescue is a way to recover the conversation of a session that the agent can't load, or whose history it lacks in
// part. The session itself doesn't change.
type Rescue struct {
	// Banner is the kind of the banner that reports the rescue.
	Banner backend.BannerKind
	// Copy creates a session with the conversation and returns its ID. note is a user-facing description of the
	// result, shown with the banner.
	Copy func(ctx context.Context) (id string, note backend.Message, err error)
	// Keep is called if the agent has loaded the copy, and Discard if the copy isn't used.
	Keep, Discard func(id string)
}

// rescue loads a copy of the session in row that has its conversation. why is the reason why the session itself can't
// be used. rescue tries the ways of Config.Rescues in order, and returns nil if none succeeds. An error means that the
// process can't continue.
func (a *Agent) rescue(k *conn, row backend.Session, why error) (*session.Session, error) {
	if a.cfg.Rescues == nil || k.launch.Address != "" {
		return nil, nil
	}
	for _, way := range a.cfg.Rescues(k.launch, row) {
		s, note, err := a.tryRescue(k, row, way)
		switch {
		case err == nil:
			a.log.Info("session rescued", "session", row.Name, "id", row.ACPID, "copy", s.ID, "how", way.Banner)
			a.publishRescued(k, s, row, backend.Banner{
				Kind: way.Banner, Session: row.Name, Note: note, Detail: backend.Plain("Couldn't use session " + row.ACPID + ".\n" + why.Error()),
			})
			return s, nil
		case k.ctx.Err() != nil:
			return nil, err
		}
		a.log.Warn("couldn't rescue a session", "session", row.Name, "id", row.ACPID, "how", way.Banner, "err", err)
	}
	return nil, nil
}

// errIncomplete means that a copy of a session doesn't have the whole conversation.
var errIncomplete = errors.New("the copy doesn't have the whole conversation")

func (a *Agent) tryRescue(k *conn, row backend.Session, way Rescue) (s *session.Session, note backend.Message, err error) {
	id, note, err := way.Copy(k.ctx)
	if err != nil {
		return nil, note, err
	}
	before := row
	row.ACPID = id
	if s, err = a.restore(k, row); err == nil && s.Difference().Incomplete {
		a.unload(k, s)
		err = errIncomplete
	}
	if err == nil {
		err = a.commit(k.ctx, row)
	}
	if err != nil {
		way.Discard(id)
		return nil, note, err
	}
	way.Keep(id)
	s.InheritOptions(before)
	return s, note, nil
}

// unload closes a loaded session in the agent. If the agent can't close it, it stays loaded there, but VoxPilot no
// longer uses it.
func (a *Agent) unload(k *conn, s *session.Session) {
	if _, err := k.optional(sdk.AgentMethodSessionClose, sdk.CloseSessionRequest{SessionId: sdk.SessionId(s.ID)}); err != nil && acp.Refused(err) == nil {
		a.log.Warn("couldn't close a session", "session", s.Name, "id", s.ID, "err", err)
	}
	k.forget(s)
}

// publishRescued publishes the banners about a rescued session. before is its row before the rescue.
func (a *Agent) publishRescued(k *conn, s *session.Session, before backend.Session, b backend.Banner) {
	known, was, ok := a.markLoaded(k, s.Name)
	if !ok {
		return
	}
	a.publishTurnBanner(b, backend.Turn{})
	if was == lastRunning {
		a.banner(backend.BannerIncomplete, s.Name, backend.Message{})
	}
	a.publishState(s, before, known)
}
