package agent

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/replay"
	"github.com/voxpilot/voxpilot/backend/agent/session"
)

// A Rescue is a way to recover the conversation of a session that the agent can't load. The session itself doesn't
// change.
type Rescue struct {
	// Banner is the kind of the banner that reports the rescue.
	Banner backend.BannerKind
	// Copy creates a session with the conversation and returns its ID. note is a user-facing description of the
	// result, shown with the banner. If the session can't be recovered in this way, the error is ErrNotRescued.
	Copy func(ctx context.Context) (id string, note backend.Message, err error)
	// BannerID returns the ID of the item whose banner is replaced, or "" for a new item; nil means "".
	BannerID func(ctx context.Context) string
	// Keep is called if the copy is used from now on, and Discard if it isn't.
	Keep, Discard func(id string)
}

// ErrNotRescued means that a Rescue can't recover the session. The next one is then tried.
var ErrNotRescued = errors.New("the session can't be recovered in this way")

// rescueTime is the time limit for Rescue.Copy, after which the next Rescue is tried. It is long, because logs can be
// hundreds of megabytes in size and copies wait for each other. The prompt itself doesn't wait longer than for any
// other session.
const rescueTime = 5 * time.Minute

// rescue copies the conversation of the session in row to another session and loads that session. why is the reason why
// the agent can't load the session itself, or nil if the session is new. rescue tries the ways of Config.Rescues in
// order, and returns nil if none of them recovers the session. An error means that a later attempt may succeed.
func (a *Agent) rescue(k *conn, row backend.Session, why error) (*session.Session, error) {
	if a.cfg.Rescues == nil || k.launch.Address != "" {
		return nil, nil
	}
	for _, way := range a.cfg.Rescues(k.launch, row) {
		s, err := a.tryRescue(k, row, way, why)
		switch {
		case err == nil:
			a.log.Info("session rescued", "session", row.Name, "id", row.ACPID, "copy", s.ID, "how", way.Banner)
			return s, nil
		case errors.Is(err, ErrNotRescued), errors.Is(err, errLost):
			a.log.Warn("couldn't rescue a session", "session", row.Name, "id", row.ACPID, "how", way.Banner, "err", err)
		default:
			return nil, err
		}
	}
	return nil, nil
}

// handOver creates a session that contains the chat's conversation if row replaces the session of another model or
// agent, or a session that can't be forked. If that isn't possible, it returns nil, and the session gets a recap. It
// also returns nil if row replaces no session.
func (a *Agent) handOver(k *conn, row backend.Session) (*session.Session, error) {
	if row.ReplacesID == "" {
		return nil, nil
	}
	return a.rescue(k, row, nil)
}

// restoreCutOff rescues the session in row if its log was cut off. It returns nil if the log wasn't cut off, or if the
// session can't be rescued; the agent then loads the log as it is.
func (a *Agent) restoreCutOff(k *conn, row backend.Session) (*session.Session, error) {
	if a.cfg.IsCutOff == nil || k.launch.Address != "" || !a.cfg.IsCutOff(k.ctx, k.launch, row) {
		return nil, nil
	}
	if err := a.checkOthers(k.ctx, k, row); err != nil { // another program may be writing the last line
		return nil, err
	}
	s, err := a.rescue(k, row, errors.New("the end of the session's log is missing"))
	if err != nil && k.ctx.Err() == nil {
		a.log.Warn("couldn't rescue a session whose log was cut off", "session", row.Name, "id", row.ACPID, "err", err)
		return nil, nil
	}
	return s, err
}

// tryRescue loads the copy that the given way creates, and publishes the banners about the rescue. If it returns an
// error, the row of the session is unchanged and the copy is discarded.
func (a *Agent) tryRescue(k *conn, lost backend.Session, way Rescue, why error) (*session.Session, error) {
	ctx, cancel := context.WithTimeout(k.ctx, rescueTime)
	id, note, err := way.Copy(ctx)
	cancel()
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = errors.Join(ErrNotRescued, err)
		}
		return nil, err
	}
	a.setTrial(id, true)
	row := lost
	row.ACPID, row.ReplacesID, row.Home = id, lost.ACPID, k.launch.Home
	if !lost.HadPrompt { // the copy is a new session
		row.ReplacesID, row.HadPrompt, row.CreatedAt, row.UsedAt = lost.ReplacesID, true, backend.Now(), backend.Now()
	}
	s, err := a.restore(k, row)
	if err != nil {
		way.Discard(id)
		return nil, err
	}
	if how := s.Difference(); how.Lacks {
		a.unload(k, s)
		way.Discard(id)
		return nil, errors.Join(ErrNotRescued, backend.Problem("%s", how.Text))
	}
	s.SetDifference(replay.Difference{}) // the copy may contain more than the transcript
	row = s.Row()
	banner := backend.Banner{Kind: way.Banner, Session: row.Name, Note: note}
	if why != nil {
		banner.Detail = backend.Plain("Couldn't load session " + lost.ACPID + ".\n" + why.Error())
	}
	event := a.bannerEvent(banner, backend.Turn{})
	if way.BannerID != nil {
		event.Item.ID = cmp.Or(way.BannerID(k.ctx), event.Item.ID)
	}
	// The result of the commit must be known even if the process exits now.
	if err := a.commit(context.WithoutCancel(k.ctx), row, event); err != nil {
		a.unload(k, s)
		way.Discard(id)
		return nil, err
	}
	way.Keep(id)
	a.setTrial(id, false)
	if now := s.Row(); !reflect.DeepEqual(now, row) {
		a.storeSession(now)
	}
	s.InheritOptions(lost)
	if known, was, ok := a.markLoaded(k, s.Name); ok {
		if was == lastRunning {
			a.banner(backend.BannerIncomplete, s.Name, backend.Message{})
		}
		a.publishState(s, lost, known)
	}
	return s, nil
}

// setTrial determines whether the session with the given ACP ID is on trial. The row of such a session isn't stored,
// because the session may be discarded.
func (a *Agent) setTrial(id string, onTrial bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if onTrial {
		a.trials[id] = true
	} else {
		delete(a.trials, id)
	}
}

// unload closes a loaded session in the agent. If the agent can't close it, the session stays loaded there, but
// VoxPilot no longer uses it.
func (a *Agent) unload(k *conn, s *session.Session) {
	_, err := k.within(k.ctx, func() (gjson.Result, error) {
		return k.optional(sdk.AgentMethodSessionClose, sdk.CloseSessionRequest{SessionId: sdk.SessionId(s.ID)})
	})
	if err != nil {
		a.log.Warn("couldn't close a session", "session", s.Name, "id", s.ID, "err", err)
	}
	k.forget(s)
}
