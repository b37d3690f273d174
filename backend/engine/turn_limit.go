package engine

import (
	"context"
	"strconv"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/limit"
)

// limitNotices returns a function that shows a banner when the time limit is about to stop the turn, and updates that
// banner. The banner stays open until the turn is extended or ends. minutes is the number of minutes that an extension
// adds.
func (e *Engine) limitNotices(turn backend.Turn, minutes int) func(now limit.Notice, stops time.Time) {
	var banner *backend.Item
	return func(now limit.Notice, stops time.Time) {
		if banner == nil {
			banner = &backend.Item{
				ID: backend.NewID(), ChatID: turn.ChatID, TurnID: turn.ID, Session: turn.Session,
				Kind: backend.ItemBanner, Open: true, CreatedAt: backend.Now(),
			}
		}
		item := *banner
		item.Banner = &backend.Banner{Kind: backend.BannerTimeLimitNear, Session: turn.Session, Detail: backend.Plain(strconv.Itoa(minutes))}
		switch now {
		case limit.Soon:
			if !stops.IsZero() {
				item.Banner.NextTryAt = backend.Millis(stops.UnixMilli())
			}
		case limit.Extended:
			item.Banner.Kind = backend.BannerTimeLimitExtended
			fallthrough
		case limit.Ended:
			item.Open, item.EndedAt = false, backend.Now()
			banner = nil
		}
		e.Bus.Publish(backend.Event{Item: &item})
	}
}

// ExtendTurn adds the full time limit to a turn that is about to be stopped. It returns
// CodeNotFound if the turn has ended.
func (a *API) ExtendTurn(chatID, turnID string) error {
	return a.Call(func(_ context.Context, e *Engine) error {
		if !e.limits.Extend(chatID, turnID) {
			return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This answer has already ended. Send a message to continue.")}
		}
		return nil
	})
}

// stoppedByLimit adds a note to the transcript that the time limit stopped the turn. It returns the turn with its new
// state and error.
func (e *Engine) stoppedByLimit(turn backend.Turn, minutes int) backend.Turn {
	message := backend.Say("VoxPilot stopped this answer after %d minutes of work, the time limit in Settings. Send a message to continue.", minutes)
	if minutes == 1 {
		message = backend.Say("VoxPilot stopped this answer after 1 minute of work, the time limit in Settings. Send a message to continue.")
	}
	turn.State = backend.TurnStopped
	turn.Error = &backend.Error{Code: backend.CodeLimit, Message: message}
	e.addNote(backend.Item{ChatID: turn.ChatID, TurnID: turn.ID, ParentID: turn.BlockID, Session: turn.Session}, message)
	return turn
}

// addNote adds a note to a turn in the transcript. at holds the chat, the turn, the block and the session.
func (e *Engine) addNote(at backend.Item, message backend.Message) {
	at.ID, at.Kind, at.CreatedAt, at.EndedAt = backend.NewID(), backend.ItemNote, backend.Now(), backend.Now()
	text := message.String()
	e.Bus.Publish(backend.Event{Item: &at}, backend.Event{Text: &backend.Text{ItemID: at.ID, ChatID: at.ChatID, Text: text, Size: int64(len(text))}})
}
