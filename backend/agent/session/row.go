package session

import (
	"reflect"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/replay"
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
	was := s.usageSoFar
	s.usageSoFar = now
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
	s.modelAnswered = true
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

// MarkPrompted notes that the session had a prompt, which is durable. before is the row as
// it was then: what changed meanwhile is kept as well.
func (s *Session) MarkPrompted(before backend.Session, at backend.Millis) {
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

// takeReplayed takes an update that the agent sent in a replay.
func (s *Session) takeReplayed(kind string, up gjson.Result) {
	switch {
	case kind == "current_mode_update":
		s.choices.replayed = up.Get("currentModeId").String()
	case s.collected == nil:
	case kind == "user_message_chunk":
		if raw, ok := jsonStringBody(up.Get("content.text")); ok {
			s.collected.User(raw)
		}
	case kind == "agent_message_chunk":
		if raw, ok := jsonStringBody(up.Get("content.text")); ok {
			s.collected.Message(raw)
		} else {
			s.collected.Other()
		}
	case kind == "tool_call", kind == "tool_call_update":
		s.collected.Other()
	}
}

// jsonStringBody is the inside of a JSON string; whether it is one.
func jsonStringBody(text gjson.Result) ([]byte, bool) {
	if text.Type != gjson.String {
		return nil, false
	}
	return []byte(text.Raw[1 : len(text.Raw)-1]), true
}

// AwaitReplay takes what comes for what was shown before, until Loaded is called. It
// is collected where it is to be compared.
func (s *Session) AwaitReplay(compare bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inReplay = true
	if compare {
		s.collected = &replay.Replay{Prompts: [][]byte{notePrefix, ErrorPrefix, warningPrefix}}
	}
}

// FinishReplay ends the replay, of which it returns what was collected.
func (s *Session) FinishReplay(answer gjson.Result) *replay.Replay {
	s.Configure(answer)
	s.mu.Lock()
	defer s.mu.Unlock()
	check := s.collected
	s.inReplay, s.collected = false, nil
	return check
}

// SetDifference notes how what the agent remembers differs from the transcript; "" where
// it does not.
func (s *Session) SetDifference(how backend.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.difference = how
}

// Difference is what SetDifference noted.
func (s *Session) Difference() backend.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.difference
}
