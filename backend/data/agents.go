package data

import (
	"context"
	"net/http"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/trust"
)

// AgentSession is a session listed by a chat's agent.
type AgentSession struct {
	ACPID     string         `json:"acpId"`
	Title     string         `json:"title"`
	Cwd       string         `json:"cwd"`
	UpdatedAt backend.Millis `json:"updatedAt"`
	// Known is the session's name in a VoxPilot chat, or "" if no chat contains the session.
	Known string `json:"known,omitempty"`
}

// AgentSessions is a page of the sessions listed by a chat's agent.
type AgentSessions struct {
	Sessions []AgentSession `json:"sessions"`
	Cursor   string         `json:"cursor,omitempty"` // cursor of the next page; "" on the last page
}

// agentSessions returns a page of the sessions listed by the chat's agent, starting the
// agent if it isn't running.
func (h *handler) agentSessions(ctx context.Context, e *engine.Engine, r *http.Request) (answer AgentSessions, err error) {
	agent, err := e.Agents.Get(ctx, r.FormValue("chat"))
	if err != nil {
		return answer, err
	}
	listed, next, err := agent.List(ctx, r.FormValue("cursor"))
	if err != nil {
		return answer, err
	}
	known, err := e.KnownSessions(ctx, listed)
	if err != nil {
		return answer, err
	}
	answer = AgentSessions{Sessions: []AgentSession{}, Cursor: next}
	for _, s := range listed {
		answer.Sessions = append(answer.Sessions, AgentSession{ACPID: s.ACPID, Title: s.Title, Cwd: s.Cwd, UpdatedAt: s.UpdatedAt, Known: known[s.ACPID]})
	}
	return answer, nil
}

// declared returns the options that the user can choose for a new chat before its agent runs. These are the
// options that the provider's agent last declared, with the values that the user last chose. Modes that
// never ask for permission are omitted, because no chat starts in one. The result is empty before the first
// chat.
func (h *handler) declared(ctx context.Context, e *engine.Engine, r *http.Request) (backend.DeclaredOptions, error) {
	s, err := e.Store.DeclaredOptions(ctx, r.URL.Query().Get("provider"))
	modes := slices.DeleteFunc(s.Modes, func(m backend.Choice) bool { return backend.AsksNothing(m.ID) })
	return backend.DeclaredOptions{Modes: append([]backend.Choice{}, modes...), Options: append([]backend.ConfigOption{}, s.Options...)}, err
}

// trustText returns the text of a file listed in a trust request.
func (h *handler) trustText(_ context.Context, e *engine.Engine, r *http.Request) (trust.Text, error) {
	return e.Trust.Read(r.FormValue("id"), r.FormValue("file"))
}

// Sessions holds the statistics of each session of a chat.
type Sessions struct {
	Sessions []backend.SessionStats `json:"sessions"`
}

func (h *handler) sessions(ctx context.Context, e *engine.Engine, r *http.Request) (Sessions, error) {
	sessions, err := e.Store.SessionStats(ctx, r.FormValue("chat"))
	return Sessions{sessions}, err
}

func (h *handler) processes(_ context.Context, e *engine.Engine, _ *http.Request) ([]backend.Process, error) {
	return e.Agents.Processes(), nil
}

// maxFrames is the maximum number of protocol log messages per response, which is enough for all stored
// messages.
const maxFrames = 5000

// Protocol holds messages between a chat's agent and VoxPilot.
type Protocol struct {
	Frames []backend.ProtocolMessage `json:"frames"`
}

// protocol returns messages from the chat's protocol log, which is empty if the chat's agent hasn't run
// since VoxPilot started.
func (h *handler) protocol(_ context.Context, e *engine.Engine, r *http.Request) (answer Protocol, err error) {
	after, err := number(r, "after", 0)
	if err != nil {
		return answer, err
	}
	limit, err := number(r, "limit", maxList)
	if err != nil {
		return answer, err
	}
	if agent, err := e.Agents.Running(r.FormValue("chat")); err == nil {
		answer.Frames = agent.Protocol(uint64(after), r.FormValue("filter"), int(min(max(limit, 1), maxFrames)))
	}
	if answer.Frames == nil {
		answer.Frames = []backend.ProtocolMessage{} // the page expects a list, not null
	}
	return answer, nil
}
