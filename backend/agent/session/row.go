package session

import (
	"reflect"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/lines"
	"github.com/voxpilot/voxpilot/backend/agent/replay"
	"github.com/voxpilot/voxpilot/backend/agent/result"
)

// setRow calls change to update the session's row, and saves the row if it has changed. The caller must hold s.mu.
func (s *Session) setRow(change func(*backend.Session)) {
	next := s.row
	change(&next)
	if reflect.DeepEqual(next, s.row) {
		return
	}
	s.row = next
	s.cfg.Save(next)
}

// Event adds the cost in a usage record of the Copilot CLI to the running turn, and ignores other events. The CLI may
// leave out events, so the transcript doesn't depend on them.
func (s *Session) Event(params gjson.Result) {
	if params.Get("type").Str != result.UsageRecord {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		result.AddCost(&s.cost, params.Get("data.usage"), params.Get("agentId").Str == "")
	}
}

// Cost returns the usage of a turn, or nil if the turn made no model call or the agent reported no usage. usage is the
// usage that the agent reported at the end of the turn. The Copilot CLI and ACP report totals since the session was
// loaded. If a total is smaller than before, the agent reports the usage of each turn separately.
func (s *Session) Cost(usage gjson.Result) *backend.Usage {
	if !usage.IsObject() {
		return nil
	}
	now := result.Usage(usage)
	s.mu.Lock()
	turn := result.Since(s.usageSoFar, now)
	s.usageSoFar = now
	s.mu.Unlock()
	if turn == (backend.Usage{}) {
		return nil // no model call was made
	}
	s.mu.Lock()
	s.modelAnswered = true
	turn.Model, turn.Premium, turn.NanoAIU = s.cost.Model, s.cost.Premium, s.cost.NanoAIU
	s.mu.Unlock()
	return &turn
}

// announcesTools reports whether an update lists the session's tools, in either of the
// two fields that agents use. Such updates are discarded.
func announcesTools(up gjson.Result) bool {
	return up.Get("tools").IsArray() || up.Get("availableTools").IsArray()
}

// commandsOf returns the slash commands in an available_commands_update.
func commandsOf(up gjson.Result) (out []backend.Choice) {
	up.Get("availableCommands").ForEach(func(_, e gjson.Result) bool {
		out = append(out, backend.Choice{
			ID: strings.TrimPrefix(e.Get("name").String(), "/"), Name: e.Get("name").String(), Description: e.Get("description").String(),
		})
		return true
	})
	return out
}

// MarkPrompted records in the session's row that the session received a prompt. The parameter at is the time of the
// prompt. The caller must already have committed a copy of the row with this change. The parameter before is the row
// from which the caller made that copy. If the session's row differs from before, MarkPrompted saves it again.
func (s *Session) MarkPrompted(before backend.Session, at backend.Millis) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed := !reflect.DeepEqual(s.row, before)
	s.row.UsedAt, s.row.HadPrompt = at, true
	if changed {
		s.cfg.Save(s.row)
	}
}

// SetHadPrompt corrects Session.HadPrompt in the row. had is true if the agent has stored a prompt of the
// session.
func (s *Session) SetHadPrompt(had bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setRow(func(r *backend.Session) { r.HadPrompt = had })
}

// takeReplayed handles an update from a replay. It stores the mode in s.choices, and adds messages and tool calls to
// s.collected unless that is nil. The caller must hold s.mu.
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

// jsonStringBody returns the content of a JSON string with its escape sequences, or false if text isn't a string.
func jsonStringBody(text gjson.Result) ([]byte, bool) {
	if text.Type != gjson.String {
		return nil, false
	}
	return []byte(text.Raw[1 : len(text.Raw)-1]), true
}

// AwaitReplay makes the session expect a replay: until FinishReplay is called, most updates aren't applied. If compare
// is true, the session collects the replayed messages for comparison.
func (s *Session) AwaitReplay(compare bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inReplay = true
	if compare {
		s.collected = &replay.Replay{Prompts: [][]byte{lines.InfoPrefix, lines.ErrorPrefix, lines.WarningPrefix}}
	}
}

// FinishReplay ends the replay, applies answer in the same way as Configure, and returns the collected updates, or nil
// if none were collected.
func (s *Session) FinishReplay(answer gjson.Result) *replay.Replay {
	s.Configure(answer)
	s.mu.Lock()
	defer s.mu.Unlock()
	check := s.collected
	s.inReplay, s.collected = false, nil
	return check
}

// SetDifference records how the agent's history differs from the transcript.
func (s *Session) SetDifference(how replay.Difference) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.difference = how
}

// Difference returns the value passed to SetDifference.
func (s *Session) Difference() replay.Difference {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.difference
}
