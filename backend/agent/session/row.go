package session

import (
	"reflect"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// setRow changes the session's row, and saves it where it is another one then.
func (s *Session) setRow(change func(*backend.Session)) {
	next := s.row
	change(&next)
	if reflect.DeepEqual(next, s.row) {
		return
	}
	s.row = next
	s.cfg.Save(next)
}

// Cost is what the turn that was answered with usage took. The Copilot CLI, and
// ACP, count a session's from when it was loaded; an agent that counts each turn
// by itself is told by a count that becomes smaller.
func (s *Session) Cost(usage gjson.Result) *backend.Usage {
	if !usage.IsObject() {
		return nil
	}
	now := backend.Usage{
		Input: usage.Get("inputTokens").Int(), Output: usage.Get("outputTokens").Int(),
		CacheRead: usage.Get("cachedReadTokens").Int(), CacheWrite: usage.Get("cachedWriteTokens").Int(),
		Thought: usage.Get("thoughtTokens").Int(),
	}
	s.mu.Lock()
	was := s.spent
	s.spent = now
	s.mu.Unlock()
	turn := now
	if now.Input >= was.Input && now.Output >= was.Output && now.CacheRead >= was.CacheRead && now.CacheWrite >= was.CacheWrite && now.Thought >= was.Thought {
		turn = backend.Usage{
			Input: now.Input - was.Input, Output: now.Output - was.Output,
			CacheRead: now.CacheRead - was.CacheRead, CacheWrite: now.CacheWrite - was.CacheWrite, Thought: now.Thought - was.Thought,
		}
	}
	if turn == (backend.Usage{}) {
		return nil // no model was called
	}
	s.mu.Lock()
	s.answered = true
	s.mu.Unlock()
	return &turn
}

// announcesTools reports whether an update lists the session's tools, which
// agents name in two ways. Nothing is kept of it.
func announcesTools(up gjson.Result) bool {
	return up.Get("tools").IsArray() || up.Get("availableTools").IsArray()
}

func commandsOf(up gjson.Result) (out []backend.Choice) {
	up.Get("availableCommands").ForEach(func(_, e gjson.Result) bool {
		out = append(out, backend.Choice{
			ID: strings.TrimPrefix(e.Get("name").String(), "/"), Name: e.Get("name").String(), Description: e.Get("description").String(),
		})
		return true
	})
	return out
}

// Prompted notes that the session had a prompt, which is durable. before is the row as
// it was then: what changed meanwhile is kept as well.
func (s *Session) Prompted(before backend.Session, at backend.Millis) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed := !reflect.DeepEqual(s.row, before)
	s.row.UsedAt, s.row.HadPrompt = at, true
	if changed {
		s.cfg.Save(s.row)
	}
}

// SetHadPrompt corrects whether the agent keeps a prompt of the session.
func (s *Session) SetHadPrompt(had bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setRow(func(r *backend.Session) { r.HadPrompt = had })
}
