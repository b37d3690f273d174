package session

import (
	"context"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend/agent/args"
	"github.com/voxpilot/voxpilot/backend/question"
)

// elicit handles elicitation/create: it asks the user and returns the response. The question is closed when the turn
// ends. s is nil if the agent names no known session, for example in an elicitation for a sign-in. The response is
// question.Canceled if s or Config.Questions is nil or the turn was stopped.
func elicit(ctx context.Context, s *Session, params gjson.Result) (any, *sdk.RequestError) {
	if s == nil || s.cfg.Questions == nil {
		return question.Canceled, nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.cfg.Process, cancel)()
	s.mu.Lock()
	by := question.Asker{ChatID: s.chatID, TurnID: s.turn, ParentID: s.parent, Session: s.Name, CallID: params.Get("toolCallId").String()}
	t := s.tools[by.CallID]
	if s.stopped || s.unloaded.Load() || t != nil && t.isLate {
		s.mu.Unlock()
		s.log.Warn("rejected an elicitation of a stopped turn")
		return question.Canceled, nil
	}
	if s.running {
		s.openRequests.Add(1)
		defer s.openRequests.Done()
		defer context.AfterFunc(s.turnCtx, cancel)()
	}
	s.release()
	s.mu.Unlock()
	if t != nil {
		defer s.measureWait(t)()
	}
	answer, err := s.cfg.Questions.Elicit(ctx, by, params)
	if err != nil {
		return nil, args.Bad(err.Error())
	}
	return answer, nil
}
