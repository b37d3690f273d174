package main

import (
	"context"
	"net/http"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

// AgentSession is a session as the agent of a chat lists it.
type AgentSession struct {
	ACPID     string         `json:"acpId"`
	Title     string         `json:"title"`
	Cwd       string         `json:"cwd"`
	UpdatedAt backend.Millis `json:"updatedAt"`
	// Known is the name by which a chat of VoxPilot has it, "" where none does.
	Known string `json:"known,omitempty"`
}

// AgentSessions is a page of them.
type AgentSessions struct {
	Sessions []AgentSession `json:"sessions"`
	Cursor   string         `json:"cursor,omitempty"` // of the next page
}

// agentSessions starts the chat's agent where it does not run.
func (a *App) agentSessions(ctx context.Context, e *engine, r *http.Request) (answer AgentSessions, err error) {
	agent, err := e.agents.get(ctx, r.FormValue("chat"))
	if err != nil {
		return answer, err
	}
	listed, next, err := agent.List(ctx, r.FormValue("cursor"))
	if err != nil {
		return answer, err
	}
	known, err := e.known(ctx, listed)
	if err != nil {
		return answer, err
	}
	answer = AgentSessions{Sessions: []AgentSession{}, Cursor: next}
	for _, s := range listed {
		answer.Sessions = append(answer.Sessions, AgentSession{ACPID: s.ACPID, Title: s.Title, Cwd: s.Cwd, UpdatedAt: s.UpdatedAt, Known: known[s.ACPID]})
	}
	return answer, nil
}

// known are the names by which chats have sessions, by the agent's ids.
func (e *engine) known(ctx context.Context, listed []agent.Listed) (map[string]string, error) {
	ids := make([]string, len(listed))
	for i, s := range listed {
		ids[i] = s.ACPID
	}
	holders, err := e.store.Holders(ctx, ids)
	known := map[string]string{}
	for _, h := range holders {
		known[h.ACPID] = h.Name
	}
	return known, err
}

// continueSession adds a session that was begun elsewhere to a chat.
func (g *agents) continueSession(ctx context.Context, chatID, acpID, name string) error {
	name, err := assistant.SessionName(name)
	if err != nil {
		return err
	}
	known, err := g.e.known(ctx, []agent.Listed{{ACPID: acpID}})
	if err != nil {
		return err
	}
	if as := known[acpID]; as != "" {
		return &backend.Error{Code: backend.CodeInvalid, Message: "The session was not continued, because VoxPilot has it already, as \"" + as + "\"."}
	}
	a, err := g.get(ctx, chatID)
	if err != nil {
		return err
	}
	return g.e.chats.AtRest(chatID, func() error { return a.Continue(ctx, acpID, name) }, name)
}

// forkSession begins a session with all that another one knows.
func (g *agents) forkSession(ctx context.Context, chatID, session, name string) error {
	name, err := assistant.SessionName(name)
	if err != nil {
		return err
	}
	a, err := g.get(ctx, chatID)
	if err != nil {
		return err
	}
	return g.e.chats.AtRest(chatID, func() error {
		_, err := a.Fork(ctx, session, name)
		return err
	}, name)
}
