package sessionuse

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// PlainRows returns a Rows that stores only the messages of the user and the agent.
func PlainRows(commit func(ctx context.Context, events ...backend.Event) error) Rows {
	return func(ctx context.Context, chat string, s backend.Session, state json.RawMessage, lines [][]byte) (json.RawMessage, error) {
		var turnID string
		_ = json.Unmarshal(state, &turnID)
		var events []backend.Event
		for _, line := range lines {
			e := gjson.ParseBytes(line)
			text := e.Get("data.content").String()
			if e.Get("agentId").String() != "" || strings.TrimSpace(text) == "" {
				continue
			}
			at := backend.Now()
			if t, err := time.Parse(time.RFC3339, e.Get("timestamp").String()); err == nil {
				at = backend.Millis(t.UnixMilli())
			}
			id := rowID(e.Get("id").String())
			item := backend.Item{ID: id, ChatID: chat, Session: s.Name, CreatedAt: at, EndedAt: at}
			switch e.Get("type").String() {
			case eventUser:
				turnID, item.Kind = rowID("turn "+e.Get("id").String()), backend.ItemUser
				events = append(events, backend.Event{Turn: &backend.Turn{ID: turnID, ChatID: chat, Session: s.Name, State: backend.TurnDone, StartedAt: at, SentAt: at, EndedAt: at}})
			case eventAssistant:
				item.Kind = backend.ItemMessage
			default:
				continue
			}
			item.TurnID = turnID
			events = append(events, backend.Event{Item: &item}, backend.Event{Text: &backend.Text{ItemID: id, ChatID: chat, Text: text, Size: int64(len(text))}})
		}
		next, _ := json.Marshal(turnID)
		if len(events) == 0 {
			return next, nil
		}
		return next, commit(ctx, events...)
	}
}

func rowID(of string) string {
	sum := sha256.Sum256([]byte(of))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:26])
}
