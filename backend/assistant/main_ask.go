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
	// moment is how long after a failure, which most often passes, the service
	// is asked once more.
	moment = 2 * time.Second
)

// ask asks the model for its next message, and once more where that helps and
// nothing of an answer was shown yet. What it says is shown as it comes.
func (a *answering) ask() (llm.Answer, *llm.Failure) {
	pauses, again, shortened := 0, false, false
	for {
		said := false
		answer, failure := a.m.cfg.Stream(a.ctx, llm.Request{
			Provider: a.provider, Key: a.key, Messages: a.talk.messages(), Tools: a.m.cfg.Tools,
		}, func(text, reasoning string) {
			said = said || text != ""
			a.say(backend.ItemThought, reasoning)
			a.say(backend.ItemMessage, text)
		})
		a.hush()
		a.spend(answer.Usage)
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
			other, over := a.pause(wait)
			switch {
			case other != "":
				if err := a.move(other); err != nil {
					return answer, err
				}
				pauses, again, shortened = 0, false, false
			case !over:
				return answer, failure
			}
		case failure.Kind == llm.KindContext && !shortened && a.talk.shorten():
			shortened = true
		case failure.Kind == llm.KindImages && a.talk.blind():
		case again:
			if failure.Kind == llm.KindEmpty && a.message.Len() > 0 {
				return llm.Answer{}, nil // It has nothing to add to what it said before.
			}
			return answer, failure
		case failure.Kind == llm.KindServer, failure.Kind == llm.KindNetwork, failure.Kind == llm.KindEmpty:
			again = true
			if !a.wait(max(moment, min(failure.RetryAfter, firstPause))) {
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
func (a *answering) pause(wait time.Duration) (other string, over bool) {
	chosen := make(chan string, 1)
	a.m.mu.Lock()
	a.m.pauses[a.turn.ChatID] = pause{mainID: a.turn.OrchestratorID, chosen: chosen}
	a.m.mu.Unlock()
	it := a.newItem(backend.ItemBanner)
	it.Banner = &backend.Banner{
		Kind: backend.BannerRateLimited, Session: a.turn.Session, Detail: backend.Plain(a.provider.Name),
		NextTryAt: backend.Millis(time.Now().Add(wait).UnixMilli()),
	}
	a.publish(it)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		over = true
	case other = <-chosen:
	case <-a.ctx.Done():
	}
	a.m.mu.Lock()
	delete(a.m.pauses, a.turn.ChatID)
	a.m.mu.Unlock()
	select {
	case other = <-chosen: // at the very end
	default:
	}
	ended := *it.Banner
	it.Banner = &ended
	it.Open, it.EndedAt, ended.Dismissed = false, backend.Now(), true
	a.publish(it)
	return other, over
}

// move has another main AI go on with the turn.
func (a *answering) move(id string) *llm.Failure {
	provider, key, err := a.m.cfg.Provider(a.ctx, id)
	if err != nil {
		var failure *backend.Error
		if !errors.As(err, &failure) {
			failure = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't switch to the other model. Choose one again."), Detail: err.Error()}
		}
		return &llm.Failure{Kind: llm.KindOther, Err: failure}
	}
	a.provider, a.key, a.turn.OrchestratorID = provider, key, id
	a.talk.move(llm.ContextOf(provider))
	turn := a.turn
	a.m.cfg.Publish(backend.Event{Turn: &turn})
	return nil
}

// wait says whether the time went by before the turn was stopped.
func (a *answering) wait(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-a.ctx.Done():
		return false
	}
}

// spend adds up what the requests of the turn cost.
func (a *answering) spend(u *backend.Usage) {
	if u == nil {
		return
	}
	a.talk.learn(u.Input)
	sum := *u
	if was := a.turn.Usage; was != nil {
		sum.Input, sum.Output = sum.Input+was.Input, sum.Output+was.Output
		sum.CacheRead, sum.Thought = sum.CacheRead+was.CacheRead, sum.Thought+was.Thought
	}
	a.turn.Usage = &sum
}

// count notes what the conversation takes of the model's context now.
func (a *answering) count() {
	usage := backend.Usage{}
	if a.turn.Usage != nil {
		usage = *a.turn.Usage
	}
	usage.ContextUsed, usage.ContextSize = a.talk.takes(a.message.String())
	a.turn.Usage = &usage
}

// spoken is an item whose text grows.
type spoken struct {
	item backend.Item
	size int64
}

// say shows a piece of what the model says.
func (a *answering) say(kind backend.ItemKind, text string) {
	if a.spoken == nil || a.spoken.item.Kind != kind {
		text = strings.TrimLeft(text, " \t\r\n") // Models put empty lines between what they think and say.
		if text == "" {
			return
		}
		a.hush()
		a.spoken = &spoken{item: a.newItem(kind)}
		a.publish(a.spoken.item)
		if kind == backend.ItemMessage {
			a.message.Reset()
		}
	}
	if text == "" {
		return
	}
	s := a.spoken
	piece := backend.Text{ItemID: s.item.ID, ChatID: s.item.ChatID, Offset: s.size, Text: text}
	s.size += int64(len(text))
	piece.Size = s.size
	if kind == backend.ItemMessage {
		a.message.WriteString(text)
	}
	a.m.cfg.Publish(backend.Event{Text: &piece})
}

// hush ends the item that grows.
func (a *answering) hush() {
	if a.spoken == nil {
		return
	}
	it := a.spoken.item
	it.Open, it.EndedAt = false, backend.Now()
	a.spoken = nil
	a.publish(it)
}
