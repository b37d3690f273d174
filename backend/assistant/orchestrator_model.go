package assistant

import (
	"errors"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/llm"
)

const (
	// maxPauses is the maximum number of rate-limit waits for one message of the model. The count restarts if the user
	// selects another model.
	maxPauses = 3
	// firstPause is the length of the first wait if the service doesn't specify one; each further wait is twice as
	// long. If a wait would be longer than longestPause, the request fails instead.
	firstPause   = 15 * time.Second
	longestPause = 10 * time.Minute
	// waitStep is the minimum delay before the retry after a temporary failure.
	waitStep = 2 * time.Second
)

// ask requests the model's next message, which is shown as it streams. If a request fails before any text has been
// shown, ask may try again, depending on the failure. After a rate limit, it waits for the limit to pass. If the
// conversation was too long, ask shortens the conversation. If the service rejects images, ask removes the images of
// earlier messages. After a temporary failure, it tries again once.
func (t *modelTurn) ask() (llm.Answer, *llm.Failure) {
	pauses, again, shortened := 0, false, false
	for {
		said := false
		answer, failure := t.orchestrator.cfg.Stream(t.ctx, llm.Request{
			Provider: t.provider, Key: t.key, Messages: t.prompt.messages(), Tools: t.orchestrator.cfg.Tools,
		}, func(text, reasoning string) {
			said = said || text != ""
			t.stream(backend.ItemThought, reasoning)
			t.stream(backend.ItemMessage, text)
		})
		t.closeStreamingItem()
		t.addUsage(answer.Usage)
		switch {
		case failure == nil:
			return answer, nil
		case said, failure.Kind == llm.KindEnded:
			return answer, failure
		case failure.Kind == llm.KindRate && pauses < maxPauses:
			wait := failure.RetryAfter
			if wait == 0 {
				wait = firstPause << pauses
			}
			pauses++
			if wait > longestPause {
				return answer, failure
			}
			other, over := t.pause(wait)
			switch {
			case other != "":
				if err := t.switchProvider(other); err != nil {
					return answer, err
				}
				pauses, again, shortened = 0, false, false
			case !over:
				return answer, failure
			}
		case failure.Kind == llm.KindContext && !shortened && t.prompt.shorten():
			shortened = true
		case failure.Kind == llm.KindImages && t.prompt.dropImages():
		case again:
			if failure.Kind == llm.KindEmpty && t.message.Len() > 0 {
				return llm.Answer{}, nil // the model has nothing to add to its last message
			}
			return answer, failure
		case failure.Kind == llm.KindServer, failure.Kind == llm.KindNetwork, failure.Kind == llm.KindEmpty:
			again = true
			if !t.wait(max(waitStep, min(failure.RetryAfter, firstPause))) {
				return answer, failure
			}
		default:
			return answer, failure
		}
	}
}

// pause waits for a rate limit to pass and shows the user a banner with the time of the next attempt. If the user
// selects another orchestrator or model in the meantime, pause returns immediately. The result other is then the ID of
// the selected provider. The result over is true if the full wait has elapsed.
func (t *modelTurn) pause(wait time.Duration) (other string, over bool) {
	chosen := make(chan string, 1)
	t.orchestrator.mu.Lock()
	t.orchestrator.pauses[t.turn.ChatID] = pause{mainID: t.turn.OrchestratorID, selected: chosen}
	t.orchestrator.mu.Unlock()
	it := t.newItem(backend.ItemBanner)
	it.Banner = &backend.Banner{
		Kind: backend.BannerRateLimited, Session: t.turn.Session, Detail: backend.Plain(t.provider.Name),
		NextTryAt: backend.Millis(time.Now().Add(wait).UnixMilli()),
	}
	t.publish(it)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		over = true
	case other = <-chosen:
	case <-t.ctx.Done():
	}
	t.orchestrator.mu.Lock()
	delete(t.orchestrator.pauses, t.turn.ChatID)
	t.orchestrator.mu.Unlock()
	select {
	case other = <-chosen: // at the last moment
	default:
	}
	ended := *it.Banner
	it.Banner = &ended
	it.Open, it.EndedAt, ended.Dismissed = false, backend.Now(), true
	t.publish(it)
	return other, over
}

// switchProvider continues the turn with another orchestrator, the provider with the given ID.
func (t *modelTurn) switchProvider(id string) *llm.Failure {
	provider, key, err := t.orchestrator.cfg.Provider(t.ctx, id)
	if err != nil {
		var failure *backend.Error
		if !errors.As(err, &failure) {
			failure = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't switch to the other model. Choose a model again."), Detail: err.Error()}
		}
		return &llm.Failure{Kind: llm.KindOther, Err: failure}
	}
	t.provider, t.key, t.turn.OrchestratorID = provider, key, id
	t.prompt.setContext(llm.ContextOf(provider))
	turn := t.turn
	t.orchestrator.cfg.Publish(backend.Event{Turn: &turn})
	return nil
}

// wait waits for the duration d. It returns false if the turn is stopped first.
func (t *modelTurn) wait(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-t.ctx.Done():
		return false
	}
}

// addUsage adds a request's usage to the turn's usage.
func (t *modelTurn) addUsage(u *backend.Usage) {
	if u == nil {
		return
	}
	t.prompt.calibrate(u.Input)
	sum := *u
	if was := t.turn.Usage; was != nil {
		sum.Input, sum.Output = sum.Input+was.Input, sum.Output+was.Output
		sum.CacheRead, sum.Thought = sum.CacheRead+was.CacheRead, sum.Thought+was.Thought
	}
	t.turn.Usage = &sum
}

// countUsage records the conversation's current context use in the turn's usage.
func (t *modelTurn) countUsage() {
	usage := backend.Usage{}
	if t.turn.Usage != nil {
		usage = *t.turn.Usage
	}
	usage.ContextUsed, usage.ContextSize = t.prompt.contextUse(t.message.String())
	t.turn.Usage = &usage
}

// streamingItem is the item to which the model's output is being appended.
type streamingItem struct {
	item backend.Item
	size int64
}

// stream appends a piece of the model's output to the streaming item. If the item is of another kind, or if there is
// none, stream opens a new item first.
func (t *modelTurn) stream(kind backend.ItemKind, text string) {
	if t.streaming == nil || t.streaming.item.Kind != kind {
		text = strings.TrimLeft(text, " \t\r\n") // models put empty lines between reasoning and text
		if text == "" {
			return
		}
		t.closeStreamingItem()
		t.streaming = &streamingItem{item: t.newItem(kind)}
		t.publish(t.streaming.item)
		if kind == backend.ItemMessage {
			t.message.Reset()
		}
	}
	if text == "" {
		return
	}
	s := t.streaming
	piece := backend.Text{ItemID: s.item.ID, ChatID: s.item.ChatID, Offset: s.size, Text: text}
	s.size += int64(len(text))
	piece.Size = s.size
	if kind == backend.ItemMessage {
		t.message.WriteString(text)
	}
	t.orchestrator.cfg.Publish(backend.Event{Text: &piece})
}

// closeStreamingItem closes the streaming item, if there is one.
func (t *modelTurn) closeStreamingItem() {
	if t.streaming == nil {
		return
	}
	it := t.streaming.item
	it.Open, it.EndedAt = false, backend.Now()
	t.streaming = nil
	t.publish(it)
}
