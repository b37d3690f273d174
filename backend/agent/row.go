package agent

import (
	"reflect"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// setRow changes the session's row, and saves it where it is another one then.
func (s *session) setRow(change func(*backend.Session)) {
	next := s.row
	change(&next)
	if reflect.DeepEqual(next, s.row) {
		return
	}
	s.row = next
	s.saved(next)
}

// cost is what the turn that was answered with usage took. The Copilot CLI, and
// ACP, count a session's from when it was loaded; an agent that counts each turn
// by itself is told by a count that becomes smaller.
func (s *session) cost(usage gjson.Result) *backend.Usage {
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

// announced takes the tools that an answer announces, where it does.
func (s *session) announced(answer gjson.Result) {
	if tools, ok := toolsOf(answer); ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.setRow(func(r *backend.Session) { r.Tools = tools })
	}
}

// toolsOf reads a list of tools; agents name it, and what is in it, in several
// ways.
func toolsOf(v gjson.Result) (out []backend.Choice, ok bool) {
	list := v.Get("tools")
	if !list.IsArray() {
		list = v.Get("availableTools")
	}
	if !list.IsArray() {
		return nil, false
	}
	list.ForEach(func(_, e gjson.Result) bool {
		c := backend.Choice{ID: e.Get("id").String(), Name: e.Get("name").String(), Description: e.Get("description").String(), Group: e.Get("server").String()}
		if e.Type == gjson.String {
			c.Name = e.Str
		}
		if title := e.Get("title").String(); c.Name == "" {
			c.Name = title
		}
		if c.ID == "" {
			c.ID = c.Name
		}
		if c.Name == "" {
			c.Name = c.ID
		}
		if c.ID != "" {
			out = append(out, c)
		}
		return true
	})
	return out, true
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
