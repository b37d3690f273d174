package session

import (
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/replay"
)

// replayed takes an update that the agent sent in a replay.
func (s *Session) replayed(kind string, up gjson.Result) {
	switch {
	case kind == "current_mode_update":
		s.chosen.replayed = up.Get("currentModeId").String()
	case s.check == nil:
	case kind == "user_message_chunk":
		if raw, ok := inside(up.Get("content.text")); ok {
			s.check.User(raw)
		}
	case kind == "agent_message_chunk":
		if raw, ok := inside(up.Get("content.text")); ok {
			s.check.Message(raw)
		} else {
			s.check.Other()
		}
	case kind == "tool_call", kind == "tool_call_update":
		s.check.Other()
	}
}

// inside is the inside of a JSON string; whether it is one.
func inside(text gjson.Result) ([]byte, bool) {
	if text.Type != gjson.String {
		return nil, false
	}
	return []byte(text.Raw[1 : len(text.Raw)-1]), true
}

// AwaitReplay takes what comes for what was shown before, until loaded is called. It
// is collected where it is to be compared.
func (s *Session) AwaitReplay(compare bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replay = true
	if compare {
		s.check = &replay.Replay{Own: [][]byte{notePrefix, ErrorPrefix, warningPrefix}}
	}
}

// Loaded ends the replay, of which it returns what was collected.
func (s *Session) Loaded(answer gjson.Result) *replay.Replay {
	s.Configure(answer)
	s.mu.Lock()
	defer s.mu.Unlock()
	check := s.check
	s.replay, s.check = false, nil
	return check
}

// SetDifference notes how what the agent remembers differs from the transcript; "" where
// it does not.
func (s *Session) SetDifference(how backend.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.differs = how
}

// Difference is what setDiffers noted.
func (s *Session) Difference() backend.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.differs
}
