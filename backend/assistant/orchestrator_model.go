package assistant

import (
	"errors"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/llm"
)

const (
	// maxPauses is how often a service that asks for a pause is given one.
	maxPauses = 3
	// firstPause is how long it is where the service does not say, and doubles
	// each time; longestPause is what nobody would sit through.
	firstPause   = 15 * time.Second
	longestPause = 10 * time.Minute
	// waitStep is how long after a failure, which most often passes, the service
	// is asked once more.
	waitStep = 2 * time.Second
)

// ask asks the model for its next message, and once more where that helps and
// nothing of an answer was shown yet. What it says is shown as it comes.
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
				return llm.Answer{}, nil // It has nothing to add to what it said before.
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

// pause waits because the service asked for it. The user sees for how long, and
// may choose another main AI or another model, which is to go on at once. over says that the time
// went by before the turn was stopped.
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
	case other = <-chosen: // at the very end
	default:
	}
	ended := *it.Banner
	it.Banner = &ended
	it.Open, it.EndedAt, ended.Dismissed = false, backend.Now(), true
	t.publish(it)
	return other, over
}

// switchProvider has another main AI go on with the turn.
func (t *modelTurn) switchProvider(id string) *llm.Failure {
	provider, key, err := t.orchestrator.cfg.Provider(t.ctx, id)
	if err != nil {
		var failure *backend.Error
		if !errors.As(err, &failure) {
			failure = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't switch to the other model. Choose one again."), Detail: err.Error()}
		}
		return &llm.Failure{Kind: llm.KindOther, Err: failure}
	}
	t.provider, t.key, t.turn.OrchestratorID = provider, key, id
	t.prompt.setContext(llm.ContextOf(provider))
	turn := t.turn
	t.orchestrator.cfg.Publish(backend.Event{Turn: &turn})
	return nil
}

// wait says whether the time went by before the turn was stopped.
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

// addUsage adds up what the requests of the turn cost.
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

// countUsage notes what the conversation takes of the model's context now.
func (t *modelTurn) countUsage() {
	usage := backend.Usage{}
	if t.turn.Usage != nil {
		usage = *t.turn.Usage
	}
	usage.ContextUsed, usage.ContextSize = t.prompt.contextUse(t.message.String())
	t.turn.Usage = &usage
}

// streamingItem is an item whose text grows.
type streamingItem struct {
	item backend.Item
	size int64
}

// stream shows a piece of what the model says.
func (t *modelTurn) stream(kind backend.ItemKind, text string) {
	if t.streaming == nil || t.streaming.item.Kind != kind {
		text = strings.TrimLeft(text, " \t\r\n") // Models put empty lines between what they think and say.
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

// closeStreamingItem ends the item that grows.
func (t *modelTurn) closeStreamingItem() {
	if t.streaming == nil {
		return
	}
	it := t.streaming.item
	it.Open, it.EndedAt = false, backend.Now()
	t.streaming = nil
	t.publish(it)
}
